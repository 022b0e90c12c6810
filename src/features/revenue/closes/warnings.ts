/** Warnings that a person checks before trusting a closed month; no warning stops the close (spec 3.10). */
import { lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { countWaiting } from "./count-waiting.ts";
import type { CloseWarning } from "./schemas.ts";

/** What waits beside the occurrences. */
interface Counts {
  readonly credits: number;
  readonly drafts: number;
  readonly unassigned: number;
  readonly bank_lines: number;
}

const NOTHING: Counts = { credits: 0, drafts: 0, unassigned: 0, bank_lines: 0 };

/**
 * Returns the warnings of a month, in a fixed order, without warnings whose count is 0. `unassigned_ahead` is the number of
 * lines not booked yet that would earn revenue without a user.
 */
export async function warningsOf(
  cx: Reader,
  month: Month,
  unassigned_ahead = 0,
): Promise<CloseWarning[]> {
  const last_day = lastDayOf(month);
  const waiting = await countWaiting(cx, last_day);
  const row = await cx.row<Counts>(sql`select
       (select count(*)::int from credit_notes where account_id = ${cx.caller.account_id} and queue_state is not null
          and credit_date <= ${last_day}) as credits,
       (select count(*)::int from recurring_series where account_id = ${cx.caller.account_id} and status = 'draft'
          and not is_discarded and start_date <= ${last_day}) as drafts,
       (select count(distinct r.line_id)::int from accruals a
          join accrual_rows r on r.account_id = ${cx.caller.account_id} and r.accrual_id = a.id and r.revision = a.revision
          where a.account_id = ${cx.caller.account_id} and a.month = ${month} and a.status = 'booked'
            and r.users like '%[null,%') as unassigned,
       (select count(*)::int from bank_lines where account_id = ${cx.caller.account_id} and state = 'open'
          and date <= ${last_day}) as bank_lines`);
  const { credits, drafts, unassigned, bank_lines } = row ?? NOTHING;
  const warnings: CloseWarning[] = [
    {
      code: "UNISSUED_OVERDUE",
      count: waiting.overdue,
      message: "Occurrences were due by the end of the month and have not been issued.",
    },
    {
      code: "FAILED_OCCURRENCES",
      count: waiting.failed,
      message: "Occurrences could not be issued.",
    },
    {
      code: "QUEUED_CREDIT_NOTES",
      count: credits,
      message: "Credit notes of cancellations have not been issued yet.",
    },
    {
      code: "DRAFT_SERIES_STARTED",
      count: drafts,
      message: "Series have started but are still drafts: they earn nothing.",
    },
    {
      code: "UNASSIGNED_REVENUE",
      count: unassigned + unassigned_ahead,
      message: "Lines earned unassigned revenue.",
    },
    {
      code: "BANK_LINES_OPEN",
      count: bank_lines,
      message: "Lines of the bank through the month are neither booked nor ignored.",
    },
  ];
  return warnings.filter((warning) => warning.count > 0);
}
