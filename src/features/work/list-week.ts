/**
 * A person's week: the lines that wait for their work and those that they worked on, with what is registered on each day and
 * whether the rules let anything be registered or changed there. At most ten statements, however many lines there are.
 */
import { addDays, type CalendarDate, dayIn } from "../../domain/base/calendar.ts";
import type { Percent } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import { budgetOf, type Fraction, type Line, rateOfUser } from "../../domain/sales/line.ts";
import { indexContaining, periodAt } from "../../domain/series/period.ts";
import { type CellRights, rightsOfCell } from "../../domain/work/cell.ts";
import type { HolderState, WorkFacts } from "../../domain/work/work.ts";
import type { Reader } from "../../platform/context.ts";
import { getConfiguration } from "../configuration/queries.ts";
import { customerNames } from "../customers/queries.ts";
import { hoursByLine } from "../hours/queries.ts";
import { findLoadedInvoices, type LoadedInvoice } from "../invoices/queries.ts";
import { findManySeries } from "../occurrences/price-periods.ts";
import { linesOfPeriod } from "../series/periods.ts";
import { type Series, shownPeriod, uncancelled } from "../series/series.ts";
import { type Place, placeFrom } from "./locate-line.ts";
import { waitingDrafts, waitingOccurrences, waitingSeries } from "./my-work.ts";
import type { Registration } from "./present.ts";
import { workOfDays } from "./queries.ts";
import { type Holders, stateAt, targetOn } from "./target.ts";
import { calendarFrom } from "./work-inputs.ts";

export interface WeekCell {
  readonly date: CalendarDate;
  /** In the order in which they were made. */
  readonly registered: readonly Registration[];
  readonly rights: CellRights;
}

export interface WeekLine {
  readonly line_id: string;
  readonly customer_name: string;
  /** Of the invoice; null on an occurrence. */
  readonly title: string | null;
  /** What the line is called; null where it is not there any more. */
  readonly name: string | null;
  readonly method: Line["recognition_method"] | null;
  /** The days of an occurrence. */
  readonly period: { readonly from: CalendarDate; readonly to: CalendarDate } | null;
  readonly currency: string;
  /** What an hour of the person costs, in 1/10000; null unless the line is by hours. */
  readonly rate: bigint | null;
  readonly discount: Percent;
  /** Billable hours of everybody, in 1/100 of an hour, and what they are measured against. */
  readonly used: bigint;
  readonly budget: Fraction | null;
  /** As which invoice it was issued, and on which day. */
  readonly issued: { readonly number: bigint | null; readonly on: CalendarDate | null } | null;
  /** Ids of those whose line it is; empty where anybody may work. */
  readonly assignees: readonly string[];
  /** From Monday to Sunday. */
  readonly cells: readonly WeekCell[];
  readonly is_of_last_week: boolean;
}

export interface Week {
  readonly today: CalendarDate;
  readonly work_lock_date: CalendarDate | null;
  readonly functional_currency: string;
  /** By customer, title, period and position. */
  readonly lines: readonly WeekLine[];
}

const DAYS = [0, 1, 2, 3, 4, 5, 6];

/** The week of a user of the account from a Monday on, as the caller may change it. */
export async function listWeek(
  cx: Reader,
  user: { readonly id: string; readonly active: boolean },
  monday: CalendarDate,
): Promise<Week> {
  const [configuration, drafts, series_ids, registered] = await Promise.all([
    getConfiguration(cx),
    waitingDrafts(cx, user.id),
    waitingSeries(cx, user.id),
    workOfDays(cx, user.id, addDays(monday, -7), addDays(monday, 6)),
  ]);
  const calendar = calendarFrom(cx, configuration);
  const worked_in = registered.flatMap(({ series_id }) => series_id ?? []);
  const series = await findManySeries(cx, [...series_ids, ...worked_in]);
  const own = [...series].flatMap(([id, one]) => (series_ids.includes(id) ? [one] : []));
  const places = new Map<string, Place>(
    registered.map((work) => [work.line_id, placeFrom(work)] as const),
  );
  for (const { line_id, place } of await occurrencePlaces(cx, own, user.id, monday, calendar.today))
    places.set(line_id, place);
  const invoice_ids = [
    ...drafts.map(({ id }) => id),
    ...registered.flatMap(({ invoice_id }) => invoice_id ?? []),
    ...[...places.values()].flatMap((place) => issuedIn(series, place) ?? []),
  ];
  const invoices = await findLoadedInvoices(cx, invoice_ids);
  for (const { id } of drafts) {
    for (const line of invoices.get(id)?.invoice.lines ?? []) {
      if (!line.assignees.some((one) => one.user_id === user.id)) continue;
      places.set(line.id, { kind: "invoice", invoice_id: id });
    }
  }
  const holders = { series, invoices };
  const facts = { ...calendar, user_is_active: user.active };
  const { work_lock_date, functional_currency, time_zone } = configuration;
  const asked = { user_id: user.id, monday, facts, time_zone };
  const lines = [...places].map(([line_id, place]) => {
    const work = registered.filter((one) => one.line_id === line_id);
    return placedLine(holders, { line_id, place, work, ...asked });
  });
  const shown = lines.filter(hasPlaceInWeek);
  const [used, names] = await Promise.all([
    hoursByLine(
      cx,
      shown.flatMap(({ line_id, budget }) => (budget === null ? [] : [line_id])),
    ),
    customerNames(
      cx,
      shown.map(({ customer_id }) => customer_id),
    ),
  ]);
  const named = shown.map(({ customer_id, ...line }) => ({
    ...line,
    customer_name: names.get(customer_id) ?? "",
    used: (used.get(line.line_id) ?? []).reduce((sum, { hours }) => sum + hours, 0n),
  }));
  return { today: calendar.today, work_lock_date, functional_currency, lines: named.sort(inOrder) };
}

