/** The SQL of connections and of what our accounts are called at the other end. */
import type { Reader } from "../../platform/context.ts";
import type { Selectable } from "../../platform/database/columns.ts";
import type { Reads } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Tables } from "../../platform/database/tables.ts";

type Stored = Selectable<Tables["ledger_connections"]>;

/** A connection as it is used. */
export type ConnectionRow = Pick<
  Stored,
  "id" | "kind" | "settings" | "sealed_secrets" | "state"
> & { readonly sandbox: boolean };

/** The connection that an account books through; undefined for one that has none of this kind. */
export function findConnection(
  db: Reads,
  account_id: string,
  kind: string,
): Promise<ConnectionRow | undefined> {
  return db.row<ConnectionRow>(sql`select c.id, c.kind, c.settings, c.sealed_secrets, c.state, a.sandbox
     from ledger_connections c join accounts a on a.id = c.account_id
     where c.account_id = ${account_id} and c.kind = ${kind} and c.is_current`);
}

export async function isSandbox(db: Reads, account_id: string): Promise<boolean> {
  const row = await db.row<{ sandbox: boolean }>(
    sql`select sandbox from accounts where id = ${account_id}`,
  );
  if (row === undefined) throw new Error("the account is gone");
  return row.sandbox;
}

/** What an answer has shown, where that is something new. */
export async function noteState(
  db: Reads,
  account_id: string,
  id: string,
  state: Stored["state"],
  last_error: string | null,
): Promise<void> {
  await db.rows(sql`update ledger_connections set state = ${state}, last_error = ${last_error}, updated_at = clock_timestamp()
     where account_id = ${account_id} and id = ${id} and state <> ${state}`);
}

/** A row of the mapping; with '' for what has no VAT code. */
export type MappingRow = Pick<
  Selectable<Tables["ledger_mappings"]>,
  "account_number" | "vat_code" | "ledger_account" | "ledger_vat_code"
>;

/** Of the connection that the account books through, in the order of the chart. */
export function listMapping(cx: Reader): Promise<MappingRow[]> {
  return cx.rows<MappingRow>(sql`select m.account_number, m.vat_code, m.ledger_account, m.ledger_vat_code
     from ledger_mappings m join ledger_connections c on c.account_id = m.account_id and c.id = m.connection_id
     where m.account_id = ${cx.caller.account_id} and c.is_current
     order by m.account_number, m.vat_code`);
}
