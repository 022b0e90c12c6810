/**
 * Lists a person's week: the lines on which they may register work and those on which they worked, with the registrations of
 * each date and whether the rules permit registering or changing work on it. At most ten queries read any number of lines;
 * periods without work in the week are skipped before their lines are created.
 */
import { addDays, type CalendarDate, dayIn } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import type { Percent } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { budgetOf, type Fraction, type Line, rateOfUser } from "../../../domain/sales/line.ts";
import { indexContaining, periodsFrom } from "../../../domain/series/period.ts";
import type { PlacedContent } from "../../../domain/series/series.ts";
import { type CellRights, rightsOfCell } from "../../../domain/work/cell.ts";
import type { HolderState, WorkFacts } from "../../../domain/work/work.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import { areMoreWaiting, MOST_LINES_AT_ONCE } from "../../recurring/series/count-waiting.ts";
import { linesOfPeriods } from "../../recurring/series/periods.ts";
import { findManySeries } from "../../recurring/series/queries.ts";
import { uncancelled } from "../../recurring/series/series.ts";
import { hoursByLine } from "../../sales/hours/queries.ts";
import { findPartsOfInvoices, type PartOfInvoice } from "../../sales/invoices/queries.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type LinePlace, placeFrom } from "./locate-line.ts";
import type { Registration } from "./present.ts";
import { estimatedSeries, waitingDrafts, workOfDays } from "./queries.ts";
import {
  type Holders,
  type PeriodOfWork,
  type SeriesOfWork,
  seriesOfWork,
  stateAt,
  targetOn,
} from "./target.ts";
import { calendarFrom } from "./work-inputs.ts";

export interface WeekCell {
  readonly date: CalendarDate;
  /** In the order of creation. */
  readonly registered: readonly Registration[];
  readonly rights: CellRights;
}

export interface WeekLine {
  readonly line_id: string;
  readonly customer_name: string;
  /** The title of the invoice; null on an occurrence. */
  readonly title: string | null;
  /** The name of the line; null when it no longer exists. */
  readonly name: string | null;
  readonly method: Line["recognition_method"] | null;
  /** The days of an occurrence. */
  readonly period: { readonly from: CalendarDate; readonly to: CalendarDate } | null;
  readonly currency: string;
  /** The price of the person's hour, in 1/10000; null unless the line is by hours. */
  readonly rate: bigint | null;
  readonly discount: Percent;
  /** Billable hours of all users, in 1/100 of an hour, and the budget with which they are compared. */
  readonly used: bigint;
  readonly budget: Fraction | null;
  /** The number and issue date of the line's issued invoice. */
  readonly issued: { readonly number: bigint | null; readonly on: CalendarDate | null } | null;
  /** Ids of the assigned users; empty when any user may work on the line. */
  readonly assignees: readonly string[];
  /** From Monday to Sunday. */
  readonly cells: readonly WeekCell[];
  readonly is_of_last_week: boolean;
  /** The lowest rank is shown first: 0 with hours, 1 and 2 own lines, 3 and 4 other lines; last week's lines first. */
  readonly rank: number;
}

export interface Week {
  readonly today: CalendarDate;
  readonly work_lock_date: CalendarDate | null;
  readonly functional_currency: string;
  /** Selected by rank, ordered by customer, title, period and position. */
  readonly lines: readonly WeekLine[];
}

const DAYS = [0, 1, 2, 3, 4, 5, 6];
/** The number of lines that a page shows. */
const MOST_LINES = 120;

