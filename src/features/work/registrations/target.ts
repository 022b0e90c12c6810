/**
 * Decides whether a line takes work, while its series or invoice is locked: an issue, a skip or a cancellation takes the same
 * locks. Series are locked before invoices, each in the order of ids.
 */

import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { Line } from "../../../domain/sales/line.ts";
import { occurrenceLineId } from "../../../domain/series/line-id.ts";
import { indexContaining, periodAt, type SeriesPeriod } from "../../../domain/series/period.ts";
import { contentAt } from "../../../domain/series/series.ts";
import type { HolderState, WorkedPeriod, WorkTarget } from "../../../domain/work/work.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { lineFinder } from "../../recurring/series/periods.ts";
import { lockSeriesWith } from "../../recurring/series/queries.ts";
import { type Series, shownPeriod, stateOf, uncancelled } from "../../recurring/series/series.ts";
import { lockInvoiceWith, type PartOfInvoice } from "../../sales/invoices/queries.ts";
import type { LinePlace } from "./locate-line.ts";
import type { WorkFields } from "./queries.ts";

/** The columns that name the line of a registration and its invoice, series or period. */
export type Located = Pick<
  WorkFields,
  "line_id" | "invoice_id" | "series_id" | "period_index" | "period"
>;

/** A line in the form that the rule needs, and in the form that is stored with its work. */
interface Target extends WorkTarget {
  readonly located: Located;
}

/** A series as a holder of work: each period is computed once, for all lines and days. */
export interface SeriesOfWork {
  readonly series: Series;
  /** Undefined when the series has no such period, cancelled ones included. */
  periodAt(index: number): PeriodOfWork | undefined;
}

export interface PeriodOfWork {
  readonly index: number;
  readonly key: string;
  readonly state: HolderState;
  /** The period as shown. */
  readonly period: SeriesPeriod;
  /** Returns the period's line with an id; undefined when the period has none. */
  lineWith(id: string): Line | undefined;
  /** Returns the input of the rule for a date. */
  onDay(date: CalendarDate): WorkedPeriod;
}

export interface Holders {
  readonly series: ReadonlyMap<string, SeriesOfWork>;
  readonly invoices: ReadonlyMap<string, PartOfInvoice>;
}

/** A line on which work is registered, with its invoice, series or period. */
interface PlacedLine {
  readonly line_id: string;
  readonly place: LinePlace;
}

/**
 * Returns the series and drafts of some lines, locked when the context requires it; only these lines are read. Throws NOT_FOUND
 * for a draft that no longer exists.
 */
export async function lockHolders(tx: Tx, placed: readonly PlacedLine[]): Promise<Holders> {
  const line_ids = placed.map((one) => one.line_id);
  const ids = (values: readonly string[]) => [...new Set(values)].sort();
  const series = new Map<string, SeriesOfWork>();
  for (const id of ids(
    placed.flatMap(({ place }) => ("series_id" in place ? place.series_id : [])),
  ))
    series.set(id, seriesOfWork(await lockSeriesWith(tx, id, line_ids)));
  const invoices = new Map<string, PartOfInvoice>();
  for (const id of ids(
    placed.flatMap(({ place }) => ("invoice_id" in place ? place.invoice_id : [])),
  ))
    invoices.set(id, await lockInvoiceWith(tx, id, line_ids));
  return { series, invoices };
}

/** Returns a locked draft as the only holder of work. */
export function holdersOf(draft: PartOfInvoice): Holders {
  return { series: new Map(), invoices: new Map([[draft.invoice.id, draft]]) };
}

/** Returns a series, with its header, history and requested lines, as a holder of work. */
export function seriesOfWork(series: Series): SeriesOfWork {
  const all = uncancelled(series);
  const lineIn = lineFinder(series);
  const known = new Map<number, PeriodOfWork | undefined>();
  const periodOfWork = (index: number): PeriodOfWork | undefined => {
    const whole = periodAt(all, index);
    if (whole === undefined) return undefined;
    const period = shownPeriod(series, whole);
    const days = new Map<CalendarDate, WorkedPeriod>();
    return {
      index,
      key: whole.key,
      state: stateOfPeriod(series, whole),
      period,
      lineWith: (id) => lineIn(period, id),
      onDay(date) {
        const day = days.get(date) ?? workedPeriod(series, all, period, date);
        days.set(date, day);
        return day;
      },
    };
  };
  return {
    series,
    periodAt(index) {
      if (!known.has(index)) known.set(index, periodOfWork(index));
      return known.get(index);
    },
  };
}

