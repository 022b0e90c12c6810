/**
 * Reads what may be reminded of: overdue items, late payments that owe interest, what a connected ledger reports as left to pay,
 * earlier reminders, holds, and credits.
 */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import type { RemindedItem } from "../../../domain/receivables/reminder-letter.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { findLedgerItems } from "../../receivables/ledger-items/queries.ts";
import { findItems } from "../../receivables/open-items/queries.ts";
import { isPaidInLedger } from "../../receivables/open-items/require-begun.ts";

/** An item that may be reminded of. */
interface Reminded extends RemindedItem {
  readonly item: NumberedItem;
}

/** What a customer owes and is credited in one currency. */
interface RemindedGroup {
  readonly customer_id: string;
  readonly currency: string;
  readonly items: readonly Reminded[];
  /** In minor units of the currency. */
  readonly credit: Money;
}

interface Asked {
  readonly day: CalendarDate;
  /** Whether interest is charged: then items that were paid late may owe some. */
  readonly has_interest: boolean;
  /** Only these customers; null for all. */
  readonly customer_ids: readonly string[] | null;
}

/** Interest on what was paid longer ago is not charged any more. */
const DAYS_AFTER_PAYMENT = 365;

/** Returns the ids of items that a letter of the day may list. */
export async function remindableIds(cx: Reader, asked: Asked): Promise<string[]> {
  const rows = await cx.rows<{ id: string }>(remindable(cx, asked));
  return rows.map(({ id }) => id);
}

/** Returns what may be reminded of on a day, by customer and currency. */
export async function findReminded(cx: Reader, asked: Asked): Promise<RemindedGroup[]> {
  const own = await findItems(cx, sql`i.id in (${remindable(cx, asked)})`);
  const items = [...own.values(), ...(await findReported(cx, asked))];
  const ids = items.map(({ id }) => id);
  const [history, holds, credits] = await Promise.all([
    findHistory(cx, ids),
    findHolds(cx, ids),
    findCredits(cx, asked),
  ]);
  const groups = new Map<string, { customer_id: string; currency: string; items: Reminded[] }>();
  for (const item of items) {
    const { customer_id, currency } = item;
    const key = `${customer_id} ${currency}`;
    const group = groups.get(key) ?? { customer_id, currency, items: [] };
    group.items.push(remindedFrom(item, history.get(item.id) ?? [], holds.get(item.id) ?? null));
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({
    ...group,
    items: group.items.sort(byDueDate),
    credit: credits.get(key) ?? 0n,
  }));
}

/** Selects overdue invoices and opening items, and those that were paid late. What is settled elsewhere is neither. */
function remindable(cx: Reader, { day, has_interest, customer_ids }: Asked): Sql {
  const { account_id } = cx.caller;
  const of_customers =
    customer_ids === null ? raw("") : sql`and o.customer_id = any(${customer_ids})`;
  const is_owed = sql`o.account_id = ${account_id} and exists (select from receivables_begins where account_id = ${account_id})
    and o.kind in ('invoice', 'opening') and not o.is_credit
    and o.ended_on is null and o.due_date < ${day} ${of_customers}`;
  const overdue = sql`select o.id from open_items o where ${is_owed} and o.open > 0`;
  if (!has_interest) return overdue;
  const since = addDays(day, -DAYS_AFTER_PAYMENT);
  return sql`${overdue} union select o.id from allocations a
    join open_items o on o.account_id = ${account_id} and o.id = a.debit_id
    join open_items c on c.account_id = ${account_id} and c.id = a.credit_id and c.kind = 'payment'
    where a.account_id = ${account_id} and a.reversed_on is null and a.date > o.due_date and a.date > ${since}
      and o.open = 0 and ${is_owed}`;
}

/**
 * Returns invoices of the present connected ledger, as items of what is left to pay of them: it is reported for today alone, so that it
 * counts for every day.
 */
