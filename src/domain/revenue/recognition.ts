/**
 * Decides when revenue is earned (spec 2.3 to 2.5): through a month, by the facts dated through its last day. A month
 * is the difference of two running totals, so that months add up to the line. Only running totals are rounded.
 */
import type { UserId } from "../base/brand.ts";
import { type CalendarDate, type Month, monthOf } from "../base/calendar.ts";
import { allocate, type Money, round } from "../base/money.ts";
import {
  budgetOf,
  type Fraction,
  hoursAmount,
  type Line,
  netOf,
  rateOfUser,
} from "../sales/line.ts";
import { type Convention, spreadOf } from "./spread.ts";

/** Hours of one registration, in 1/100 of an hour. */
export interface WorkedHours {
  readonly user_id: UserId;
  readonly date: CalendarDate;
  readonly hours: number;
  readonly billable: boolean;
}

/** A credit on a line of an issued invoice. */
export interface LineCredit {
  /** The later of the credit date and the invoice's issue date. */
  readonly effective: CalendarDate;
  readonly amount: Money;
  /** The end of service that a cancellation's credit sets. */
  readonly new_service_to: CalendarDate | null;
}

/**
 * Revenue that work earned, by month: a running total for each month in which it changed, and the weight of each user's work.
 * Frozen when the invoice is issued; no work is measured after that.
 */
export interface MeasuredWork {
  readonly months: readonly { readonly month: Month; readonly earned_to_date: Money }[];
  /** Assignees first, then others by their first registration; the weight is hours times rate. */
  readonly users: readonly {
    readonly user_id: UserId;
    readonly months: readonly { readonly month: Month; readonly weight: bigint }[];
  }[];
}

/** All facts that determine the earned revenue of a line. */
export interface LineFacts {
  readonly line: Line;
  readonly currency_digits: number;
  /** Null until the line is issued. */
  readonly issue_date: CalendarDate | null;
  /** The booked amount; null until the line is issued. */
  readonly amount: Money | null;
  readonly completed_on: CalendarDate | null;
  /** In the order of their registration. */
  readonly worked: readonly WorkedHours[];
  /** Issued credits by their effective date. */
  readonly credits: readonly LineCredit[];
  /** Whether the line is that of an opening contract, which brought along what was invoiced elsewhere. */
  readonly is_brought_along?: boolean;
  /** The work as it was when the document was issued; null before that, and for methods that do not measure work. */
  readonly measured: MeasuredWork | null;
}

/** The amounts that a month adds to earned and invoiced revenue of a line, in its currency. */
export interface EarnedMonth {
  readonly month: Month;
  readonly earned: Money;
  readonly invoiced: Money;
}

/** Returns the amount of a line: the booked one, else the current one (spec 2.2). */
export function lineAmount(facts: LineFacts): Money {
  if (facts.amount !== null) return facts.amount;
  const is_by_hours = facts.line.recognition_method === "hours";
  const hours = is_by_hours ? billableHours(facts.worked) : undefined;
  return netOf(facts.line, facts.currency_digits, hours);
}

/** Returns the months through the last one with earned or invoiced amounts, in order. */
export function earnedMonths(
  facts: LineFacts,
  convention: Convention,
  through: Month,
): EarnedMonth[] {
  const amount = lineAmount(facts);
  const progress = progressOf(facts, convention, amount);
  const issued_in = facts.issue_date && monthOf(facts.issue_date);
  const months: EarnedMonth[] = [];
  let earned_before = 0n;
  let invoiced_before = 0n;
  for (const month of monthsOfChange(facts, through)) {
    const rest = facts.credits.length === 0 ? amount : amount - creditedThrough(facts, month);
    const { part, whole } = progress(month);
    const earned_to_date = whole === 0n ? 0n : part === whole ? rest : round(rest * part, whole);
    const invoiced_to_date = issued_in !== null && issued_in <= month ? rest : 0n;
    const earned = earned_to_date - earned_before;
    const invoiced = invoiced_to_date === invoiced_before ? 0n : invoiced_to_date - invoiced_before;
    if (earned !== 0n || invoiced !== 0n) months.push({ month, earned, invoiced });
    earned_before = earned_to_date;
    invoiced_before = invoiced_to_date;
  }
  return months;
}

