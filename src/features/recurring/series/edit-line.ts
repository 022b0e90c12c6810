/** Adds, changes and removes lines of a series by scope (spec 4.8). Issued periods stay unchanged. */

import * as z from "zod";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { given } from "../../../domain/base/given.ts";
import { type FieldError, notFound, Problem, requireValid } from "../../../domain/base/problem.ts";
import type { EventAction } from "../../../domain/events/event-types.ts";
import { type Line, type LineInput, lineFaults } from "../../../domain/sales/line.ts";
import { requireSeriesFits } from "../../../domain/series/bounds.ts";
import { occurrenceLineId } from "../../../domain/series/line-id.ts";
import type { SeriesPeriod } from "../../../domain/series/period.ts";
import {
  addedLine,
  breakpoints,
  changedLine,
  contentAt,
  contentsFrom,
  freePosition,
  inputOf,
  type LineContent,
  linesAt,
  positionFaults,
  removedLine,
  requireTimingFits,
  type Scope,
  type SeriesLine,
  scopes,
  seriesLineFaults,
} from "../../../domain/series/series.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getCustomer } from "../../catalogue/customers/queries.ts";
import { openWorkOfSeries } from "../../sales/hours/queries.ts";
import { linesFrom, referencesOf } from "../../sales/invoices/lines.ts";
import { routed } from "../../sales/invoices/routing.ts";
import { MOST_LINES } from "../../sales/invoices/schemas.ts";
import { todayOf } from "./activate.ts";
import { requireLine } from "./find-line.ts";
import { requirePeriod, requireWaiting } from "./periods.ts";
import { type LoadedSeries, lockSeries } from "./queries.ts";
import { requireRoomFor } from "./require-room.ts";
import { LineAdd, LineChange, SeriesLineEdit, type SeriesLineInput } from "./schemas.ts";
import { firstOpen, type Series } from "./series.ts";
import { insertLine, replaceLine, updateSeries } from "./store-series.ts";

interface EditPlan {
  readonly loaded: LoadedSeries;
  readonly line: SeriesLine;
  readonly is_new: boolean;
  readonly answer: JsonText;
}

/**
 * Adds a line to one period, from a period on, or to all open periods; returns the edit with the new line's permanent id. This
 * command, `changeSeriesLine` and `removeSeriesLine` throw NOT_FOUND, MALFORMED_REQUEST, VALIDATION_FAILED, SERIES_CANCELLED,
 * SERIES_HAS_NO_OPEN_OCCURRENCE, OCCURRENCE_ALREADY_ISSUED, OCCURRENCE_DROPPED, INVOICE_ISSUE_IN_PROGRESS or
 * SERIES_TIMING_CONFLICT.
 */
export const addSeriesLine = defineCommand({
  name: "add_series_line",
  access: "write",
  input: z.object({ ref: Ref, edit: LineAdd }),

  async plan(tx, { ref, edit }): Promise<EditPlan> {
    const loaded = await lockSeries(tx, ref);
    const { series } = loaded;
    const named = edit.period === undefined ? undefined : requirePeriod(series, edit.period);
    const decided = await contentFrom(tx, edit.line, series);
    const start = startOf(series, edit.scope, named);
    const position = edit.line.position ?? freePosition(series.lines, start.index);
    const line = addedLine(newId<string>(), { ...decided, position }, edit.scope, start.index);
    return planned(tx, loaded, line, true, edit.scope, start, "series");
  },

  commit: (cx, plan) => save(cx, plan, "line_added"),
});

/** Merges the given fields into a line. The `line_id` of a line in one occurrence requires the scope `this_only`. */
export const changeSeriesLine = defineCommand({
  name: "change_series_line",
  access: "write",
  input: z.object({ ref: Ref, line_id: z.string(), edit: LineChange }),

  async plan(tx, { ref, line_id, edit }): Promise<EditPlan> {
    const loaded = await lockSeries(tx, ref);
    const { series } = loaded;
    const named = await requireLine(tx, series, line_id, edit.scope, edit.period);
    // Faults of the fields take precedence over refusals by the state of the series.
    const named_start = edit.scope === "all" ? undefined : named.period;
    const index = (named_start ?? firstOpen(series))?.index ?? 0;
    const line = await merged(tx, named.line, edit, index, series);
    const start = startOf(series, edit.scope, named.period);
    if (start.index === index)
      return planned(tx, loaded, line, false, edit.scope, start, named.kind);
    const from_start = await merged(tx, named.line, edit, start.index, series);
    return planned(tx, loaded, from_start, false, edit.scope, start, named.kind);
  },

  commit: (cx, plan) => save(cx, plan, "line_changed"),
});

/** Removes the line from the range of the scope; issued periods keep it. Also throws LINE_HAS_REGISTRATIONS. */
export const removeSeriesLine = defineCommand({
  name: "remove_series_line",
  access: "write",
  input: z.object({
    ref: Ref,
    line_id: z.string(),
    scope: z.enum(scopes),
    period: z.string().optional(),
  }),

  async plan(tx, { ref, line_id, scope, period }): Promise<EditPlan> {
    const loaded = await lockSeries(tx, ref);
    const named = await requireLine(tx, loaded.series, line_id, scope, period);
    const start = startOf(loaded.series, scope, named.period);
    if (touched(named.line, scope, start.index).size === 0) throw notFound("series_line", line_id);
    const line = removedLine(named.line, scope, start.index);
    await requireNoWorkLost(tx, loaded.series.id, line);
    return planned(tx, loaded, line, false, scope, start, named.kind);
  },

  commit: (cx, plan) => save(cx, plan, "line_removed"),
});

