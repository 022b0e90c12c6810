/**
 * Reads the bookings of lines as the query in `facts-statement.ts` returns them: one text for each line under an account and in
 * a currency, with a row for each booked month. A close reads millions of months, so every optional field is left out.
 */

import type { Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { BookedMonth } from "../../../domain/revenue/accrual.ts";

/** All effective bookings of a line under an account and in a currency. */
export interface BookedLine {
  readonly line_id: string;
  readonly account_number: number;
  readonly currency: string;
  /** The origin of the line; null while the customer has the line under this account and in this currency. */
  readonly origin: BookedOrigin | null;
  /** The booked months as the query returns them; `effectiveMonths` parses this text. */
  readonly months: string;
}

/** The origin of a line of which only bookings remain. */
interface BookedOrigin {
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  /** Opening contracts keep their lines. */
  readonly opening_contract_id: null;
  readonly period: string | null;
  readonly product_id: string;
}

export interface EffectiveMonth extends BookedMonth {
  /** The `users` texts of all rows that contribute to the month. */
  readonly users: readonly string[];
}

/**
 * The months of an opening contract `o` as its own entries have booked them: what it brought along, and what it gave back. In
 * minor units of its currency and of the functional one.
 */
export const BROUGHT_MONTHS = `(
    select to_char(o.cutover, 'YYYY-MM') as month, o.amount as invoiced, o.amount_functional as functional
    union all
    select to_char(o.ended_on, 'YYYY-MM'), -o.returned, -o.returned_functional where o.ended_on is not null)`;

/**
 * The subquery that selects the `booked` rows. `$1` is the account, `$2` are the ids of customers; `effective` has the current
 * lines of these customers, `brought` their opening contracts, whose own entries count as bookings; a further condition replaces
 * `{booked}`. A month is `<month> <earned> <invoiced> <functional>
 * <users>`, where functional is empty for a line in functional currency.
 */
export const BOOKED = `
  select 8, 'booked', b.customer_id, b.line_id || ' ' || b.account_number || ' ' || b.currency,
    json_build_array(b.line_id, b.account_number, b.currency, l.id is null, o.invoice_id, o.series_id,
      o.period, o.product_id), b.months
  from (
    select customer_id, line_id, account_number, currency, string_agg(month || ' ' || earned || ' '
        || invoiced || ' ' || case
          when earned_functional = earned and invoiced_functional = invoiced and exchange_difference = 0
          then '' else earned_functional || ',' || invoiced_functional || ',' || exchange_difference end
        || ' ' || users, E'\\n' order by month) as months
    from (
      select customer_id, line_id, account_number, currency, month, earned, invoiced, earned_functional,
        invoiced_functional, exchange_difference, users
      from accrual_rows where account_id = $1 and customer_id = any($2) {booked}
      union all
      select o.customer_id, o.line_id, o.account_number, o.currency, m.month, 0, m.invoiced, 0, m.functional, 0, '[]'
      from brought o cross join lateral ${BROUGHT_MONTHS} m) as r
    group by customer_id, line_id, account_number, currency) b
  left join effective l on l.id = b.line_id and l.customer_id = b.customer_id
    and l.account_number = b.account_number and l.currency = b.currency
  left join lateral (
    select max(r.invoice_id::text) as invoice_id, max(r.series_id::text) as series_id,
      max(r.period) as period, max(r.product_id::text) as product_id
    from accrual_rows r
    where l.id is null and r.account_id = $1 and r.customer_id = b.customer_id and r.line_id = b.line_id
      and r.account_number = b.account_number and r.currency = b.currency) o on true`;

/** Parses a `booked` row of the query. */
export function bookedLineFrom(
  data: readonly [
    line_id: string,
    account_number: number,
    currency: string,
    is_gone: boolean,
    invoice_id: string | null,
    series_id: string | null,
    period: string | null,
    product_id: string,
  ],
  months: string,
): BookedLine {
  const [line_id, account_number, currency, is_gone, invoice_id, series_id, period, product_id] =
    data;
  const from = { invoice_id, series_id, opening_contract_id: null, period, product_id };
  const origin = is_gone ? from : null;
  return { line_id, account_number, currency, origin, months };
}

/** Returns the booked months in order; reopened months are included with amounts of 0. */
export function effectiveMonths(line: BookedLine | undefined): EffectiveMonth[] {
  const months: EffectiveMonth[] = [];
  if (line === undefined) return months;
  let said: string | undefined;
  let row: EffectiveMonth | undefined;
  for (const text of line.months.split("\n")) {
    const at = text.indexOf(" ");
    const month = text.slice(0, at) as Month;
    const rest = text.slice(at);
    // Most months equal the previous month, and then share its amounts.
    row = row === undefined || rest !== said ? monthFrom(month, rest) : sameIn(month, row);
    said = rest;
    const before = months.at(-1);
    if (before?.month === month) months[months.length - 1] = sumOf(before, row);
    else months.push(row);
  }
  return months;
}

/** Copies a month's amounts to another month. Fields are named, because an object spread takes ten times as long. */
function sameIn(month: Month, row: EffectiveMonth): EffectiveMonth {
  const { earned, invoiced, earned_functional, invoiced_functional, exchange_difference, users } =
    row;
  return {
    month,
    earned,
    invoiced,
    earned_functional,
    invoiced_functional,
    exchange_difference,
    users,
  };
}

/** Parses the rest of a row after its month. */
function monthFrom(month: Month, row: string): EffectiveMonth {
  const b = row.indexOf(" ", 1);
  const c = row.indexOf(" ", b + 1);
  const d = row.indexOf(" ", c + 1);
  const earned = moneyFrom(row.slice(1, b));
  const invoiced = moneyFrom(row.slice(b + 1, c));
  const users = [row.slice(d + 1)];
  const [earned_functional, invoiced_functional, exchange_difference] =
    d === c + 1 ? [earned, invoiced, 0n] : functionalFrom(row.slice(c + 1, d));
  return {
    month,
    earned,
    invoiced,
    earned_functional,
    invoiced_functional,
    exchange_difference,
    users,
  };
}

function functionalFrom(text: string): [Money, Money, Money] {
  const [earned = "", invoiced = "", difference = ""] = text.split(",");
  return [moneyFrom(earned), moneyFrom(invoiced), moneyFrom(difference)];
}

/** Parses an amount; 0 first, because most months have no invoiced amount. */
function moneyFrom(text: string): Money {
  return text === "0" ? 0n : BigInt(text);
}

function sumOf(one: EffectiveMonth, other: EffectiveMonth): EffectiveMonth {
  return {
    month: one.month,
    earned: one.earned + other.earned,
    invoiced: one.invoiced + other.invoiced,
    earned_functional: one.earned_functional + other.earned_functional,
    invoiced_functional: one.invoiced_functional + other.invoiced_functional,
    exchange_difference: one.exchange_difference + other.exchange_difference,
    users: [...one.users, ...other.users],
  };
}
