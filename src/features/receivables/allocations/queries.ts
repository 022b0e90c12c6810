/** Reads allocations with the kinds and numbers of both items. A list begins with the newest. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { type Condition, envelope, listRows } from "../../../platform/database/page.ts";
import { columnOfRef, refersTo } from "../../../platform/database/resources.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type AllocationQuery, AllocationResource } from "./schemas.ts";
import type { NewAllocation } from "./store-allocations.ts";

/** An allocation as it is stored. Functional amounts are minor units of the functional currency, others of `currency`. */
interface StoredAllocation {
  readonly id: string;
  readonly external_id: string | null;
  readonly debit_id: string;
  readonly credit_id: string;
  readonly currency: string;
  readonly amount: Money;
  readonly rounding: Money;
  readonly debit_functional: Money;
  readonly credit_functional: Money;
  readonly rounding_functional: Money;
  readonly exchange_difference: Money;
  readonly date: CalendarDate;
  readonly reversed_on: CalendarDate | null;
  readonly entry_no: bigint | null;
}

const COLUMNS =
  "id, external_id, debit_id, credit_id, currency, amount, rounding, debit_functional, credit_functional, rounding_functional, exchange_difference, date, reversed_on, entry_no";

/** An item of an allocation, as it is named there. */
interface NamedItem {
  readonly id: string;
  readonly kind: "invoice" | "credit_note" | "payment" | "refund" | "reminder" | "opening";
  readonly number: string;
}

/** An allocation with both of its items. */
export interface AllocationRow extends StoredAllocation {
  readonly debit: NamedItem;
  readonly credit: NamedItem;
}

/** Presents an allocation as the API shows it. */
export function presentAllocation(
  row: AllocationRow,
  functional_currency: string,
): AllocationResource {
  return AllocationResource.parse(allocationFields(row, functional_currency));
}

/** Returns the fields of an allocation as the API shows them, for a resource that checks them with its own. */
export function allocationFields(row: AllocationRow, functional_currency: string) {
  const digits = currencyDigits(row.currency);
  const functional_digits = currencyDigits(functional_currency);
  return {
    object: "allocation",
    id: row.id,
    external_id: row.external_id,
    debit: namedFrom(row.debit),
    credit: namedFrom(row.credit),
    currency: row.currency,
    amount: scaledToNumber(row.amount, digits),
    rounding: scaledToNumber(row.rounding, digits),
    functional_amount: scaledToNumber(row.debit_functional, functional_digits),
    exchange_difference: scaledToNumber(row.exchange_difference, functional_digits),
    date: row.date,
    reversed_on: row.reversed_on,
    entry_no: row.entry_no === null ? null : Number(row.entry_no),
  };
}

/** Returns a new allocation between two items as it will be read. */
export function allocationRow(
  { id, external_id, entry_no, allocation }: NewAllocation,
  debit: NamedItem,
  credit: NamedItem & { readonly currency: string },
): AllocationRow {
  const items = { debit_id: debit.id, credit_id: credit.id, debit, credit };
  const { currency } = credit;
  return { id, external_id, currency, ...allocation, ...items, reversed_on: null, entry_no };
}

/** Records a new allocation that the caller did not ask for alone: the match of a credit, or one that a payment applies. */
export function auditAllocation(
  tx: Tx,
  row: AllocationRow,
  functional_currency: string,
  customer_id: string,
): void {
  const after = jsonText(presentAllocation(row, functional_currency));
  tx.audit("allocation", row.id, "created", { before: null, after, customer_id });
}

function namedFrom({ kind, id, number }: NamedItem): NamedItem {
  return { kind, id, number };
}

/** Returns the allocations (alias `a`) of a condition, the earliest date first. */
export async function findAllocations(cx: Reader, which: Sql): Promise<AllocationRow[]> {
  const rows = await cx.rows<StoredAllocation>(sql`select ${raw(COLUMNS)} from allocations a
    where a.account_id = ${cx.caller.account_id} and ${which} order by a.date, a.id`);
  return withItems(cx, rows);
}

/** Lists allocations from the newest to the oldest. An unknown reference gives an empty list. Throws VALIDATION_FAILED for a bad cursor. */
export async function listAllocations(cx: Reader, page: AllocationQuery): Promise<JsonText> {
  const { functional_currency } = await getConfiguration(cx);
  const conditions = allocationConditions(page);
  const { rows, next_cursor } = await listRows<StoredAllocation>(
    cx,
    COLUMNS,
    "allocations",
    conditions,
    page,
  );
  const shown = await withItems(cx, rows);
  return envelope(
    shown.map((row) => jsonText(presentAllocation(row, functional_currency))),
    next_cursor,
  );
}

function allocationConditions(filters: AllocationQuery): Condition[] {
  const { customer, invoice, payment, credit_note, from, to } = filters;
  const conditions: Condition[] = [];
  if (customer !== undefined) conditions.push(ofCustomer(customer));
  if (invoice !== undefined) conditions.push(refersTo("debit_id", "invoices", invoice));
  if (payment !== undefined) conditions.push(ofPayment(payment));
  if (credit_note !== undefined) {
    conditions.push(refersTo("credit_id", "credit_notes", credit_note));
  }
  if (from !== undefined) conditions.push(["date >=", from]);
  if (to !== undefined) conditions.push(["date <=", to]);
  return conditions;
}

function ofCustomer(ref: string): Condition {
  const [column, value] = columnOfRef(ref);
  const items = `select i.id from open_items i join customers c on c.account_id = $1 and c.id = i.customer_id
    where i.account_id = $1 and c.${column} = $value`;
  return [`(debit_id in (${items}) or credit_id in (${items}))`, value];
}

function ofPayment(ref: string): Condition {
  const [column, value] = columnOfRef(ref);
  const payments = `select p.id from payments p where p.account_id = $1 and p.${column} = $value`;
  return [`(debit_id in (${payments}) or credit_id in (${payments}))`, value];
}

async function withItems(cx: Reader, rows: readonly StoredAllocation[]): Promise<AllocationRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.flatMap(({ debit_id, credit_id }) => [debit_id, credit_id]);
  const items = await cx.rows<NamedItem>(sql`select id, kind, number from open_items
    where account_id = ${cx.caller.account_id} and id = any(${[...new Set(ids)]})`);
  const byId = new Map(items.map((item) => [item.id, item]));
  return rows.flatMap((row) => {
    const debit = byId.get(row.debit_id);
    const credit = byId.get(row.credit_id);
    return debit && credit ? [{ ...row, debit, credit }] : [];
  });
}
