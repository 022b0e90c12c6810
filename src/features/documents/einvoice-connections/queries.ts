/** The SQL queries of the connections through which accounts send e-invoices. */
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { insert, sql, update } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";

type Stored = Selectable<Tables["einvoice_connections"]>;

export type EinvoiceConnectionRow = Pick<
  Stored,
  | "id"
  | "kind"
  | "settings"
  | "sealed_secrets"
  | "state"
  | "last_error"
  | "checked_at"
  | "failures"
  | "pauses"
>;

/** Returns the account's connection; undefined without one. */
export function findConnection(cx: Reader): Promise<EinvoiceConnectionRow | undefined> {
  return cx.row<EinvoiceConnectionRow>(sql`select id, kind, settings, sealed_secrets, state, last_error, checked_at, failures, pauses
     from einvoice_connections where account_id = ${cx.caller.account_id} and is_current`);
}

/** Returns the account's connection, and locks it until the commit; deliveries that name it cannot be queued meanwhile. */
export function lockConnection(tx: Tx): Promise<EinvoiceConnectionRow | undefined> {
  tx.lock(sql`select from einvoice_connections where account_id = ${tx.caller.account_id} and is_current
     for update`);
  return findConnection(tx);
}

/** Stores a new state that an outcome has shown, outside of any transaction. */
export async function noteState(
  cx: Reader,
  id: string,
  state: Stored["state"],
  last_error: string | null,
): Promise<void> {
  await cx.rows(sql`update einvoice_connections
     set state = ${state}, last_error = ${last_error}, updated_at = (select clock_timestamp())
     where account_id = ${cx.caller.account_id} and id = ${id} and state <> ${state}`);
}

/**
 * Returns the number of e-invoices that are queued, being sent, or unconfirmed through a connection. Those without one wait for it,
 * or are looked up in it first; what a connected ledger has sent is not among them.
 */
export async function countUnderWay(cx: Reader, connection_id: string): Promise<number> {
  const row = await cx.row<{ count: bigint }>(sql`select count(*) as count from deliveries
     where account_id = ${cx.caller.account_id} and channel = 'einvoice' and state in ('queued', 'sending', 'unknown')
       and (einvoice_connection_id = ${connection_id}
         or (einvoice_connection_id is null and (state = 'queued' or (is_copied and next_look_at is null))))`);
  return Number(row?.count ?? 0n);
}

type NewConnection = Parameters<typeof insert<"einvoice_connections">>[1];

/**
 * Stores the connection through which the account sends from now on, or none. The former one stays without its
 * secrets, because deliveries name it.
 */
export function replaceConnection(tx: Tx, row: NewConnection | null): void {
  tx.write(sql`update einvoice_connections set is_current = false, sealed_secrets = '', updated_at = (select clock_timestamp())
     where account_id = ${tx.caller.account_id} and is_current`);
  if (row !== null) tx.write(insert("einvoice_connections", row));
}

/** Changes columns of a connection. */
export function updateConnection(tx: Tx, id: string, row: Partial<NewConnection>): void {
  tx.write(sql`${update("einvoice_connections", row)}
     where account_id = ${tx.caller.account_id} and id = ${id}`);
}
