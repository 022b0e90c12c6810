/**
 * Published worked examples of other systems on revenue, contract balances and changes of contracts.
 * An example that follows another convention than ours is named below with the reason.
 */
import { expect } from "vitest";
import type { LineId } from "../../src/domain/base/brand.ts";
import {
  addDays,
  addMonths,
  type CalendarDate,
  daysBetween,
  lastDayOfMonth,
  type Month,
  monthOf,
  monthsFrom,
} from "../../src/domain/base/calendar.ts";
import { decimalText, scaledFromNumber } from "../../src/domain/base/money.ts";
import { type EarnedMonth, earnedMonths } from "../../src/domain/revenue/recognition.ts";
import type { Convention } from "../../src/domain/revenue/spread.ts";
import { cancellationCredit } from "../../src/domain/sales/cancellation.ts";
import { Books, sale } from "../support/revenue/books.ts";
import { factsOf, type GivenLine, LATEST, sumOf } from "../support/revenue/revenue.ts";
import { DOCUMENT_KINDS, describeExamples, type Example } from "./worked-examples.ts";

/** Each example that our conventions can express, with what is asserted of it. */
const checks: Readonly<Record<string, (example: Example) => void>> = {
  "rr-stripe-monthly-31": daily,

  // Payments and the customer's balance belong to the accounting system.
  "rr-stripe-customer-balance": daily,

  "rr-stripe-waterfall-simple-invoice": ({ inputs, expected }) => {
    const months = monthsOf(straightLine(inputs), "daily");
    expect(byMonth(months, "invoiced")).toEqual(expected.booked);
    expect(byMonth(months, "earned")).toEqual(expected.recognized);
    const earned = sumOf(months.map((one) => one.earned));
    expect(text(earned)).toBe(expected.recognized_total);
    expect(text(minor(inputs.amount) - earned)).toBe(expected.remaining);
  },

  "rr-stripe-upgrade-90-120": ({ inputs: { original, upgrade }, expected }) => {
    const end = addDays(upgrade.at, -1);
    const line = {
      line_id: "line" as LineId,
      is_value: true,
      rest: minor(original.amount),
      shortened_to: null,
    };
    const credit = cancellationCredit(line, original, end);
    const share = {
      days: daysBetween(upgrade.at, original.to),
      of: daysBetween(original.from, original.to),
    };
    const reported = straightLine({
      amount: original.amount,
      service_from: original.from,
      service_to: original.to,
    });
    const old = monthsOf({ ...reported, credits: [[upgrade.at, credit, end]] }, "daily");
    const rest: GivenLine = {
      ...reported,
      agreed: minor(upgrade.new_amount),
      share,
      service: [upgrade.at, original.to],
      issued: upgrade.at,
    };
    const next = monthsOf(rest, "daily");
    const invoiced = sumOf(next.map((one) => one.invoiced));
    expect([-credit, invoiced].map(text)).toEqual(expected.proration_lines);
    expect(text(sumOf([...old, ...next].map((one) => one.earned)))).toBe(
      expected.revenue[monthOf(upgrade.at)],
    );
  },

  "rr-erpnext-months-300": ({ inputs, expected }) => {
    const service_to = addDays(inputs.service_to, -1);
    const months = monthsOf(straightLine({ ...inputs, service_to }), "monthly");
    expect(byMonth(months, "earned")).toEqual(withoutZeros(expected.revenue));
  },

  "rr-oca-prorata-2258": monthly,
  "rr-oca-case-B": monthly,
  "rr-oca-case-D": monthly,
  "rr-oca-case-G": monthly,

  // The system of the example never posts before the invoice. Matchbook does, but not into a locked month: the test locks the
  // earlier months.
  "rr-oca-case-F": ({ inputs, expected }) => {
    const line = sale("line", straightLine(inputs));
    const books = new Books();
    books.lock(monthOf(addMonths(inputs.invoice_date, -1)));
    for (const month of Object.keys(expected.revenue)) {
      const { figures } = books.book(month, line);
      expect(text(figures?.earned ?? 0n)).toBe(expected.revenue[month]);
      const deferred = expected[`deferred_at_${month}`] ?? "0.00";
      expect(text(figures?.after.liability ?? 0n)).toBe(deferred);
    }
  },

  "rr-chargebee-cn-full-refund-closed-periods": ({ inputs, expected }) => {
    const { months, credit_note, closed_through } = inputs;
    const of = (month: string) => `2025-${month}`;
    const reported = straightLine({
      amount: inputs.amount,
      service_from: `${of(months[0])}-01`,
      service_to: lastDayOfMonth(`${of(months.at(-1))}-01` as CalendarDate),
    });
    const refunded: GivenLine = {
      ...reported,
      credits: [[`${of(credit_note.month)}-15`, minor(credit_note.amount)]],
    };
    const books = new Books();
    for (const month of months) {
      const is_closed = month <= closed_through;
      const { figures, original_month } = books.book(
        of(month),
        sale("line", is_closed ? reported : refunded),
      );
      expect(original_month).toBeNull();
      expect(text(figures?.earned ?? 0n)).toBe(expected.revenue_after[month]);
    }
  },

  "rr-subscript-monthly-12000": ({ inputs, expected }) => {
    const whole = monthsOf(straightLine(inputs), "monthly").slice(1, -1);
    expect(whole).toHaveLength(11);
    for (const { earned } of whole) expect(text(earned)).toBe(expected.full_month);
  },

  "rr-zuora-export-same-period": ({ inputs, expected }) => {
    const months = monthsOf(
      { method: "on_issue", agreed: minor(inputs.amount), issued: inputs.transaction_date },
      "monthly",
    );
    const earned = (isIn: (month: Month) => boolean) =>
      text(sumOf(months.filter(({ month }) => isIn(month)).map((one) => one.earned)));
    expect(earned((month) => month < inputs.report_period)).toBe(expected.recognized_prior);
    expect(earned((month) => month === inputs.report_period)).toBe(expected.recognized_in_period);
    expect(earned((month) => month > inputs.report_period)).toBe(expected.recognized_after);
  },

  // A month from its 15th is a half there and 17 of 31 days here; whole months and days agree.
  "rr-odoo-months-1200": ({ inputs, expected }) => {
    const year = { service_from: "2025-01-01", service_to: "2025-12-31", ...inputs };
    const months = monthsOf(straightLine(year), "monthly");
    expect(months).toHaveLength(inputs.months);
    for (const { earned } of months) expect(text(earned)).toBe(expected.months.full_month);
    const [january, february] = monthsOf(straightLine(year), "daily").map(
      ({ earned }) => `~${Math.round(Number(text(earned)))}`,
    );
    expect({ january, february }).toEqual(expected.days);
  },

  // Calls are counted as hours: each has its price on the day.
  "rr-lago-usage-day": ({ inputs, expected }) => {
    const reported: GivenLine = {
      method: "hours",
      rate: Number(inputs.unit_price),
      worked: [["anna", inputs.date, inputs.units]],
    };
    const { figures, lines } = new Books().draft(monthOf(inputs.date), sale("line", reported));
    expect(text(figures?.earned ?? 0n)).toBe(expected.recognized_on_day);
    expect(lines.map((line) => text(line.earned_to_date))).toEqual([expected.recognized_to_date]);
    expect(text(figures?.after.asset ?? 0n)).toBe(expected.recognized_to_date);
  },

  // The start of an open budget earns nothing here; its delivery is a milestone.
  "rr-productive-single-date": ({ inputs, expected }) => {
    const agreed = BigInt(inputs.budget_hours) * minor(inputs.rate);
    const reported: GivenLine = { method: "milestone", agreed, completed: "2025-06-30" };
    expect(byMonth(monthsOf(reported, "monthly"), "earned")).toEqual({
      "2025-06": expected.delivered_budget.amount,
    });
  },

  // By months the middle of the year is exact; the example counts its days.
  "rr-asc606-mod-catchup-up": ({ inputs: { original, modification }, expected }) => {
    const draft = (price: string): GivenLine => ({
      method: "value",
      agreed: minor(price),
      service: [original.from, original.to],
    });
    const repriced = sale("line", draft(modification.new_total));
    const books = new Books();
    const change = monthOf(modification.date);
    const months = monthsFrom(monthOf(original.from), monthOf(original.to));
    for (const month of months.filter((one) => one < change)) {
      books.book(month, sale("line", draft(original.price)));
    }
    const [line] = books.draft(change, repriced).lines;
    const carried = line?.rows.filter((row) => row.carried).map((row) => row.earned) ?? [];
    const catch_up = sumOf(carried);
    const cumulative = (line?.balance_before ?? 0n) + catch_up;
    expect(text(catch_up)).toBe(expected.catch_up);
    expect(text(cumulative)).toBe(expected.revised_cumulative);
    const rest = repriced.now.filter(({ month }) => month >= change).map((one) => one.earned);
    expect(text(sumOf(rest))).toBe(expected.future_revenue);
    expect(text(cumulative + sumOf(rest))).toBe(expected.lifecycle);
  },

  // The rest of the old line is credited, and what remains is agreed as a new one.
  "rr-asc606-example7-cleaning": ({ inputs: { original, modification }, expected }) => {
    const start = "2025-01-01" as CalendarDate;
    const change = addMonths(start, 12 * modification.after_year);
    const end = addDays(change, -1);
    const price = minor(original.per_year) * BigInt(original.years);
    const unused = minor(original.per_year) * BigInt(original.years - modification.after_year);
    const old: GivenLine = {
      method: "value",
      agreed: price,
      service: [start, addDays(addMonths(start, 12 * original.years), -1)],
      issued: start,
      credits: [[end, unused, end]],
    };
    const years = original.years - modification.after_year + modification.added_years;
    const next: GivenLine = {
      method: "value",
      agreed: minor(modification.year3) + minor(modification.added_price),
      service: [change, addDays(addMonths(change, 12 * years), -1)],
      issued: change,
    };
    const months = [...monthsOf(old, "monthly"), ...monthsOf(next, "monthly")];
    const per_year = Object.keys(expected.revenue_per_year).map((year) => {
      const of_year = months.filter(({ month }) => month.startsWith(`${2024 + Number(year)}`));
      return [year, text(sumOf(of_year.map((one) => one.earned)))];
    });
    expect(Object.fromEntries(per_year)).toEqual(expected.revenue_per_year);
  },

  // Costs are counted as hours: the budget is what progress is measured by.
  "rr-scoro-wip-half": ({ inputs, expected }) => {
    const agreed = minor(inputs.income_budget);
    const reported: GivenLine = {
      method: "progress",
      agreed,
      budget: Number(inputs.cost_budget),
      worked: [["anna", "2025-01-31", Number(inputs.cost_actual)]],
    };
    const to_date = sumOf(monthsOf(reported, "monthly").map((one) => one.earned));
    expect(text(to_date)).toBe(expected.chargeable_to_date);
    expect(`${(to_date * 100n) / agreed}`).toBe(expected.percent_complete);
  },
};

