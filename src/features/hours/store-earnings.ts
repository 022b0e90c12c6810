/**
 * What the work on an invoice's lines had earned when it was issued, frozen with it: nothing can be
 * measured after that (spec 2.3, note 2). Lines by other methods follow from what stays known.
 */

import type { CalendarDate } from "../../domain/base/calendar.ts";
import { measuredWork, type WorkedHours } from "../../domain/revenue/recognition.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Reader } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";
import { freeze } from "../../platform/json.ts";
import type { Tx } from "../../platform/tx.ts";
import { workedByLine } from "./list-worked.ts";

/** Stores what the lines by hours or progress have earned by month; inside the transaction that issues. */
export async function storeEarnings(
  tx: Tx,
  invoice: Invoice,
  { issue_date, currency_digits, lines }: DocumentSnapshot,
): Promise<void> {
  const measured = invoice.lines.filter(
    ({ recognition_method }) => recognition_method === "hours" || recognition_method === "progress",
  );
  if (measured.length === 0) return;
  const ids = measured.map((line) => line.id);
  const [worked, completed] = await Promise.all([workedByLine(tx, ids), completionsOf(tx, ids)]);
  const amounts = new Map(lines.map((line) => [line.line_id, line.net]));
  const contents = measured.map((line) =>
    freeze(
      measuredWork({
        line,
        currency_digits,
        issue_date: issue_date as CalendarDate,
        amount: amounts.get(line.id) ?? 0n,
        completed_on: completed.get(line.id) ?? null,
        worked: worked.get(line.id) ?? NO_WORK,
        credits: [],
        measured: null,
      }),
    ),
  );
  tx.write(sql`insert into line_earnings (account_id, line_id, content)
     select ${tx.caller.account_id}, e.* from unnest(${ids}::uuid[], ${contents}::text[]) as e`);
}

const NO_WORK: readonly WorkedHours[] = [];

async function completionsOf(
  cx: Reader,
  line_ids: readonly string[],
): Promise<Map<string, CalendarDate>> {
  const rows = await cx.rows<{ line_id: string; completed_on: CalendarDate }>(
    sql`select line_id, completed_on from line_completions where account_id = ${cx.caller.account_id} and line_id = any(${line_ids})`,
  );
  return new Map(rows.map((row) => [row.line_id, row.completed_on]));
}
