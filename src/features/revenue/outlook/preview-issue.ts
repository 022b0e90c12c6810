/** Computes when a draft would earn its revenue if it were issued on a day: for the plan of an issue. */
import { type CalendarDate, type Month, monthOf } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { laterMonth } from "../../../domain/revenue/accrual.ts";
import { earnedMonths, lineAmount } from "../../../domain/revenue/recognition.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { lineFacts } from "../revenue-facts/positions.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";

/** What an invoice earns, in minor units of its currency. */
interface EarnedIfIssued {
  /** The months with revenue, in order. */
  readonly months: readonly { readonly month: Month; readonly earned: Money }[];
  /** What no month earns yet: lines whose milestone is not completed. */
  readonly rest: Money;
}

/** Returns the revenue of a draft by month as if it were issued on a day, with the work that is registered now. */
export async function earnedIfIssued(
  cx: Reader,
  draft: { readonly customer_id: string; readonly lines: readonly { readonly id: string }[] },
  issue_date: CalendarDate,
): Promise<EarnedIfIssued> {
  const { recognition_convention } = await getConfiguration(cx);
  const line_ids = new Set(draft.lines.map(({ id }) => id));
  const { customers } = await factsOfCustomers(cx, [draft.customer_id], line_ids);
  const sums = new Map<Month, Money>();
  let rest = 0n;
  for (const { lines, worked } of customers) {
    for (const one of lines.filter(({ line }) => line_ids.has(line.id))) {
      const work = worked.get(one.line.id) ?? [];
      const amount = lineAmount(lineFacts(one, work));
      const facts = lineFacts({ ...one, issue_date, amount }, work);
      const { service_to } = one.line;
      const end = laterMonth(monthOf(issue_date), service_to && monthOf(service_to));
      rest += amount;
      for (const { month, earned } of earnedMonths(
        facts,
        recognition_convention,
        end ?? monthOf(issue_date),
      )) {
        rest -= earned;
        if (earned !== 0n) sums.set(month, (sums.get(month) ?? 0n) + earned);
      }
    }
  }
  const months = [...sums].map(([month, earned]) => ({ month, earned }));
  return { months: months.sort((a, b) => (a.month < b.month ? -1 : 1)), rest };
}