/** Examples that follow another convention, and why they cannot be expressed in ours. */
const otherConventions: Readonly<Record<string, string>> = {
  "rr-stripe-granularity-millisecond":
    "Service from noon to noon: ours is of whole days, both ends included.",
  "rr-stripe-granularity-month-even":
    "Equal months from the day of the start, none for the last part: ours weigh calendar months.",
  "rr-stripe-granularity-month-even-prorated":
    "Half days at both ends, and months cut to cents with the rest on the last whole month: ours round running totals.",
  "rr-erpnext-months-50000":
    "A month that begins on its 16th is a half there, and 16 of 31 days here.",
  "rr-oca-equal-2258":
    "Every month that is begun has an equal part; ours weigh the days of a part.",
  "rr-oca-batch-totals": "Sums over nine cases, of which only four are shown.",
  "rr-chargebee-cn-prospective":
    "A discount spread over what is left alone; ours catches up what the delivered part costs less.",
  "rr-zuora-proration-by-days-300":
    "The price of a day is rounded first; ours round running totals.",
  "rr-ifrs15-ex38-cancellable":
    "Follows payments: what is paid is the accounting system's, and invoices count when they are issued.",
  "rr-ifrscommunity-handset":
    "Allocates the price of a bundle by stand-alone prices; lines here are priced by the parties.",
  "rr-asc606-mod-prospective-120k":
    "Allocates the remaining price by stand-alone prices; lines here are priced by the parties.",
  "rr-asc606-mod-mixed-total":
    "Allocates the changed price by stand-alone prices; lines here are priced by the parties.",
  "rr-asc606-mod-mixed-remaining":
    "Allocates the remaining price by stand-alone prices; lines here are priced by the parties.",
  "rr-asc606-example8-building":
    "A bonus that is variable consideration, and a percentage that is rounded before it is used.",
  "rr-asc606-example5-caseB":
    "A blended price of units that are delivered one by one; lines here have no quantity delivered.",
};

