/** Hours as they were registered, one by one: what recognition measures. */
import type { WorkedHours } from "../../domain/revenue/recognition.ts";
import type { Reader } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";

/** The registrations of lines in the order in which they were made. A line without any has no entry. */
export async function workedByLine(
  cx: Reader,
  line_ids: readonly string[],
): Promise<Map<string, WorkedHours[]>> {
  const rows = await cx.rows<
    WorkedHours & { readonly line_id: string }
  >(sql`select line_id, user_id, date, hours, billable from work_registrations
     where account_id = ${cx.caller.account_id} and line_id = any(${line_ids}) order by id`);
  const worked = new Map<string, WorkedHours[]>();
  for (const { line_id, ...entry } of rows) {
    worked.set(line_id, [...(worked.get(line_id) ?? []), entry]);
  }
  return worked;
}