/**
 * The user's lines of series: in begun periods that wait for their invoice, where late work goes, and in those that have a
 * day of the week, whatever became of them.
 */
async function occurrencePlaces(
  cx: Reader,
  own: readonly Series[],
  user_id: string,
  monday: CalendarDate,
  today: CalendarDate,
): Promise<{ readonly line_id: string; readonly place: Place }[]> {
  const waiting = await waitingOccurrences(cx, own, user_id, today);
  const placed = waiting.map(({ series, period, line }) => ({
    line_id: line.id as string,
    place: { kind: "occurrence", series_id: series.id, period_index: period.index } as Place,
  }));
  for (const series of own) {
    const all = uncancelled(series);
    const indexes = new Set(DAYS.map((day) => indexContaining(all, addDays(monday, day))));
    for (const period_index of indexes) {
      const period = period_index === undefined ? undefined : periodAt(all, period_index);
      if (period === undefined || period_index === undefined) continue;
      for (const { line } of linesOfPeriod(series, shownPeriod(series, period))) {
        if (!line.assignees.some((one) => one.user_id === user_id)) continue;
        const place = { kind: "occurrence", series_id: series.id, period_index } as const;
        placed.push({ line_id: line.id, place });
      }
    }
  }
  return placed;
}

/** The invoice of an occurrence that is issued or being issued. */
function issuedIn(series: ReadonlyMap<string, Series>, place: Place): string | undefined {
  if (place.kind !== "occurrence") return undefined;
  const happened = series.get(place.series_id)?.happened.get(place.period_index);
  return happened?.state === "issued" || happened?.state === "pending"
    ? happened.invoice_id
    : undefined;
}

type PlacedLine = Omit<WeekLine, "customer_name" | "used"> & {
  readonly customer_id: string;
  readonly position: number;
};

/** A line before anything is asked about it that others share. */
function placedLine(
  holders: Holders,
  asked: {
    readonly line_id: string;
    readonly place: Place;
    /** What the user registered on it in this week and in the one before. */
    readonly work: readonly Registration[];
    readonly user_id: string;
    readonly monday: CalendarDate;
    readonly facts: Omit<WorkFacts, "hours_of_day">;
    readonly time_zone: string;
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
    assignees: line?.assignees.map((one) => one.user_id) ?? [],
    position: line?.position ?? 0,
    cells,
    is_of_last_week: work.some(({ date }) => date < monday),
  };
}

/** The line itself with what it is on: an invoiced line of an occurrence is that of its invoice. */
function foundAt(holders: Holders, place: Place, line_id: string) {
  if (place.kind === "invoice") {
    const invoice = holders.invoices.get(place.invoice_id);
    const line = invoice?.invoice.lines.find(({ id }) => id === line_id);
    return { line, invoice, series: undefined, period: null };
  }
  const series = holders.series.get(place.series_id);
  const index = place.kind === "occurrence" ? place.period_index : undefined;
  const whole =
    series === undefined || index === undefined ? undefined : periodAt(uncancelled(series), index);
  if (series === undefined || whole === undefined) {
    return { line: undefined, invoice: undefined, series, period: null };
  }
  const period = shownPeriod(series, whole);
  const invoice = holders.invoices.get(issuedIn(holders.series, place) ?? "");
  const lines = invoice?.invoice.lines ?? linesOfPeriod(series, period).map((one) => one.line);
  const { from, to } = period;
  return { line: lines.find(({ id }) => id === line_id), invoice, series, period: { from, to } };
}

/** The line on each day as the commands find it; null where they find none. */
function targetOf(holders: Holders, place: Place, line_id: string) {
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
  loaded: LoadedInvoice | undefined,
  state: HolderState,
  time_zone: string,
): WeekLine["issued"] {
  if (loaded === undefined || state !== "issued") return null;
  const { ledger_invoice_number: number, issued_at } = loaded.invoice;
  return { number, on: issued_at && dayIn(time_zone, issued_at) };
}

/** Whether there is anything to see or do on one of its days; the line of another period has none. */
function hasPlaceInWeek({ cells, period, is_of_last_week }: PlacedLine): boolean {
  if (cells.some(({ registered }) => registered.length > 0)) return true;
  if (is_of_last_week && cells.every(({ rights }) => rights.change !== null)) return false;
  return cells.some(({ date, rights }) => {
    const code = rights.change?.code;
    const is_of_period = period === null || (date >= period.from && date <= period.to);
    return code === "WORK_DATE_IN_FUTURE"
      ? is_of_period
      : code !== "WORK_DATE_OUTSIDE_PERIOD" && code !== "NOT_FOUND";
  });
}

function inOrder(a: WeekLine & { position: number }, b: WeekLine & { position: number }): number {
  return (
    a.customer_name.localeCompare(b.customer_name) ||
    (a.title ?? "").localeCompare(b.title ?? "") ||
    (a.period?.from ?? "").localeCompare(b.period?.from ?? "") ||
    a.position - b.position ||
    (a.line_id < b.line_id ? -1 : 1)
  );
}