describeExamples({
  isAnswered: (category) => !DOCUMENT_KINDS.includes(category),
  checks,
  otherConventions,
});

function daily({ inputs, expected }: Example): void {
  agrees(monthsOf(straightLine(inputs), "daily"), expected);
}

function monthly({ inputs, expected }: Example): void {
  agrees(monthsOf(straightLine(inputs), "monthly"), expected);
}

/** Revenue by month, and what is deferred: the change of it, or its balance at the end of a month. */
function agrees(months: readonly EarnedMonth[], expected: Example["expected"]): void {
  expect(byMonth(months, "earned")).toEqual(withoutZeros(expected.revenue));
  const deferred = months.map(({ month, invoiced, earned }) => ({
    month,
    rest: invoiced - earned,
  }));
  if (expected.deferred_revenue_change !== undefined) {
    const changes = deferred.map(({ month, rest }) => [month, text(rest)]);
    expect(Object.fromEntries(changes)).toEqual(expected.deferred_revenue_change);
  }
  for (const [key, balance] of Object.entries(expected)) {
    const [, at] = /^deferred_at_(.*)/.exec(key) ?? [];
    if (at === undefined) continue;
    expect(text(sumOf(deferred.filter((one) => one.month <= at).map((one) => one.rest)))).toBe(
      balance,
    );
  }
}

/** Invoiced on the day that the example says, else when the service begins. */
function straightLine(inputs: Example["inputs"]): GivenLine {
  return {
    method: "value",
    agreed: minor(inputs.amount),
    service: [inputs.service_from, inputs.service_to],
    issued: inputs.invoice_finalized ?? inputs.invoice_date ?? inputs.service_from,
  };
}

function monthsOf(given: GivenLine, convention: Convention): EarnedMonth[] {
  return earnedMonths(factsOf(given), convention, LATEST);
}

function byMonth(
  months: readonly EarnedMonth[],
  what: "earned" | "invoiced",
): Record<string, string> {
  const texts = months.map((one) => [one.month, text(one[what])]);
  return withoutZeros(Object.fromEntries(texts));
}

function withoutZeros(months: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(months).filter(([, amount]) => Number(amount) !== 0));
}

function minor(amount: string): bigint {
  const value = scaledFromNumber(Number(amount), 2);
  if (typeof value === "string") throw new Error(`${amount}: ${value}`);
  return value;
}

function text(amount: bigint): string {
  return decimalText(amount, 2);
}
