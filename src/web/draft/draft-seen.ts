/** Limits a draft's personal parts: only people who see the account see others' work dates and revenue (spec 7.1). */
import type { UserId } from "../../domain/base/brand.ts";
import type { CalendarDate, Month } from "../../domain/base/calendar.ts";
import { decimalText } from "../../domain/base/money.ts";
import type { WorkedHours } from "../../domain/revenue/recognition.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import { type Line, rateOfUser } from "../../domain/sales/line.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { isAdmin } from "../frame/seen.ts";
import type { SentMonth } from "./draft-stored.ts";
import { type DraftFacts, type EarnedIn, earnedBy, earnedOf } from "./draft-sums.ts";

/** Returns the hours behind a line's amount: the person's own as registered, others' as undated sums by rate. */
export function seenWork(
  cx: PersonReader,
  line: Line,
  worked: readonly WorkedHours[],
): readonly WorkedHours[] {
  if (isAdmin(cx)) return worked;
  const { user_id: own } = cx.caller.person;
  const sums = new Map<string, WorkedHours>();
  for (const entry of worked) {
    if (entry.user_id === own) continue;
    const rate = rateOfUser(line, entry.user_id);
    const key = `${rate} ${entry.billable}`;
    const is_usual = rate === (line.hourly_rate ?? 0n);
    sums.set(key, {
      user_id: is_usual ? NO_USER : entry.user_id,
      date: NO_DAY,
      ...sums.get(key),
      billable: entry.billable,
      hours: (sums.get(key)?.hours ?? 0) + entry.hours,
    });
  }
  return [...worked.filter(({ user_id }) => user_id === own), ...sums.values()];
}

/** A placeholder for users who work at the line's rate. */
const NO_USER = "" as UserId;
const NO_DAY = "0001-01-01" as WorkedHours["date"];

type OfDraft = Pick<Invoice, "lines" | "issue_date">;
type Worked = ReadonlyMap<string, readonly WorkedHours[]>;
type Earning = Pick<DraftFacts, "currency" | "today" | "convention" | "completed">;

/** Returns the person's revenue from a draft by month, as if the draft were issued on its date, or today where it has none. */
export function ownMonths(
  cx: PersonReader,
  draft: OfDraft,
  worked: Worked,
  facts: Earning,
): SentMonth[] {
  const { user_id } = cx.caller.person;
  return monthsBy(draft, worked, facts, (line, hours, issued_on) =>
    earnedBy(user_id, line, hours, facts, issued_on),
  );
}

/** Returns the revenue from a draft by month that the person may see: an admin all of it, others their own. */
export function seenMonths(
  cx: PersonReader,
  draft: OfDraft,
  worked: Worked,
  facts: Earning,
): SentMonth[] {
  if (!isAdmin(cx)) return ownMonths(cx, draft, worked, facts);
  return monthsBy(draft, worked, facts, (line, hours, issued_on) =>
    earnedOf(line, hours, facts, issued_on),
  );
}

function monthsBy(
  { lines, issue_date }: OfDraft,
  worked: Worked,
  { today }: Earning,
  earns: (
    line: Line,
    hours: readonly WorkedHours[],
    issued_on: CalendarDate,
  ) => readonly EarnedIn[],
): SentMonth[] {
  const months = new Map<Month, bigint>();
  for (const line of lines) {
    for (const { month, earned } of earns(line, worked.get(line.id) ?? [], issue_date ?? today)) {
      months.set(month, (months.get(month) ?? 0n) + earned);
    }
  }
  return [...months]
    .filter(([, earned]) => earned !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, earned]) => ({ month, earned: decimalText(earned, 0) }));
}
