/**
 * Counts the registrations on invoices: an invoice is long not only by its lines, but also by the hours that its document
 * specifies or adds up.
 */
import type { Invoice } from "../../../domain/sales/invoice.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { leaveIfLong } from "../../../platform/threads/takes-long.ts";

/** The number of registrations on each line; a line without any has no entry. */
export type WorkCounts = ReadonlyMap<string, number>;

type Billed = Pick<Invoice, "lines" | "auto_send">;

/**
 * Throws TakesLong as `leaveIfLong` does, for the lines and registrations of all given invoices together. Only work on lines by
 * hours counts, because these lines are priced and printed from their hours. Without such lines, no registrations are read.
 */
export async function leaveIfMuchWorked(tx: Tx, ...invoices: readonly Billed[]): Promise<void> {
  leaveIfLong(tx, ...invoices);
  const line_ids = invoices.flatMap(linesByHours);
  if (!tx.leaves_if_long || line_ids.length === 0) return;
  leaveIfCounted(tx, await countWork(tx, sql`line_id = any(${line_ids})`), ...invoices);
}

/** Throws TakesLong as `leaveIfMuchWorked` does, by counts that the caller has read. */
export function leaveIfCounted(tx: Tx, counts: WorkCounts, ...invoices: readonly Billed[]): void {
  const registrationsOn = (ids: readonly string[]): number =>
    ids.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
  const counted = invoices.map((invoice) => ({
    lines: invoice.lines,
    auto_send: invoice.auto_send,
    registrations: registrationsOn(linesByHours(invoice)),
  }));
  leaveIfLong(tx, ...counted);
}

/** Counts the registrations on the lines of a condition. */
export async function countWork(cx: Reader, which: Sql): Promise<WorkCounts> {
  const rows = await cx.rows<{ line_id: string; count: number }>(
    sql`select line_id, count(*)::int as count from work_registrations
      where account_id = ${cx.caller.account_id} and ${which} group by line_id`,
  );
  return new Map(rows.map(({ line_id, count }) => [line_id, count]));
}

function linesByHours({ lines }: Billed): string[] {
  return lines.flatMap(({ id, recognition_method }) =>
    recognition_method === "hours" ? [id] : [],
  );
}
