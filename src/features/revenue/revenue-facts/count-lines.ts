/** Counts lines before revenue is computed. Pages compute small figures, and show stored ones for large accounts. */
import { lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import {
  areMoreWaiting,
  estimatedWaiting,
  MOST_LINES_AT_ONCE,
} from "../../recurring/series/count-waiting.ts";

/** The number of lines of an account or a customer, as `estimatedLines` reads it. */
export interface EstimatedLines {
  /** Lines of invoices, drafts, credit notes and opening contracts; the count stops as soon as it is too high. */
  readonly documents: number;
  /** Lines of periods that have begun by the end of the month and have no invoice: an upper bound. */
  readonly waiting: number;
}

/** Returns the SQL expression that reads `EstimatedLines` of the account, or of one of its customers, as JSON. */
export function estimatedLines(
  cx: Reader,
  current: Month,
  customer_id: string | null = null,
  most = MOST_LINES_AT_ONCE,
): Sql {
  const { account_id } = cx.caller;
  const enough = most + 1;
  const documents =
    customer_id === null
      ? sql`(select count(*) from (select from invoice_lines where account_id = ${account_id} limit ${enough}) l)
        + (select count(*) from (select from credit_note_lines where account_id = ${account_id} limit ${enough}) c)
        + (select count(*) from (select from opening_contracts where account_id = ${account_id} limit ${enough}) o)`
      : sql`(select count(*) from (select from invoices i
          join invoice_lines l on l.account_id = ${account_id} and l.invoice_id = i.id
          where i.account_id = ${account_id} and i.customer_id = ${customer_id} limit ${enough}) l)
        + (select count(*) from (select from credit_notes n
          join credit_note_lines c on c.account_id = ${account_id} and c.credit_note_id = n.id
          where n.account_id = ${account_id} and n.customer_id = ${customer_id} limit ${enough}) c)
        + (select count(*) from (select from opening_contracts o
          where o.account_id = ${account_id} and o.customer_id = ${customer_id} limit ${enough}) o)`;
  const waiting = estimatedWaiting(cx, { through: lastDayOf(current), customer_id });
  return sql`json_build_object('documents', ${documents}, 'waiting', ${waiting})`;
}

/** Whether there are more lines than `most`, which is that of `estimatedLines`. The waiting lines are counted exactly only when the upper bound decides. */
export async function areTooMany(
  cx: Reader,
  current: Month,
  { documents, waiting }: EstimatedLines,
  customer_id: string | null = null,
  most = MOST_LINES_AT_ONCE,
): Promise<boolean> {
  const left = most - documents;
  return (
    left < 0 || areMoreWaiting(cx, { through: lastDayOf(current), customer_id }, left, waiting)
  );
}

/** The most lines whose revenue a page adds up before it is sent, so that its HTML takes less than a tenth of a second. */
const MOST_LINES_IN_PAGE = 1_000;

/** Whether the account has more than 10,000 lines through the given month. */
export function hasTooManyLines(cx: Reader, current: Month): Promise<boolean> {
  return hasMoreLines(cx, current, null, MOST_LINES_AT_ONCE);
}

/** Whether the account, or one of its customers, has so many lines that their revenue is added up after the page. */
export function isAddedUpAfter(
  cx: Reader,
  current: Month,
  customer_id: string | null = null,
): Promise<boolean> {
  return hasMoreLines(cx, current, customer_id, MOST_LINES_IN_PAGE);
}

async function hasMoreLines(
  cx: Reader,
  current: Month,
  customer_id: string | null,
  most: number,
): Promise<boolean> {
  const row = await cx.row<{ lines: EstimatedLines }>(
    sql`select ${estimatedLines(cx, current, customer_id, most)} as lines`,
  );
  return row !== undefined && areTooMany(cx, current, row.lines, customer_id, most);
}
