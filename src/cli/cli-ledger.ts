/** The ledger commands. They read secrets from the environment or standard input: any process can read arguments. */
import { operatorContext } from "../features/access/accounts/create.ts";
import { rollWebhookSecrets } from "../features/integrations/webhooks/roll-secrets.ts";
import { resolveIntent } from "../features/ledger/booking/resolve-intent.ts";
import { changeMapping, readMapping } from "../features/ledger/connections/change-mapping.ts";
import {
  checkConnection,
  readConnection,
} from "../features/ledger/connections/check-connection.ts";
import {
  connectAccount,
  disconnectAccount,
} from "../features/ledger/connections/connect-account.ts";
import { rollKeys } from "../features/ledger/connections/roll-keys.ts";
import { bookables } from "../features/revenue/accruals/list-bookables.ts";
import { run } from "../platform/commands/command.ts";
import type { Context } from "../platform/commands/context.ts";
import { Uuid } from "../platform/http/schemas.ts";
import { connectorFrom, givenTo, OF_LEDGERS } from "./cli-connect-options.ts";
import { inAccount, withServices } from "./cli-database.ts";
import { pairFrom, roleFrom } from "./cli-ledger-options.ts";
import { accountId, answer, optionsOf, required, say, text, UsageError } from "./cli-options.ts";

const ofAccount = { account: { type: "string" }, json: { type: "boolean" } } as const;

/** Connects an account to an accounting system. Checks the connection first, and stores only a connection that works. */
export async function ledgerConnect(argv: readonly string[]): Promise<number> {
  return withServices("existing", async (services) => {
    const { connector, options } = connectorFrom(argv, services.setups, OF_LEDGERS);
    const cx = await operatorContext(services, accountId(required(options, "account")));
    await connectAccount(cx, connector.kind, givenTo(connector, options, OF_LEDGERS));
    await printConnection(await operatorContext(services, cx.caller.account_id), options);
  });
}

export async function ledgerShow(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofAccount);
  return inAccount(required(options, "account"), (cx) => printConnection(cx, options));
}

export async function ledgerCheck(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofAccount);
  let is_connected = false;
  const ended = await inAccount(required(options, "account"), async (cx) => {
    is_connected = JSON.parse(await checkConnection(cx)).state === "connected";
    await printConnection(cx, options);
  });
  return is_connected ? ended : 1;
}

export async function ledgerDisconnect(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofAccount);
  return inAccount(required(options, "account"), async (cx) => {
    await run(disconnectAccount, cx, {});
    const shown = { account_id: cx.caller.account_id, kind: "builtin" };
    answer(options, shown, ["The account books in the built-in ledger again."]);
  });
}

/** Sets the given account pairs and roles, if any, and lists all. */
export async function ledgerMap(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    ...ofAccount,
    pair: { type: "string", multiple: true },
    role: { type: "string", multiple: true },
  }) as Record<string, unknown> & ReturnType<typeof optionsOf>;
  const [pairs, roles] = [options.pair, options.role].map((one) => (one ?? []) as string[]);
  const rows = (pairs ?? []).map(pairFrom);
  return inAccount(required(options, "account"), async (cx) => {
    for (const role of roles ?? []) rows.push(await roleFrom(cx, role));
    if (rows.length > 0) await run(changeMapping, cx, { rows });
    const mapping = await readMapping(cx);
    const line = (number: number, code: string, there: string): string =>
      `${String(number).padEnd(9)} ${(code || "-").padEnd(16)} ${there}`;
    answer(options, { account_id: cx.caller.account_id, ...mapping }, [
      ...mapping.rows.map((row) =>
        line(
          row.account_number,
          row.vat_code,
          `${row.ledger_account}${row.ledger_vat_code === null ? "" : ` ${row.ledger_vat_code}`}`,
        ),
      ),
      ...mapping.open.map(({ account_number, vat_code, reason }) =>
        line(account_number, vat_code, reason === null ? "open" : `open: ${reason}`),
      ),
    ]);
  });
}

export function ledgerRotateKey(argv: readonly string[]): Promise<number> {
  optionsOf(argv, {});
  return withServices("existing", async (services) => {
    const { key_id, sealed, apps } = await rollKeys(services, [rollWebhookSecrets]);
    say(
      `${sealed} connections and webhooks, and ${apps} authenticator apps are sealed with the key ${key_id}, which all processes need.`,
    );
  });
}

/** Ends a booking that waits for a person, after the person has checked the ledger. */
export async function ledgerResolve(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    ...ofAccount,
    intent: { type: "string" },
    reason: { type: "string" },
    adopt: { type: "string" },
    release: { type: "boolean" },
  });
  const id = Uuid.safeParse(required(options, "intent")).data;
  if (id === undefined) throw new UsageError("--intent must be the id of a booking.");
  const reason = required(options, "reason");
  const given = text(options, "adopt");
  if ((given === undefined) === (options.release !== true)) {
    throw new UsageError("Either --adopt or --release is required.");
  }
  const adopt = given === undefined ? null : adoptedFrom(given);
  return inAccount(required(options, "account"), async (cx) => {
    const resolved = await run(resolveIntent(bookables), cx, { id, reason, adopt });
    const ended = adopt === null ? "released" : "settled";
    answer(
      options,
      { account_id: cx.caller.account_id, intent_id: id, state: ended, ...resolved },
      [`${ended} ${resolved.document_id}`],
    );
  });
}

/** Reads the document's id in the ledger, its number, and the year of the number. */
function adoptedFrom(given: string) {
  const [, ledger_id = "", number = "0", year] =
    /^([^:]+):([1-9]\d{0,17})(?::(\d{4}))?$/.exec(given) ?? [];
  if (ledger_id === "")
    throw new UsageError("--adopt must be LEDGER-ID:NUMBER or LEDGER-ID:NUMBER:YEAR.");
  return { ledger_id, number: BigInt(number), ...(year && { year: Number(year) }) };
}

/** Prints the connection as the API shows it, and the accounts that are not mapped yet. */
async function printConnection(cx: Context, options: ReturnType<typeof optionsOf>): Promise<void> {
  const shown = JSON.parse(await readConnection(cx));
  const open = shown.id === null ? [] : (await readMapping(cx)).open;
  const { kind, state, organisation, last_error, mapping } = shown;
  answer(options, { account_id: cx.caller.account_id, ...shown, open }, [
    `ledger       ${kind}`,
    `state        ${state}${last_error === null ? "" : ` (${last_error})`}`,
    ...(organisation === null ? [] : [`organisation ${organisation.id} ${organisation.name}`]),
    `mapped       ${mapping.length}`,
    ...open.map(
      ({ account_number, vat_code, reason }) =>
        `open         ${account_number} ${vat_code || "(role)"}${reason === null ? "" : `: ${reason}`}`,
    ),
  ]);
}