/** Returns a user's week, as the caller may change it. Awaits `onMany` before reading over 10,000 waiting lines. */
export async function listWeek(
  cx: Reader,
  user: { readonly id: string; readonly active: boolean },
  monday: CalendarDate,
  onMany: () => Promise<void> = async () => {},
): Promise<Week> {
  // The account's current date is not known yet; no time zone has a later one.
  const latest = addDays(todayIn(cx.clock, "UTC"), 1);
  const [configuration, drafts, estimated, registered] = await Promise.all([
    getConfiguration(cx),
    waitingDrafts(cx, user.id),
    estimatedSeries(cx, user.id, latest),
    workOfDays(cx, user.id, addDays(monday, -7), addDays(monday, 6)),
  ]);
  const calendar = calendarFrom(cx, configuration);
  const { ids: series_ids, lines } = estimated;
  const counted = { through: calendar.today, user_id: user.id };
  if (await areMoreWaiting(cx, counted, MOST_LINES_AT_ONCE, lines)) await onMany();
  const worked_in = registered.flatMap(({ series_id }) => series_id ?? []);
  const found = await findManySeries(cx, [...series_ids, ...worked_in]);
  const series = new Map([...found].map(([id, one]) => [id, seriesOfWork(one)]));
  const own = series_ids.flatMap((id) => series.get(id) ?? []);
  const { work_lock_date, functional_currency, time_zone } = configuration;
  const facts = { ...calendar, user_is_active: user.active };
  const asked = { user_id: user.id, monday, facts, time_zone };
  const places = new Map<string, LinePlace>(
    registered.map((work) => [work.line_id, placeFrom(work)] as const),
  );
  for (const { line_id, place } of await occurrencePlaces(cx, own, asked, places))
    places.set(line_id, place);
  const invoice_ids = [
    ...drafts.map(({ id }) => id),
    ...registered.flatMap(({ invoice_id }) => invoice_id ?? []),
    ...[...places.values()].flatMap((place) => issuedIn(series, place) ?? []),
  ];
  const invoices = await findPartsOfInvoices(
    cx,
    invoice_ids,
    sql`(l.id = any(${[...places.keys()]}) or exists (select from invoice_line_assignees a
      where a.account_id = l.account_id and a.line_id = l.id and a.user_id = ${user.id}))`,
  );
  for (const { id } of drafts) {
    for (const line of invoices.get(id)?.invoice.lines ?? []) {
      if (!line.assignees.some((one) => one.user_id === user.id)) continue;
      places.set(line.id, { kind: "invoice", invoice_id: id });
    }
  }
  const shown = await linesAt({ series, invoices }, places, registered, asked, cx.signal);
  const { today } = calendar;
  return { today, work_lock_date, functional_currency, lines: await withShared(cx, shown) };
}

/** The inputs for each line of the week. */
interface Asked {
  readonly user_id: string;
  readonly monday: CalendarDate;
  readonly facts: Omit<WorkFacts, "hours_of_day">;
  readonly time_zone: string;
}

/**
 * Returns the user's lines in periods of series that take work in the week or include a date of it, in any state. Each series
 * gives at most as many lines as are shown, in their order, in addition to those in `known`.
 */
async function occurrencePlaces(
  cx: Reader,
  own: readonly SeriesOfWork[],
  asked: Asked,
  known: ReadonlyMap<string, LinePlace>,
): Promise<{ readonly line_id: string; readonly place: LinePlace }[]> {
  const slices = new Slices(cx.signal);
  const isOwn = ({ content }: PlacedContent): boolean =>
    content.assignees.some((one) => one.user_id === asked.user_id);
  const placed: { readonly line_id: string; readonly place: LinePlace }[] = [];
  for (const one of own) {
    const linesOf = linesOfPeriods(one.series);
    const most = placed.length + MOST_LINES;
    for await (const { index, period } of periodsOfWeek(one, asked, slices)) {
      for (const { line } of linesOf(period, isOwn)) {
        const place = {
          kind: "occurrence",
          series_id: one.series.id,
          period_index: index,
        } as const;
        if (!known.has(line.id)) placed.push({ line_id: line.id, place });
      }
      if (placed.length >= most) break;
    }
  }
  return placed;
}

/** Periods with a day of the week, and later ones that have begun and take work of its days, in their order. */
async function* periodsOfWeek(
  one: SeriesOfWork,
  asked: Asked,
  slices: Slices,
): AsyncGenerator<PeriodOfWork> {
  const { series } = one;
  const { monday, facts } = asked;
  const all = uncancelled(series);
  const sunday = addDays(monday, 6);
  // A period that ended before the week takes no work dated in the week.
  const first = monday < series.start_date ? 0 : indexContaining(all, monday);
  if (first === undefined) return;
  for (const { index, from } of periodsFrom(all, first)) {
    if (from > sunday && from > facts.today) return;
    if (slices.isOver) await slices.next();
    const period = one.periodAt(index);
    if (period === undefined) return;
    if (from > sunday) {
      if (period.state !== "open") continue;
      // Whether a period takes work of earlier dates is the same for all later periods.
      if (!takesWork(period, asked)) return;
    }
    yield period;
  }
}

