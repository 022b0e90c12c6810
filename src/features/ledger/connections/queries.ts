/** The SQL queries of connections, and of the mapping of our accounts to those of the connected ledger. */
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { insert, raw, type Sql, sql, tableOf, update } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { mayBeFetched } from "../../documents/issued/queries.ts";

type Stored = Selectable<Tables["ledger_connections"]>;

/** The columns that calls of the ledger need. */
export type ConnectionRow = Pick<
  Stored,
  "id" | "kind" | "settings" | "sealed_secrets" | "state"
> & { readonly sandbox: boolean };

/**
 * Returns the connection through which an account books, or the one with the id, which it may have left; undefined when it has
 * none of this kind.
 */
export function findConnection(
  db: Reads,
  account_id: string,
  kind: string,
  id: string | null = null,
): Promise<ConnectionRow | undefined> {
  return db.row<ConnectionRow>(sql`select c.id, c.kind, c.settings, c.sealed_secrets, c.state, a.sandbox
     from ledger_connections c join accounts a on a.id = c.account_id
     where c.account_id = ${account_id} and c.kind = ${kind}
       and case when ${id}::uuid is null then c.is_current else c.id = ${id}::uuid end`);
}

export async function isSandbox(db: Reads, account_id: string): Promise<boolean> {
  const row = await db.row<{ sandbox: boolean }>(
    sql`select sandbox from accounts where id = ${account_id}`,
  );
  if (row === undefined) throw new Error("the account is gone");
  return row.sandbox;
}

/** The states in which only checks call the ledger. */
const REFUSED = raw("('unauthorized', 'subscription')");

/** Stores a new state that an outcome has shown. Bookings that waited for a working connection become due. */
export async function noteState(
  db: Reads,
  account_id: string,
  id: string,
  state: Stored["state"],
  last_error: string | null,
): Promise<void> {
  await db.rows(sql`with changed as (
      update ledger_connections set state = ${state}, last_error = ${last_error}, updated_at = (select clock_timestamp()),
        refused_since = case when ${state}::text in ${REFUSED} then coalesce(refused_since, (select clock_timestamp())) end
      where account_id = ${account_id} and id = ${id} and state <> ${state} returning id)
    update intents set next_attempt_at = least(next_attempt_at, (select clock_timestamp()))
    where account_id = ${account_id} and connection_id in (select id from changed) and ${state}::text = 'connected'
      and state in ('booking', 'unknown', 'pending')`);
}

/** A connection as the API shows it: without settings and secrets. */
export type ShownConnection = Pick<
  Stored,
  | "id"
  | "kind"
  | "state"
  | "organisation_id"
  | "organisation_name"
  | "told"
  | "locked_through"
  | "checked_at"
  | "last_error"
  | "refused_since"
>;

export function findCurrent(cx: Reader): Promise<ShownConnection | undefined> {
  return cx.row<ShownConnection>(sql`select id, kind, organisation_id, organisation_name, told, locked_through, checked_at, refused_since,
       case when state = 'connected' and down_since is not null then 'unavailable' else state end as state,
       case when state = 'connected' and down_since is not null then 'unavailable' else last_error end as last_error
     from ledger_connections where account_id = ${cx.caller.account_id} and is_current`);
}

/** Returns the current connection, and locks it until the commit. */
export function lockCurrent(tx: Tx): Promise<ShownConnection | undefined> {
  tx.lock(sql`select from ledger_connections where account_id = ${tx.caller.account_id} and is_current
     for no key update`);
  return findCurrent(tx);
}

/** A row of the mapping; the VAT code is '' where there is none. */
export type MappingRow = Pick<
  Selectable<Tables["ledger_mappings"]>,
  "account_number" | "vat_code" | "ledger_account" | "ledger_vat_code"
>;

/** Returns the accounts of our chart that need a row: those of sales by VAT code, and those of roles with ''. */
export async function listWanted(cx: Reader): Promise<Wanted[]> {
  return cx.rows<Wanted>(sql`select number as account_number, vat_code from ledger_accounts
     where account_id = ${cx.caller.account_id} and type = 'income' and vat_code is not null
     union select r.number, '' from configurations k cross join lateral
       unnest(array[k.contract_asset_account, k.contract_liability_account, k.exchange_difference_account]) as r (number)
     where k.account_id = ${cx.caller.account_id} and r.number is not null
     order by 1, 2`);
}

export type Wanted = Pick<MappingRow, "account_number" | "vat_code">;

/** Returns the rows of the connection through which the account books, in the order of the chart. */
export function listMapping(cx: Reader): Promise<MappingRow[]> {
  return cx.rows<MappingRow>(sql`select m.account_number, m.vat_code, m.ledger_account, m.ledger_vat_code
     from ledger_mappings m join ledger_connections c on c.account_id = m.account_id and c.id = m.connection_id
     where m.account_id = ${cx.caller.account_id} and c.is_current
     order by m.account_number, m.vat_code`);
}

