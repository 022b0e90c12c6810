/**
 * Computes lines by month, as reports show them: earned, invoiced, the position of the line at the end, and the users to whom
 * these amounts belong. The parts of users always add up to the line.
 */

import type { UserId } from "../../../domain/base/brand.ts";
import type { Month } from "../../../domain/base/calendar.ts";
import { allocate, type Money, round } from "../../../domain/base/money.ts";
import type { LineBalanceKey } from "../../../domain/revenue/accrual.ts";
import { earnedByUser, type LineFacts, measuredWork } from "../../../domain/revenue/recognition.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { LineBalanceAtMonth } from "../revenue-facts/positions.ts";

/** One line in one month, or a user's part of it. */
export interface LineMonth extends LineMonthAmounts {
  readonly customer_id: string;
  readonly line_balance: LineBalanceKey & Pick<LineBalanceAtMonth, "facts">;
  readonly month: Month;
  /** Computed on request, because most groups of a report do not need it. */
  readonly users: () => readonly UserMonth[];
}

export interface LineMonthAmounts {
  readonly earned: Money;
  readonly invoiced: Money;
  /** Earned less invoiced through the month's end: above 0 an asset. */
  readonly balance: Money;
  /** The amounts in functional currency; null when a closing rate is missing. */
  readonly functional: FunctionalAmounts | null;
  /** In 1/100 of an hour, billable or not. */
  readonly hours: bigint;
}

interface FunctionalAmounts {
  readonly earned: Money;
  readonly invoiced: Money;
  readonly balance: Money;
}

interface UserMonth extends LineMonthAmounts {
  readonly user_id: string | null;
}

/** Registered hours by `<line> <month>`: for each user, in 1/100. */
type HoursByLineMonth = ReadonlyMap<string, readonly UserHoursOfMonth[]>;

interface UserHoursOfMonth {
  readonly user_id: string;
  readonly hours: bigint;
}

/** Returns the hours of lines by month, including hours that have been invoiced or dropped since. */
export async function hoursByMonth(
  cx: Reader,
  line_ids: readonly string[],
  from: Month,
  to: Month,
): Promise<HoursByLineMonth> {
  const rows = await cx.rows<
    UserHoursOfMonth & { line_id: string; month: string }
  >(sql`select line_id, to_char(date, 'YYYY-MM') as month, user_id, sum(hours)::bigint as hours
     from work_registrations
     where account_id = ${cx.caller.account_id} and line_id = any(${line_ids}) and status <> 'dropped'
       and to_char(date, 'YYYY-MM') between ${from} and ${to}
     group by 1, 2, 3 order by 1, 2, 3`);
  const hours = new Map<string, UserHoursOfMonth[]>();
  for (const { line_id, month, user_id, hours: sum } of rows) {
    const key = `${line_id} ${month}`;
    hours.set(key, [...(hours.get(key) ?? []), { user_id, hours: sum }]);
  }
  return hours;
}

/** Returns a line's data for those of the given months, in ascending order, that have an amount, a position or hours. */
export function lineMonths(
  customer_id: string,
  line_balance: LineBalanceAtMonth,
  months: readonly Month[],
  hours: HoursByLineMonth,
): LineMonth[] {
  const { facts, now } = line_balance;
  const found: LineMonth[] = [];
  if (facts === null) return found;
  let at = 0;
  let balance = 0n;
  let functional_balance = 0n;
  let has_rates = true;
  for (const month of months) {
    let earned = 0n;
    let invoiced = 0n;
    let earned_functional = 0n;
    let invoiced_functional = 0n;
    for (let one = now[at]; one !== undefined && one.month <= month; one = now[at]) {
      at += 1;
      const is_month = one.month === month;
      balance += one.earned - one.invoiced;
      if (is_month) {
        earned = one.earned;
        invoiced = one.invoiced;
      }
      const { earned_functional: gained, exchange_difference } = one;
      if (gained === null || exchange_difference === null) has_rates = false;
      if (!has_rates) continue;
      functional_balance += (gained ?? 0n) - one.invoiced_functional + (exchange_difference ?? 0n);
      if (is_month) {
        earned_functional = gained ?? 0n;
        invoiced_functional = one.invoiced_functional;
      }
    }
    const worked =
      hours.size === 0 ? NO_HOURS : (hours.get(`${line_balance.line_id} ${month}`) ?? NO_HOURS);
    if (earned === 0n && invoiced === 0n && balance === 0n && worked.length === 0) continue;
    const functional = has_rates
      ? { earned: earned_functional, invoiced: invoiced_functional, balance: functional_balance }
      : null;
    // Each field is named: an object spread takes several times as long, and there are many months.
    const one: LineMonth = {
      customer_id,
      line_balance,
      month,
      earned,
      invoiced,
      balance,
      functional,
      hours: worked.reduce((sum, entry) => sum + entry.hours, 0n),
      users: () => usersIn(facts, one, worked),
    };
    found.push(one);
  }
  return found;
}

const NO_HOURS: readonly UserHoursOfMonth[] = [];

function usersIn(
  facts: LineFacts,
  total: LineMonth,
  worked: readonly UserHoursOfMonth[],
): UserMonth[] {
  const { month } = total;
  const split = (amount: Money): Map<string | null, Money> =>
    new Map(earnedByUser(facts, month, amount).map((part) => [part.user_id, part.amount]));
  return usersOf(facts, month, total, worked, { own: split, functional: split });
}

