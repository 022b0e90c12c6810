/** The SQL queries of documents that a connected ledger booked, and of what was read there of their payment (spec 13.9). */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import type { LedgerPayment } from "../../../ledger/connected.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { raw, type Sql, sql, tableOf } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";

/** How old an answer of the ledger may be before it is asked again. */
export const EVERY = raw("interval '15 minutes'");

/** Whether something may still be paid of a row `i` of `ledger_items`. */
export const MAY_BE_OWED = raw("(i.state is null or i.state in ('open', 'partly_paid'))");

/** A document that a connected ledger has just booked. */
interface BookedItem {
  readonly item: NumberedItem;
  readonly guid: string;
  readonly connection_id: string;
}

/**
 * Stores documents that a connected ledger booked. Nothing is known of their payment, for which the ledger is asked later. Follows all
 * locks of the transaction, because a row has a stamp.
 */
export function storeLedgerItems(tx: Tx, booked: readonly BookedItem[]): void {
  if (booked.length === 0) return;
  const { account_id } = tx.caller;
  const { columns, table } = tableOf(booked, {
    id: ["uuid", ({ item }) => item.id],
    connection_id: ["uuid", ({ connection_id }) => connection_id],
    guid: ["uuid", ({ guid }) => guid],
    kind: ["text", ({ item }) => item.kind],
    customer_id: ["uuid", ({ item }) => item.customer_id],
    number: ["text", ({ item }) => item.number],
    date: ["date", ({ item }) => item.date],
    due_date: ["date", ({ item }) => item.due_date],
    currency: ["text", ({ item }) => item.currency],
    amount: ["bigint", ({ item }) => item.amount],
    functional: ["bigint", ({ item }) => item.functional],
  });
  tx.write(sql`insert into ledger_items (account_id, next_read_at, updated_at, ${columns})
    select ${account_id}, clock_timestamp() + ${EVERY}, stamp(${account_id}), i.* from ${table} as i`);
}

/** A document for which the ledger is asked. */
export type AskedItem = Pick<Selectable<Tables["ledger_items"]>, "id" | "guid" | "kind">;

/** Returns the documents (alias `i`) of a connection that meet a condition, by their ids. */
export function findAsked(cx: Reader, connection_id: string, which: Sql): Promise<AskedItem[]> {
  return cx.rows<AskedItem>(sql`select i.id, i.guid, i.kind from ledger_items i
    where i.account_id = ${cx.caller.account_id} and i.connection_id = ${connection_id} and ${which} order by i.id`);
}

/** What the ledger reported of the documents for which it was asked at a moment. */
interface ReportedPayments {
  readonly asked: readonly AskedItem[];
  readonly reported: readonly LedgerPayment[];
  readonly at: Timestamp;
  /** Whether much is read together: a row that says the same is left alone then, as the connection has the moment. */
  readonly is_sweep: boolean;
}

/**
 * Stores what the ledger reported. A document without an answer is one of which it does not report it. A later answer that is stored already
 * stays, and so does a change that was noted meanwhile.
 */
export async function storeReported(
  cx: Reader,
  { asked, reported, at, is_sweep }: ReportedPayments,
): Promise<void> {
  const { account_id } = cx.caller;
  const by_guid = new Map(reported.map((one) => [one.guid.toLowerCase(), one]));
  const paymentOf = ({ guid }: AskedItem) => by_guid.get(guid.toLowerCase());
  const { table } = tableOf(asked, {
    id: ["uuid", ({ id }) => id],
    state: ["text", (one) => paymentOf(one)?.state ?? null],
    paid: ["bigint", (one) => paymentOf(one)?.paid ?? null],
    remaining: ["bigint", (one) => paymentOf(one)?.remaining ?? null],
    paid_on: ["date", (one) => paymentOf(one)?.paid_on ?? null],
  });
  const is_new = sql`(i.state, i.paid, i.remaining, i.paid_on) is distinct from (n.state, n.paid, n.remaining, n.paid_on)`;
  await cx.rows(sql`update ledger_items i set state = n.state, paid = n.paid, remaining = n.remaining, paid_on = n.paid_on,
      read_at = ${at}, next_read_at = case when not ${is_sweep} and i.next_read_at <= (select clock_timestamp()) then i.next_read_at end,
      reported_at = case when ${is_new} or i.reported_at is null then ${at} else i.reported_at end,
      updated_at = case when ${is_new} then ${stampedAnew(account_id)} else i.updated_at end
    from ${table} as n (id, state, paid, remaining, paid_on)
    where i.account_id = ${account_id} and i.id = n.id and (i.read_at is null or i.read_at < ${at})
      and (not ${is_sweep} or i.read_at is null or i.next_read_at is not null or ${is_new})`);
}

/** What was read of the payment of a document, as of a moment; that is null before the first answer. */
export type LedgerItem = Pick<
  Selectable<Tables["ledger_items"]>,
  | "id"
  | "kind"
  | "customer_id"
  | "number"
  | "date"
  | "due_date"
  | "currency"
  | "amount"
  | "functional"
  | "state"
  | "paid"
  | "remaining"
  | "paid_on"
  | "reported_at"
> & {
  readonly as_of: Timestamp | null;
  /** Of a credit note: its invoice. */
  readonly invoice_id: string | null;
};

/**
 * The moment of what is known of a row `i` of a connection `c`: what is open is looked at together, the rest once a night. A document
 * that has changed there is known as it was when it was read.
 */
export const AS_OF = raw(`case when i.next_read_at is not null or i.read_at is null then i.read_at
  when i.state in ('open', 'partly_paid') then greatest(i.read_at, c.payments_read_at)
  else greatest(i.read_at, c.payments_whole_at) end`);

/** How far what is owed by documents of a connection is known. */
export interface ReadThrough {
  /** The oldest answer that counts for what is open; without anything open, the last look. Null before the first answer. */
  readonly as_of: Timestamp | null;
  /** Invoices of which the ledger has not reported what is left to pay. */
  readonly unreported: number;
}

/** Returns how far what is owed by documents of a connection is known, of one customer or of all. */
export async function findReadThrough(
  cx: Reader,
  connection_id: string,
  customer_id: string | null = null,
): Promise<ReadThrough> {
  const { account_id } = cx.caller;
  const row = await cx.row<ReadThrough>(sql`
    select coalesce(min(${AS_OF}) filter (where i.remaining > 0), c.payments_read_at) as as_of,
      (count(*) filter (where i.kind = 'invoice' and i.remaining is null))::int as unreported
    from ledger_connections c left join ledger_items i on i.account_id = ${account_id} and i.connection_id = c.id and ${MAY_BE_OWED}
      and (${customer_id}::uuid is null or i.customer_id = ${customer_id})
    where c.account_id = ${account_id} and c.id = ${connection_id} group by c.payments_read_at`);
  if (row === undefined) throw new Error("the connection is missing");
  return row;
}

/** Returns the documents (alias `i`) of a condition with what was read of their payment, the newest first. */
export function findLedgerItems(cx: Reader, which: Sql): Promise<LedgerItem[]> {
  const { account_id } = cx.caller;
  return cx.rows<LedgerItem>(sql`select i.id, i.kind, i.customer_id, i.number, i.date, i.due_date, i.currency, i.amount, i.functional,
      i.state, i.paid, i.remaining, i.paid_on, i.reported_at, ${AS_OF} as as_of, n.invoice_id
    from ledger_items i
    join ledger_connections c on c.account_id = ${account_id} and c.id = i.connection_id
    left join credit_notes n on n.account_id = ${account_id} and n.id = i.id
    where i.account_id = ${account_id} and ${which} order by i.id desc`);
}
