/** Writes the changes of series by period events: many locked series with one SQL statement. */

import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { dueTimes, effectiveIndex, presentSeries, type Series } from "./series.ts";

/**
 * Writes the changes of series by issued, skipped or failed periods: their documents, whether they are active, and the next time
 * at which the scheduler has work. Returns the documents in the order of the series.
 */
export function updateDue(tx: Tx, changed: readonly Series[]): JsonText[] {
  const { account_id } = tx.caller;
  const rows = changed.map((series) => ({
    ...dueTimes(series),
    id: series.id,
    status: series.status,
    activated_on: series.activated_on,
    standing_index: effectiveIndex(series),
    document: presentSeries(series),
  }));
  if (rows.length === 0) return [];
  const { columns, table } = tableOf(rows, {
    id: ["uuid", (row) => row.id],
    status: ["text", (row) => row.status],
    activated_on: ["date", (row) => row.activated_on],
    next_due_on: ["date", (row) => row.next_due_on],
    next_retry_at: ["timestamptz", (row) => row.next_retry_at],
    standing_index: ["int", (row) => row.standing_index],
    document: ["lines", (row) => row.document],
  });
  tx.write(sql`update recurring_series s set status = n.status, activated_on = n.activated_on, next_due_on = n.next_due_on,
      next_retry_at = n.next_retry_at, standing_index = n.standing_index, document = n.document,
      updated_at = case when s.document = n.document then s.updated_at else ${stampedAnew(account_id)} end
    from ${table} as n (${columns}) where s.account_id = ${account_id} and s.id = n.id`);
  return rows.map(({ document }) => document);
}
