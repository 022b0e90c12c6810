/** Creates series and changes their header (spec 4.1 and 4.9). */

import * as z from "zod";
import {
  type FieldError,
  invalidField,
  Problem,
  requireValid,
} from "../../../domain/base/problem.ts";
import type { Line } from "../../../domain/sales/line.ts";
import { lineInCurrency } from "../../../domain/sales/line-from.ts";
import { printedWith } from "../../../domain/sales/printed.ts";
import { requireSeriesFits } from "../../../domain/series/bounds.ts";
import { periodAt } from "../../../domain/series/period.ts";
import {
  addedLine,
  contentsFrom,
  type LineContent,
  linesAt,
  requireTimingFits,
  type SeriesLine,
} from "../../../domain/series/series.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { defineCreation, type Saved, storedAgain } from "../../../platform/commands/creation.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { findCustomer } from "../../catalogue/customers/queries.ts";
import { requireActive, requireKnown } from "../../catalogue/customers/require-billable.ts";
import { pricedProducts } from "../../catalogue/products/queries.ts";
import { countsByPeriod, openWorkOfSeries } from "../../sales/hours/queries.ts";
import { linesFrom, linesWithDefaults, referencesOf } from "../../sales/invoices/lines.ts";
import { routed, routeTo } from "../../sales/invoices/routing.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { todayOf } from "./activate.ts";
import { lockSeries } from "./queries.ts";
import { requireRoomFor } from "./require-room.ts";
import { rescheduled, storeRescheduled } from "./reschedule.ts";
import { SeriesCreate, SeriesUpdate } from "./schemas.ts";
import { effectiveIndex, presentSeries, type Series } from "./series.ts";
import { insertSeries, replaceLine, updateSeries } from "./store-series.ts";

/**
 * Creates a draft series, or returns the one of an earlier request with the same external id and content (spec 4.1).
 * Throws VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, CUSTOMER_INACTIVE, SERIES_TIMING_CONFLICT.
 */
