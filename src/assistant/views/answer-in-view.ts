/** Makes the result of a list tool: one page of a view, as data and as a text that begins with the line that names the view. */
import { type View, type ViewedKind, viewLine } from "../../domain/base/visibility.ts";
import { listInView, readInView, type Seen } from "../../features/overview/views/queries.ts";
import type { Personal, PersonReader } from "../../platform/commands/context.ts";
import {
  type Condition,
  cursorFrom,
  type PageQuery,
  type RowsOfPage,
} from "../../platform/database/page.ts";
import { type Beside, readAs } from "../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../platform/runtime/json.ts";
import { fitting } from "../protocol/answer-size.ts";
import type { ToolRead, ToolResult } from "../protocol/tool.ts";
import { amountText, counted, moreText, paragraphs } from "../protocol/words.ts";

/** The arguments of a list tool in addition to its filters. */
interface ViewArguments extends PageQuery {
  readonly scope: View;
}

/** How a list shows its rows: as a table, and each as data. */
interface ShownAs<Shown> {
  textOf(shown: readonly Shown[]): string;
  rowOf(shown: Shown): Readonly<Record<string, unknown>>;
}

/** Returns one page of a view, with the values that its rows show, as data and as a table. Throws like `listInView`. */
export async function answerInView<Row, Shown>(
  cx: PersonReader,
  kind: ViewedKind,
  { scope, limit, cursor }: ViewArguments,
  filters: readonly Condition[],
  show: (cx: PersonReader, rows: readonly Row[]) => Promise<readonly Shown[]>,
  { textOf, rowOf }: ShownAs<Shown>,
): Promise<ToolResult> {
  const page = await listInView<Row>(cx, kind, scope, filters, { limit, cursor });
  const data = await show(cx, page.data);
  const text = paragraphs(viewLine(page), textOf(data), sumText(page), moreText(page.next_cursor));
  return { text, structured: { ...page, data: data.map(rowOf) } };
}

/** Returns the sentence with the sums of issued documents on all pages; null for a list without sums or documents. */
function sumText({ sums, in_scope }: Seen): string | null {
  if (sums === undefined || in_scope === 0) return null;
  const issued = sums.reduce((count, sum) => count + sum.count, 0);
  const amounts = sums.map(({ net, currency }) => amountText(net, currency));
  const sum = issued === 0 ? [] : [`Sum of ${issued} issued, net: ${amounts.join(" + ")}.`];
  const drafts = in_scope - issued;
  const others = drafts > 0 ? [`${counted(drafts, "draft")}, not added up.`] : [];
  return [...sum, ...others].join(" ");
}

/** The rows of a result: their data as text, and a table. */
interface ShownRows {
  readonly data: readonly JsonText[];
  readonly table: string;
}

/** Shows rows that were read with the values of their columns. */
type ShowRows<Row> = (cx: PersonReader, rows: readonly Row[]) => Promise<ShownRows> | ShownRows;

/** As `answerInView`, declared as a read, for rows whose values are read beside or instead of their stored text. */
export function readRowsInView<Row extends { readonly id: string }>(
  cx: Personal,
  kind: ViewedKind,
  { scope, limit, cursor }: ViewArguments,
  filters: readonly Condition[],
  beside: Beside<Row>,
  show: ShowRows<Row>,
): ToolRead {
  const read = readInView(cx, kind, scope, filters, beside, { limit, cursor });
  return readAs(read, (page) => (inside) => answerOfRows(inside, page, show));
}

async function answerOfRows<Row extends { readonly id: string }>(
  cx: PersonReader,
  [{ rows, next_cursor, cursorOf }, seen]: readonly [RowsOfPage<Row>, Seen],
  show: ShowRows<Row>,
): Promise<ToolResult> {
  return fitting(Math.max(rows.length, 1), async (most) => {
    const shown = rows.slice(0, most);
    const last = shown.length < rows.length ? shown.at(-1) : undefined;
    const after = cursorOf ?? (() => cursorFrom({ id: last?.id ?? "", horizon: null }));
    const cursor = last === undefined ? next_cursor : after(shown.length - 1);
    const { data, table } = await show(cx, shown);
    const text = paragraphs(viewLine(seen), table, sumText(seen), moreText(cursor));
    const around = jsonText({ ...seen, has_more: cursor !== null, next_cursor: cursor });
    return { text, structured: `${around.slice(0, -1)},"data":[${data.join(",")}]}` as JsonText };
  });
}
