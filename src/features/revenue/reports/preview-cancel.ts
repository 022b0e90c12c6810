/** Revenue of a series by month, before and after a planned cancellation: as if every open period were invoiced on its planned date. */
import {
  addToMonth,
  addYears,
  type CalendarDate,
  firstDayOf,
  type Month,
  monthOf,
} from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { Money } from "../../../domain/base/money.ts";
import { earnedMonths, type LineFacts } from "../../../domain/revenue/recognition.ts";
import { netOf } from "../../../domain/sales/line.ts";
import { countPeriodLines } from "../../../domain/series/bounds.ts";
import { countPeriods, periodAt, periodsFrom, timesOf } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { MOST_LINES_AT_ONCE } from "../../recurring/series/count-waiting.ts";
import { linesOfPeriods } from "../../recurring/series/periods.ts";
import { firstUnsettled, isOpen, type Series, stateOf } from "../../recurring/series/series.ts";
import type { CreditNote } from "../../sales/credit-notes/queries.ts";
import { workedByLine } from "../../sales/hours/list-worked.ts";
import { hoursByLine } from "../../sales/hours/queries.ts";
import { linesOfInvoices } from "../../sales/invoices/queries.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { notInvoiced } from "../revenue-facts/list-waiting.ts";
import { lineBalancesOf, lineFacts } from "../revenue-facts/positions.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";

/** A month of a series: what it earns without and with the cancellation, in minor units of the currency of the series. */
export interface CancelledMonth {
  readonly month: Month;
  readonly before: Money;
  readonly after: Money;
}

/** A planned cancellation. `after` is the series as it would be. */
interface PlannedCancellation {
  readonly before: Series;
  readonly after: Series;
  readonly credit_notes: readonly Pick<CreditNote, "credit_date" | "lines">[];
}

/**
 * Returns the months from the one before the new end through a year from today in which the series earns anything, with and
 * without the cancellation. Null for a series with more lines ahead than one page processes.
 */
export async function revenueOfCancel(
  cx: Reader,
  configuration: Configuration,
  planned: PlannedCancellation,
  today: CalendarDate,
): Promise<readonly CancelledMonth[] | null> {
  const { before, after } = planned;
  const from = addToMonth(monthOf(after.end_date ?? today), -1);
  const last_day = addYears(today, 1);
  const through = [monthOf(last_day), addToMonth(from, 1)].sort().at(-1) ?? from;
  if (countPeriodLines(before.lines, countPeriods(before, last_day)) > MOST_LINES_AT_ONCE) {
    return null;
  }
  const sums = new Map<Month, { before: Money; after: Money }>();
  const add = (facts: LineFacts, to: "before" | "after"): void => {
    for (const { month, earned } of earnedMonths(
      facts,
      configuration.recognition_convention,
      through,
    )) {
      if (month < from) continue;
      const sum = sums.get(month) ?? { before: 0n, after: 0n };
      sum[to] += earned;
      sums.set(month, sum);
    }
  };
  await addIssued(cx, configuration, planned, firstDayOf(from), through, add);
  await addOpen(cx, before, last_day, (facts) => add(facts, "before"));
  await addOpen(cx, after, last_day, (facts) => add(facts, "after"));
  return [...sums]
    .map(([month, sum]) => ({ month, ...sum }))
    .filter((one) => one.before !== 0n || one.after !== 0n)
    .sort((a, b) => (a.month < b.month ? -1 : 1));
}

/** Adds the lines of issued periods that reach into the months, after the cancellation with its credits. */
async function addIssued(
  cx: Reader,
  configuration: Configuration,
  { before, credit_notes }: PlannedCancellation,
  first_day: CalendarDate,
  through: Month,
  add: (facts: LineFacts, to: "before" | "after") => void,
): Promise<void> {
  const invoice_ids = [...before.period_events.values()].flatMap((event) =>
    event.state === "issued" && event.to >= first_day ? [event.invoice_id] : [],
  );
  if (invoice_ids.length === 0) return;
  const lines = await linesOfInvoices(cx, invoice_ids);
  const only = new Set<string>(lines.map(({ line }) => line.id));
  const credits = new Map(
    credit_notes.flatMap((note) =>
      note.lines.map((line) => [
        line.invoice_line_id as string,
        {
          effective: note.credit_date as CalendarDate,
          amount: line.amount,
          new_service_to: line.new_service_to as CalendarDate | null,
        },
      ]),
    ),
  );
  const facts = await factsOfCustomers(cx, [before.customer_id], only);
  for (const customer of facts.customers) {
    for (const { line_id, facts: known } of lineBalancesOf(
      cx,
      configuration,
      facts,
      customer,
      through,
      { only, is_whole: true },
    )) {
      if (known === null || !only.has(line_id)) continue;
      add(known, "before");
      const credit = credits.get(line_id);
      add(credit ? { ...known, credits: [...known.credits, credit] } : known, "after");
    }
  }
}

/** Adds the lines of open periods through a day, each as if it were invoiced on its planned date. */
async function addOpen(
  cx: Reader,
  series: Series,
  last_day: CalendarDate,
  add: (facts: LineFacts) => void,
): Promise<void> {
  const linesOf = linesOfPeriods(series);
  const slices = new Slices(cx.signal);
  const open: {
    readonly line: LineFacts["line"];
    readonly key: string;
    readonly day: CalendarDate;
  }[] = [];
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    if (period.from > last_day) break;
    if (slices.isOver) await slices.next();
    const shown = periodAt(series, period.index);
    if (shown === undefined || !isOpen(series, period.index)) continue;
    if (stateOf(series, shown) === "dropped") continue;
    const day = timesOf(shown, series.timing).issue_date;
    for (const { line } of linesOf(shown)) open.push({ line, key: shown.key, day });
  }
  const ids = open.map(({ line }) => line.id);
  const [worked, hours] = await Promise.all([workedByLine(cx, ids), hoursByLine(cx, ids)]);
  const digits = currencyDigits(series.currency);
  for (const { line, key, day } of open) {
    if (slices.isOver) await slices.next();
    const effective = {
      ...notInvoiced(line, series.id, key, series.currency),
      issue_date: day,
      amount: netOf(line, digits, hours.get(line.id)),
    };
    add(lineFacts(effective, worked.get(line.id) ?? []));
  }
}