export const createSeries = defineCreation({
  name: "create_series",
  input: SeriesCreate,
  table: "recurring_series",
  contentOf,

  async plan(tx, sent, request_hash) {
    const external_id = sent.external_id ?? null;
    const [customer, configuration, references] = await Promise.all([
      findCustomer(tx, sent.customer_id),
      getConfiguration(tx),
      referencesOf(tx, sent.lines),
    ]);
    requireKnown(customer);
    const currency =
      sent.currency ?? customer.preferred_invoice_currency_key ?? configuration.functional_currency;
    const lines = linesFrom(sent.lines, references, currency, []);
    requireActive(customer);
    const timing = timingFrom(sent.issue_timing);
    requireTimingFits(lines, timing);
    const routed_lines = await routed(tx, lines, customer);
    const series: Series = {
      id: newId<string>(),
      external_id,
      customer_id: customer.id,
      currency,
      frequency: sent.frequency,
      alignment: sent.alignment ?? "anniversary",
      start_date: sent.start_date,
      end_date: sent.end_date ?? null,
      timing,
      auto_send: sent.auto_send ?? null,
      printed: printedWith({}, sent),
      status: "draft",
      activated_on: null,
      cancelled_at: null,
      end_before_cancel: null,
      is_discarded: false,
      lines: routed_lines.map(effectiveLine),
      period_events: new Map(),
    };
    requireSeriesFits(null, series, todayIn(tx.clock, configuration.time_zone), "lines");
    return { series, request_hash };
  },

  commit(tx, { series, request_hash }): Saved {
    insertSeries(tx, series, request_hash);
    const document = presentSeries(series);
    tx.audit("recurring_series", series.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: (tx, id) => storedAgain(tx, "recurring_series", id),
});

/**
 * Changes the given header fields and returns the series (spec 4.9). Throws NOT_FOUND,
 * VALIDATION_FAILED, SERIES_CANCELLED, SERIES_FIELD_FROZEN, SERIES_END_BEFORE_ISSUED,
 * FINAL_PERIOD_ALREADY_ISSUED, OCCURRENCE_HAS_REGISTRATIONS, SERIES_TIMING_CONFLICT, CUSTOMER_INACTIVE.
 */
export const changeSeries = defineCommand({
  name: "change_series",
  access: "write",
  input: z.object({ ref: Ref, changes: SeriesUpdate }),

  async plan(tx, { ref, changes }) {
    const { series, document } = await lockSeries(tx, ref);
    const customer =
      changes.customer_id === undefined ? null : await findCustomer(tx, changes.customer_id);
    if (customer !== null) requireKnown(customer);
    const header: Series = {
      ...series,
      customer_id: customer?.id ?? series.customer_id,
      currency: changes.currency ?? series.currency,
      frequency: changes.frequency ?? series.frequency,
      alignment: changes.alignment ?? series.alignment,
      start_date: changes.start_date ?? series.start_date,
      end_date: changes.end_date === undefined ? series.end_date : changes.end_date,
      timing: changes.issue_timing ? timingFrom(changes.issue_timing) : series.timing,
      auto_send: changes.auto_send === undefined ? series.auto_send : changes.auto_send,
      printed: printedWith(series.printed, changes),
    };
    if (header.end_date !== null && header.end_date < header.start_date) {
      throw invalidField("end_date", "too_small", "The series ends before it starts.");
    }
    const lines = await linesIn(tx, header, series.currency);
    const after = rescheduled(series, { ...header, lines });
    const today = await todayOf(tx);
    requireSeriesFits(series, after, today, datedBy(series, after));
    if (series.cancelled_at !== null) throw new Problem("SERIES_CANCELLED");
    requireThawed(series, after);
    await requireNoWorkMoved(tx, series, after);
    if (customer && customer.id !== series.customer_id) requireActive(customer);
    // Issued periods are frozen under the timing of their issue.
    requireTimingFits(contentsFrom(after.lines, firstNotIssued(after)), after.timing);
    await requireRoomFor(tx, series, after, today, datedBy(series, after));
    if (customer === null || customer.id === series.customer_id) return { series, document, after };
    const route = await routeTo(tx, contentsFrom(after.lines, 0), customer);
    const routed_lines = mapContents(after.lines, route);
    return { series, document, after: { ...after, lines: routed_lines } };
  },

  async commit(tx, { series, document, after }): Promise<JsonText> {
    if (series.currency !== after.currency || series.customer_id !== after.customer_id) {
      for (const line of after.lines) await replaceLine(tx, line);
    }
    await storeRescheduled(tx, series, after);
    const changed = await updateSeries(tx, after);
    if (changed !== document)
      tx.audit("recurring_series", after.id, "updated", { before: document, after: changed });
    return changed;
  },
});

/** Returns a line of a series that applies from the first period on. */
function effectiveLine({ id, ...content }: Line): SeriesLine {
  return addedLine(id, content, "all", 0);
}

function firstNotIssued({ period_events }: Series): number {
  let index = 0;
  while (period_events.get(index)?.state === "issued") index += 1;
  return index;
}

function timingFrom(sent: SeriesCreate["issue_timing"]): Series["timing"] {
  return { mode: sent?.mode ?? "start-of-period", offset_days: sent?.offset_days ?? 0 };
}

/** Returns the content that identifies a repetition, including defaults that depend on no stored data (spec 5.1). */
function contentOf(sent: SeriesCreate): unknown {
  return {
    ...sent,
    lines: linesWithDefaults(sent.lines),
    issue_timing: timingFrom(sent.issue_timing),
    alignment: sent.alignment ?? "anniversary",
  };
}

/** Returns the header field that increases the number of periods: the first changed field of those that date the periods. */
function datedBy(before: Series, after: Series): string {
  const dating = ["start_date", "end_date", "frequency", "alignment"] as const;
  return dating.find((field) => before[field] !== after[field]) ?? "end_date";
}

const FROZEN = ["customer_id", "currency", "frequency", "start_date", "alignment"] as const;

/** Requires that no frozen field changes. Issued periods freeze header fields and the earliest end (spec 4.9). */
function requireThawed(before: Series, after: Series): void {
  const issued = [...before.period_events.values()].flatMap((period_event) =>
    period_event.state === "issued" || period_event.state === "pending" ? [period_event] : [],
  );
  if (issued.length === 0) return;
  const fields = FROZEN.filter((field) => before[field] !== after[field]);
  if (fields.length > 0) throw new Problem("SERIES_FIELD_FROZEN", { details: { fields } });
  if (before.end_date === after.end_date) return;
  const last = issued.reduce((latest, { to }) => (to > latest ? to : latest), "");
  if (issued.some((period_event) => period_event.is_final_partial))
    throw new Problem("FINAL_PERIOD_ALREADY_ISSUED");
  if (after.end_date !== null && after.end_date < last) {
    throw new Problem("SERIES_END_BEFORE_ISSUED", { details: { last_issued_period_to: last } });
  }
}

/** Requires that work stays in its period: no change moves the period or prices it again, and none ends the series before it. */
async function requireNoWorkMoved(cx: Reader, before: Series, after: Series): Promise<void> {
  const fields = FROZEN.filter((field) => before[field] !== after[field]);
  if (fields.length === 0 && before.end_date === after.end_date) return;
  const counts = countsByPeriod(await openWorkOfSeries(cx, before.id));
  const lost = [...counts.keys()].filter((index) => !periodAt(after, index));
  if (fields.length > 0 ? counts.size === 0 : lost.length === 0) return;
  throw new Problem("OCCURRENCE_HAS_REGISTRATIONS", {
    details:
      fields.length > 0
        ? { fields }
        : { periods: lost.map((index) => periodAt(before, index)?.key) },
  });
}

/**
 * Converts every content of every line to the series' currency: numbers stay as sent, as far as the currency has the decimals. A
 * missing price is reported at the line that the series shows, every other fault at `currency`.
 */
async function linesIn(cx: Reader, series: Series, from_currency: string): Promise<SeriesLine[]> {
  if (series.currency === from_currency) return [...series.lines];
  const contents = series.lines.flatMap(({ versions, overrides }) => [
    ...versions.values(),
    ...overrides.values(),
  ]);
  const products = await pricedProducts(
    cx,
    contents.flatMap((content) => content?.product_id ?? []),
  );
  const shown = linesAt(series.lines, effectiveIndex(series), "effective");
  const faults = new Map<string, FieldError>();
  const priced = (line_id: string, content: LineContent | null): LineContent | null => {
    if (content === null) return null;
    const product = products.get(content.product_id);
    if (product === undefined) throw new Error("the product of a line is not there");
    const result = lineInCurrency(content, product, from_currency, series.currency);
    if (!("code" in result)) return result;
    const index = shown.findIndex((line) => line.line_id === line_id);
    const is_price = result.code === "required" && index >= 0;
    const field = is_price ? `lines[${index}].${result.field}` : "currency";
    faults.set(field, { ...result, field });
    return content;
  };
  const lines = series.lines.map((line): SeriesLine => {
    const all = (line_versions: SeriesLine["versions"]) =>
      new Map([...line_versions].map(([at, content]) => [at, priced(line.line_id, content)]));
    return { ...line, versions: all(line.versions), overrides: all(line.overrides) };
  });
  requireValid([...faults.values()]);
  return lines;
}

/** Returns the lines with each of their contents changed. */
function mapContents(
  lines: readonly SeriesLine[],
  change: (content: LineContent) => LineContent,
): SeriesLine[] {
  const all = (line_versions: SeriesLine["versions"]) =>
    new Map(
      [...line_versions].map(([at, content]) => [at, content === null ? null : change(content)]),
    );
  return lines.map((line) => ({
    ...line,
    versions: all(line.versions),
    overrides: all(line.overrides),
  }));
}
