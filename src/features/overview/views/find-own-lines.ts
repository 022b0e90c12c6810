/** Finds the lines that are assigned to a person: on invoices, and on retainers for the periods that have no invoice yet. */
import { readLineId } from "../../../domain/series/line-id.ts";
import type { PersonReader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** Returns those of the lines that are assigned to the caller, by an effective or future version for a line of a period. */
export async function ownLines(
  cx: PersonReader,
  line_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (line_ids.length === 0) return new Set();
  const { account_id, person } = cx.caller;
  const read = line_ids.map((id) => [id, readLineId(id)?.line_bits ?? ""] as const);
  const rows = await cx.rows<{ id: string }>(sql`
    with asked as (
      select * from unnest(${read.map(([id]) => id)}::uuid[], ${read.map(([, bits]) => bits)}::text[]) as a (id, bits))
    select l.id from asked q
    join invoice_lines l on l.account_id = ${account_id} and l.id = q.id
    join invoice_line_assignees a on a.account_id = ${account_id} and a.line_id = l.id
      and a.user_id = ${person.user_id}
    union
    select q.id from asked q
    left join hashed_line_ids h on h.account_id = ${account_id} and h.id = q.id
    join series_lines s on s.account_id = ${account_id}
      and (s.line_id = h.line_id or right(s.line_id::text, 17) = q.bits)
    join recurring_series r on r.account_id = ${account_id} and r.id = s.series_id
    join series_line_assignees a on a.account_id = ${account_id} and a.line_id = s.line_id
      and a.user_id = ${person.user_id} and (a.until_index is null or a.until_index > r.standing_index)
    where not exists (
      select from invoice_lines l where l.account_id = ${account_id} and l.id = q.id)`);
  return new Set(rows.map(({ id }) => id));
}
