/**
 * Tells which ledger booked a document. A document stays with that ledger when the books of the account move to another one: it
 * prints and sends it, and knows its guid (spec 9.11).
 */
import type { Connection } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

export interface BookedBy {
  /** The connection that booked the document; null for the built-in ledger. */
  readonly connection_id: string | null;
  readonly connection_kind: string | null;
  /** Whether the built-in ledger has an entry of it. */
  readonly is_own: boolean;
}

/** Returns the columns of `BookedBy` for a row of `issued_documents`. */
export function bookedByOf(row: Sql): Sql {
  return sql`${row}.ledger_connection_id as connection_id,
    (select k.kind from ledger_connections k
      where k.account_id = ${row}.account_id and k.id = ${row}.ledger_connection_id) as connection_kind,
    exists (select from ledger_entries e
      where e.account_id = ${row}.account_id and e.guid = ${row}.document_id) as is_own`;
}

/** Returns who booked the document of a condition on `issued_documents d`; undefined for one that is not issued. */
export function findBookedBy(cx: Reader, which: Sql): Promise<BookedBy | undefined> {
  return cx.row<BookedBy>(
    sql`select ${bookedByOf(sql`d`)} from issued_documents d where d.account_id = ${cx.caller.account_id} and ${which}`,
  );
}

/** Returns the context whose ledger is the one that booked a document; unchanged where that is the account's. */
export function inLedgerOf<Cx extends Reader>(cx: Cx, booked: BookedBy | undefined): Cx {
  if (booked === undefined) return cx;
  const { connection_id, connection_kind, is_own } = booked;
  if (connection_id !== null) {
    const ledger = cx.ledgers.get(connection_kind ?? "") ?? null;
    return { ...cx, ledger: ledger && boundTo(ledger, connection_id) };
  }
  return is_own ? { ...cx, ledger: cx.ledgers.get("builtin") ?? null } : cx;
}

/** Returns the context whose ledger is the one that booked the document. */
export async function inItsLedger<Cx extends Reader>(cx: Cx, document_id: string): Promise<Cx> {
  return inLedgerOf(cx, await findBookedBy(cx, sql`d.document_id = ${document_id}`));
}

/** Returns the ledger as a connection reaches it, which need not be the account's present one. */
function boundTo(ledger: Connection, connection_id: string): Connection {
  if (ledger.transactional) return ledger;
  return { ...ledger, connect: (account_id) => ledger.connect(account_id, connection_id) };
}