/** Returns the state of an invoice or occurrence as a holder of work. */
export function stateAt(holders: Holders, place: LinePlace): HolderState {
  if (place.kind === "invoice") {
    const { invoice, is_being_issued } = known(holders.invoices, place.invoice_id);
    if (invoice.status === "issued") return "issued";
    return is_being_issued ? "being_issued" : "open";
  }
  const { series, periodAt: at } = known(holders.series, place.series_id);
  const period = place.kind === "occurrence" ? at(place.period_index) : undefined;
  return period?.state ?? stateOfPeriod(series, undefined);
}

/** Returns a line as the target of work on a date. Throws NOT_FOUND if its invoice or period does not have the line. */
export function targetAt(
  holders: Holders,
  place: LinePlace,
  line_id: string,
  date: CalendarDate,
): Target {
  return targetOn(holders, place, line_id)(date);
}

/** Returns a function that gives the target for a date. Parts that do not depend on the date are computed once. */
export function targetOn(
  holders: Holders,
  place: LinePlace,
  line_id: string,
): (date: CalendarDate) => Target {
  if (place.kind === "invoice") {
    const { invoice } = known(holders.invoices, place.invoice_id);
    const line = invoice.lines.find((candidate) => candidate.id === line_id);
    if (line === undefined) throw notFound("line", line_id);
    const target = {
      state: stateAt(holders, place),
      assignees: line.assignees.map(({ user_id }) => user_id),
      period: null,
      located: { ...NOWHERE, line_id, invoice_id: invoice.id },
    };
    return () => target;
  }
  const { series, periodAt: at } = known(holders.series, place.series_id);
  if (place.kind === "occurrence") {
    const period = at(place.period_index);
    if (period !== undefined) return inPeriod(series, period, line_id);
    return () => withoutPeriod(series, line_id);
  }
  const all = uncancelled(series);
  return (date) => {
    const index = indexContaining(all, date);
    const whole = index === undefined ? undefined : periodAt(all, index);
    const period = whole && at(whole.index);
    if (whole === undefined || period === undefined) return withoutPeriod(series, line_id);
    const line = series.lines.find((candidate) => candidate.line_id === line_id);
    if (line === undefined) throw notFound("line", line_id);
    const is_there = contentAt(line, whole.index) !== null;
    if (!is_there && period.state !== "issued") throw notFound("line", line_id);
    return inPeriod(series, period, occurrenceLineId(line, whole.key))(date);
  };
}

const NOWHERE = { invoice_id: null, series_id: null, period_index: null, period: null } as const;

function withoutPeriod(series: Series, line_id: string): Target {
  return {
    state: stateOfPeriod(series, undefined),
    assignees: [],
    period: "none",
    located: { ...NOWHERE, line_id, series_id: series.id },
  };
}

function inPeriod(
  series: Series,
  { index, key, state, lineWith, onDay }: PeriodOfWork,
  line_id: string,
): (date: CalendarDate) => Target {
  const found = lineWith(line_id);
  // The lines of an invoice may differ from those of the series.
  const is_invoiced = state === "issued" || state === "being_issued";
  if (found === undefined && !is_invoiced) throw notFound("line", line_id);
  const assignees = found?.assignees.map(({ user_id }) => user_id) ?? [];
  const located = {
    line_id,
    invoice_id: null,
    series_id: series.id,
    period_index: index,
    period: key,
  };
  return (date) => ({ state, assignees, period: onDay(date), located });
}

function stateOfPeriod(series: Series, period: SeriesPeriod | undefined): HolderState {
  if (series.status === "draft") return "not_active";
  if (period === undefined) return series.is_discarded ? "dropped" : "open";
  const state = stateOf(series, period);
  if (state === "issued" || state === "dropped" || state === "skipped") return state;
  return series.period_events.get(period.index)?.state === "pending" ? "being_issued" : "open";
}

function workedPeriod(
  series: Series,
  all: Series,
  period: SeriesPeriod,
  date: CalendarDate,
): WorkedPeriod {
  const index = indexContaining(all, date);
  const containing =
    index === undefined || index === period.index ? undefined : periodAt(all, index);
  const { from, to } = period;
  return {
    from,
    to,
    start_date: series.start_date,
    containing: containing ? { key: containing.key, is_open: isOpenFor(series, containing) } : null,
  };
}

/** Whether work dated in the period still belongs to the period; a booking in progress may still be refused. */
function isOpenFor(series: Series, period: SeriesPeriod): boolean {
  const state = stateOf(series, period);
  return state === "scheduled" || state === "failed";
}

function known<Value>(holders: ReadonlyMap<string, Value>, id: string): Value {
  const holder = holders.get(id);
  if (holder === undefined) throw new Error(`${id} was not loaded`);
  return holder;
}