/** Returns the first period of the range. Throws when this period cannot be edited. */
export function startOf(
  series: Series,
  scope: Scope,
  named: SeriesPeriod | undefined,
): SeriesPeriod {
  if (series.cancelled_at !== null) throw new Problem("SERIES_CANCELLED");
  const open = firstOpen(series);
  if (open === undefined) throw new Problem("SERIES_HAS_NO_OPEN_OCCURRENCE");
  const start = named === undefined || scope === "all" ? open : named;
  requireWaiting(series, start);
  return start;
}

/** Requires that no work waits in a period that would lose the line. Throws LINE_HAS_REGISTRATIONS. */
async function requireNoWorkLost(cx: Reader, series_id: string, after: SeriesLine): Promise<void> {
  const lost = (await openWorkOfSeries(cx, series_id)).filter(
    ({ line_id, period, period_index }) =>
      occurrenceLineId(after, period) === line_id && contentAt(after, period_index) === null,
  );
  if (lost.length === 0) return;
  const periods = lost.map(({ period }) => period);
  throw new Problem("LINE_HAS_REGISTRATIONS", { details: { periods } });
}

async function merged(
  cx: Reader,
  line: SeriesLine,
  edit: LineChange,
  index: number,
  series: Series,
): Promise<SeriesLine> {
  const contents = new Map<LineContent, LineContent>();
  // Merged content is decided again, with the product as it is now. Content before the range is not: it may break rules that
  // apply today.
  const before = touched(line, edit.scope, index);
  if (before.size === 0) throw notFound("series_line", line.line_id);
  for (const content of before) {
    const input = { ...inputOf(content, currencyDigits(series.currency)), ...given(edit.line) };
    const sent = input as SeriesLineInput;
    const faults = [
      ...lineFaults([sent as LineInput], () => "line"),
      ...seriesLineFaults(sent, "line"),
    ];
    requireValid(faults);
    contents.set(content, await contentFrom(cx, sent, series, content));
  }
  return changedLine(line, edit.scope, index, (content) => contents.get(content) ?? content);
}

/** Returns the contents in the range of a change or removal; none where the line is absent. */
function touched(line: SeriesLine, scope: Scope, index: number): Set<LineContent> {
  const contents = new Set<LineContent>();
  changedLine(line, scope, index, (content) => {
    contents.add(content);
    return content;
  });
  return contents;
}

/**
 * Looks the references up and decides the content; faults of the content are named from `line`. An assignee of the replaced
 * content stays assigned, even if deactivated since (spec 7.1).
 */
async function contentFrom(
  cx: Reader,
  sent: SeriesLineInput,
  { currency, customer_id }: Series,
  replaced?: LineContent,
): Promise<LineContent> {
  const references = await referencesOf(cx, [sent]);
  const id = newId<Line["id"]>();
  const existing = replaced ? [{ ...replaced, id }] : [];
  try {
    const [line] = linesFrom([{ ...sent, id }], references, currency, existing);
    if (line === undefined) throw new Error("a line was decided to nothing");
    const { id: _, ...content } = line as Line;
    const customer = await getCustomer(cx, customer_id);
    return (await routed(cx, [content], customer))[0] ?? content;
  } catch (error) {
    if (!(error instanceof Problem) || !error.extras.field_errors) throw error;
    const field_errors = error.extras.field_errors.map((fault) => ({
      ...fault,
      field: fault.field.replace("lines[0]", "line"),
    }));
    throw new Problem("VALIDATION_FAILED", { field_errors });
  }
}

async function planned(
  tx: Tx,
  loaded: LoadedSeries,
  line: SeriesLine,
  is_new: boolean,
  scope: Scope,
  start: SeriesPeriod,
  kind: "series" | "occurrence",
): Promise<EditPlan> {
  const { series } = loaded;
  const lines = [...series.lines.filter((other) => other.line_id !== line.line_id), line];
  requireValid([...positionFaults(lines, start.index), ...tooManyLines(lines, start.index)]);
  const [after, today] = [{ ...series, lines }, await todayOf(tx)];
  requireSeriesFits(series, after, today, "line");
  requireTimingFits(contentsFrom([line], start.index), series.timing);
  await requireRoomFor(tx, series, after, today, "line");
  const answer = jsonText(
    SeriesLineEdit.parse({
      object: "series_line_edit",
      line_id: line.line_id,
      line_kind: kind,
      scope,
      period: start.key,
    }),
  );
  return { loaded: { ...loaded, series: after }, line, is_new, answer };
}

/** Returns a fault when a period has more lines than a document may have (spec 0.3). */
function tooManyLines(lines: readonly SeriesLine[], index: number): FieldError[] {
  const most = Math.max(...breakpoints(lines, index).map((at) => linesAt(lines, at).length));
  if (most <= MOST_LINES) return [];
  return [{ field: "line", code: "too_large", message: `At most ${MOST_LINES} lines.` }];
}

async function save(
  tx: Tx,
  plan: EditPlan,
  action: EventAction<"recurring_series">,
): Promise<JsonText> {
  const { series, document } = plan.loaded;
  if (plan.is_new) await insertLine(tx, series.id, plan.line);
  else await replaceLine(tx, plan.line);
  const changed = await updateSeries(tx, series);
  const edited = { ...JSON.parse(changed), edit: JSON.parse(plan.answer) };
  tx.audit("recurring_series", series.id, action, { before: document, after: jsonText(edited) });
  return plan.answer;
}
