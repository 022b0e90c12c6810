/** Writes series and their lines while the series is locked. */
import { assignedUntil, type SeriesLine } from "../../../domain/series/series.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { stamped, stampedAnew } from "../../../platform/database/resources.ts";
import { insert, raw, sql, tableOf, update } from "../../../platform/database/sql.ts";
import { freeze, type JsonText } from "../../../platform/runtime/json.ts";
import { dueTimes, effectiveIndex, presentSeries, type Series } from "./series.ts";

/** Stores a new draft series with its lines. */
export function insertSeries(tx: Tx, series: Series, request_hash: Buffer): void {
  const { account_id } = tx.caller;
  const row = {
    ...headerOf(series),
    account_id,
    id: series.id,
    external_id: series.external_id,
    status: "draft" as const,
    request_hash,
    document: presentSeries(series),
    updated_at: stamped(account_id),
  };
  tx.write(insert("recurring_series", row));
  for (const line of series.lines) insertLine(tx, series.id, line);
}

/** Writes a series' header, its document and the next time of scheduled work. Returns the document. */
export function updateSeries(cx: Tx, series: Series): JsonText {
  const document = presentSeries(series);
  const { account_id } = cx.caller;
  const row = {
    ...headerOf(series),
    ...dueTimes(series),
    status: series.status,
    activated_on: series.activated_on,
    cancelled_at: series.cancelled_at,
    end_before_cancel: series.end_before_cancel,
    is_discarded: series.is_discarded,
    standing_index: effectiveIndex(series),
    document,
    updated_at: sql`case when document = ${document} then updated_at else ${stampedAnew(account_id)} end`,
  };
  cx.write(
    sql`${update("recurring_series", row)} where account_id = ${account_id} and id = ${series.id}`,
  );
  return document;
}

/** Returns the fields of a series that a client sends, as columns of its row. */
function headerOf({ customer_id, currency, frequency, alignment, ...series }: Series) {
  return {
    customer_id,
    currency,
    frequency,
    alignment,
    start_date: series.start_date,
    end_date: series.end_date,
    timing_mode: series.timing.mode,
    offset_days: series.timing.offset_days,
    auto_send: series.auto_send,
    printed: JSON.stringify(series.printed),
  };
}

/** Stores a new line with its versions and overrides. */
export function insertLine(cx: Tx, series_id: string, line: SeriesLine): void {
  const { account_id } = cx.caller;
  cx.write(insert("series_lines", { account_id, line_id: line.line_id, series_id }));
  saveLineVersions(cx, line);
}

/** Replaces the versions and overrides of a line. */
export function replaceLine(cx: Tx, line: SeriesLine): void {
  const own = sql`where account_id = ${cx.caller.account_id} and line_id = ${line.line_id}`;
  cx.write(sql`delete from series_line_versions ${own}`);
  cx.write(sql`delete from series_line_overrides ${own}`);
  cx.write(sql`delete from series_line_assignees ${own}`);
  saveLineVersions(cx, line);
}

function saveLineVersions(cx: Tx, line: SeriesLine): void {
  const { account_id } = cx.caller;
  const saveContents = (table: string, column: string, contents: SeriesLine["versions"]): void => {
    if (contents.size === 0) return;
    const { columns, table: rows } = tableOf([...contents], {
      [column]: ["int", ([at]) => at],
      content: ["text", ([, content]) => (content === null ? null : freeze(content))],
    });
    cx.write(sql`insert into ${raw(table)} (account_id, line_id, ${columns})
      select ${account_id}, ${line.line_id}, p.* from ${rows} as p`);
  };
  saveContents("series_line_versions", "from_index", line.versions);
  saveContents("series_line_overrides", "period_index", line.overrides);
  const assigned = [...assignedUntil(line)];
  if (assigned.length === 0) return;
  const { columns, table } = tableOf(assigned, {
    user_id: ["uuid", ([user_id]) => user_id],
    until_index: ["int", ([, until_index]) => until_index],
  });
  cx.write(sql`insert into series_line_assignees (account_id, line_id, ${columns})
    select ${account_id}, ${line.line_id}, a.* from ${table} as a`);
}
