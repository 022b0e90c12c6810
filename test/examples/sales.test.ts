/**
 * Published worked examples of other systems on proration, anchoring and credit notes, whose numbers
 * come from those systems. An example that follows another convention than ours is named below with the
 * reason; one that is neither checked nor named fails, so that none is passed over in silence.
 */
import { expect } from "vitest";
import type { LineId, ProductId } from "../../src/domain/base/brand.ts";
import { addDays, type CalendarDate, daysBetween } from "../../src/domain/base/calendar.ts";
import { decimalText, scaledFromNumber } from "../../src/domain/base/money.ts";
import { cancellationCredit } from "../../src/domain/sales/cancellation.ts";
import { bookedFrom, creditDocumentOf, decideCredit } from "../../src/domain/sales/credit-note.ts";
import type { DocumentSnapshot } from "../../src/domain/sales/document.ts";
import { rowsOf } from "../../src/domain/sales/line.ts";
import { totalsOf } from "../../src/domain/sales/totals.ts";
import type { VatCode } from "../../src/domain/sales/vat-code.ts";
import {
  findPeriod,
  periodsFrom,
  type Recurrence,
  type SeriesPeriod,
  timesOf,
} from "../../src/domain/series/period.ts";
import { type LineContent, occurrenceLine } from "../../src/domain/series/series.ts";
import { RECEIVABLES } from "../../src/ledger/connectors/builtin/chart.ts";
import { postingsOf } from "../../src/ledger/connectors/builtin/postings.ts";
import { danish, line as documentLine } from "../support/documents/documents.ts";
import { DOCUMENT_KINDS, describeExamples, type Example } from "./worked-examples.ts";