/** Returns P(m) of spec 2.3: the fraction of a line that is earned through a month. */
export function progressOf(
  facts: LineFacts,
  convention: Convention,
  amount: Money,
): (month: Month) => Fraction {
  const { line } = facts;
  switch (line.recognition_method) {
    case "value":
      return line.service_from !== null && line.service_to !== null
        ? straightLine(facts, line.service_from, line.service_to, convention)
        : (month) => allOrNothing(isIssuedBy(facts, month));
    case "on_issue":
      return (month) => allOrNothing(isIssuedBy(facts, month));
    case "milestone": {
      const { completed_on } = facts;
      return (month) => allOrNothing(completed_on !== null && monthOf(completed_on) <= month);
    }
    case "hours":
    case "progress": {
      const { months } = measuredWork(facts);
      return (month) => {
        const part = months.findLast((entry) => entry.month <= month)?.earned_to_date ?? 0n;
        return { part, whole: amount };
      };
    }
  }
}

/**
 * Returns the revenue that work on a line has earned by month, as frozen or by the current facts. For `progress`, an issue or a
 * completion earns the rest, because no work is measured afterwards (spec 2.3, note 2).
 */
export function measuredWork(facts: LineFacts): MeasuredWork {
  if (facts.measured !== null) return facts.measured;
  const billable = facts.worked.filter((entry) => entry.billable);
  const months = [...new Set(billable.map((entry) => monthOf(entry.date)))].sort();
  const totals =
    facts.line.recognition_method === "progress"
      ? progressTotals(facts, billable, months)
      : months.map((month) => ({ month, earned_to_date: hoursEarned(facts, billable, month) }));
  return { months: totals, users: userWeights(facts, billable) };
}

/**
 * Splits a month's earned revenue among users exactly (spec 2.5): by the percentages of the line, or for `hours` by
 * hours times rate of the month, else of the months before, else of all. Without assignees no user has revenue.
 */
export function earnedByUser(
  facts: LineFacts,
  month: Month,
  earned: Money,
): { readonly user_id: UserId | null; readonly amount: Money }[] {
  if (earned === 0n) return [];
  const shares = userShares(facts, month);
  const [only] = shares;
  if (only !== undefined && shares.length === 1) return [{ user_id: only.user_id, amount: earned }];
  const weights = shares.map((share) => share.weight);
  const amounts = allocate(earned, weights);
  return shares.flatMap(({ user_id }, index) => {
    const amount = amounts[index] ?? 0n;
    return amount === 0n ? [] : [{ user_id, amount }];
  });
}

interface UserShare {
  readonly user_id: UserId | null;
  readonly weight: bigint;
}

/** Returns the users of a line in a month, with weights of which at least one is above 0. */
function userShares(facts: LineFacts, month: Month): UserShare[] {
  const { line } = facts;
  if (line.recognition_method !== "hours") {
    if (line.assignees.length === 0) return [{ user_id: null, weight: 1n }];
    return line.assignees.map(({ user_id, distribution_percentage }) => ({
      user_id,
      weight: BigInt(distribution_percentage ?? 1),
    }));
  }
  const { users } = measuredWork(facts);
  const windows: ((at: Month) => boolean)[] = [
    (at) => at === month,
    (at) => at <= month,
    () => true,
  ];
  for (const isWithin of windows) {
    const shares = users.map(({ user_id, months }) => ({
      user_id,
      weight: months.reduce((sum, one) => (isWithin(one.month) ? sum + one.weight : sum), 0n),
    }));
    if (shares.some((share) => share.weight > 0n)) return shares;
  }
  return [{ user_id: null, weight: 1n }];
}

/** Adds up billable hours by user, in the order of their first registration. */
export function billableHours(
  worked: readonly WorkedHours[],
): { readonly user_id: UserId; readonly hours: bigint }[] {
  const hours = new Map<UserId, bigint>();
  for (const entry of worked) {
    if (!entry.billable) continue;
    hours.set(entry.user_id, (hours.get(entry.user_id) ?? 0n) + BigInt(entry.hours));
  }
  return [...hours].map(([user_id, sum]) => ({ user_id, hours: sum }));
}

/** Returns the last day of a line's service after the credits through a month. */
export function serviceEnd(facts: LineFacts, service_to: CalendarDate, month: Month): CalendarDate {
  return facts.credits.reduce(
    (end, credit) =>
      credit.new_service_to !== null &&
      monthOf(credit.effective) <= month &&
      credit.new_service_to < end
        ? credit.new_service_to
        : end,
    service_to,
  );
}

/** Spreads the line evenly over its service, which a cancellation may have shortened. */
function straightLine(
  facts: LineFacts,
  from: CalendarDate,
  to: CalendarDate,
  convention: Convention,
): (month: Month) => Fraction {
  const uncut = spreadOf(from, to, convention);
  return (month) => {
    const end = facts.credits.length === 0 ? to : serviceEnd(facts, to, month);
    const { weights, whole } = end === to ? uncut : spreadOf(from, end, convention);
    // A cancellation from before the service began leaves no service to spread over.
    if (whole === 0n) return allOrNothing(true);
    const part = month >= monthOf(end) ? whole : (weights.get(month) ?? 0n);
    return { part, whole };
  };
}

