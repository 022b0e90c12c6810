/** Reopens the latest close without its accruals. The lock date returns, but not before an effective close's end. */
import * as z from "zod";
import { type CalendarDate, lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { lockAfterReopening } from "../../../domain/revenue/accrual-booking.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { findLockedClose } from "../../settings/configuration/queries.ts";
import { lockConfiguration, moveLockDate } from "../../settings/configuration/save.ts";
import { ReasonBody } from "../accruals/schemas.ts";
import { type CloseRow, lockClose, presentClose } from "./queries.ts";

interface ReopenClosePlan {
  readonly row: CloseRow;
  readonly period_lock_date: CalendarDate | null;
  readonly reason: string;
}

/** Reopens the latest closed month and returns its close. Throws PERIOD_NOT_CLOSED, LATER_PERIOD_CLOSED, PERIOD_LOCKED. */
export const reopenClose = defineCommand({
  name: "reopen_period",
  access: "issue",
  input: z.object({ month: z.custom<Month>(), body: ReasonBody }),

  async plan(tx, { month, body }): Promise<ReopenClosePlan> {
    const row = await lockClose(tx, month);
    if (row?.status !== "completed") throw new Problem("PERIOD_NOT_CLOSED");
    const later = await laterClose(tx, month);
    if (later !== null) throw new Problem("LATER_PERIOD_CLOSED", { details: { month: later } });
    const { own_lock_date } = await lockConfiguration(tx);
    await requireNotLeft(tx, month);
    return { row, period_lock_date: own_lock_date, reason: body.reason };
  },

  async commit(tx, { row, period_lock_date, reason }): Promise<JsonText> {
    const before = await presentClose(tx, row);
    tx.write(
      sql`update period_closes set status = 'reopened' where account_id = ${tx.caller.account_id} and month = ${row.month}`,
    );
    const after = await presentClose(tx, { ...row, status: "reopened" });
    // A lock date before the end of the month, which could once be set by hand, stays unchanged.
    const is_locked = period_lock_date !== null && period_lock_date >= lastDayOf(row.month);
    if (row.has_locked && is_locked) {
      // This close is reopened now, so it is no longer among the effective ones.
      const closed = await findLockedClose(tx);
      await moveLockDate(tx, lockAfterReopening(row.lock_date_before, closed));
    }
    tx.audit("period_close", row.month, "reopened", { before, after, reason });
    return after;
  },
});

/** Requires that the books of the month are still the account's: accruals in books that it has left are not changed any more. */
async function requireNotLeft(tx: Tx, month: Month): Promise<void> {
  const date = lastDayOf(month);
  const left = await tx.row<{ begins_on: CalendarDate }>(sql`select begins_on from ledger_moves
    where account_id = ${tx.caller.account_id} and state <> 'refused' and begins_on > ${date} order by id desc limit 1`);
  if (left === undefined) return;
  throw new Problem("PERIOD_LOCKED", {
    message: `The books have moved to another ledger, where they begin on ${left.begins_on}: earlier months stay closed.`,
    details: { date },
  });
}

/** Returns a later month that is closed, or being closed; null when there is none. */
export async function laterClose(cx: Reader, month: Month): Promise<Month | null> {
  const row = await cx.row<{ month: Month }>(sql`select month from period_closes
     where account_id = ${cx.caller.account_id} and month > ${month} and status in ('completed', 'running') order by month limit 1`);
  return row?.month ?? null;
}