/** Each example that our conventions can express, with what is asserted of it. */
const checks: Readonly<Record<string, (example: Example) => void>> = {
  "pr-killbill-silver-gold": ({ inputs, expected }) => {
    const period = { from: inputs.period_from, to: addDays(inputs.period_to_exclusive, -1) };
    expect(-unused(inputs.old, period, inputs.change)).toBe(minor(expected.repair));
    expect(unused(inputs.new, period, inputs.change)).toBe(minor(expected.new_recurring));
  },

  "pr-meteroid-half": ({ inputs, expected }) => {
    const period = { from: inputs.period_from, to: addDays(inputs.period_to_exclusive, -1) };
    const lines = (change: CalendarDate) => switched(inputs.old, inputs.new, period, change);
    const net = (change: CalendarDate) => decimalText(sum(lines(change)), 2);
    expect(lines(inputs.change).map(text)).toEqual(expected.lines);
    expect(net(inputs.change)).toBe(expected.net);
    expect(net(period.from)).toBe(expected.change_on_start_net);
    expect(net(inputs.period_to_exclusive)).toBe(expected.change_on_end_net);
  },

  "pr-flexprice-upgrade": changedQuantity,
  "pr-flexprice-quantity": changedQuantity,
  "pr-flexprice-add-item": changedQuantity,
  "pr-flexprice-remove-item": changedQuantity,

  "pr-lago-upgrade-arrears": ({ inputs, expected }) => {
    const first = `${inputs.month}-01` as CalendarDate;
    const change = `${inputs.month}-${inputs.change_day}` as CalendarDate;
    const old = calendar("monthly", first, addDays(change, -1));
    expect(text(billed(inputs.old, only(old)))).toBe(expected.invoice_old);
    const next = whole(calendar("monthly", change), inputs.month);
    expect(text(billed(inputs.new, next))).toBe(expected.invoice_new_at_end);
  },

  "pr-lago-trial": ({ inputs, expected }) => {
    const period = whole(calendar("monthly", inputs.from), inputs.from.slice(0, 7));
    expect([period.to, period.nominal_days]).toEqual([inputs.to, inputs.month_days]);
    expect(text(billed(inputs.amount, period))).toBe(expected.invoice);
  },

  "pr-lago-quarter-whole-period-base": ({ inputs, expected }) => {
    const period = only(calendar("quarterly", inputs.start, inputs.terminate));
    expect(period.nominal_days).toBe(inputs.quarter_days);
    expect(text(billed(inputs.amount, period))).toBe(expected.fee);
  },

  // Of three conventions to count days, actual days are ours.
  "pr-zuora-ratio-2021-01-27": ({ inputs, expected }) => {
    expect(ratioOf(inputs.from, inputs.to)).toBe(expected.actual_days);
  },
  "pr-zuora-ratio-2020-02-01": ({ inputs, expected }) => {
    expect(ratioOf(inputs.from, inputs.to)).toBe(expected.actual_days);
  },

  "pr-zuora-usage-31": ({ inputs, expected }) => {
    const period = whole(calendar("monthly", inputs.from), inputs.from.slice(0, 7));
    expect(period.to).toBe(inputs.to);
    expect(text(billed(inputs.amount, period))).toBe(expected.prorated);
  },

  // A share without days: after one of the four weeks of a February it is the same.
  "pr-baremetrics-12-24": ({ inputs, expected }) => {
    const period = { from: day("2019-02-01"), to: day("2019-02-28") };
    const change = day("2019-02-08");
    const left = daysBetween(change, period.to) / daysBetween(period.from, period.to);
    expect(left).toBe(Number(inputs.fraction_remaining));
    const lines = [...switched(inputs.old, inputs.new, period, change), minor(inputs.new)];
    expect(lines.map(text)).toEqual(expected.lines);
    expect(text(sum(lines))).toBe(expected.next_charge);
  },

  "pr-erpnext-negative-factor": ({ inputs, expected }) => {
    const series: Recurrence = {
      frequency: "yearly",
      alignment: "anniversary",
      start_date: inputs.period_from,
      end_date: null,
    };
    const offset_days = 1 - daysBetween(inputs.invoice_date, inputs.period_from);
    const period = whole(series, "2025");
    const { issue_date } = timesOf(period, { mode: "start-of-period", offset_days });
    expect([period.to, issue_date]).toEqual([inputs.period_to, inputs.invoice_date]);
    expect(period.days / period.nominal_days).toBe(Number(expected.factor));
  },

  "cn-lago-rounding-1": (example) => creditedUnusedPart(example, "200.00", 30),
  "cn-lago-rounding-3": (example) => creditedUnusedPart(example, "29.99", 7),

  // The discount's share is the other system's: credits here are of amounts after the discount.
  "cn-lago-coupon-allocation": ({ inputs, expected }) => {
    const [first, second] = inputs.lines;
    const invoice = invoiceOf([
      ["DK25", Number(first.vat) * 100, minor(first.amount)],
      ["DK0", Number(second.vat) * 100, minor(second.amount) - minor(second.discount)],
    ]);
    expect(totals(invoice)).toEqual(expected.invoice);
    const { discount_share, ...note } = expected.credit_note;
    const net = minor(inputs.credit.amount) - minor(discount_share);
    expect(totals(credited(invoice, inputs.credit.line, net))).toEqual(note);
    expect(totals(creditedInFull(invoice)).total).toBe(expected.full_credit_max);
  },

  "cn-killbill-adjust-unpaid": ({ inputs, expected }) => {
    const invoice = invoiceOf([["DK0", 0, minor(inputs.invoice)]]);
    const credit = credited(invoice, 1, minor(inputs.adjustment));
    expect(text(invoice.totals.net - credit.totals.net)).toBe(expected.charged_amount);
    const owed = [invoice, credit]
      .flatMap(postingsOf)
      .filter((posting) => posting.account_number === RECEIVABLES);
    expect(text(sum(owed.map(({ amount }) => amount)))).toBe(expected.balance);
  },
};

/** Examples that follow another convention, and why they cannot be expressed in ours. */
const otherConventions: Readonly<Record<string, string>> = {
  "cn-killbill-adjust-paid":
    "What was paid, and a customer's credit balance, are the accounting system's; no payments here.",
  "cn-killbill-refund-with-adjust":
    "A refund is a payment to the customer, which the accounting system keeps.",
  "cn-killbill-refund-without-adjust":
    "A refund that opens the invoice's balance again is a matter of payments.",
  "cn-lago-multiple-sources":
    "Credit notes and prepaid credits as means of payment of a later invoice, and coupons on the whole document: ours reverse lines of the invoice that they name, with its VAT.",
};

describeExamples({
  isAnswered: (category) => DOCUMENT_KINDS.includes(category),
  checks,
  otherConventions,
});

function changedQuantity({ inputs, expected }: Example): void {
  const period = { from: inputs.period_from, to: inputs.period_to };
  const price = (quantity: number, each: string) => decimalText(BigInt(quantity) * minor(each), 2);
  const lines = switched(
    price(inputs.old_quantity, inputs.old_price),
    price(inputs.new_quantity, inputs.new_price),
    period,
    inputs.change,
  ).filter((amount) => amount !== 0n);
  expect(lines.map(text)).toEqual(expected.lines);
  expect(text(sum(lines))).toBe(expected.net);
}

