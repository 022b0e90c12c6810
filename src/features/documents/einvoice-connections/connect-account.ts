/**
 * Connects an account to the folder or access point that takes its e-invoices, and disconnects it. Settings are stored only after
 * a successful check. Only the operator may: a leaked key, or a deceived admin, must not redirect invoices.
 */
import * as z from "zod";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import type { EinvoiceSetup } from "../../../einvoice/connector.ts";
import type { ConnectionSettings, GivenSettings } from "../../../ledger/connector.ts";
import { givenSettings, unusableSettings } from "../../../ledger/given-settings.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Caller, Context } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { checkCall, checkedRow, eventOf } from "./check-connection.ts";
import {
  countUnderWay,
  type EinvoiceConnectionRow,
  findConnection,
  lockConnection,
  replaceConnection,
  updateConnection,
} from "./queries.ts";
import { requireOwnEinvoices } from "./require-own-einvoices.ts";

/**
 * Connects the account after a check. Settings that lead to the same place renew the connection, at any time. Throws
 * ROLE_FORBIDDEN for a caller other than the operator, EINVOICE_BY_LEDGER, VALIDATION_FAILED for wrong settings,
 * EINVOICE_NOT_CONNECTED for a failed check, and EINVOICE_UNDER_WAY when e-invoices are under way through another connection.
 */
export async function connectAccount(
  cx: Context,
  kind: string,
  given: ConnectionSettings,
): Promise<void> {
  requireOperator(cx.caller);
  requireOwnEinvoices(cx);
  const setup = cx.einvoice_setups.get(kind);
  if (setup === undefined) {
    const kinds = [...cx.einvoice_setups.keys()].join(", ");
    throw invalidField("kind", "invalid_value", `The kinds are: ${kinds}.`);
  }
  const fields = givenSettings(setup.connector, given);
  const checked = await openedFor(cx, setup, fields).check({
    ...checkCall(cx),
    is_connecting: true,
  });
  if (checked.state !== "connected") {
    const message = `${checked.text} Nothing is stored.`;
    throw new Problem("EINVOICE_NOT_CONNECTED", { message, details: { state: checked.state } });
  }
  const before = await findConnection(cx);
  const is_renewal = before !== undefined && isSamePlace(setup, before, fields);
  const id = is_renewal ? before.id : newId<string>();
  const { account_id } = cx.caller;
  const { reports, formats } = setup.connector.capabilities(fields.settings);
  const row = {
    ...checkedRow(checked),
    ...setup.sealed({ account_id, connection_id: id }, fields.secrets),
    id,
    kind: setup.connector.kind,
    settings: JSON.stringify(fields.settings),
    reports,
    formats: [...formats],
  };
  await run(storeConnection, cx, { row, replaces: before?.id ?? null });
}

function openedFor({ caller }: Context, setup: EinvoiceSetup, fields: GivenSettings) {
  const { account_id, sandbox } = caller;
  try {
    return setup.open({ account_id, sandbox }, fields);
  } catch (error) {
    throw unusableSettings(error);
  }
}

/** Whether new settings lead where the stored ones lead. */
function isSamePlace(
  { connector }: EinvoiceSetup,
  { kind, settings }: EinvoiceConnectionRow,
  fields: GivenSettings,
): boolean {
  const stored: ConnectionSettings = JSON.parse(settings);
  return (
    kind === connector.kind &&
    connector.place.every((name) => stored[name] === fields.settings[name])
  );
}

type CheckedConnection = Omit<EinvoiceConnectionRow, "checked_at" | "failures" | "pauses"> &
  Pick<ReturnType<typeof checkedRow>, "checked_at"> & {
    readonly key_id: string;
    readonly reports: boolean;
    readonly formats: string[];
  };

const storeConnection = defineCommand({
  name: "connect_einvoices",
  access: "write",
  input: z.custom<{ readonly row: CheckedConnection; readonly replaces: string | null }>(),

  async plan(tx, { row, replaces }) {
    const before = await lockConnection(tx);
    if ((before?.id ?? null) !== replaces) {
      throw new Problem("RESOURCE_BUSY", { retry_after_seconds: 1 });
    }
    if (before !== undefined && before.id !== row.id) await requireNoneUnderWay(tx, before);
    return { row, before };
  },

  async commit(tx, { row, before }): Promise<void> {
    const { account_id } = tx.caller;
    if (before?.id === row.id) {
      updateConnection(tx, row.id, { ...row, updated_at: row.checked_at });
    } else replaceConnection(tx, { account_id, ...row });
    tx.audit("einvoice_connection", row.id, "connected", {
      before: before === undefined ? null : eventOf(before),
      after: eventOf(row),
    });
  },
});

/** Disconnects the account. Throws ROLE_FORBIDDEN, EINVOICE_NOT_CONNECTED and EINVOICE_UNDER_WAY. */
export const disconnectAccount = defineCommand({
  name: "disconnect_einvoices",
  access: "write",
  input: z.object({}),

  async plan(tx) {
    requireOperator(tx.caller);
    const before = await lockConnection(tx);
    if (before === undefined) throw new Problem("EINVOICE_NOT_CONNECTED");
    await requireNoneUnderWay(tx, before);
    return before;
  },

  async commit(tx, before): Promise<void> {
    replaceConnection(tx, null);
    tx.audit("einvoice_connection", before.id, "disconnected", {
      before: eventOf(before),
      after: null,
    });
  },
});

async function requireNoneUnderWay(
  tx: Tx,
  { id }: Pick<EinvoiceConnectionRow, "id">,
): Promise<void> {
  const count = await countUnderWay(tx, id);
  if (count === 0) return;
  const are = count === 1 ? "1 e-invoice is" : `${count} e-invoices are`;
  const message = `${are} queued, being sent, or unconfirmed. Wait until they are sent, and resolve those whose state is unknown.`;
  throw new Problem("EINVOICE_UNDER_WAY", { message, details: { count } });
}

function requireOperator({ actor }: Caller): void {
  if (actor.kind !== "operator") throw new Problem("ROLE_FORBIDDEN");
}
