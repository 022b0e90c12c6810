/** Names a line of an invoice or occurrence, for sentences about the work on it. */
import { linesById } from "../../domain/series/line-id.ts";
import { contentAt } from "../../domain/series/series.ts";
import { findSeriesLines } from "../../features/recurring/series/queries.ts";
import { findLines } from "../../features/sales/invoices/queries.ts";
import type { Registration } from "../../features/work/registrations/present.ts";
import { getWork } from "../../features/work/registrations/queries.ts";
import type { WorkResource } from "../../features/work/registrations/schemas.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { quoted } from "../protocol/words.ts";

/** Returns the line's own text, else its product's name, and the currency of its price. */
export async function nameOfLine(
  cx: Reader,
  work: Pick<WorkResource, "id" | "line_id" | "invoice_id" | "series_id" | "period">,
): Promise<{ readonly line: string; readonly currency: string }> {
  const found = (await findLines(cx, [work.line_id])).get(work.line_id);
  if (found) {
    const { description_override, product_name } = found.line;
    return { line: description_override ?? product_name, currency: found.currency };
  }
  const { series_id, period } = work;
  const series =
    series_id === null
      ? undefined
      : (await findSeriesLines(cx, [series_id], [work.line_id])).get(series_id);
  if (series === undefined || period === null) return { line: "a line", currency: "" };
  const { period_index } = await getWork(cx, work.id);
  const origin = linesById(series.lines)(work.line_id, period);
  const content = origin && period_index !== null ? contentAt(origin, period_index) : null;
  const { currency } = series;
  return { line: content?.description_override ?? content?.product_name ?? "a line", currency };
}

/** Returns `, moved from "Campaign site"` for work that a change has put on another line; otherwise nothing. */
export async function movedFrom(
  cx: Reader,
  before: Registration,
  after: Pick<WorkResource, "line_id">,
): Promise<string> {
  if (before.line_id === after.line_id) return "";
  const line = (await namesOfLines(cx, [before])).get(before.line_id) ?? "a line";
  return `, moved from ${quoted(line)}`;
}

/** Returns the names of the lines of registrations by their ids, with three queries for all; a line without a name is missing. */
export async function namesOfLines(
  cx: Reader,
  works: readonly Registration[],
): Promise<ReadonlyMap<string, string>> {
  const line_ids = works.map(({ line_id }) => line_id);
  const series_ids = [...new Set(works.flatMap(({ series_id }) => series_id ?? []))];
  const [found, series] = await Promise.all([
    findLines(cx, line_ids),
    findSeriesLines(cx, series_ids, line_ids),
  ]);
  const names = new Map<string, string>();
  for (const { line_id, series_id, period, period_index } of works) {
    const invoiced = found.get(line_id)?.line;
    const lines = series_id === null ? undefined : series.get(series_id)?.lines;
    const origin = lines && period !== null ? linesById(lines)(line_id, period) : undefined;
    const content = origin && period_index !== null ? contentAt(origin, period_index) : null;
    const line = invoiced ?? content;
    if (line) names.set(line_id, line.description_override ?? line.product_name);
  }
  return names;
}