/** The earned amount of a line, in functional currency and in its own. */
export interface EarnedToDate {
  readonly functional: Money;
  readonly own: Money;
}

/**
 * Returns the users of the rows of a line that an accrual month books: as booked, in the line's currency. An amount that moves
 * from one user to another is converted at the line's average rate to date.
 */
export function usersOfBooked(
  facts: LineFacts | null,
  month: Month,
  total: LineMonthAmounts,
  parts: readonly (readonly [user_id: string | null, amount: Money])[],
  to_date: EarnedToDate,
): UserMonth[] {
  const booked = new Map<string | null, Money>();
  for (const [user_id, amount] of parts) booked.set(user_id, (booked.get(user_id) ?? 0n) + amount);
  return usersOf(facts, month, total, [], {
    own: () => booked,
    functional: (amount) => converted(amount, booked, to_date),
  });
}

/** Splits an amount in functional currency in the proportions of its parts in another currency. */
function converted(
  amount: Money,
  parts: ReadonlyMap<string | null, Money>,
  { functional, own }: EarnedToDate,
): Map<string | null, Money> {
  const gains = [...parts].filter(([, part]) => part > 0n);
  const losses = [...parts].filter(([, part]) => part < 0n);
  if (gains.length === 0 || losses.length === 0 || own <= 0n) return bySize(amount, [...parts]);
  const gained = gains.reduce((sum, [, part]) => sum + part, 0n);
  const gain = round(gained * functional, own);
  return new Map([...bySize(gain, gains), ...bySize(amount - gain, losses)]);
}

function bySize(
  amount: Money,
  parts: readonly (readonly [user_id: string | null, part: Money])[],
): Map<string | null, Money> {
  const sizes = parts.map(([, part]) => (part < 0n ? -part : part));
  if (sizes.every((size) => size === 0n)) return new Map(amount === 0n ? [] : [[null, amount]]);
  const amounts = allocate(amount, sizes);
  return new Map(parts.map(([user_id], index) => [user_id, amounts[index] ?? 0n]));
}

/** Splits an amount into its parts by user. */
type Split = (amount: Money) => ReadonlyMap<string | null, Money>;

/**
 * Returns a line's month by user: earned amounts as the rule splits them; invoiced amounts and positions by the work or shares
 * through the month.
 */
function usersOf(
  facts: LineFacts | null,
  month: Month,
  total: LineMonthAmounts,
  worked: readonly UserHoursOfMonth[],
  earned_parts: Readonly<Record<"own" | "functional", Split>>,
): UserMonth[] {
  const shares = facts === null ? UNASSIGNED : sharesThrough(facts, month);
  const split = (amount: Money): Map<string | null, Money> => {
    const weights = shares.map((share) => share.weight);
    const parts = allocate(amount, weights);
    return new Map(shares.map((share, index) => [share.user_id, parts[index] ?? 0n]));
  };
  const [invoiced, balance] = [split(total.invoiced), split(total.balance)];
  const functional = total.functional && {
    earned: earned_parts.functional(total.functional.earned),
    invoiced: split(total.functional.invoiced),
    balance: split(total.functional.balance),
  };
  const earned = earned_parts.own(total.earned);
  const hours = new Map<string | null, bigint>(worked.map((one) => [one.user_id, one.hours]));
  // A minor unit of one user may be worth enough in functional currency for several users.
  const rich = functional?.earned.keys() ?? [];
  const users = new Set([...earned.keys(), ...rich, ...invoiced.keys(), ...hours.keys()]);
  return [...users]
    .map((user_id) => ({
      user_id,
      earned: earned.get(user_id) ?? 0n,
      invoiced: invoiced.get(user_id) ?? 0n,
      balance: balance.get(user_id) ?? 0n,
      functional: functional && {
        earned: functional.earned.get(user_id) ?? 0n,
        invoiced: functional.invoiced.get(user_id) ?? 0n,
        balance: functional.balance.get(user_id) ?? 0n,
      },
      hours: hours.get(user_id) ?? 0n,
    }))
    .filter((one) => isShown(one) || (one.functional !== null && isSomething(one.functional)));
}

/** Whether a part has anything to show in the line's currency. */
export function isShown(part: LineMonthAmounts): boolean {
  return part.hours !== 0n || isSomething(part);
}

function isSomething({ earned, invoiced, balance }: FunctionalAmounts): boolean {
  return earned !== 0n || invoiced !== 0n || balance !== 0n;
}

interface Share {
  readonly user_id: UserId | null;
  readonly weight: bigint;
}

/** Returns the users' shares at the end of a month: the percentages, or for `hours` the work through the month. */
function sharesThrough(facts: LineFacts, month: Month): Share[] {
  const { line } = facts;
  if (line.recognition_method !== "hours") {
    if (line.assignees.length === 0) return UNASSIGNED;
    return line.assignees.map(({ user_id, distribution_percentage }) => ({
      user_id,
      weight: BigInt(distribution_percentage ?? 1),
    }));
  }
  const weigh = (counts: (at: Month) => boolean): Share[] =>
    measuredWork(facts)
      .users.map(({ user_id, months }) => ({
        user_id,
        weight: months.reduce((sum, one) => (counts(one.month) ? sum + one.weight : sum), 0n),
      }))
      .filter((share) => share.weight > 0n);
  const through = weigh((at) => at <= month);
  const all = through.length > 0 ? through : weigh(() => true);
  return all.length > 0 ? all : UNASSIGNED;
}

const UNASSIGNED: Share[] = [{ user_id: null, weight: 1n }];
