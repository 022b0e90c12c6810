/** Reads statements of account: one of any period, which is made of items and allocations, and those that were made and kept. */
import {
  addToMonth,
  type CalendarDate,
  dayIn,
  firstDayOf,
  monthOf,
} from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import {
  type AllocatedItem,
  accountStatement,
  type StatedAllocation,
} from "../../../domain/receivables/account-statement.ts";
import { statedFromLedger } from "../../../domain/receivables/ledger-statement.ts";
import type { StatementSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { envelope, listRows } from "../../../platform/database/page.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import { documentLanguage, getCustomer } from "../../catalogue/customers/queries.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { findLedgerItems } from "../ledger-items/queries.ts";
import { findItems } from "../open-items/queries.ts";
import { isPaidInLedger } from "../open-items/require-begun.ts";
import { presentStatement } from "./present.ts";
import type { StatementListQuery, StatementQuery } from "./schemas.ts";

/**
 * Returns the statement of a customer. Throws NOT_FOUND, VALIDATION_FAILED for a period that ends before it
 * begins, PAYMENTS_IN_LEDGER and RECEIVABLES_NOT_BEGUN.
 */
export function readStatement(cx: Reader, ref: string, asked: StatementQuery): Promise<JsonText> {
  return reading(cx, async (inside) => {
    const snapshot = await makeStatement(inside, await getCustomer(inside, ref), asked, "");
    return jsonText(presentStatement(snapshot, { id: null, created_at: null }));
  });
}

/** Lists the statements that were made for a customer, the newest first. Throws NOT_FOUND, and VALIDATION_FAILED for a bad cursor. */
export async function listStatements(
  cx: Reader,
  ref: string,
  page: StatementListQuery,
): Promise<JsonText> {
  const { id } = await getStored(cx, "customers", ref);
  const { rows, next_cursor } = await listRows<{ id: string; document: JsonText }>(
    cx,
    "id, document",
    "customer_statements",
    [["customer_id =", id]],
    page,
  );
  return envelope(
    rows.map(({ document }) => document),
    next_cursor,
  );
}

/** Makes the statement of a customer as it is now, under an id. Throws what `readStatement` throws for the period. */
export async function makeStatement(
  cx: Reader,
  customer: CustomerRow,
  asked: StatementQuery,
  document_id: string,
): Promise<StatementSnapshot> {
  const configuration = await getConfiguration(cx);
  const today = todayIn(cx.clock, configuration.time_zone);
  const { from, to } = periodOf(asked, today);
  requireKnown(cx, configuration, to === today);
  const { currency = configuration.functional_currency } = asked;
  const reads = asOneStatement(cx);
  const of_customer = sql`i.customer_id = ${customer.id} and i.currency = ${currency}`;
  const [items, allocations, reported] = await Promise.all([
    configuration.receivables_begun_on === null ? [] : findItems(reads, of_customer),
    findAllocationsOf(reads, customer.id, currency),
    isPaidInLedger(cx) ? findReported(reads, of_customer, configuration, today) : NONE_REPORTED,
  ]);
  const stated = accountStatement(
    { customer_id: customer.id, from, to },
    [...items.values(), ...reported.items],
    [...allocations, ...reported.allocations],
  );
  return {
    ...stated,
    kind: "statement",
    document_id,
    account_name: cx.caller.account_name,
    seller: configuration.seller,
    customer,
    language: documentLanguage(customer, configuration),
    currency,
    currency_digits: currencyDigits(currency),
    issue_date: today,
    from,
    to,
  };
}

/** Returns the days of a statement. A period that ends later, such as the present month, is shown through today. */
function periodOf({ from, to }: StatementQuery, today: CalendarDate) {
  const last = to === undefined || to > today ? today : to;
  const first =
    from ?? firstDayOf(addToMonth(monthOf(last), 1 - Number.parseInt(last.slice(5), 10)));
  if (first > last) {
    throw invalidField("from", "too_large", "The period begins after its last day.");
  }
  return { from: first, to: last };
}

/** A connected ledger that reports payments reports them for the present day. */
function requireKnown(
  cx: Reader,
  { receivables_begun_on }: Configuration,
  is_through_today: boolean,
): void {
  if (cx.ledger?.transactional === false) {
    const is_reported = cx.ledger.capabilities?.tells_payments === true;
    if (!is_reported || !is_through_today) throw new Problem("PAYMENTS_IN_LEDGER");
    return;
  }
  if (receivables_begun_on === null) throw new Problem("RECEIVABLES_NOT_BEGUN");
}

const NONE_REPORTED = { items: [], allocations: [] };

/** Returns what the present connected ledger reported of documents (alias `i`) as items and allocations. */
async function findReported(
  cx: Reader,
  which: Sql,
  { time_zone }: Configuration,
  today: CalendarDate,
): Promise<ReturnType<typeof statedFromLedger>> {
  const reported = await findLedgerItems(cx, sql`c.is_current and ${which}`);
  const documents = reported.map(({ reported_at, ...document }) => ({
    ...document,
    reported_on: reported_at === null ? null : dayIn(time_zone, reported_at),
  }));
  return statedFromLedger(documents.reverse(), today);
}

interface AllocationRow extends Omit<StatedAllocation, "debit" | "credit"> {
  readonly debit_id: string;
  readonly debit_kind: AllocatedItem["kind"];
  readonly debit_number: string;
  readonly debit_customer_id: string;
  readonly credit_id: string;
  readonly credit_kind: AllocatedItem["kind"];
  readonly credit_number: string;
  readonly credit_customer_id: string;
}

/** Returns the allocations in a currency that join an item of a customer, the earliest date first. */
async function findAllocationsOf(
  cx: Reader,
  customer_id: string,
  currency: string,
): Promise<StatedAllocation[]> {
  const { account_id } = cx.caller;
  const own = sql`select o.id from open_items o
    where o.account_id = ${account_id} and o.customer_id = ${customer_id} and o.currency = ${currency}`;
  const rows = await cx.rows<AllocationRow>(sql`select a.amount, a.rounding, a.date, a.reversed_on,
      d.id as debit_id, d.kind as debit_kind, d.number as debit_number, d.customer_id as debit_customer_id,
      c.id as credit_id, c.kind as credit_kind, c.number as credit_number, c.customer_id as credit_customer_id
    from allocations a
    join open_items d on d.account_id = ${account_id} and d.id = a.debit_id
    join open_items c on c.account_id = ${account_id} and c.id = a.credit_id
    where a.account_id = ${account_id} and a.id in (
      select t.id from allocations t where t.account_id = ${account_id} and t.debit_id in (${own})
      union
      select t.id from allocations t where t.account_id = ${account_id} and t.credit_id in (${own}))
    order by a.date, a.id`);
  return rows.map(
    ({
      debit_id,
      debit_kind,
      debit_number,
      debit_customer_id,
      credit_id,
      credit_kind,
      credit_number,
      credit_customer_id,
      ...fields
    }) => ({
      ...fields,
      debit: {
        id: debit_id,
        kind: debit_kind,
        number: debit_number,
        customer_id: debit_customer_id,
      },
      credit: {
        id: credit_id,
        kind: credit_kind,
        number: credit_number,
        customer_id: credit_customer_id,
      },
    }),
  );
}