function allOrNothing(is_earned: boolean): Fraction {
  return { part: is_earned ? 1n : 0n, whole: 1n };
}

function isIssuedBy(facts: LineFacts, month: Month): boolean {
  return facts.issue_date !== null && monthOf(facts.issue_date) <= month;
}

function creditedThrough(facts: LineFacts, month: Month): Money {
  return facts.credits.reduce(
    (sum, credit) => (monthOf(credit.effective) <= month ? sum + credit.amount : sum),
    0n,
  );
}

/** Returns the months through the last one in which a running total may change, in order. */
function monthsOfChange(facts: LineFacts, through: Month): readonly Month[] {
  const { line, issue_date, completed_on, credits } = facts;
  const measures = line.recognition_method === "hours" || line.recognition_method === "progress";
  const service = serviceMonths(line, through);
  // For most lines, only the months of the service and of the issue matter.
  if (!measures && completed_on === null && credits.length === 0) {
    return issue_date === null ? service : withMonth(service, monthOf(issue_date), through);
  }
  const months = new Set<Month>(service);
  if (issue_date !== null) months.add(monthOf(issue_date));
  if (completed_on !== null) months.add(monthOf(completed_on));
  for (const credit of credits) months.add(monthOf(credit.effective));
  if (measures) {
    for (const { month } of measuredWork(facts).months) months.add(month);
  }
  return [...months].filter((month) => month <= through).sort();
}

/** Adds a month to consecutive months, through the last one. */
function withMonth(months: readonly Month[], month: Month, through: Month): readonly Month[] {
  if (month > through) return months;
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return [month];
  if (month < first) return [month, ...months];
  return month > last ? [...months, month] : months;
}

function serviceMonths({ service_from, service_to }: Line, through: Month): readonly Month[] {
  if (service_from === null || service_to === null) return [];
  const { months } = spreadOf(service_from, service_to, "monthly");
  return monthOf(service_to) <= through ? months : months.filter((month) => month <= through);
}

function hoursEarned(facts: LineFacts, billable: readonly WorkedHours[], month: Month): Money {
  const by_rate = new Map<bigint, bigint>();
  for (const entry of billable) {
    if (monthOf(entry.date) > month) continue;
    const rate = rateOfUser(facts.line, entry.user_id);
    by_rate.set(rate, (by_rate.get(rate) ?? 0n) + BigInt(entry.hours));
  }
  let earned = 0n;
  for (const [rate, hours] of by_rate) {
    earned += hoursAmount(hours, rate, facts.line.discount, facts.currency_digits);
  }
  return earned;
}

function progressTotals(
  facts: LineFacts,
  billable: readonly WorkedHours[],
  months: readonly Month[],
): MeasuredWork["months"] {
  const amount = lineAmount(facts);
  const budget = budgetOf(facts.line);
  const ends = [facts.completed_on, facts.issue_date].flatMap((day) =>
    day === null ? [] : [monthOf(day)],
  );
  const complete = ends.sort()[0];
  const totals = months
    .filter((month) => complete === undefined || month < complete)
    .map((month) => {
      const hours = billable.reduce(
        (sum, entry) => (monthOf(entry.date) <= month ? sum + BigInt(entry.hours) : sum),
        0n,
      );
      const is_all = budget === null || hours * budget.whole >= budget.part;
      const earned_to_date = is_all ? amount : round(amount * hours * budget.whole, budget.part);
      return { month, earned_to_date };
    });
  return complete === undefined ? totals : [...totals, { month: complete, earned_to_date: amount }];
}

function userWeights({ line }: LineFacts, billable: readonly WorkedHours[]): MeasuredWork["users"] {
  const worked = [...new Set(billable.map((entry) => entry.user_id))];
  const assigned = line.assignees.map((assignee) => assignee.user_id);
  const order = [
    ...assigned.filter((user_id) => worked.includes(user_id)),
    ...worked.filter((user_id) => !assigned.includes(user_id)),
  ];
  return order.map((user_id) => {
    const months = new Map<Month, bigint>();
    for (const entry of billable) {
      if (entry.user_id !== user_id) continue;
      const month = monthOf(entry.date);
      const weight = BigInt(entry.hours) * rateOfUser(line, user_id);
      months.set(month, (months.get(month) ?? 0n) + weight);
    }
    return { user_id, months: [...months].map(([month, weight]) => ({ month, weight })) };
  });
}
