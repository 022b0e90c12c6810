/** Saves the form of a draft series as a whole: its header, and its lines in their order. The commands that change one thing decide each part. */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { type LineInput, lineFaults } from "../../../domain/sales/line.ts";
import { linesAt, linesInOrder, seriesLineFaults } from "../../../domain/series/series.ts";
import { carried, defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { addFaults, Ref, Uuid } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { changeSeries } from "./draft.ts";
import { addSeriesLine, changeSeriesLine, removeSeriesLine } from "./edit-line.ts";
import { lockSeries } from "./queries.ts";
import { SeriesLineEdit, SeriesLineInput, SeriesUpdate } from "./schemas.ts";
import { effectiveIndex, type Series } from "./series.ts";
import { replaceLine, updateSeries } from "./store-series.ts";

/** A line of the form: a new one without an id, or an existing one with null for content that stays. */
const SavedLine = z
  .object({ line_id: Uuid.nullable(), line: SeriesLineInput.nullable() })
  .superRefine(({ line }, check) => {
    if (line === null) return;
    addFaults(
      check,
      lineFaults([line as LineInput], () => "line"),
    );
    addFaults(check, seriesLineFaults(line, "line"));
  });

type SavedLine = z.output<typeof SavedLine>;

export const DraftSeriesSave = z.object({
  ref: Ref,
  changes: SeriesUpdate,
  lines: z.array(SavedLine),
});

export type DraftSeriesSave = z.output<typeof DraftSeriesSave>;

/** Returns the name of a field without the parts of the form: `changes.end_date` is `end_date`, `lines[0].line.discount` is `lines[0].discount`. */
export function savedField(field: string): string {
  return field.replace(/^changes\./, "").replace(/^(lines\[\d+\])\.line\./, "$1.");
}

/**
 * Changes the header of a draft series, and makes its effective lines those of the form, in its order and in all periods; lines
 * that the form leaves out are removed. Returns the series. Throws NOT_FOUND, SERIES_ALREADY_ACTIVE, and what `changeSeries`, `addSeriesLine`,
 * `changeSeriesLine` and `removeSeriesLine` throw, with faults named from `lines[0]`.
 */
export const saveDraftSeries = defineCommand({
  name: "save_draft_series",
  access: "write",
  input: DraftSeriesSave,

  async plan(tx, sent) {
    const { series } = await lockSeries(tx, sent.ref);
    if (series.status === "active") throw new Problem("SERIES_ALREADY_ACTIVE");
    const kept = new Set(sent.lines.map(({ line_id }) => line_id));
    const removed = effectiveIds(series).filter((line_id) => !kept.has(line_id));
    return { ...sent, ref: series.id, removed };
  },

  async commit(tx, { ref, changes, lines, removed }): Promise<JsonText> {
    // Lines that measure work and invoices in advance exclude each other, so the header changes where both states are valid.
    const is_header_last = changes.issue_timing?.mode === "start-of-period";
    if (!is_header_last) await carried(tx, changeSeries, { ref, changes });
    for (const line_id of removed) {
      await carried(tx, removeSeriesLine, { ref, line_id, scope: "all" });
    }
    const order: string[] = [];
    for (const [index, saved] of lines.entries()) {
      order.push(await saveLine(tx, ref, saved, index));
    }
    await setOrder(tx, ref, order);
    if (is_header_last) await carried(tx, changeSeries, { ref, changes });
    return (await getStored(tx, "recurring_series", ref)).document;
  },
});

function effectiveIds(series: Series): string[] {
  const shown = linesAt(series.lines, effectiveIndex(series), "effective");
  return shown.map(({ line_id }) => line_id);
}

/** Gives the effective lines the order of the form, in all periods. */
async function setOrder(tx: Tx, ref: string, sent: readonly string[]): Promise<void> {
  const { series, document: before } = await lockSeries(tx, ref);
  const now = effectiveIds(series);
  const order = sent.filter((line_id) => now.includes(line_id));
  if (order.join() === now.join()) return;
  const lines = linesInOrder(series.lines, order, 0);
  for (const line of lines) replaceLine(tx, line);
  const after = updateSeries(tx, { ...series, lines });
  tx.audit("recurring_series", series.id, "lines_reordered", { before, after });
}

/** Adds or changes a line in all periods, and returns its id. Faults of its fields are named by its place in the form. */
async function saveLine(
  tx: Tx,
  ref: string,
  { line_id, line }: SavedLine,
  index: number,
): Promise<string> {
  if (line === null) return line_id ?? "";
  const scope = "all";
  try {
    const edit = { scope, line } as const;
    const edited = await (line_id === null
      ? carried(tx, addSeriesLine, { ref, edit })
      : carried(tx, changeSeriesLine, { ref, line_id, edit }));
    return SeriesLineEdit.parse(JSON.parse(edited)).line_id;
  } catch (thrown) {
    const faults = thrown instanceof Problem ? thrown.extras.field_errors : undefined;
    if (faults === undefined) throw thrown;
    const field_errors = faults.map((fault) => ({
      ...fault,
      field: fault.field.replace(/^line\b/, `lines[${index}]`),
    }));
    throw new Problem("VALIDATION_FAILED", { field_errors });
  }
}
