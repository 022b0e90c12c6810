/**
 * Explains the revenue of a line in a month, step by step and in one sentence: agreed value, discount, progress through the
 * month, running totals, rounding and credit notes. Every number is one that the rules of recognition used.
 */
import { addToMonth, type CalendarDate, lastDayOf, type Month, monthOf } from "../base/calendar.ts";
import { currencyDigits } from "../base/currency.ts";
import { decimalText, type Money, round } from "../base/money.ts";
import { budgetOf, RATE_DECIMALS, rowsOf } from "../sales/line.ts";
import {
  billableHours,
  type LineFacts,
  lineAmount,
  progressOf,
  serviceEnd,
} from "./recognition.ts";
import { type Convention, MONTH_WEIGHT } from "./spread.ts";

/** The unit of progress. */
type ProgressUnit = "months" | "days" | "hours" | "currency" | "issue" | "completion";

/** The progress through a month: `part` of `whole`, as decimal text in its unit. */
export interface ExplainedProgress {
  readonly unit: ProgressUnit;
  readonly part: string;
  readonly whole: string;
}

interface Explanation {
  /** The price of the line in minor units: hours at each rate, or the agreed value less its discount. */
  readonly amount: Money;
  readonly rows: readonly ExplainedRow[];
  readonly credited: Money;
  /** The amount less credits through the month. */
  readonly net: Money;
  readonly progress: ExplainedProgress;
  readonly earned_before: Money;
  readonly earned_to_date: Money;
  readonly earned: Money;
  /** The running total before rounding, as decimal text; exact unless it ends in `…`. */
  readonly exact_to_date: string;
  readonly sentence: string;
}

/** Quantity in 1/100, price in 1/10000, discount in 1/100 %. */
interface ExplainedRow {
  readonly quantity: number;
  readonly unit_price_scaled: bigint;
  readonly discount: number;
  readonly net: Money;
}

/** Explains a month. `currency` is the ISO code; `booked_rows` are the rows of the booked invoice, null for a draft. */
export function explain(
  facts: LineFacts,
  convention: Convention,
  month: Month,
  currency: string,
  booked_rows: readonly ExplainedRow[] | null,
): Explanation {
  const amount = lineAmount(facts);
  const before = totalThrough(facts, convention, amount, addToMonth(month, -1));
  const through = totalThrough(facts, convention, amount, month);
  const explained = {
    amount,
    rows: booked_rows ?? rowsOf(facts.line, facts.currency_digits, billableHours(facts.worked)),
    credited: amount - through.net,
    net: through.net,
    progress: progressThrough(facts, convention, month),
    earned_before: before.earned,
    earned_to_date: through.earned,
    earned: through.earned - before.earned,
    exact_to_date: through.exact,
  };
  return { ...explained, sentence: sentenceOf(facts, convention, month, currency, explained) };
}

/** An accrual that booked or will book an amount for a line's month, in minor units. */
interface ExplainedBooking {
  readonly accrual_month: Month;
  readonly status: "draft" | "booked";
  readonly earned: Money;
  /** The ISO code of the amount. */
  readonly currency: string;
}

/** Returns the sentence about a month of a line that no longer exists. */
export function removedSentence(month: Month, bookings: readonly ExplainedBooking[]): string {
  const listed = bookings.map(({ accrual_month, status, earned, currency }) => {
    const amount = `${decimalText(earned, currencyDigits(currency))} ${currency}`;
    return `The accrual of ${accrual_month} ${status === "booked" ? "booked" : "will book"} ${amount}.`;
  });
  return [`The line was removed: in ${month} it earned nothing.`, ...listed].join(" ");
}

interface Total {
  readonly net: Money;
  readonly earned: Money;
  readonly exact: string;
}

function totalThrough(
  facts: LineFacts,
  convention: Convention,
  amount: Money,
  month: Month,
): Total {
  const credited = facts.credits.reduce(
    (sum, credit) => (monthOf(credit.effective) <= month ? sum + credit.amount : sum),
    0n,
  );
  const net = amount - credited;
  const { part, whole } = progressOf(facts, convention, amount)(month);
  const earned = whole === 0n ? 0n : round(net * part, whole);
  if (whole === 0n || (net * part) % whole === 0n) {
    return { net, earned, exact: decimalText(earned, facts.currency_digits) };
  }
  const unit = whole * 10n ** BigInt(facts.currency_digits);
  return { net, earned, exact: fractionText(net * part, unit, facts.currency_digits + 4) };
}

/** Returns the progress of a line through a month, in the unit of its method. */
export function progressThrough(
  facts: LineFacts,
  convention: Convention,
  month: Month,
): ExplainedProgress {
  const { line } = facts;
  const { part, whole } = progressOf(facts, convention, lineAmount(facts))(month);
  switch (line.recognition_method) {
    case "value": {
      if (line.service_from === null) return { unit: "issue", part: `${part}`, whole: `${whole}` };
      if (convention === "daily") return { unit: "days", part: `${part}`, whole: `${whole}` };
      const weight = (value: bigint) => fractionText(value, BigInt(MONTH_WEIGHT), 6);
      return { unit: "months", part: weight(part), whole: weight(whole) };
    }
    case "on_issue":
      return { unit: "issue", part: `${part}`, whole: `${whole}` };
    case "milestone":
      return { unit: "completion", part: `${part}`, whole: `${whole}` };
    case "progress":
      if (facts.issue_date === null && !isComplete(facts, month)) {
        const hours = hoursThrough(facts, month);
        return { unit: "hours", part: decimalText(hours, 2), whole: budgetText(facts) };
      }
      return amounts(facts, part, whole);
    case "hours":
      return amounts(facts, part, whole);
  }
}

