/** Limits a draft's personal parts: only people who see the account see others' work dates and revenue (spec 7.1). */
import type { UserId } from "../../domain/base/brand.ts";
import type { Month } from "../../domain/base/calendar.ts";
import { decimalText } from "../../domain/base/money.ts";
import type { WorkedHours } from "../../domain/revenue/recognition.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import { type Line, rateOfUser } from "../../domain/sales/line.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { isAdmin } from "../frame/seen.ts";
import type { SentMonth } from "./draft-stored.ts";
import { type DraftFacts, earnedBy } from "./draft-sums.ts";

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

/** Returns the person's revenue from a draft by month, as if the draft were issued on its date, or today where it has none. */
export function ownMonths(
  cx: PersonReader,
  { lines, issue_date }: Pick<Invoice, "lines" | "issue_date">,
  worked: ReadonlyMap<string, readonly WorkedHours[]>,
  facts: Pick<DraftFacts, "currency" | "today" | "convention" | "completed">,
): SentMonth[] {
  const { user_id } = cx.caller.person;
  const months = new Map<Month, bigint>();
  for (const line of lines) {
    const own = earnedBy(
      user_id,
      line,
      worked.get(line.id) ?? [],
      facts,
      issue_date ?? facts.today,
    );
    for (const { month, earned } of own) months.set(month, (months.get(month) ?? 0n) + earned);
  }
  return [...months]
    .filter(([, earned]) => earned !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, earned]) => ({ month, earned: decimalText(earned, 0) }));
}
