/** Hours as they were registered, one by one: what recognition measures. */
import type { WorkedHours } from "../../domain/revenue/recognition.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";

/** The registrations of lines in the order in which they were made. A line without any has no entry. */
export async function workedByLine(
  cx: Context,
  line_ids: readonly string[],
): Promise<Map<string, WorkedHours[]>> {
  const rows = await query<WorkedHours & { readonly line_id: string }>(
    cx.db,
    `select line_id, user_id, date, hours, billable from work_registrations
     where account_id = $1 and line_id = any($2) order by id`,
    [cx.caller.account_id, line_ids],
  );
  const worked = new Map<string, WorkedHours[]>();
  for (const { line_id, ...entry } of rows) {
    worked.set(line_id, [...(worked.get(line_id) ?? []), entry]);
  }
  return worked;
}
