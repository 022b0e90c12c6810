/** Adding, changing and removing lines of a series by scope (domain.md 4.8). What is issued stays. */
import * as z from "zod";
import { currencyDigits } from "../../domain/currency.ts";
import { type Line, type LineInput, lineFaults } from "../../domain/line.ts";
import { periodsFrom, type SeriesPeriod } from "../../domain/period.ts";
import { invalidField, Problem, requireValid } from "../../domain/problem.ts";
import {
  addedLine,
  changedLine,
  contentAt,
  freePosition,
  inputOf,
  type LineContent,
  positionFaults,
  removedLine,
  requireTimingFits,
  type Scope,
  type SeriesLine,
  scopes,
  seriesLineFaults,
} from "../../domain/series.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { derivedId, newId } from "../../platform/id.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import { linesFrom, referencesOf } from "../invoices/lines.ts";
import { contentsOf, recordSeries } from "./draft.ts";
import { requirePeriod, requireWaiting } from "./occurrences.ts";
import { getSeries, insertLine, type LoadedSeries, replaceLine, updateSeries } from "./queries.ts";
import { LineAdd, LineChange, SeriesLineEdit, type SeriesLineInput } from "./schemas.ts";
import { firstOpen, type Series, uncancelled } from "./series.ts";

interface EditPlan {
  readonly loaded: LoadedSeries;
  readonly line: SeriesLine;
  readonly is_new: boolean;
  readonly answer: JsonText;
}

/**
 * Each throws NOT_FOUND, MALFORMED_REQUEST, VALIDATION_FAILED, SERIES_CANCELLED,
 * OCCURRENCE_ALREADY_ISSUED, SERIES_HAS_NO_OPEN_OCCURRENCE or SERIES_TIMING_CONFLICT.
 */
export const addSeriesLine = defineCommand({
  name: "add_series_line",
  access: "write",
  input: z.object({ ref: Ref, edit: LineAdd }),

  async plan(cx, { ref, edit }): Promise<EditPlan> {
    const loaded = await getSeries(cx, ref);
    const { series } = loaded;
    const start = startOf(series, edit.scope, edit.period);
    const index = start.index;
    const position = edit.line.position ?? freePosition(series.lines, index);
    const content = await contentFrom(cx, { ...edit.line, position }, series.currency);
    const line = addedLine(newId<string>(), content, edit.scope, index);
    return planned(loaded, line, true, edit.scope, start, "series");
  },

  commit: (cx, plan) => save(cx, plan, "line_added"),
});

export const changeSeriesLine = defineCommand({
  name: "change_series_line",
  access: "write",
  input: z.object({ ref: Ref, line_id: z.string(), edit: LineChange }),

  async plan(cx, { ref, line_id, edit }): Promise<EditPlan> {
    const loaded = await getSeries(cx, ref);
    const { series } = loaded;
    const named = requireLine(series, line_id, edit.scope);
    const start = startOf(series, edit.scope, edit.period ?? named.period?.key);
    const index = start.index;
    if (edit.scope === "this_only" && contentAt(named.line, index) === null) {
      throw new Problem("NOT_FOUND");
    }
    const line = await merged(cx, named.line, edit, index, series.currency);
    return planned(loaded, line, false, edit.scope, start, named.kind);
  },

  commit: (cx, plan) => save(cx, plan, "line_changed"),
});

export const removeSeriesLine = defineCommand({
  name: "remove_series_line",
  access: "write",
  input: z.object({
    ref: Ref,
    line_id: z.string(),
    scope: z.enum(scopes),
    period: z.string().optional(),
  }),

  async plan(cx, { ref, line_id, scope, period }): Promise<EditPlan> {
    const loaded = await getSeries(cx, ref);
    const named = requireLine(loaded.series, line_id, scope);
    const start = startOf(loaded.series, scope, period ?? named.period?.key);
    const line = removedLine(named.line, scope, start.index);
    return planned(loaded, line, false, scope, start, named.kind);
  },

  commit: (cx, plan) => save(cx, plan, "line_removed"),
});

/** The first period of the range; throws when it cannot be edited. */
function startOf(series: Series, scope: Scope, text: string | undefined): SeriesPeriod {
  const named = text === undefined ? undefined : requirePeriod(series, text);
  if (series.cancelled_at !== null) throw new Problem("SERIES_CANCELLED");
  const open = firstOpen(series);
  if (open === undefined) throw new Problem("SERIES_HAS_NO_OPEN_OCCURRENCE");
  if (named === undefined || scope === "all") return open;
  requireWaiting(series, named);
  return named;
}

