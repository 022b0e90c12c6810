/** Gives the lines of a series another order in all open periods. Issued periods keep theirs, and no amount changes. */
import * as z from "zod";
import { invalidField } from "../../../domain/base/problem.ts";
import { linesAt, linesInOrder } from "../../../domain/series/series.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { startOf } from "./edit-line.ts";
import { lockSeries } from "./queries.ts";
import { replaceLine, updateSeries } from "./store-series.ts";

/**
 * `order` has the ids of the effective lines, each once; lines of single periods stay behind them. Returns the series. Throws
 * NOT_FOUND, VALIDATION_FAILED for other ids, SERIES_CANCELLED, SERIES_HAS_NO_OPEN_OCCURRENCE and INVOICE_ISSUE_IN_PROGRESS.
 */
export const moveSeriesLines = defineCommand({
  name: "move_series_lines",
  access: "write",
  input: z.object({ ref: Ref, order: z.array(z.string()) }),

  async plan(tx, { ref, order }) {
    const { series, document } = await lockSeries(tx, ref);
    const { index } = startOf(series, "all", undefined);
    const now = linesAt(series.lines, index, "effective").map(({ line_id }) => line_id);
    if ([...order].sort().join() !== [...now].sort().join()) {
      throw invalidField("order", "invalid_value", "The order has each line once.");
    }
    const is_same = order.join() === now.join();
    return {
      document,
      is_same,
      after: { ...series, lines: linesInOrder(series.lines, order, index) },
    };
  },

  async commit(tx, { document, is_same, after }): Promise<JsonText> {
    if (is_same) return document;
    for (const line of after.lines) replaceLine(tx, line);
    const changed = updateSeries(tx, after);
    tx.audit("recurring_series", after.id, "lines_reordered", { before: document, after: changed });
    return changed;
  },
});
