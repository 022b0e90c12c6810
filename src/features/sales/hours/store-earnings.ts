/**
 * Freezes the revenue that the work on an invoice's lines had earned when the invoice was issued: later this revenue can no
 * longer be measured (spec 2.3, note 2). The revenue of lines by other methods follows from data that remains.
 */

import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { measuredWork, type WorkedHours } from "../../../domain/revenue/recognition.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import type { Line } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { freeze } from "../../../platform/runtime/json.ts";
import { workedByLine } from "./list-worked.ts";

/** An invoice with the document it is booked with. */
interface Measured {
  readonly invoice: Pick<Invoice, "lines">;
  readonly document: DocumentSnapshot;
}

/** The work on lines, and the days on which they were completed, by the ids of the lines. */
export interface EarnedWork {
  readonly worked: ReadonlyMap<string, readonly WorkedHours[]>;
  readonly completed: ReadonlyMap<string, CalendarDate>;
}

/** Reads what measures the revenue of an invoice's lines by hours or progress. The lock of the invoice keeps it so. */
export async function readEarnedWork(
  cx: Reader,
  lines: readonly Pick<Line, "id" | "recognition_method">[],
): Promise<EarnedWork> {
  const ids = lines.filter(isMeasured).map(({ id }) => id);
  if (ids.length === 0) return { worked: new Map(), completed: new Map() };
  const [worked, completed] = await Promise.all([workedByLine(cx, ids), completionsOf(cx, ids)]);
  return { worked, completed };
}

/**
 * Stores the revenue of the lines by hours or progress by month, in the transaction that issues the invoices. `known` is their
 * work where the caller has read it.
 */
export async function storeEarnings(
  tx: Tx,
  issued: readonly Measured[],
  known?: EarnedWork,
): Promise<void> {
  const measured = issued.flatMap(({ invoice, document }) =>
    invoice.lines.filter(isMeasured).map((line) => ({ line, document })),
  );
  if (measured.length === 0) return;
  const lines = measured.map(({ line }) => line);
  const ids = lines.map(({ id }) => id);
  const { worked, completed } = known ?? (await readEarnedWork(tx, lines));
  const contents = measured.map(({ line, document: { currency_digits, issue_date, lines } }) =>
    freeze(
      measuredWork({
        line,
        currency_digits,
        issue_date: issue_date as CalendarDate,
        amount: lines.find(({ line_id }) => line_id === line.id)?.net ?? 0n,
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

function isMeasured({ recognition_method: by }: Pick<Line, "recognition_method">): boolean {
  return by === "hours" || by === "progress";
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
