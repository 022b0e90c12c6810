/**
 * What a line is ready for, read under the locks of its series or invoice: an issue, a skip or a
 * cancellation of it takes the same ones. Series are locked before invoices, each in the order of ids.
 */

import type { CalendarDate } from "../../domain/base/calendar.ts";
import { notFound } from "../../domain/base/problem.ts";
import { occurrenceLineId } from "../../domain/series/line-id.ts";
import { indexContaining, periodAt, type SeriesPeriod } from "../../domain/series/period.ts";
import { contentAt } from "../../domain/series/series.ts";
import type { HolderState, WorkedPeriod, WorkTarget } from "../../domain/work/work.ts";
import type { Tx } from "../../platform/tx.ts";
import { type LoadedInvoice, lockInvoice } from "../invoices/queries.ts";
import { linesOfPeriod } from "../series/periods.ts";
import { lockSeries } from "../series/queries.ts";
import { type Series, shownPeriod, stateOf, uncancelled } from "../series/series.ts";
import type { Place } from "./locate-line.ts";
import type { WorkFields } from "./queries.ts";

/** The columns that say where a registration lies. */
type Located = Pick<WorkFields, "line_id" | "invoice_id" | "series_id" | "period_index" | "period">;

/** A line as the rule sees it, and as it is stored with the work on it. */
interface Target extends WorkTarget {
  readonly located: Located;
}

export interface Holders {
  readonly series: ReadonlyMap<string, Series>;
  readonly invoices: ReadonlyMap<string, LoadedInvoice>;
}

/** The series and drafts of some places, locked when the context says so. Throws NOT_FOUND for a draft that is gone. */
export async function lockHolders(tx: Tx, places: readonly Place[]): Promise<Holders> {
  const ids = (values: readonly string[]) => [...new Set(values)].sort();
  const series = new Map<string, Series>();
  for (const id of ids(places.flatMap((one) => (one.kind === "invoice" ? [] : [one.series_id])))) {
    series.set(id, (await lockSeries(tx, id)).series);
  }
  const invoices = new Map<string, LoadedInvoice>();
  for (const id of ids(places.flatMap((one) => (one.kind === "invoice" ? [one.invoice_id] : [])))) {
    invoices.set(id, await lockInvoice(tx, id));
  }
  return { series, invoices };
}

/** What the invoice or occurrence at a place is ready for. */
export function stateAt(holders: Holders, place: Place): HolderState {
  if (place.kind === "invoice") {
    const { invoice, is_being_issued } = known(holders.invoices, place.invoice_id);
    if (invoice.status === "issued") return "issued";
    return is_being_issued ? "being_issued" : "open";
  }
  const series = known(holders.series, place.series_id);
  const period =
    place.kind === "occurrence" ? periodAt(uncancelled(series), place.period_index) : undefined;
  return stateOfPeriod(series, period);
}

/** A line at a place as the target of work on a date. Throws NOT_FOUND where the line is not, or not any more. */
export function targetAt(
  holders: Holders,
  place: Place,
  line_id: string,
  date: CalendarDate,
): Target {
  return targetOn(holders, place, line_id)(date);
}

/** The same for one day after another: what does not depend on the day is found once. */
export function targetOn(
  holders: Holders,
  place: Place,
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
  const series = known(holders.series, place.series_id);
  const all = uncancelled(series);
  if (place.kind === "occurrence") {
    const period = periodAt(all, place.period_index);
    if (period !== undefined) return inPeriod(series, period, line_id);
    return () => withoutPeriod(series, line_id);
  }
  return (date) => {
    const index = indexContaining(all, date);
    const period = index === undefined ? undefined : periodAt(all, index);
    if (period === undefined) return withoutPeriod(series, line_id);
    const line = series.lines.find((candidate) => candidate.line_id === line_id);
    if (line === undefined) throw notFound("line", line_id);
    const is_there = contentAt(line, period.index) !== null;
    if (!is_there && stateOf(series, period) !== "issued") throw notFound("line", line_id);
    return inPeriod(series, period, occurrenceLineId(line, period.key))(date);
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
  period: SeriesPeriod,
  line_id: string,
): (date: CalendarDate) => Target {
  const state = stateOfPeriod(series, period);
  const shown = shownPeriod(series, period);
  const found = linesOfPeriod(series, shown).find(({ line }) => line.id === line_id);
  // The lines of an invoice are no longer those of the series.
  const is_invoiced = state === "issued" || state === "being_issued";
  if (found === undefined && !is_invoiced) throw notFound("line", line_id);
  const assignees = found?.line.assignees.map(({ user_id }) => user_id) ?? [];
  const located = {
    line_id,
    invoice_id: null,
    series_id: series.id,
    period_index: period.index,
    period: period.key,
  };
  return (date) => ({ state, assignees, period: workedPeriod(series, shown, date), located });
}

function stateOfPeriod(series: Series, period: SeriesPeriod | undefined): HolderState {
  if (series.status === "draft") return "not_active";
  if (period === undefined) return series.is_discarded ? "dropped" : "open";
  const state = stateOf(series, period);
  if (state === "issued" || state === "dropped" || state === "skipped") return state;
  return series.happened.get(period.index)?.state === "pending" ? "being_issued" : "open";
}

function workedPeriod(series: Series, period: SeriesPeriod, date: CalendarDate): WorkedPeriod {
  const all = uncancelled(series);
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

/** Whether work of its days still belongs there; a booking under way may yet be refused. */
function isOpenFor(series: Series, period: SeriesPeriod): boolean {
  const state = stateOf(series, period);
  return state === "scheduled" || state === "failed";
}

function known<Value>(holders: ReadonlyMap<string, Value>, id: string): Value {
  const holder = holders.get(id);
  if (holder === undefined) throw new Error(`${id} was not loaded`);
  return holder;
}
