/** The e-invoice commands. They read secrets from the environment or standard input: any process can read arguments. */

import { missingOfSeller } from "../domain/einvoice/readiness.ts";
import { operatorContext } from "../features/access/accounts/create.ts";
import {
  checkConnection,
  readConnection,
} from "../features/documents/einvoice-connections/check-connection.ts";
import {
  connectAccount,
  disconnectAccount,
} from "../features/documents/einvoice-connections/connect-account.ts";
import { findConnection } from "../features/documents/einvoice-connections/queries.ts";
import { getConfiguration } from "../features/settings/configuration/queries.ts";
import { run } from "../platform/commands/command.ts";
import type { Context } from "../platform/commands/context.ts";
import { connectorFrom, givenTo, OF_EINVOICES } from "./cli-connect-options.ts";
import { inAccount, withServices } from "./cli-database.ts";
import { accountId, answer, optionsOf, required } from "./cli-options.ts";

const ofAccount = { account: { type: "string" }, json: { type: "boolean" } } as const;

/** Connects an account to what takes its e-invoices. Checks the connection first, and stores only a connection that works. */
export async function einvoiceConnect(argv: readonly string[]): Promise<number> {
  return withServices("existing", async (services) => {
    const { connector, options } = connectorFrom(argv, services.einvoice_setups, OF_EINVOICES);
    const cx = await operatorContext(services, accountId(required(options, "account")));
    await connectAccount(cx, connector.kind, givenTo(connector, options, OF_EINVOICES));
    await printConnection(cx, options);
  });
}

export async function einvoiceShow(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofAccount);
  return inAccount(required(options, "account"), (cx) => printConnection(cx, options));
}

export async function einvoiceCheck(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofAccount);
  let is_connected = false;
  const ended = await inAccount(required(options, "account"), async (cx) => {
    is_connected = JSON.parse(await checkConnection(cx)).state === "connected";
    await printConnection(cx, options);
  });
  return is_connected ? ended : 1;
}

export async function einvoiceDisconnect(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofAccount);
  return inAccount(required(options, "account"), async (cx) => {
    await run(disconnectAccount, cx, {});
    const shown = { account_id: cx.caller.account_id, kind: "none" };
    answer(options, shown, ["The account has no connection for e-invoices any more."]);
  });
}

/** Prints the connection as the API shows it, its settings without secrets, and what keeps the seller from sending. */
async function printConnection(cx: Context, options: ReturnType<typeof optionsOf>): Promise<void> {
  const shown = JSON.parse(await readConnection(cx));
  const stored = await findConnection(cx);
  const settings: Record<string, string> = JSON.parse(stored?.settings ?? "{}");
  const { seller, vat_domestic_country } = await getConfiguration(cx);
  const missing = missingOfSeller(seller, vat_domestic_country)
    .map(({ field }) => field)
    .filter((field) => field === "seller.country_key");
  const { kind, state, sender, formats, envelope, last_error } = shown;
  answer(options, { account_id: cx.caller.account_id, ...shown, settings, missing }, [
    `connection ${kind}`,
    `state      ${state}${last_error === null ? "" : ` (${last_error})`}`,
    `sender     ${sender ?? "unknown: the seller has no registration number"}`,
    ...(kind === "none" ? [] : [`formats    ${formats.join(", ")}`, `envelope   ${envelope}`]),
    ...Object.entries(settings)
      .filter(([name]) => name !== "envelope")
      .map(([name, value]) => `${name.padEnd(10)} ${value}`),
    ...missing.map((field) => `missing    ${field}: only sellers in Denmark can send e-invoices`),
  ]);
}