const amounts = (facts: LineFacts, part: Money, whole: Money): ExplainedProgress => ({
  unit: "currency",
  part: decimalText(part, facts.currency_digits),
  whole: decimalText(whole, facts.currency_digits),
});

function isComplete({ completed_on }: LineFacts, month: Month): boolean {
  return completed_on !== null && monthOf(completed_on) <= month;
}

function hoursThrough({ worked }: LineFacts, month: Month): bigint {
  return worked.reduce(
    (sum, entry) =>
      entry.billable && monthOf(entry.date) <= month ? sum + BigInt(entry.hours) : sum,
    0n,
  );
}

/** Returns the hours that the calculation used: the share of a partial period has more than two decimals. */
function budgetText({ line }: LineFacts): string {
  const { part, whole } = budgetOf(line) ?? { part: 0n, whole: 1n };
  if (part % whole === 0n) return decimalText(part / whole, 2);
  return fractionText(part, whole * 100n, 6);
}

function sentenceOf(
  facts: LineFacts,
  convention: Convention,
  month: Month,
  currency: string,
  explained: Omit<Explanation, "sentence">,
): string {
  const money = (value: Money) => `${decimalText(value, facts.currency_digits)} ${currency}`;
  const total = money(explained.earned_to_date);
  const rounded =
    decimalText(explained.earned_to_date, facts.currency_digits) === explained.exact_to_date
      ? ""
      : `, rounded from ${explained.exact_to_date}`;
  const credits =
    explained.credited === 0n
      ? ""
      : ` less ${money(explained.credited)} ${facts.is_brought_along ? "given back at the end" : "of credit notes"}, ${money(explained.net)},`;
  return [
    `In ${month} the line earned ${money(explained.earned)}:`,
    `${total} through ${lastDayOf(month)}${rounded},`,
    `less ${money(explained.earned_before)} through ${lastDayOf(addToMonth(month, -1))}.`,
    `The total is ${amountText(facts, explained, money)}${credits} ${progressText(facts, convention, month, explained.progress)}.`,
  ].join(" ");
}

function amountText(
  facts: LineFacts,
  { amount, rows }: Pick<Explanation, "amount" | "rows">,
  money: (value: Money) => string,
): string {
  const { line } = facts;
  const less = line.discount === 0 ? "" : ` less ${decimalText(BigInt(line.discount), 2)} %`;
  if (line.recognition_method === "hours") {
    const parts = rows.map(
      ({ quantity, unit_price_scaled }) =>
        `${decimalText(BigInt(quantity), 2)} h at ${priceText(unit_price_scaled)}`,
    );
    const work = parts.length === 0 ? "no hours" : parts.join(" and ");
    return `${work}${less}, ${money(amount)} in all,`;
  }
  if (facts.is_brought_along) {
    return `${money(amount)} that was invoiced elsewhere and not yet earned`;
  }
  const share = line.share ? ` for ${line.share.days} of ${line.share.of} days` : "";
  const contract_value = `the agreed value of ${money(line.agreed_value ?? 0n)}${less}${share}`;
  return amount === line.agreed_value ? contract_value : `${contract_value}, ${money(amount)}`;
}

function progressText(
  facts: LineFacts,
  convention: Convention,
  month: Month,
  { unit, part, whole }: ExplainedProgress,
): string {
  const { line, issue_date, completed_on } = facts;
  switch (unit) {
    case "months":
    case "days": {
      const [from, to] = [line.service_from as CalendarDate, line.service_to as CalendarDate];
      const end = serviceEnd(facts, to, month);
      const ended = facts.is_brought_along ? "that ended" : "whose service a credit ended";
      const cut = end === to ? "" : `, ${ended} on ${end}`;
      const by = convention === "daily" ? "days" : "whole months of weight 1";
      return `spread over ${from} to ${end} by ${by}${cut}: ${part} of ${whole} ${unit}`;
    }
    case "hours":
      return `by progress: ${part} of ${whole} budgeted hours`;
    case "currency":
      if (line.recognition_method === "hours") {
        return `as worked: ${part} of ${whole} was worked by the end of the month`;
      }
      return issue_date === null
        ? `by progress, completed on ${completed_on}`
        : `by progress as frozen at the issue on ${issue_date}: ${part} of ${whole}`;
    case "issue":
      return issue_date === null
        ? "earned when it is issued, which it is not"
        : `earned when it is issued, on ${issue_date}`;
    case "completion":
      return completed_on === null
        ? "earned when its milestone is completed, which it is not"
        : `earned with its milestone, completed on ${completed_on}`;
  }
}

/** Formats a price with two decimals, or more where the price has more. */
function priceText(scaled: bigint): string {
  return decimalText(scaled, RATE_DECIMALS).replace(/0{1,2}$/, "");
}

/** A fraction as decimal text, cut after the given number of decimals and then marked with `…`. */
export function fractionText(numerator: bigint, denominator: bigint, decimals: number): string {
  const size = numerator < 0n ? -numerator : numerator;
  const scaled = (size * 10n ** BigInt(decimals)) / denominator;
  const is_rounded = (size * 10n ** BigInt(decimals)) % denominator !== 0n;
  const text = decimalText(numerator < 0n ? -scaled : scaled, decimals);
  return is_rounded ? `${text}…` : text;
}
