/**
 * Checks whether a month before the one to close is open. The indexes exclude customers without anything dated before that
 * month. For the other customers the first month with a fact is computed, then more months until one is open. Nearly always the
 * first month is open, so the later months of a customer's lines are not computed.
 */
import { addToMonth, lastDayOf, type Month, monthOf } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { openRows } from "../../../domain/revenue/accrual.ts";
import { lockedThrough } from "../../../domain/revenue/accrual-booking.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { closedThrough } from "../accruals/queries.ts";
import { lineBalancesOf } from "../revenue-facts/positions.ts";
import { type CustomerFacts, type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import type { Customer } from "./book-batch.ts";
import { CUSTOMERS_AT_A_TIME, FIRST_ID } from "./book-in-batches.ts";
import { mayBook } from "./book-one-by-one.ts";

/**
 * Requires that no customer has an earlier open month with something to book. Throws EARLIER_PERIOD_OPEN with the earliest such
 * month and the number of customers.
 */
export async function requireEarlierClosed(cx: Reader, month: Month): Promise<void> {
  const configuration = await getConfiguration(cx);
  const before = addToMonth(month, -1);
  const locked = lockedThrough(configuration.period_lock_date);
  if (locked !== null && locked >= before) return;
  let [earliest, count]: [Month | null, number] = [null, 0];
  for (let at: Customer | null = null; ; ) {
    const customers: Customer[] = await datedBefore(cx, before, at);
    at = customers.at(-1) ?? null;
    if (at === null) break;
    const ids = customers.map((customer) => customer.id);
    const facts = await factsOfCustomers(cx, ids);
    for (const customer of facts.customers) {
      const open = await firstOpen(cx, configuration, facts, customer, before);
      if (open === null) continue;
      count += 1;
      if (earliest === null || open < earliest) earliest = open;
    }
  }
  if (earliest === null) return;
  throw new Problem("EARLIER_PERIOD_OPEN", { details: { month: earliest, customers: count } });
}

/** Returns the next customers, by name, that are not booked through the month and have something dated by its end. */
function datedBefore(cx: Reader, month: Month, after: Customer | null): Promise<Customer[]> {
  const day = lastDayOf(month);
  return cx.rows(
    sql`select c.id, c.name from customers c
     where c.account_id = ${cx.caller.account_id}
       and (c.name, c.id) > (${after?.name ?? ""}::text, ${after?.id ?? FIRST_ID}::uuid) and ${mayBook(month)}
       and ((select 1 from accrual_rows r where r.account_id = c.account_id and r.customer_id = c.id limit 1) is not null
         or (select 1 from opening_contracts o where o.account_id = c.account_id and o.customer_id = c.id
           and o.cutover <= ${day} limit 1) is not null
         or (select 1 from recurring_series s where s.account_id = c.account_id and s.customer_id = c.id
           and s.start_date <= ${day} limit 1) is not null
         or (select 1 from recurring_series s join work_registrations w on w.account_id = s.account_id and w.series_id = s.id
           where s.account_id = c.account_id and s.customer_id = c.id and w.date <= ${day} limit 1) is not null
         or (select 1 from invoices i where i.account_id = c.account_id and i.customer_id = c.id and (i.issue_date <= ${day}
           or exists (select from work_registrations w
             where w.account_id = i.account_id and w.invoice_id = i.id and w.date <= ${day})
           or exists (select from invoice_lines l where l.account_id = i.account_id and l.invoice_id = i.id
             and (l.service_from <= ${day}
               or exists (select from line_completions d
                 where d.account_id = l.account_id and d.line_id = l.id and d.completed_on <= ${day})
               or exists (select from line_earnings e where e.account_id = l.account_id and e.line_id = l.id
                 and e.content::json -> 'months' -> 0 ->> 'month' <= ${month})))) limit 1) is not null)
     order by c.name, c.id limit ${CUSTOMERS_AT_A_TIME}`,
  );
}

/** Returns the first open month of a customer, through the given one, with something to book; null when there is none. */
async function firstOpen(
  cx: Reader,
  configuration: Configuration,
  facts: Facts,
  customer: CustomerFacts,
  before: Month,
): Promise<Month | null> {
  const closed_through = closedThrough(configuration, customer.booked_through);
  const first_open = closed_through === null ? firstDated(customer) : addToMonth(closed_through, 1);
  if (first_open === null) return null;
  const slices = new Slices(cx.signal);
  // Each step doubles the months, so that all steps together take little more time than one computation of all months.
  for (let [from, more] = [first_open, 0]; from <= before; more = 2 * more + 1) {
    const last = addToMonth(from, more);
    const through = last < before ? last : before;
    let found: Month | null = null;
    for (const line_balance of lineBalancesOf(cx, configuration, facts, customer, through)) {
      if (slices.isOver) await slices.next();
      for (const { accrual_month } of openRows(line_balance, first_open, through)) {
        if (found === null || accrual_month < found) found = accrual_month;
      }
      // No earlier month is open.
      if (found === from) return found;
    }
    if (found !== null) return found;
    from = addToMonth(through, 1);
  }
  return null;
}

/** Returns a month before which the customer cannot have earned, invoiced or booked anything; null when there is no such fact. */
function firstDated({ lines, worked, series, booked }: CustomerFacts): Month | null {
  const months = [
    ...lines.flatMap(({ line, issue_date, completed_on, measured }) => [
      line.service_from && monthOf(line.service_from),
      issue_date && monthOf(issue_date),
      completed_on && monthOf(completed_on),
      measured?.months[0]?.month ?? null,
    ]),
    ...[...worked.values()].flatMap((entries) => entries.map(({ date }) => monthOf(date))),
    ...series.map(({ start_date }) => monthOf(start_date)),
    ...booked.map((line) => line.months.slice(0, 7) as Month),
  ];
  return months.reduce<Month | null>(
    (first, month) => (month !== null && (first === null || month < first) ? month : first),
    null,
  );
}
