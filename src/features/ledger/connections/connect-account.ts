/**
 * Connects an account to an accounting system and disconnects it. Settings are stored only after a successful check
 * of the system. Only an operator, or an admin in person, may connect: a leaked key must not redirect the books.
 */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import type { LedgerCheck } from "../../../ledger/connected.ts";
import type { ConnectionSettings, Connector } from "../../../ledger/connector.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import { type Caller, type Context, isAdminInPerson } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { queueUnlinked } from "../../catalogue/links/queries.ts";
import { hasBookings, vatSettings } from "../../settings/configuration/queries.ts";
import { lockConfiguration } from "../../settings/configuration/save.ts";
import {
  connectionFrom,
  refusalOf,
  storedRow,
  type TriedConnection,
  tryConnection,
} from "./attempt-connection.ts";
import { connectedRow, eventOf } from "./check-connection.ts";
import { proposeMapping } from "./mapping.ts";
import {
  findConnection,
  findCurrent,
  listWanted,
  putMapping,
  renewConnection,
  replaceCurrent,
  wakeConnection,
} from "./queries.ts";

/** The kind of the built-in ledger, which an account uses again after it is disconnected. */
export const OWN_BOOKS = "builtin";

/**
 * Connects the account after a check. Throws ROLE_FORBIDDEN for a caller who may not connect, VALIDATION_FAILED for wrong
 * settings, LEDGER_NOT_CONNECTED for refused credentials, LEDGER_UNAVAILABLE without an answer, LEDGER_REJECTED
 * for books in which nothing could be booked, CONFIGURATION_LOCKED once something has been booked elsewhere. When the account
 * is already connected to the same books, the connection stays and gets the new credentials.
 */
export async function connectAccount(
  cx: Context,
  kind: string,
  given: ConnectionSettings,
): Promise<{ readonly id: string }> {
  requireMayConnect(cx.caller);
  const wanted = connectionFrom(cx, kind, given);
  const renewed = await sameBooks(cx, wanted.setup.connector, wanted.fields.settings);
  if (renewed === null && (await hasBookings(cx))) throw fixed();
  const tried = await tryConnection(cx, wanted, renewed ?? newId<string>());
  const { checked } = tried;
  if (checked.state !== "ok") throw refusalOf(checked);
  if (checked.faults.length > 0) {
    const message = checked.faults.map((one) => `${one.code}: ${one.message}`).join(" ");
    throw new Problem("LEDGER_REJECTED", { message, details: { faults: checked.faults } });
  }
  await run(storeConnection, cx, { ...tried, checked, is_renewal: renewed !== null });
  return { id: tried.id };
}

/** Returns the current connection when it leads to the same books; null when there is none or it leads to other books. */
async function sameBooks(
  cx: Context,
  { kind, organisationKey }: Connector,
  settings: ConnectionSettings,
): Promise<string | null> {
  const current = await findConnection(cx, cx.caller.account_id, kind);
  if (current === undefined) return null;
  const is_same = organisationKey(JSON.parse(current.settings)) === organisationKey(settings);
  return is_same ? current.id : null;
}

interface NewConnection extends TriedConnection {
  readonly checked: LedgerCheck;
  /** Whether the new connection renews the current one to the same books. */
  readonly is_renewal: boolean;
}

const storeConnection = defineCommand({
  name: "connect_ledger",
  access: "write",
  input: z.custom<NewConnection>(),

  async plan(tx, connection) {
    requireMayConnect(tx.caller);
    const { id, is_renewal, checked } = connection;
    const configuration = await (is_renewal ? lockConfiguration(tx) : lockFree(tx));
    const before = await findCurrent(tx);
    if (is_renewal && before?.id !== id) throw new Problem("RESOURCE_BUSY");
    const wanted = await listWanted(tx);
    const mapping = is_renewal ? [] : proposeMapping(wanted, checked, vatSettings(configuration));
    return { connection, mapping, before };
  },

  async commit(tx, { connection, mapping, before }): Promise<void> {
    const { account_id } = tx.caller;
    const { id, kind, checked, is_renewal } = connection;
    const row = { ...connectedRow(checked), id, kind };
    const stored = storedRow(connection, checked);
    if (is_renewal) {
      renewConnection(tx, id, stored);
      await wakeConnection(tx, account_id, id);
    } else {
      replaceCurrent(tx, { account_id, ...stored });
    }
    if (mapping.length > 0) putMapping(tx, id, mapping);
    // The ledger receives all existing customers and products; an account may be much older than its connection.
    await queueUnlinked(tx, "customer");
    await queueUnlinked(tx, "product");
    tx.write(sql`update accounts set ledger_kind = ${kind} where id = ${account_id}`);
    tx.audit("ledger_connection", id, "connected", {
      before: before === undefined ? null : eventOf(before),
      after: eventOf(row),
    });
  },
});

/** Returns the account to the built-in books. Throws as `connectAccount` does, and LEDGER_NOT_CONNECTED. */
export const disconnectAccount = defineCommand({
  name: "disconnect_ledger",
  access: "write",
  input: z.object({}),

  async plan(tx) {
    requireMayConnect(tx.caller);
    await lockFree(tx);
    const before = await findCurrent(tx);
    if (before === undefined) throw new Problem("LEDGER_NOT_CONNECTED");
    return before;
  },

  async commit(tx, before): Promise<void> {
    replaceCurrent(tx, null);
    tx.write(
      sql`update accounts set ledger_kind = ${OWN_BOOKS} where id = ${tx.caller.account_id}`,
    );
    tx.audit("ledger_connection", before.id, "disconnected", {
      before: eventOf(before),
      after: null,
    });
  },
});

/** Requires that the caller is the operator, or an admin who is not acting through an assistant. Throws ROLE_FORBIDDEN. */
export function requireMayConnect(caller: Caller): void {
  if (!isAdminInPerson(caller)) throw new Problem("ROLE_FORBIDDEN");
}

/** Locks the configuration, which every booking also locks: while it is locked, no booking is in progress. */
async function lockFree(tx: Tx) {
  const configuration = await lockConfiguration(tx);
  if (await hasBookings(tx)) throw fixed();
  return configuration;
}

function fixed(): Problem {
  const message =
    "An account with booked documents moves to another ledger with `matchbook ledger move`, on the command line.";
  return new Problem("CONFIGURATION_LOCKED", { message, details: { field: "ledger" } });
}
