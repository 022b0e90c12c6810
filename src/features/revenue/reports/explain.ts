/** Explains one line's month: the steps of the recognition rule, and the accruals that booked the month or will book it. */
import type * as z from "zod";
import { type Month, monthOf } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import {
  decimalText,
  RATE_DECIMALS as EXCHANGE_DECIMALS,
  type Money,
  scaledToNumber,
} from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { contractOf } from "../../../domain/revenue/contract.ts";
import { explain, removedSentence } from "../../../domain/revenue/explanation.ts";
import { earnedByUser } from "../../../domain/revenue/recognition.ts";
import { HOURS_DECIMALS, PERCENT_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { findIssued } from "../../documents/issued/issued-documents.ts";
import { getSeries } from "../../recurring/series/queries.ts";
import { getInvoice } from "../../sales/invoices/queries.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { findPlace } from "../../work/registrations/locate-line.ts";
import { currentMonth, positionThrough } from "../accruals/queries.ts";
import type { CustomerPosition, LineBalanceAtMonth } from "../revenue-facts/positions.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { Explanation, type ExplanationQuery } from "./explain-schemas.ts";
import { forecastPositions } from "./forecast.ts";
import { bookingCustomers, bookingsOf, type LineBooking } from "./line-bookings.ts";
import { findLineBalance, type KnownLineBalance } from "./schedule.ts";

/** Returns the explanation of `explainLine` as text. Throws NOT_FOUND. */
export async function readExplanation(cx: Reader, query: ExplanationQuery): Promise<JsonText> {
  return jsonText((await explainLine(cx, query)).explanation);
}

/** The explanation of a line, with what pages name besides: null for a removed line. */
interface ExplainedLine {
  readonly explanation: z.output<typeof Explanation>;
  readonly text: string | null;
  readonly invoice_id: string | null;
}

/**
 * Returns the line's month under all its customers: the current customer first, then former customers with bookings of the line.
 * Throws NOT_FOUND for a line that the account does not have, or that earns nothing (yet) and was never booked.
 */
export async function explainLine(
  cx: Reader,
  { line_id, month }: ExplanationQuery,
  known?: Configuration,
): Promise<ExplainedLine> {
  const configuration = known ?? (await getConfiguration(cx));
  const current = currentMonth(cx, configuration);
  const own_customer = await customerOf(cx, line_id);
  const positions: CustomerPosition[] = [];
  const customers = await bookingCustomers(cx, line_id, own_customer);
  for (const customer_id of customers) {
    positions.push(await positionThrough(cx, configuration, customer_id, month, true));
  }
  const accruals = await bookingsOf(cx, configuration, positions, line_id, month);
  const ahead = await scheduledIn(cx, configuration, customers, month);
  const [found] = [...positions, ...ahead].flatMap(({ customer_id, line_balances }) => {
    const line_balance = findLineBalance(line_balances, line_id);
    return line_balance === undefined ? [] : [{ customer_id, line_balance }];
  });
  if (found === undefined) {
    const removed = explainRemoved(cx, configuration, positions, line_id, month, accruals);
    return { explanation: removed, text: null, invoice_id: null };
  }
  const { line_balance } = found;
  const rows = await bookedRows(cx, line_balance);
  const { description_override, product_name } = line_balance.facts.line;
  return {
    explanation: presentExplanation({ ...found, configuration, month, current, rows, accruals }),
    text: description_override ?? product_name,
    invoice_id: line_balance.invoice_id,
  };
}

interface Explained {
  readonly customer_id: string;
  readonly line_balance: KnownLineBalance;
  readonly configuration: Configuration;
  readonly month: Month;
  readonly current: Month;
  readonly rows: Awaited<ReturnType<typeof bookedRows>>;
  readonly accruals: Awaited<ReturnType<typeof bookingsOf>>;
}

function presentExplanation(explained: Explained): z.output<typeof Explanation> {
  const { customer_id, line_balance, configuration, month, current, rows, accruals } = explained;
  const convention = configuration.recognition_convention;
  const explanation = explain(line_balance.facts, convention, month, line_balance.currency, rows);
  const digits = currencyDigits(line_balance.currency);
  const money = (amount: Money): number => scaledToNumber(amount, digits);
  const now = line_balance.now.find((one) => one.month === month);
  const { line } = line_balance.facts;
  return Explanation.parse({
    object: "recognition_explanation",
    line_id: line.id,
    month,
    customer_id,
    contract: contractOf(line_balance),
    period: line_balance.period,
    currency: line_balance.currency,
    recognition_method: line.recognition_method,
    convention,
    sentence: explanation.sentence,
    agreed_value: line.agreed_value === null ? null : money(line.agreed_value),
    discount: scaledToNumber(BigInt(line.discount), PERCENT_DECIMALS),
    share: line.share ?? null,
    rows: explanation.rows.map((row) => ({
      quantity: scaledToNumber(BigInt(row.quantity), HOURS_DECIMALS),
      unit_price: scaledToNumber(row.unit_price_scaled, RATE_DECIMALS),
      discount: scaledToNumber(BigInt(row.discount), PERCENT_DECIMALS),
      net: money(row.net),
    })),
    amount: money(explanation.amount),
    credit_notes: line_balance.facts.credits
      .filter((credit) => monthOf(credit.effective) <= month)
      .map((credit) => ({
        credit_note_id: "credit_note_id" in credit ? credit.credit_note_id : null,
        effective_date: credit.effective,
        amount: money(credit.amount),
        service_ends_on: credit.new_service_to,
      })),
    net: money(explanation.net),
    service_from: line.service_from,
    service_to: line.service_to,
    // A scheduled line is explained with its amounts, although it is not issued.
    issue_date: line_balance.invoice_id === null ? null : line_balance.facts.issue_date,
    completed_on: line_balance.facts.completed_on,
    progress: explanation.progress,
    earned_to_date: money(explanation.earned_to_date),
    exact_to_date: explanation.exact_to_date,
    earned_before: money(explanation.earned_before),
    earned: money(explanation.earned),
    invoiced: money(now?.invoiced ?? 0n),
    users: earnedByUser(line_balance.facts, month, explanation.earned).map(
      ({ user_id, amount }) => ({
        user_id,
        earned: money(amount),
      }),
    ),
    functional: functionalOf(line_balance, configuration, month),
    accruals: accruals.map(presentBooking),
    forecast: month > current,
  });
}

/** Returns the forecast of the line's customers for a future month, from periods that have not begun. */
async function scheduledIn(
  cx: Reader,
  configuration: Configuration,
  customer_ids: readonly string[],
  month: Month,
): Promise<CustomerPosition[]> {
  const current = currentMonth(cx, configuration);
  if (month <= current || customer_ids.length === 0) return [];
  const facts = await factsOfCustomers(cx, customer_ids);
  return forecastPositions(cx, configuration, facts, { current, from: month, to: month });
}

/** Explains a removed line with remaining bookings. Throws NOT_FOUND when there are no bookings. */
function explainRemoved(
  cx: Reader,
  configuration: Configuration,
  positions: readonly CustomerPosition[],
  line_id: string,
  month: Month,
  accruals: readonly LineBooking[],
): z.output<typeof Explanation> {
  const [origin] = positions.flatMap(({ customer_id, line_balances }) =>
    line_balances
      .filter((line_balance) => line_balance.line_id === line_id)
      .map((line_balance) => ({ customer_id, line_balance })),
  );
  if (origin === undefined) throw notFound("line", line_id);
  const { customer_id, line_balance } = origin;
  return Explanation.parse({
    ...nothingOf(line_balance, configuration),
    line_id,
    month,
    customer_id,
    convention: configuration.recognition_convention,
    sentence: removedSentence(month, accruals),
    accruals: accruals.map(presentBooking),
    forecast: month > currentMonth(cx, configuration),
  });
}

/** Returns the explanation of a removed line, with amounts of 0. */
function nothingOf(line_balance: LineBalanceAtMonth, configuration: Configuration) {
  const { currency } = line_balance;
  const functional = {
    currency: configuration.functional_currency,
    rate: null,
    rate_of: "month_end",
    earned: 0,
    invoiced: 0,
    exchange_difference: 0,
  };
  return {
    object: "recognition_explanation",
    contract: contractOf(line_balance),
    period: line_balance.period,
    currency,
    recognition_method: null,
    agreed_value: null,
    discount: 0,
    share: null,
    rows: [],
    amount: 0,
    credit_notes: [],
    net: 0,
    service_from: null,
    service_to: null,
    issue_date: null,
    completed_on: null,
    progress: null,
    earned_to_date: 0,
    exact_to_date: decimalText(0n, currencyDigits(currency)),
    earned_before: 0,
    earned: 0,
    invoiced: 0,
    users: [],
    functional: currency === functional.currency ? null : functional,
  };
}

function presentBooking({ earned, ...booking }: LineBooking) {
  return { ...booking, earned: scaledToNumber(earned, currencyDigits(booking.currency)) };
}

/** Returns the customer of a line of an invoice, an occurrence or an opening contract; undefined for a removed line. */
async function customerOf(cx: Reader, line_id: string): Promise<string | undefined> {
  const place = await findPlace(cx, line_id);
  if (place === undefined) return customerOfOpening(cx, line_id);
  if (place.kind === "invoice") {
    return (await getInvoice(cx, place.invoice_id)).invoice.customer_id;
  }
  return (await getSeries(cx, place.series_id)).series.customer_id;
}

/** Returns the customer of the line of an opening contract; undefined for another line. */
async function customerOfOpening(cx: Reader, line_id: string): Promise<string | undefined> {
  const found = await cx.row<{ customer_id: string }>(sql`select customer_id from opening_contracts
    where account_id = ${cx.caller.account_id} and line_id = ${line_id}`);
  return found?.customer_id;
}

/** Returns the rows of an issued line from its booked document. */
async function bookedRows(cx: Reader, line_balance: KnownLineBalance) {
  if (line_balance.facts.issue_date === null || line_balance.invoice_id === null) return null;
  const issued = await findIssued(cx, line_balance.invoice_id);
  return issued?.snapshot.lines.find((line) => line.line_id === line_balance.line_id)?.rows ?? null;
}

function functionalOf(line_balance: KnownLineBalance, configuration: Configuration, month: Month) {
  const { foreign } = line_balance;
  if (foreign === null) return null;
  const now = line_balance.now.find((one) => one.month === month);
  const money = (amount: Money | null | undefined): number | null =>
    amount === null ? null : scaledToNumber(amount ?? 0n, foreign.to_digits);
  const is_issued = foreign.issue !== null && month >= monthOf(foreign.issue.date);
  const rate = is_issued ? (foreign.issue?.rate_micro ?? null) : foreign.closingRate(month);
  return {
    currency: configuration.functional_currency,
    rate: rate === null ? null : scaledToNumber(rate, EXCHANGE_DECIMALS),
    rate_of: is_issued ? ("issue" as const) : ("month_end" as const),
    earned: money(now?.earned_functional),
    invoiced: money(now?.invoiced_functional),
    exchange_difference: money(now?.exchange_difference),
  };
}
