/**
 * Counts the registrations on invoices: an invoice is long not only by its lines, but also by the hours that its document
 * specifies or adds up.
 */
import type { Invoice } from "../../../domain/sales/invoice.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { leaveIfLong } from "../../../platform/threads/takes-long.ts";

/**
 * Throws TakesLong as `leaveIfLong` does, for the lines and registrations of all given invoices together. Only work on lines by
 * hours counts, because these lines are priced and printed from their hours. Without such lines, no registrations are read.
 */
export async function leaveIfMuchWorked(
  tx: Tx,
  ...invoices: readonly Pick<Invoice, "lines" | "auto_send">[]
): Promise<void> {
  leaveIfLong(tx, ...invoices);
  const worked = invoices.map(({ lines }) =>
    lines.flatMap(({ id, recognition_method }) => (recognition_method === "hours" ? [id] : [])),
  );
  const line_ids = worked.flat();
  if (!tx.leaves_if_long || line_ids.length === 0) return;
  const rows = await tx.rows<{ line_id: string; count: number }>(
    sql`select line_id, count(*)::int as count from work_registrations
      where account_id = ${tx.caller.account_id} and line_id = any(${line_ids}) group by line_id`,
  );
  const counts = new Map(rows.map(({ line_id, count }) => [line_id, count]));
  const registrationsOn = (ids: readonly string[]): number =>
    ids.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
  const counted = invoices.map(({ lines, auto_send }, at) => ({
    lines,
    auto_send,
    registrations: registrationsOn(worked[at] ?? []),
  }));
  leaveIfLong(tx, ...counted);
}
