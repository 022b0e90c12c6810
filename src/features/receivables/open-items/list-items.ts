/** Lists open items as they are at the end of a day. */
import { type CalendarDate, daysBetween } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, round, scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import {
  type Condition,
  envelope,
  listMerged,
  type PageQuery,
  type RowsOfPage,
} from "../../../platform/database/page.ts";
import { refersTo } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { findLedgerItems, type LedgerItem } from "../ledger-items/queries.ts";
import { findItemsOn, type ItemOnDay } from "./find-open.ts";
import { type OwedSources, owedOn } from "./require-begun.ts";
import { type OpenItemQuery, OpenItemResource } from "./schemas.ts";

/** The filters of a list, without those of its pages. */
type ItemFilters = Omit<OpenItemQuery, "limit" | "cursor">;

/** A page of items on a day. */
interface ItemsOnDay extends RowsOfPage<ItemOnDay> {
  readonly day: CalendarDate;
  readonly functional_currency: string;
  readonly sources: OwedSources;
  /** The ids of the rows that were booked here; the others were read from the connected ledger. */
  readonly own_ids: ReadonlySet<string>;
}

/** Reads a page of items, the newest first. Throws what `owedOn` throws, and VALIDATION_FAILED for a bad cursor. */
export function readItems(
  cx: Reader,
  filters: ItemFilters,
  { limit, cursor }: Pick<PageQuery, "limit" | "cursor">,
): Promise<ItemsOnDay> {
  return reading(cx, async (inside) => {
    const { is_known, connection_id, ...asked } = await owedOn(inside, filters.at);
    const owed = { ...asked, sources: { is_known, connection_id } };
    const tables: [table: "open_items" | "ledger_items", conditions: Condition[]][] = [];
    if (is_known) tables.push(["open_items", itemConditions(filters, owed.day)]);
    if (connection_id !== null) {
      tables.push(["ledger_items", reportedConditions(filters, owed.day, connection_id)]);
    }
    const page = { limit, cursor, updated_since: filters.updated_since };
    const { rows, next_cursor } = await listMerged(inside, tables, page);
    const ids = rows.map(({ id }) => id);
    const items = is_known ? await findItemsOn(inside, ids, owed.day) : [];
    const own_ids = new Set(items.map(({ id }) => id));
    if (connection_id === null) return { ...owed, rows: items, next_cursor, own_ids };
    const reported = await findLedgerItems(inside, sql`i.id = any(${ids})`);
    const all = [...items, ...reported.map(itemFrom)].sort((a, b) => (a.id < b.id ? 1 : -1));
    return { ...owed, rows: all, next_cursor, own_ids };
  });
}

/** Returns a document of a connected ledger as an item: what is left to pay of it is open. */
function itemFrom(reported: LedgerItem): ItemOnDay {
  const { id, kind, customer_id, number, date, due_date, currency, amount, functional } = reported;
  const open = reported.remaining !== null && reported.remaining > 0n ? reported.remaining : 0n;
  return {
    ...{ id, kind, customer_id, number, date, due_date, currency, amount, functional, open },
    is_credit: kind === "credit_note",
    functional_open: round(functional * open, amount),
  };
}

/** Lists items as the API shows them. Throws what `readItems` throws. */
export async function listItems(cx: Reader, page: OpenItemQuery): Promise<JsonText> {
  const { rows, next_cursor, day, functional_currency } = await readItems(cx, page, page);
  const shown = rows.map((row) => jsonText(presentItem(row, day, functional_currency)));
  return envelope(shown, next_cursor);
}

/** Presents an item as the API shows it. All amounts are above 0, or 0 where nothing is open. */
export function presentItem(
  row: ItemOnDay,
  day: CalendarDate,
  functional_currency: string,
): OpenItemResource {
  const money = (amount: Money): number => scaledToNumber(amount, currencyDigits(row.currency));
  const books = (amount: Money): number =>
    scaledToNumber(amount, currencyDigits(functional_currency));
  const { functional, ...fields } = row;
  return OpenItemResource.parse({
    ...fields,
    object: "open_item",
    document_id: row.kind === "opening" ? null : row.id,
    amount: money(row.amount),
    open: money(row.open),
    functional_amount: books(functional),
    functional_open: books(row.functional_open),
    days_overdue: daysOverdue(row, day),
  });
}

/** Returns how many days after its due date something of an item is open; 0 for one that is not overdue. */
export function daysOverdue({ is_credit, due_date, open }: ItemOnDay, day: CalendarDate): number {
  if (is_credit || due_date === null || open === 0n || due_date >= day) return 0;
  // Both days count in `daysBetween`.
  return daysBetween(due_date, day) - 1;
}

/** The conditions on documents of a connected ledger. One whose amounts are not reported is in no list. */
function reportedConditions(
  filters: ItemFilters,
  day: CalendarDate,
  connection_id: string,
): Condition[] {
  const conditions: Condition[] = [
    ["connection_id =", connection_id],
    ["remaining is not null"],
    ...sharedConditions(filters, day),
  ];
  if (filters.state === "open") conditions.push(["remaining > 0"]);
  if (filters.state === "closed") conditions.push(["remaining <= 0"]);
  return conditions;
}

function sharedConditions(filters: ItemFilters, day: CalendarDate): Condition[] {
  const { customer, kind, currency } = filters;
  const conditions: Condition[] = [["date <=", day]];
  if (customer !== undefined) conditions.push(refersTo("customer_id", "customers", customer));
  if (kind !== undefined) conditions.push(["kind =", kind]);
  if (currency !== undefined) conditions.push(["currency =", currency]);
  return conditions;
}

function itemConditions(filters: ItemFilters, day: CalendarDate): Condition[] {
  const { state } = filters;
  const conditions: Condition[] = [["kind <> 'refund'"], ...sharedConditions(filters, day)];
  if (state === "open") conditions.push([CHANGED_OR_OPEN, day], [IS_OPEN, day]);
  if (state === "closed") conditions.push([`not (${IS_OPEN})`, day]);
  return conditions;
}

/** Whether something of an item is open on the day `$value`, on which it exists. */
const IS_OPEN = `(ended_on is null or ended_on > $value) and amount > coalesce((
  select sum(case when is_credit then a.amount else a.amount + a.rounding end) from allocations a
  where a.account_id = $1 and (a.debit_id = open_items.id or a.credit_id = open_items.id)
    and a.date <= $value and (a.reversed_on is null or a.reversed_on > $value)), 0)`;

/** Whether something is open at last, or was open earlier: the others need not be added up. */
const CHANGED_OR_OPEN = `(open > 0 or ended_on > $value
  or exists (select from allocations a
    where a.account_id = $1 and a.debit_id = open_items.id and greatest(a.date, a.reversed_on) > $value)
  or exists (select from allocations a
    where a.account_id = $1 and a.credit_id = open_items.id and greatest(a.date, a.reversed_on) > $value))`;
