/**
 * The earnings of an invoice's line, computed a second time from the fields of the API (spec
 * 2.2 to 2.4): with fractions, month by month, and without the program's own rules.
 */
import type { Json } from "../support/world/world.ts";
import { addMonths, DIGITS, daysIn, lastDay, minor } from "./studio.ts";

export interface OracleLine {
  readonly line: Json;
  readonly currency: string;
  /** Null for a draft. */
  readonly issue_date: string | null;
  /** For a line of a series, whose period may be cut: the invoiced amount. */
  readonly amount: bigint | null;
  /** For a line of a cut period: its budget in 1/100 of an hour; the API shows two decimals of it. */
  readonly budget: readonly [part: bigint, whole: bigint] | null;
  readonly completed_on: string | null;
  readonly work: readonly Json[];
  readonly credits: readonly {
    readonly effective: string;
    readonly amount: bigint;
    readonly new_service_to: string | null;
  }[];
  readonly convention: string;
}

/** Rounds half away from zero. */
function round(part: bigint, whole: bigint): bigint {
  const twice = 2n * part + (part < 0n ? -whole : whole);
  return twice / (2n * whole);
}

const scaled = (value: number, factor: number): bigint => BigInt(Math.round(value * factor));

/** The amount of the line by hours through a day, grouped by rate. */
function hoursThrough({ line, work, currency }: OracleLine, day: string): bigint {
  const groups = new Map<bigint, bigint>();
  for (const { user_id, hours, date, billable } of work) {
    if (!billable || date > day) continue;
    const own = line.assignees.find((one: Json) => one.user_id === user_id);
    const rate = scaled(own?.hourly_rate_override ?? line.hourly_rate, 10_000);
    groups.set(rate, (groups.get(rate) ?? 0n) + scaled(hours, 100));
  }
  const rest = 10_000n - scaled(line.discount, 100);
  const units = 10n ** BigInt(DIGITS[currency] ?? 2);
  let sum = 0n;
  for (const [rate, hours] of groups) {
    sum += round(hours * rate * rest * units, 100n * 10_000n * 10_000n);
  }
  return sum;
}

export function amountOf(one: OracleLine): bigint {
  if (one.amount !== null) return one.amount;
  if (one.line.recognition_method === "hours") return hoursThrough(one, "9999-12-31");
  const rest = 10_000n - scaled(one.line.discount, 100);
  return round(minor(one.line.agreed_value, one.currency) * rest, 10_000n);
}

/** Earned through a month. */
export function earnedThrough(one: OracleLine, month: string): bigint {
  const last = lastDay(month);
  const amount = amountOf(one);
  let credited = 0n;
  for (const credit of one.credits) if (credit.effective <= last) credited += credit.amount;
  const [part, whole] = progress(one, month, amount);
  return whole === 0n ? 0n : round((amount - credited) * part, whole);
}

function progress(one: OracleLine, month: string, amount: bigint): [part: bigint, whole: bigint] {
  const { line, issue_date, completed_on } = one;
  const last = lastDay(month);
  const reached = (day: string | null): boolean => day !== null && day <= last;
  const wholly = (is_earned: boolean): [bigint, bigint] => [is_earned ? 1n : 0n, 1n];
  switch (line.recognition_method) {
    case "value": {
      if (!line.service_from) return wholly(reached(issue_date));
      let end: string = line.service_to;
      for (const { effective, new_service_to } of one.credits) {
        if (effective <= last && new_service_to !== null && new_service_to < end) {
          end = new_service_to;
        }
      }
      const whole = weight(line.service_from, end, one.convention);
      if (whole === 0n) return wholly(true);
      return [weight(line.service_from, end < last ? end : last, one.convention), whole];
    }
    case "milestone":
      return wholly(reached(completed_on));
    case "hours":
      return [hoursThrough(one, last), amount];
    case "progress": {
      if (reached(completed_on) || reached(issue_date)) return wholly(true);
      let hours = 0n;
      for (const { date, billable, hours: some } of one.work) {
        if (billable && date <= last) hours += scaled(some, 100);
      }
      const [budget, of] = one.budget ?? [scaled(line.budget_hours, 100), 1n];
      // Earnings are rounded once, as the fraction of the amount that later credits leave.
      return hours * of >= budget ? wholly(true) : [round(amount * hours * of, budget), amount];
    }
    default:
      return wholly(reached(issue_date));
  }
}

/** The common multiple of all lengths of months, so that a day of each is an integer. */
const PARTS = 28n * 29n * 30n * 31n;

function weight(from: string, to: string, convention: string): bigint {
  let sum = 0n;
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = addMonths(month, 1)) {
    const start = month === from.slice(0, 7) ? Number(from.slice(8)) : 1;
    const end = month === to.slice(0, 7) ? Number(to.slice(8)) : daysIn(month);
    const days = BigInt(Math.max(0, end - start + 1));
    sum += convention === "daily" ? days : (days * PARTS) / BigInt(daysIn(month));
  }
  return sum;
}
