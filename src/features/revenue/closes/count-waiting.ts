/**
 * Counts occurrences of active series: those that should have been issued by a date, and failed ones. Only dates and events of
 * the periods are read, because the lines of the series do not matter.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import {
  type IssueTiming,
  periodsFrom,
  type Recurrence,
  timesOf,
} from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import {
  firstUnsettled,
  type HistoryOfSeries,
  type PeriodEvent,
  stateOf,
} from "../../recurring/series/series.ts";

const SERIES_AT_A_TIME = 500;

interface Waiting {
  readonly overdue: number;
  readonly failed: number;
}

type HeaderRow = Recurrence &
  Omit<HistoryOfSeries, "period_events"> & {
    readonly id: string;
    readonly timing_mode: IssueTiming["mode"];
    readonly offset_days: number;
  };

interface PeriodEventRow {
  readonly series_id: string;
  readonly period_index: number;
  readonly state: PeriodEvent["state"];
}

/** Counts the occurrences that were due by the date and are not issued. */
export async function countWaiting(cx: Reader, last_day: CalendarDate): Promise<Waiting> {
  const slices = new Slices(cx.signal);
  let [overdue, failed] = [0, 0];
  for (let after: string | null = null; ; ) {
    const series: HeaderRow[] = await seriesAfter(cx, last_day, after);
    after = series.at(-1)?.id ?? null;
    if (after === null) return { overdue, failed };
    const ids = series.map(({ id }) => id);
    const period_events = await periodEventsOf(cx, ids);
    for (const one of series) {
      if (slices.isOver) await slices.next();
      const known = { ...one, period_events: period_events.get(one.id) ?? new Map() };
      const waiting = waitingOf(known, last_day);
      overdue += waiting.overdue;
      failed += waiting.failed;
    }
  }
}

function seriesAfter(
  cx: Reader,
  last_day: CalendarDate,
  after: string | null,
): Promise<HeaderRow[]> {
  return cx.rows(sql`select id, frequency, alignment, start_date, end_date, timing_mode, offset_days, cancelled_at, is_discarded
     from recurring_series
     where account_id = ${cx.caller.account_id} and status = 'active' and not is_discarded and start_date <= ${last_day}
       and (${after}::uuid is null or id > ${after})
     order by id limit ${raw(SERIES_AT_A_TIME)}`);
}

/** Returns period events by series and index; an invoice takes precedence over an earlier failure or skip. */
async function periodEventsOf(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, Map<number, Pick<PeriodEvent, "state">>>> {
  const { account_id } = cx.caller;
  const rows =
    await cx.rows<PeriodEventRow>(sql`select series_id, period_index, state from occurrences
       where account_id = ${account_id} and series_id = any(${ids})
     union all
     select series_id, period_index, case status when 'issued' then 'issued' else 'pending' end from invoices
       where account_id = ${account_id} and series_id = any(${ids})`);
  const by_series = groupedBy(rows, (row) => row.series_id);
  return new Map(
    [...by_series].map(([id, own]) => {
      const in_order = own.sort((a, b) => Number(isInvoiced(a)) - Number(isInvoiced(b)));
      return [id, new Map(in_order.map(({ period_index, state }) => [period_index, { state }]))];
    }),
  );
}

function isInvoiced({ state }: PeriodEventRow): boolean {
  return state === "issued" || state === "pending";
}

function waitingOf(series: HeaderRow & HistoryOfSeries, last_day: CalendarDate): Waiting {
  const timing = { mode: series.timing_mode, offset_days: series.offset_days };
  let [overdue, failed] = [0, 0];
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    if (period.from > last_day) break;
    const state = stateOf(series, period);
    const { issue_date, due_on } = timesOf(period, timing);
    if (state === "failed") failed += 1;
    // An occurrence that is issued manually is never overdue.
    if (state === "scheduled" && due_on !== null && issue_date <= last_day) overdue += 1;
  }
  return { overdue, failed };
}
