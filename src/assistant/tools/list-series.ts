/** `list_series`: the recurring series that a person sees, with their next occurrence. */
import * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import { seriesConditions } from "../../features/recurring/series/queries.ts";
import {
  pageArguments,
  reading,
  reference,
  scopeArgument,
  scopedOutput,
} from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { SeriesRow, seriesRow, seriesTable, withNext } from "../text/listed-series.ts";
import { answerInView } from "../views/answer-in-view.ts";

const listInput = (role: Role) =>
  z.object({
    scope: scopeArgument(role),
    status: z.enum(["draft", "active"]).optional(),
    customer: reference("customer").optional(),
    ...pageArguments,
  });

export const listSeriesTool = defineTool<z.output<ReturnType<typeof listInput>>>({
  ...reading,
  name: "list_series",
  title: "List series",
  description:
    "Use it to find recurring series (retainers, subscriptions) by customer or status, with the next invoice of each; the newest first. mine are those with a line assigned to the person now or later. Then get_series shows the lines of one, list_occurrences its periods.",
  input: listInput,
  output: scopedOutput(SeriesRow.schema),

  async call(cx, { scope, limit, cursor, ...filters }) {
    const conditions = seriesConditions(filters);
    const view = { scope, limit, cursor };
    return answerInView(cx, "recurring_series", view, conditions, withNext, {
      textOf: (rows) => seriesTable(rows, "No series."),
      rowOf: seriesRow,
    });
  },
});