async function findReported(cx: Reader, { day, customer_ids }: Asked): Promise<NumberedItem[]> {
  if (!isPaidInLedger(cx)) return [];
  const of_customers =
    customer_ids === null ? raw("") : sql`and i.customer_id = any(${customer_ids})`;
  const reported = await findLedgerItems(
    cx,
    sql`c.is_current and i.kind = 'invoice' and i.state in ('open', 'partly_paid') and i.remaining > 0
      and i.due_date < ${day} ${of_customers}`,
  );
  return reported.map(
    ({ id, kind, customer_id, number, date, due_date, currency, remaining }): NumberedItem => ({
      ...{ id, kind, customer_id, number, date, due_date, currency, amount: remaining ?? 0n },
      ...{ is_credit: false, ended_on: null, functional: 0n, takes: [] },
    }),
  );
}

interface HistoryRow {
  readonly item_id: string;
  readonly date: CalendarDate;
  readonly counts: boolean;
  readonly has_fee: boolean;
  readonly is_compensated: boolean;
  readonly charged_through: CalendarDate | null;
}

/** Returns the reminders of items so far, in the order of their days; a cancelled one counts for nothing. */
async function findHistory(
  cx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly HistoryRow[]>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<HistoryRow>(sql`
    select t.item_id, r.date, t.counts, t.counts and r.fee > 0 as has_fee, t.compensation > 0 as is_compensated, t.charged_through
    from reminder_items t join reminders r on r.account_id = ${account_id} and r.id = t.reminder_id
    where t.account_id = ${account_id} and t.item_id = any(${ids}) and r.cancelled_on is null
    order by r.date, r.id`);
  const found = new Map<string, HistoryRow[]>();
  for (const row of rows) found.set(row.item_id, [...(found.get(row.item_id) ?? []), row]);
  return found;
}

async function findHolds(
  cx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CalendarDate>> {
  const rows = await cx.rows<{ invoice_id: string; until_date: CalendarDate }>(sql`
    select invoice_id, until_date from reminder_holds
    where account_id = ${cx.caller.account_id} and invoice_id = any(${ids})`);
  return new Map(rows.map(({ invoice_id, until_date }) => [invoice_id, until_date]));
}

/** Returns what is held for customers, by customer and currency, in minor units. */
async function findCredits(
  cx: Reader,
  { customer_ids }: Asked,
): Promise<ReadonlyMap<string, Money>> {
  const of_customers =
    customer_ids === null ? raw("") : sql`and customer_id = any(${customer_ids})`;
  const { account_id } = cx.caller;
  // What a connected ledger reports counts while it is connected: credit notes, and what was paid too much.
  const rows = await cx.rows<{ customer_id: string; currency: string; credit: Money }>(sql`
    select customer_id, currency, sum(credit)::bigint as credit from (
      select customer_id, currency, open as credit from open_items
      where account_id = ${account_id} and is_credit and open > 0 ${of_customers}
      union all
      select customer_id, currency, abs(remaining) from ledger_items
      where account_id = ${account_id} and (kind = 'credit_note' and remaining > 0 or kind = 'invoice' and remaining < 0)
        and connection_id in (select id from ledger_connections where account_id = ${account_id} and is_current)
        ${of_customers}) held
    group by customer_id, currency`);
  return new Map(
    rows.map(({ customer_id, currency, credit }) => [`${customer_id} ${currency}`, credit]),
  );
}

function remindedFrom(
  item: NumberedItem,
  history: readonly HistoryRow[],
  hold_until: CalendarDate | null,
): Reminded {
  const charged = history.flatMap(({ charged_through }) => charged_through ?? []).sort();
  return {
    item,
    // Every item that is read has one.
    due_date: item.due_date ?? item.date,
    counted_on: history.flatMap(({ counts, date }) => (counts ? [date] : [])),
    fees_on: history.flatMap(({ has_fee, date }) => (has_fee ? [date] : [])),
    is_compensated: history.some(({ is_compensated }) => is_compensated),
    charged_through: charged.at(-1) ?? null,
    hold_until,
  };
}

function byDueDate(a: Reminded, b: Reminded): number {
  const [one, other] = [a, b].map(({ due_date, item }) => `${due_date} ${item.id}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}