interface NamedLine {
  readonly line: SeriesLine;
  readonly kind: "series" | "occurrence";
  /** For an occurrence's line: its period. */
  readonly period?: SeriesPeriod;
}

/** A line by its own id, or by that of its line in one occurrence, a shorthand for `this_only` there. */
function requireLine(series: Series, id: string, scope: Scope): NamedLine {
  const line = series.lines.find((candidate) => candidate.line_id === id);
  if (line) return { line, kind: "series" };
  for (const candidate of series.lines) {
    for (const period of periodsAround(series)) {
      if (derivedId(candidate.line_id, period.key) !== id) continue;
      if (scope !== "this_only") {
        const message = "The line of one occurrence is changed with the scope this_only.";
        throw invalidField("scope", "not_allowed", message);
      }
      return { line: candidate, kind: "occurrence", period };
    }
  }
  throw new Problem("NOT_FOUND");
}

/** The periods whose lines a client can have seen: from the first through ten years of the longest series. */
function* periodsAround(series: Series): Generator<SeriesPeriod> {
  let seen = 0;
  for (const period of periodsFrom(uncancelled(series), 0)) {
    yield period;
    seen += 1;
    if (seen > MOST_PERIODS) return;
  }
}

const MOST_PERIODS = 1_200;

async function merged(
  cx: Context,
  line: SeriesLine,
  edit: LineChange,
  index: number,
  currency: string,
): Promise<SeriesLine> {
  const contents = new Map<LineContent, LineContent>();
  // Every content that the range touches is decided anew, with the product as it is now.
  for (const content of contentsOf([line])) {
    const input = { ...inputOf(content, currencyDigits(currency)), ...given(edit.line) };
    const sent = input as SeriesLineInput;
    const faults = [
      ...lineFaults([sent as LineInput]).map((fault) => ({
        ...fault,
        field: fault.field.replace("lines[0]", "line"),
      })),
      ...seriesLineFaults(sent, "line"),
    ];
    requireValid(faults);
    contents.set(content, await contentFrom(cx, sent, currency));
  }
  return changedLine(line, edit.scope, index, (content) => contents.get(content) ?? content);
}

function given<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** Looks the references up and decides the content; its faults are named from `line`. */
async function contentFrom(
  cx: Context,
  sent: SeriesLineInput,
  currency: string,
): Promise<LineContent> {
  const references = await referencesOf(cx, [sent]);
  try {
    const [line] = linesFrom([sent], references, currency, []);
    if (line === undefined) throw new Error("a line was decided to nothing");
    const { id: _, ...content } = line as Line;
    return content;
  } catch (error) {
    if (!(error instanceof Problem) || !error.extras.field_errors) throw error;
    const field_errors = error.extras.field_errors.map((fault) => ({
      ...fault,
      field: fault.field.replace("lines[0]", "line"),
    }));
    throw new Problem("VALIDATION_FAILED", { field_errors });
  }
}

function planned(
  loaded: LoadedSeries,
  line: SeriesLine,
  is_new: boolean,
  scope: Scope,
  start: SeriesPeriod,
  kind: "series" | "occurrence",
): EditPlan {
  const { series } = loaded;
  const lines = [...series.lines.filter((other) => other.line_id !== line.line_id), line];
  requireValid(positionFaults(lines, start.index));
  requireTimingFits(contentsOf([line]), series.timing);
  const answer = jsonText(
    SeriesLineEdit.parse({
      object: "series_line_edit",
      line_id: line.line_id,
      line_kind: kind,
      scope,
      period: start.key,
    }),
  );
  return { loaded: { ...loaded, series: { ...series, lines } }, line, is_new, answer };
}

async function save(cx: Context, plan: EditPlan, action: string): Promise<JsonText> {
  const { series, document } = plan.loaded;
  if (plan.is_new) await insertLine(cx, series.id, plan.line);
  else await replaceLine(cx, plan.line);
  const changed = await updateSeries(cx, series);
  const edited = { ...JSON.parse(changed), edit: JSON.parse(plan.answer) };
  await recordSeries(cx, action, series.id, document, jsonText(edited));
  return plan.answer;
}
