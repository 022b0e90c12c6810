/** Prices the next invoices and the waiting matters, with a few queries for all of them. */
import type { Attention } from "../../../domain/base/attention.ts";
import { addDays, type CalendarDate, monthOf } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { Money } from "../../../domain/base/money.ts";
import { earnedMonths, type LineFacts } from "../../../domain/revenue/recognition.ts";
import type { Convention } from "../../../domain/revenue/spread.ts";
import { type Line, netOf, type UserHours } from "../../../domain/sales/line.ts";
import {
  periodAt,
  periodsFrom,
  type SeriesPeriod,
  timesOf,
} from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { linesOfPeriod } from "../../recurring/series/periods.ts";
import { findManySeries } from "../../recurring/series/queries.ts";
import { firstOpen, firstUnsettled, type Series } from "../../recurring/series/series.ts";
import { hoursByLine } from "../../sales/hours/queries.ts";
import { type LineOfInvoice, linesOfInvoices } from "../../sales/invoices/queries.ts";
import { type ActivitySummary, AHEAD_DAYS, MOST_DUE } from "./read-activity-summary.ts";

/** A period of a series that is invoiced automatically. */
export interface GoingOut {
  readonly series_id: string;
  readonly customer_id: string;
  readonly customer: string;
  /** The product or text of the invoice's first line; `lines` is the number of lines. */
  readonly title: string | null;
  readonly lines: number;
  readonly period: SeriesPeriod;
  readonly due_on: CalendarDate;
  readonly currency: string;
  /** The net amount by the current lines and hours, in minor units. */
  readonly net: Money;
}

/** A matter with the key of the period that it is about; null where it is about none. */
export type AttentionOfPeriod = Attention & { readonly period: string | null };

export interface Coming {
  readonly going_out: readonly GoingOut[];
  readonly needs: readonly AttentionOfPeriod[];
}

interface Placed {
  readonly series: Series;
  readonly period: SeriesPeriod;
  readonly lines: readonly Line[];
}

/**
 * Prices the periods that fall due within a month, by date, and fills in the amounts of `needs`. Work that waits has the amount
 * that is earned and not invoiced, through the end of this month; a budget has the net amount of its draft.
 */
export async function priceComing(
  cx: Reader,
  today: CalendarDate,
  due: ActivitySummary["due"],
  needs: readonly Attention[],
  convention: Convention,
): Promise<Coming> {
  const many = await findManySeries(cx, [
    ...due.map(({ id }) => id),
    ...needs.flatMap(({ subject, subject_id }) =>
      subject === "recurring_series" ? [subject_id] : [],
    ),
  ]);
  const until = addDays(today, AHEAD_DAYS);
  const next = due
    .flatMap(({ id, customer }) =>
      duePeriods(many.get(id), until).map((one) => ({ ...one, customer })),
    )
    .sort((a, b) => (a.due_on < b.due_on ? -1 : a.due_on > b.due_on ? 1 : 0))
    .slice(0, MOST_DUE);
  const meant = new Map(needs.flatMap((need) => meantBy(need, many)));
  const drafts = await linesOfInvoices(cx, [
    ...new Set(needs.flatMap((need) => (isOfDraft(need) ? [need.subject_id] : []))),
  ]);
  const lines = [...next, ...meant.values()].flatMap((placed) => placed.lines);
  const line_ids = [...lines, ...drafts.map(({ line }) => line)].map(({ id }) => id);
  const hours = await hoursByLine(cx, line_ids);
  const sumOfDraft = (invoice_id: string, amountOf: (one: DraftLine) => Money): Money | null => {
    const own = drafts.filter((one) => one.invoice_id === invoice_id);
    return own.length === 0 ? null : own.reduce((sum, one) => sum + amountOf(one), 0n);
  };
  const netOfDraft = ({ line, currency }: DraftLine) =>
    netOf(line, currencyDigits(currency), hours.get(line.id));
  const earnedOfDraft = (one: DraftLine) =>
    earnedOf(one, hours.get(one.line.id) ?? [], convention, today);
  const amountOf = (need: Attention): Money | null => {
    if (need.kind === "work_waits") return sumOfDraft(need.subject_id, earnedOfDraft);
    if (need.kind === "budget") return sumOfDraft(need.subject_id, netOfDraft);
    const placed = meant.get(need);
    return placed === undefined ? need.amount : netOfLines(placed, hours);
  };
  return {
    going_out: next.map(({ series, period, lines: own, due_on, customer }) => ({
      series_id: series.id,
      customer_id: series.customer_id,
      customer,
      title: own[0]?.description_override ?? own[0]?.product_name ?? null,
      lines: own.length,
      period,
      due_on,
      currency: series.currency,
      net: netOfLines({ series, lines: own }, hours),
    })),
    needs: needs.map((need) => ({
      ...need,
      amount: amountOf(need),
      period: meant.get(need)?.period.key ?? null,
    })),
  };
}

type DraftLine = Pick<LineOfInvoice, "invoice_id" | "line" | "currency">;

/** Returns what a line of a draft has earned by its hours and days, through the end of the month of `today`. */
function earnedOf(
  { line, currency }: DraftLine,
  hours: readonly UserHours[],
  convention: Convention,
  today: CalendarDate,
): Money {
  const worked = hours.map(({ user_id, hours: worked_hours, last_day }) => ({
    user_id,
    date: last_day ?? today,
    hours: Number(worked_hours),
    billable: true,
  }));
  const facts: LineFacts = {
    line,
    currency_digits: currencyDigits(currency),
    issue_date: null,
    amount: null,
    completed_on: null,
    worked,
    credits: [],
    measured: null,
  };
  const months = earnedMonths(facts, convention, monthOf(today));
  return months.reduce((sum, { earned }) => sum + earned, 0n);
}

function isOfDraft({ kind }: Attention): boolean {
  return kind === "work_waits" || kind === "budget";
}

/** Returns the waiting periods of a series that fall due by a date; at most as many as are shown. */
function duePeriods(
  series: Series | undefined,
  until: CalendarDate,
): (Placed & { readonly due_on: CalendarDate })[] {
  const found: (Placed & { readonly due_on: CalendarDate })[] = [];
  if (series === undefined) return found;
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    const { due_on } = timesOf(period, series.timing);
    if (due_on === null || due_on > until || found.length === MOST_DUE) break;
    const waits = !series.period_events.has(period.index) && due_on >= (series.activated_on ?? "");
    if (waits) found.push({ ...placedAt(series, period), due_on });
  }
  return found;
}

/** Returns the period that a matter of a series is about: the failed period, or else the next one. */
function meantBy(need: Attention, many: ReadonlyMap<string, Series>): [Attention, Placed][] {
  const series = need.subject === "recurring_series" ? many.get(need.subject_id) : undefined;
  if (series === undefined) return [];
  const index = Number(need.detail?.split(" ")[1]);
  const period = need.kind === "occurrence_failed" ? periodAt(series, index) : firstOpen(series);
  return period === undefined ? [] : [[need, placedAt(series, period)]];
}

function placedAt(series: Series, period: SeriesPeriod): Placed {
  return { series, period, lines: linesOfPeriod(series, period).map(({ line }) => line) };
}

function netOfLines(
  { series, lines }: Pick<Placed, "series" | "lines">,
  hours: ReadonlyMap<string, UserHours[]>,
): Money {
  const digits = currencyDigits(series.currency);
  return lines.reduce((sum, line) => sum + netOf(line, digits, hours.get(line.id)), 0n);
}