/** Whether an open period takes work on a day of the week on a line of the user. */
function takesWork(period: PeriodOfWork, { user_id, monday, facts }: Asked): boolean {
  const cells = DAYS.map((day) => {
    const date = addDays(monday, day);
    const target = { state: period.state, assignees: [user_id], period: period.onDay(date) };
    return { date, rights: rightsOfCell(target, period.state, { user_id, date }, [], facts) };
  });
  return isSeenIn(cells, period.period);
}

/** Returns the invoice of an occurrence that is issued or being issued. */
function issuedIn(series: ReadonlyMap<string, SeriesOfWork>, place: LinePlace): string | undefined {
  if (place.kind !== "occurrence") return undefined;
  const period_event = series.get(place.series_id)?.series.period_events.get(place.period_index);
  return period_event?.state === "issued" || period_event?.state === "pending"
    ? period_event.invoice_id
    : undefined;
}

type PlacedLine = Omit<WeekLine, "customer_name" | "used"> & {
  readonly customer_id: string;
  readonly position: number;
};

/** Returns the lines that are shown in the week. */
async function linesAt(
  holders: Holders,
  places: ReadonlyMap<string, LinePlace>,
  registered: readonly Registration[],
  asked: Asked,
  signal: AbortSignal,
): Promise<PlacedLine[]> {
  const slices = new Slices(signal);
  const work_on = groupedBy(registered, ({ line_id }) => line_id);
  const lines: PlacedLine[] = [];
  for (const [line_id, place] of places) {
    if (slices.isOver) await slices.next();
    const line = placedLine(holders, {
      line_id,
      place,
      work: work_on.get(line_id) ?? [],
      ...asked,
    });
    if (hasPlaceInWeek(line)) lines.push(line);
  }
  return lines;
}

/** Returns the shown lines by customer, title, period and position, with names and hours read together. */
async function withShared(cx: Reader, lines: readonly PlacedLine[]): Promise<WeekLine[]> {
  const customer_ids = [...new Set(lines.map(({ customer_id }) => customer_id))];
  const names = await customerNames(cx, customer_ids);
  const named = lines.map(({ customer_id, ...line }) => ({
    ...line,
    customer_name: names.get(customer_id) ?? "",
  }));
  const in_order = named.sort(inOrder);
  const kept = new Set([...in_order].sort((a, b) => a.rank - b.rank).slice(0, MOST_LINES));
  const shown = in_order.filter((line) => kept.has(line));
  const measured = shown.flatMap(({ line_id, budget }) => (budget === null ? [] : [line_id]));
  const used = await hoursByLine(cx, measured);
  return shown.map((line) => ({
    ...line,
    used: (used.get(line.line_id) ?? []).reduce((sum, { hours }) => sum + hours, 0n),
  }));
}

/** A line without the data that is read for several lines together. */
function placedLine(
  holders: Holders,
  asked: Asked & {
    readonly line_id: string;
    readonly place: LinePlace;
    /** The user's registrations on the line in this week and the previous one. */
    readonly work: readonly Registration[];
  },
): PlacedLine {
  const { line_id, place, work, user_id, monday, facts, time_zone } = asked;
  const { line, invoice, series, period } = foundAt(holders, place, line_id);
  const state = stateAt(holders, place);
  const targetFor = targetOf(holders, place, line_id);
  const cells = DAYS.map((day) => {
    const date = addDays(monday, day);
    const registered = work.filter((one) => one.date === date);
    const statuses = registered.map(({ status }) => status);
    const rights = rightsOfCell(targetFor(date), state, { user_id, date }, statuses, facts);
    return { date, registered, rights };
  });
  const by_hours = line?.recognition_method === "hours" ? line : null;
  const assignees: readonly string[] = line?.assignees.map((one) => one.user_id) ?? [];
  const is_of_last_week = work.some(({ date }) => date < monday);
  const after_hours = (assignees.includes(user_id) ? 1 : 3) + (is_of_last_week ? 0 : 1);
  return {
    line_id,
    customer_id: invoice?.invoice.customer_id ?? series?.customer_id ?? "",
    title: place.kind === "invoice" ? (invoice?.invoice.title ?? null) : null,
    name: line === undefined ? null : (line.description_override ?? line.product_name),
    method: line?.recognition_method ?? null,
    period,
    currency: invoice?.invoice.currency ?? series?.currency ?? "",
    rate: by_hours && rateOfUser(by_hours, user_id),
    discount: line?.discount ?? 0,
    budget: line === undefined ? null : budgetOf(line),
    issued: issuedOf(invoice, state, time_zone),
    assignees,
    position: line?.position ?? 0,
    cells,
    is_of_last_week,
    rank: cells.some(({ registered }) => registered.length > 0) ? 0 : after_hours,
  };
}

