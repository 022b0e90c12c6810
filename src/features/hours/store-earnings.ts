/**
 * What the work on an invoice's lines had earned when it was issued, frozen with it: nothing can be
 * measured after that (spec 2.3, note 2). Lines by other methods follow from what stays known.
 */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { measuredWork, type WorkedHours } from "../../domain/revenue/recognition.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { together } from "../../platform/database/transaction.ts";
import { freeze } from "../../platform/json.ts";
import { workedByLine } from "./list-worked.ts";

/** Stores what the lines by hours or progress have earned by month; inside the transaction that issues. */
export async function storeEarnings(
  cx: Context,
  invoice: Invoice,
  { issue_date, currency_digits, lines }: DocumentSnapshot,
): Promise<void> {
  const measured = invoice.lines.filter(
    ({ recognition_method }) => recognition_method === "hours" || recognition_method === "progress",
  );
  if (measured.length === 0) return;
  const ids = measured.map((line) => line.id);
  const [worked, completed] = await together([workedByLine(cx, ids), completionsOf(cx, ids)]);
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
  await query(
    cx.db,
    `insert into line_earnings (account_id, line_id, content)
     select $1, e.* from unnest($2::uuid[], $3::text[]) as e`,
    [cx.caller.account_id, ids, contents],
  );
}

const NO_WORK: readonly WorkedHours[] = [];

async function completionsOf(
  cx: Context,
  line_ids: readonly string[],
): Promise<Map<string, CalendarDate>> {
  const rows = await query<{ line_id: string; completed_on: CalendarDate }>(
    cx.db,
    "select line_id, completed_on from line_completions where account_id = $1 and line_id = any($2)",
    [cx.caller.account_id, line_ids],
  );
  return new Map(rows.map((row) => [row.line_id, row.completed_on]));
}
