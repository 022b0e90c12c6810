/** What a list tool answers: one page of a view, as data and as a text that opens with the line of the view. */
import { type View, type ViewedKind, viewLine } from "../../domain/base/visibility.ts";
import { listInView, rowsInView } from "../../features/views/queries.ts";
import type { PersonReader } from "../../platform/context.ts";
import type { Condition, PageQuery } from "../../platform/database/page.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import type { ToolResult } from "../protocol/tool.ts";
import { moreText, paragraphs } from "../protocol/words.ts";

/** What a list tool takes beside its filters. */
interface ViewArguments extends PageQuery {
  readonly scope: View;
}

/**
 * The answer of a list tool: one page of a view, with what its rows show, as data and as a table. Throws what
 * `listInView` throws.
 */
export async function answerInView<Row, Shown>(
  cx: PersonReader,
  kind: ViewedKind,
  { scope, limit, cursor }: ViewArguments,
  filters: readonly Condition[],
  show: (cx: PersonReader, rows: readonly Row[]) => Promise<readonly Shown[]>,
  tableOf: (shown: readonly Shown[]) => string,
): Promise<ToolResult> {
  const page = await listInView<Row>(cx, kind, scope, filters, { limit, cursor });
  const data = await show(cx, page.data);
  const text = paragraphs(viewLine(page), tableOf(data), moreText(page.next_cursor));
  return { text, structured: { ...page, data } };
}

/** What rows show: their data as text, in which stored text is passed on, and a table. */
interface ShownRows {
  readonly data: readonly JsonText[];
  readonly table: string;
}

/** As `answerInView`, of rows with some columns, `id` among them, whose stored text nobody needs to read. */
export async function answerRowsInView<Row extends { readonly id: string }>(
  cx: PersonReader,
  kind: ViewedKind,
  { scope, limit, cursor }: ViewArguments,
  filters: readonly Condition[],
  columns: string,
  show: (cx: PersonReader, rows: readonly Row[]) => Promise<ShownRows>,
): Promise<ToolResult> {
  const [{ rows, next_cursor }, seen] = await rowsInView<Row>(cx, kind, scope, filters, columns, {
    limit,
    cursor,
  });
  const { data, table } = await show(cx, rows);
  const text = paragraphs(viewLine(seen), table, moreText(next_cursor));
  const around = jsonText({ ...seen, has_more: next_cursor !== null, next_cursor });
  return { text, structured: `${around.slice(0, -1)},"data":[${data.join(",")}]}` as JsonText };
}