/** Returns a line and its holder: an invoiced line of an occurrence comes from its invoice. */
function foundAt(holders: Holders, place: LinePlace, line_id: string) {
  const lineOf = (invoice: PartOfInvoice | undefined) =>
    invoice?.invoice.lines.find(({ id }) => id === line_id);
  if (place.kind === "invoice") {
    const invoice = holders.invoices.get(place.invoice_id);
    return { line: lineOf(invoice), invoice, series: undefined, period: null };
  }
  const of_work = holders.series.get(place.series_id);
  const series = of_work?.series;
  const found = place.kind === "occurrence" ? of_work?.periodAt(place.period_index) : undefined;
  if (found === undefined) {
    return { line: undefined, invoice: undefined, series, period: null };
  }
  const invoice = holders.invoices.get(issuedIn(holders.series, place) ?? "");
  const line = invoice === undefined ? found.lineWith(line_id) : lineOf(invoice);
  const { from, to } = found.period;
  return { line, invoice, series, period: { from, to } };
}

/** Returns a function that gives the line on each date as the commands find it; null when they find none. */
function targetOf(holders: Holders, place: LinePlace, line_id: string) {
  const onDay = orNone(() => targetOn(holders, place, line_id));
  return (date: CalendarDate) => onDay && orNone(() => onDay(date));
}

function orNone<Found>(find: () => Found): Found | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof Problem && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

function issuedOf(
  loaded: PartOfInvoice | undefined,
  state: HolderState,
  time_zone: string,
): WeekLine["issued"] {
  if (loaded === undefined || state !== "issued") return null;
  const { ledger_invoice_number: number, issued_at } = loaded.invoice;
  return { number, on: issued_at && dayIn(time_zone, issued_at) };
}

/** Whether there is anything to see or do on a date of the line; the line of another period has nothing. */
function hasPlaceInWeek({ cells, period, is_of_last_week }: PlacedLine): boolean {
  if (cells.some(({ registered }) => registered.length > 0)) return true;
  if (is_of_last_week && cells.every(({ rights }) => rights.change !== null)) return false;
  return isSeenIn(cells, period);
}

/** Whether cells without hours belong to a line that is shown in their week. */
function isSeenIn(
  cells: readonly Pick<WeekCell, "date" | "rights">[],
  period: WeekLine["period"],
): boolean {
  return cells.some(({ date, rights }) => {
    const code = rights.change?.code;
    const is_of_period = period === null || (date >= period.from && date <= period.to);
    return code === "WORK_DATE_IN_FUTURE"
      ? is_of_period
      : code !== "WORK_DATE_OUTSIDE_PERIOD" && code !== "NOT_FOUND";
  });
}

type Ordered = Pick<WeekLine, "customer_name" | "title" | "period" | "line_id"> & {
  readonly position: number;
};

function inOrder(a: Ordered, b: Ordered): number {
  return (
    a.customer_name.localeCompare(b.customer_name) ||
    (a.title ?? "").localeCompare(b.title ?? "") ||
    (a.period?.from ?? "").localeCompare(b.period?.from ?? "") ||
    a.position - b.position ||
    (a.line_id < b.line_id ? -1 : 1)
  );
}