/** One day of a period is used; the rest of it is credited with its VAT. */
function creditedUnusedPart({ inputs, expected }: Example, price: string, days: number): void {
  const period = { from: day("2024-06-01"), to: addDays(day("2024-06-01"), days - 1) };
  const net = unused(price, period, addDays(period.from, 1));
  expect(text(net)).toBe(inputs.net);
  const invoice = invoiceOf([["DK25", Math.round(Number(inputs.vat_rate) * 100), minor(price)]]);
  expect(totals(credited(invoice, 1, net))).toEqual(expected);
}

interface Span {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** What is left of a price by days when the service ends before a day: what a cancellation credits. */
function unused(price: string, period: Span, change: CalendarDate): bigint {
  const line = {
    line_id: "line" as LineId,
    is_value: true,
    rest: minor(price),
    shortened_to: null,
  };
  return cancellationCredit(line, period, addDays(change, -1));
}

/** The old price given back and the new one charged for the rest of the period. */
function switched(old: string, next: string, period: Span, change: CalendarDate): bigint[] {
  return [-unused(old, period, change), unused(next, period, change)];
}

function calendar(
  frequency: Recurrence["frequency"],
  start_date: CalendarDate,
  end_date: CalendarDate | null = null,
): Recurrence {
  return { frequency, alignment: "calendar", start_date, end_date };
}

/** The period of a series with a key. */
function whole(series: Recurrence, key: string): SeriesPeriod {
  const period = findPeriod(series, key);
  if (typeof period === "string") throw new Error(`${key} is ${period}`);
  return period;
}

/** The single period of a series that ends within its first. */
function only(series: Recurrence): SeriesPeriod {
  const [period, ...others] = [...periodsFrom(series, 0)];
  if (period === undefined || others.length > 0) throw new Error("not one period");
  return period;
}

function ratioOf(from: CalendarDate, to: CalendarDate): string {
  const period = only(calendar("monthly", from, to));
  return `${period.days}/${period.nominal_days}`;
}

/** What a series' line at a price costs in a period. */
function billed(price: string, period: SeriesPeriod): bigint {
  const content: LineContent = {
    product_id: "product" as ProductId,
    recognition_method: "value",
    agreed_value: minor(price),
    hourly_rate: null,
    discount: 0,
    description_override: null,
    position: 1,
    assignees: [],
    service_from: null,
    service_to: null,
    budget_hours: null,
    product_name: "Subscription",
    product_number: null,
    account_number: 1010,
    unit: "parts",
  };
  return sum(rowsOf(occurrenceLine(content, "line" as LineId, period), 2).map(({ net }) => net));
}

/** An invoice with a line for each VAT code, rate and net; any rate stands at any code here. */
function invoiceOf(
  sales: readonly (readonly [code: VatCode, rate: number, net: bigint])[],
): DocumentSnapshot {
  const lines = sales.map(([vat_code, vat_rate, net], index) => ({
    ...documentLine("Subscription", net, []),
    line_id: `line-${index + 1}`,
    position: index + 1,
    vat_code,
    vat_rate,
  }));
  return { ...danish(), lines, ...totalsOf(lines, null) };
}

function credited(invoice: DocumentSnapshot, line: number, amount: bigint): DocumentSnapshot {
  const asked = [{ invoice_line_id: `line-${line}` as LineId, amount }];
  return creditOf(invoice, decideCredit("partial", asked, creditable(invoice), 2));
}

function creditedInFull(invoice: DocumentSnapshot): DocumentSnapshot {
  return creditOf(invoice, decideCredit("full", [], creditable(invoice), 2));
}

function creditable(invoice: DocumentSnapshot) {
  return invoice.lines.map(({ line_id, position, net }) => {
    return { line_id: line_id as LineId, position, amount: net, credited: 0n };
  });
}

function creditOf(
  invoice: DocumentSnapshot,
  lines: ReturnType<typeof decideCredit>,
): DocumentSnapshot {
  const note = { id: "credit", credit_date: "2026-12-01", lines };
  return creditDocumentOf(note, { document: invoice, number: 1n }, bookedFrom([]));
}

function totals({ totals: { net, vat, gross } }: DocumentSnapshot) {
  return { net: text(net), vat: text(vat), total: text(gross) };
}

function day(date: string): CalendarDate {
  return date as CalendarDate;
}

function minor(amount: string): bigint {
  const value = scaledFromNumber(Number(amount), 2);
  if (typeof value === "string") throw new Error(`${amount}: ${value}`);
  return value;
}

function text(amount: bigint): string {
  return decimalText(amount, 2);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
