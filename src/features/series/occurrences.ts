/** Occurrences: the periods of a series as the API shows them, and skipping one (domain.md 4.5). */
import * as z from "zod";
import { addYears, type CalendarDate } from "../../domain/calendar.ts";
import { currencyDigits } from "../../domain/currency.ts";
import { type Line, netOf } from "../../domain/line.ts";
import { scaledToNumber } from "../../domain/money.ts";
import { findPeriod, periodsFrom, type SeriesPeriod, timesOf } from "../../domain/period.ts";
import { notFound, Problem } from "../../domain/problem.ts";
import { linesAt, occurrenceLine } from "../../domain/series.ts";
import { recordAudit } from "../../platform/audit.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { cursorFrom, envelope, positionFrom } from "../../platform/database/page.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { derivedId } from "../../platform/id.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import { findIssued } from "../documents/issued.ts";
import { countsByPeriod, hoursByLine, openWorkOfSeries } from "../hours/queries.ts";
import { getInvoice } from "../invoices/queries.ts";
import { todayOf } from "./activate.ts";
import { getSeries, updateSeries } from "./queries.ts";
import { Occurrence, OccurrenceLine, type OccurrenceQuery, ReasonBody } from "./schemas.ts";
import {
  type Happened,
  presentContent,
  type Series,
  shownPeriod,
  stateOf,
  uncancelled,
} from "./series.ts";

/** The period that a text names, dropped ones included. Throws MALFORMED_REQUEST or NOT_FOUND. */
export function requirePeriod(series: Series, text: string): SeriesPeriod {
  const period = findPeriod(uncancelled(series), text);
  if (period === "absent") throw notFound("occurrence", text);
  if (period === "malformed") {
    const message = `A period of a ${series.frequency} series is named by its key or its first day.`;
    throw new Problem("MALFORMED_REQUEST", { message });
  }
  return period;
}

/** An occurrence as the API shows it; an issued one as its invoice has it. */
export function presentOccurrence(series: Series, period: SeriesPeriod): JsonText {
  const happened = series.happened.get(period.index);
  const shown = shownPeriod(series, period);
  const issued = happened?.state === "issued" ? happened : null;
  return jsonText(
    Occurrence.parse({
      object: "occurrence",
      series_id: series.id,
      period: shown.key,
      period_from: shown.from,
      period_to: shown.to,
      issue_date: issued?.issue_date ?? timesOf(shown, series.timing).issue_date,
      is_final_partial: shown.is_final_partial,
      status: stateOf(series, period),
      invoice_id: issued?.invoice_id ?? null,
    }),
  );
}

/** One occurrence. Throws NOT_FOUND, MALFORMED_REQUEST. */
export async function readOccurrence(cx: Context, ref: string, text: string): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  return presentOccurrence(series, requirePeriod(series, text));
}

const INDEX = /^\d{1,6}$/;

/**
 * A page of occurrences by period, ascending, of those that start from `from` through `to`; by default
 * from the start through the earlier of the end and twelve months from today. Throws NOT_FOUND,
 * VALIDATION_FAILED.
 */
export async function listOccurrences(
  cx: Context,
  ref: string,
  page: OccurrenceQuery,
): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  const from = page.from ?? series.start_date;
  const to = page.to ?? (await lastShown(cx, series));
  const after = page.cursor === undefined ? -1 : Number(positionFrom(page.cursor, INDEX).id);
  const shown: SeriesPeriod[] = [];
  for (const period of periodsFrom(uncancelled(series), after + 1)) {
    if (period.from > to) break;
    if (period.from < from) continue;
    if (page.status !== undefined && stateOf(series, period) !== page.status) continue;
    shown.push(period);
    if (shown.length > page.limit) break;
  }
  const data = shown.slice(0, page.limit);
  const last = shown.length > page.limit ? data.at(-1) : undefined;
  return envelope(
    data.map((period) => presentOccurrence(series, period)),
    last ? cursorFrom({ id: String(last.index), horizon: null }) : null,
  );
}

async function lastShown(cx: Context, series: Series): Promise<CalendarDate> {
  const in_a_year = addYears(await todayOf(cx), 1);
  const { end_date } = series;
  return end_date !== null && end_date < in_a_year ? end_date : in_a_year;
}

/** The lines of a period with the ids that its invoice's lines have or will have (domain.md 4.8). */
export function linesOfPeriod(
  series: Series,
  period: SeriesPeriod,
): { readonly series_line_id: string; readonly line: Line }[] {
  return linesAt(series.lines, period.index).map(({ line_id, content }) => ({
    series_line_id: line_id,
    line: occurrenceLine(content, derivedId<Line["id"]>(line_id, period.key), period),
  }));
}

/** The lines of one occurrence with their amounts. Throws NOT_FOUND, MALFORMED_REQUEST. */
export async function readOccurrenceLines(
  cx: Context,
  ref: string,
  text: string,
): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  const named = requirePeriod(series, text);
  const period = shownPeriod(series, named);
  const digits = currencyDigits(series.currency);
  const happened = series.happened.get(named.index);
  const shown =
    happened !== undefined && "invoice_id" in happened
      ? await invoicedLines(cx, series, period, happened.invoice_id)
      : linesOfPeriod(series, period);
  const amounts = await amountsOf(
    cx,
    shown.map(({ line }) => line),
    digits,
    happened?.state === "issued" ? happened.invoice_id : null,
  );
  const lines = shown.map(({ series_line_id, line }) =>
    jsonText(
      OccurrenceLine.parse({
        object: "occurrence_line",
        id: line.id,
        series_line_id,
        ...presentContent(line, series.currency),
        amount: scaledToNumber(amounts.get(line.id) ?? 0n, digits),
      }),
    ),
  );
  return envelope(lines, null);
}