/** Writes rows; a row of the same account and VAT code is replaced. */
export function putMapping(tx: Tx, connection_id: string, rows: readonly MappingRow[]): void {
  const { columns, table } = tableOf(rows, {
    account_number: ["int", (row) => row.account_number],
    vat_code: ["text", (row) => row.vat_code],
    ledger_account: ["text", (row) => row.ledger_account],
    ledger_vat_code: ["text", (row) => row.ledger_vat_code],
  });
  tx.write(sql`insert into ledger_mappings (account_id, connection_id, ${columns})
     select ${tx.caller.account_id}, ${connection_id}, m.* from ${table} as m
     on conflict (account_id, connection_id, account_number, vat_code) do update set
       ledger_account = excluded.ledger_account, ledger_vat_code = excluded.ledger_vat_code`);
}

type NewConnection = Parameters<typeof insert<"ledger_connections">>[1];

/**
 * Stores the connection through which the account books from now on; the former one stays, because documents may name it, and
 * is not probed any more.
 */
export function replaceCurrent(tx: Tx, row: NewConnection | null): void {
  const { account_id } = tx.caller;
  tx.write(sql`update ledger_connections set is_current = false, failures = 0, down_since = null, next_probe_at = null,
       updated_at = (select clock_timestamp())
     where account_id = ${account_id} and is_current`);
  if (row !== null) tx.write(insert("ledger_connections", row));
}

/** A connection that led to some books before. */
type FormerConnection = Pick<Stored, "id" | "settings">;

/** Returns the connections of a kind that the account has left, the last first. */
export function listFormer(cx: Reader, kind: string): Promise<FormerConnection[]> {
  return cx.rows<FormerConnection>(sql`select id, settings from ledger_connections
     where account_id = ${cx.caller.account_id} and kind = ${kind} and not is_current order by updated_at desc`);
}

/** Books through a former connection again, with the credentials that were just checked. */
export function returnTo(tx: Tx, id: string, row: Partial<NewConnection>): void {
  replaceCurrent(tx, null);
  renewConnection(tx, id, { ...row, is_current: true });
}

/** Returns the rows of a connection, in the order of the chart. */
export function listMappingOf(cx: Reader, connection_id: string): Promise<MappingRow[]> {
  return cx.rows<MappingRow>(sql`select account_number, vat_code, ledger_account, ledger_vat_code from ledger_mappings
     where account_id = ${cx.caller.account_id} and connection_id = ${connection_id} order by account_number, vat_code`);
}

/** Stores new credentials for the same books. */
export function renewConnection(tx: Tx, id: string, row: Partial<NewConnection>): void {
  tx.write(sql`${update("ledger_connections", row)}
     where account_id = ${tx.caller.account_id} and id = ${id}`);
}

/** Closes the circuit of a ledger that responds again, and makes all work that waits for this ledger due. */
export async function wakeConnection(db: Reads, account_id: string, id: string): Promise<void> {
  await db.rows(sql`with closed as (
      update ledger_connections set failures = 0, down_since = null, next_probe_at = null
      where account_id = ${account_id} and id = ${id})
    update intents set next_attempt_at = least(next_attempt_at, (select clock_timestamp()))
    where account_id = ${account_id} and connection_id = ${id}
      and state in ('booking', 'unknown', 'pending')`);
}

/** The kinds of ledgers that print documents, and those that tell payments. */
interface TendedKinds {
  readonly printing: readonly string[];
  readonly reporting: readonly string[];
}

/**
 * Returns the connections `c` whose ledger has work other than bookings: a customer or product to send, changes to read, a
 * sending to check, a PDF to fetch where the ledger is one of the `printing` kinds, or payments to read where it is one of the
 * `reporting` ones. Sendings and payments may be those of a ledger that the account has left.
 */
export function connectionsToTend({ printing, reporting }: TendedKinds): Sql {
  return sql`from ledger_connections c
    where c.state in ('connected', 'unavailable') and c.down_since is null
      and (exists (select from deliveries d where d.account_id = c.account_id
          and d.next_look_at <= statement_timestamp())
        or c.kind = any(${reporting}) and (exists (select from ledger_items i where i.account_id = c.account_id
            and i.connection_id = c.id and i.next_read_at <= statement_timestamp())
          or c.next_payments_at <= statement_timestamp() and (c.is_current or exists (select from ledger_items i
            where i.account_id = c.account_id and i.connection_id = c.id and i.kind = 'invoice'
              and (i.state is null or i.state in ('open', 'partly_paid')))))
        or c.is_current and (c.next_pull_at <= statement_timestamp()
          or exists (select from ledger_links l where l.account_id = c.account_id and l.connection_id = c.id
            and l.state = 'queued' and l.next_attempt_at <= statement_timestamp()
            and (l.lease_until is null or l.lease_until <= statement_timestamp()))
          or c.kind = any(${printing}) and exists (select from waiting_documents w
            where w.account_id = c.account_id and ${mayBeFetched(raw("c.account_id"))})))`;
}

/**
 * Returns accounts after `after`, in their order, that have a connection to tend (`connectionsToTend`), other than those in
 * `except`.
 */
export async function accountsToTend(
  db: Reads,
  kinds: TendedKinds,
  except: readonly string[],
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await db.rows<{ account_id: string }>(sql`
    select c.account_id ${connectionsToTend(kinds)}
      and c.account_id > ${after} and not c.account_id = any(${except}::uuid[])
    order by c.account_id limit ${most}`);
  return rows.map(({ account_id }) => account_id);
}