/** The lines as they were invoiced: edits of the series since then do not concern them. */
async function invoicedLines(
  cx: Context,
  series: Series,
  period: SeriesPeriod,
  invoice_id: string,
): Promise<{ readonly series_line_id: string; readonly line: Line }[]> {
  const { invoice } = await getInvoice({ ...cx, locks: false }, invoice_id);
  const origins = new Map(
    series.lines.map(({ line_id }) => [derivedId<Line["id"]>(line_id, period.key), line_id]),
  );
  return invoice.lines.map((line) => ({ series_line_id: origins.get(line.id) ?? "", line }));
}

/** Net amounts by line: as they were booked, or by the hours that are registered now. */
async function amountsOf(
  cx: Context,
  lines: readonly Line[],
  currency_digits: number,
  issued_invoice_id: string | null,
): Promise<Map<string, bigint>> {
  const booked = issued_invoice_id === null ? undefined : await findIssued(cx, issued_invoice_id);
  if (booked) return new Map(booked.snapshot.lines.map(({ line_id, net }) => [line_id, net]));
  const ids = lines.map((line) => line.id);
  const hours = await hoursByLine(cx, ids);
  return new Map(lines.map((line) => [line.id, netOf(line, currency_digits, hours.get(line.id))]));
}

const SkipInput = z.object({ ref: Ref, period: z.string(), reason: ReasonBody.shape.reason });

/**
 * Marks a period as not to be invoiced and answers the occurrence (domain.md 4.5). Throws NOT_FOUND,
 * MALFORMED_REQUEST, SERIES_CANCELLED, OCCURRENCE_ALREADY_ISSUED, OCCURRENCE_DROPPED,
 * INVOICE_ISSUE_IN_PROGRESS, OCCURRENCE_HAS_REGISTRATIONS.
 */
export const skipOccurrence = defineCommand({
  name: "skip_occurrence",
  access: "write",
  input: SkipInput,

  async plan(cx, { ref, period: text, reason }) {
    const { series } = await getSeries(cx, ref);
    const period = requirePeriod(series, text);
    requireWaiting(series, period);
    if (stateOf(series, period) !== "skipped") await requireNoWorkIn(cx, series, period);
    return { series, period, reason: reason ?? null };
  },

  commit: (cx, { series, period, reason }) => change(cx, series, period, "skipped", reason),
});

/**
 * Makes a skipped period wait again and answers the occurrence. Throws NOT_FOUND, MALFORMED_REQUEST,
 * OCCURRENCE_NOT_SKIPPED.
 */
export const unskipOccurrence = defineCommand({
  name: "unskip_occurrence",
  access: "write",
  input: SkipInput,

  async plan(cx, { ref, period: text, reason }) {
    const { series } = await getSeries(cx, ref);
    const period = requirePeriod(series, text);
    if (stateOf(series, period) !== "skipped") throw new Problem("OCCURRENCE_NOT_SKIPPED");
    return { series, period, reason: reason ?? null };
  },

  commit: (cx, { series, period, reason }) => change(cx, series, period, "scheduled", reason),
});

/**
 * Returns when the period waits to be invoiced, or was skipped or failed. Throws SERIES_CANCELLED,
 * OCCURRENCE_DROPPED, OCCURRENCE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS.
 */
export function requireWaiting(series: Series, period: SeriesPeriod): void {
  if (series.is_discarded) throw new Problem("SERIES_CANCELLED");
  const state = stateOf(series, period);
  if (state === "dropped") throw new Problem("OCCURRENCE_DROPPED");
  if (state === "issued") throw new Problem("OCCURRENCE_ALREADY_ISSUED");
  if (series.happened.get(period.index)?.state === "pending") {
    throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
  }
}

async function requireNoWorkIn(cx: Context, series: Series, period: SeriesPeriod): Promise<void> {
  const counts = countsByPeriod(await openWorkOfSeries(cx, series.id));
  const work_registrations = counts.get(period.index) ?? 0;
  if (work_registrations === 0) return;
  throw new Problem("OCCURRENCE_HAS_REGISTRATIONS", { details: { work_registrations } });
}

async function change(
  cx: Context,
  series: Series,
  period: SeriesPeriod,
  state: "skipped" | "scheduled",
  reason: string | null,
): Promise<JsonText> {
  const key = [cx.caller.account_id, series.id, period.index];
  const before = presentOccurrence(series, period);
  const happened = new Map<number, Happened>(series.happened);
  if (state === "skipped") {
    await markSkipped(cx, series.id, period.index, reason);
    happened.set(period.index, { state });
  } else {
    await query(
      cx.db,
      "delete from occurrences where account_id = $1 and series_id = $2 and period_index = $3",
      key,
    );
    happened.delete(period.index);
  }
  const after_series: Series = { ...series, happened };
  const after = presentOccurrence(after_series, period);
  if (before === after) return after;
  await updateSeries(cx, after_series);
  await recordAudit(cx, {
    action: state === "skipped" ? "skipped" : "unskipped",
    resource_type: "occurrence",
    resource_id: `${series.id}/${period.key}`,
    before,
    after,
    reason,
  });
  return after;
}

/** Stores that a period is skipped, by its index and with a reason; series and audit are the caller's. */
export async function markSkipped(
  cx: Context,
  series_id: string,
  index: number,
  reason: string | null,
): Promise<void> {
  await query(
    cx.db,
    `insert into occurrences (account_id, series_id, period_index, state, reason)
     values ($1, $2, $3, 'skipped', $4)
     on conflict (account_id, series_id, period_index) do update
       set state = 'skipped', reason = $4, failure_code = null, next_attempt_at = null`,
    [cx.caller.account_id, series_id, index, reason],
  );
}
