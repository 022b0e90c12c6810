/** Cancels a reminder (spec 13.7): from a day on it counts for nothing, and one entry reverses what it charged. */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { requireRecordable } from "../../../domain/receivables/record-payment.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { lockRow, stampedAnew } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import {
  bookEntries,
  type NewEntry,
  turnedPostings,
} from "../../receivables/allocations/book-entries.ts";
import { findItems, lockItems, updatedItems } from "../../receivables/open-items/queries.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";
import { getReminder, presentReminder, type Reminder } from "./queries.ts";
import { ReminderCancel } from "./schemas.ts";

interface CancelPlan {
  readonly reminder: Reminder;
  readonly date: CalendarDate;
  readonly reason: string;
  /** What it charged and the entry that reverses it; null for a reminder that charges nothing. */
  readonly charged: { readonly item: NumberedItem; readonly entry: NewEntry } | null;
}

/**
 * Takes an id and the body of POST /reminders/{id}/cancel; returns the reminder. Throws NOT_FOUND, VALIDATION_FAILED for a day before
 * the reminder, REMINDER_CANCELLED, REMINDER_PAID, PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED and LEDGER_MOVING. What it charged is
 * reversed in the built-in ledger, also after the books have moved.
 */
export const cancelReminder = defineCommand({
  name: "cancel_reminder",
  access: "issue",
  input: z.object({ id: Uuid, ...ReminderCancel.shape }),

  async plan(tx, { id, reason, date: asked }): Promise<CancelPlan> {
    lockRow(tx, "reminders", id);
    lockItems(tx, [id]);
    holdConfiguration(tx);
    const [reminder, configuration, items] = await Promise.all([
      getReminder(tx, id),
      getConfiguration(tx),
      findItems(tx, sql`i.id = ${id}`),
    ]);
    const item = items.get(id);
    const today = todayIn(tx.clock, configuration.time_zone);
    const date = asked ?? today;
    const earliest = earliestOf(reminder, item);
    if (date < earliest) {
      throw invalidField("date", "too_small", `The earliest day is ${earliest}.`);
    }
    if (reminder.row.cancelled_on !== null) throw new Problem("REMINDER_CANCELLED");
    if (item?.takes.some(({ reversed_on }) => reversed_on === null)) {
      throw new Problem("REMINDER_PAID");
    }
    const lock = item === undefined ? { period_lock_date: null } : configuration;
    requireRecordable(date, { today, lock });
    if (item === undefined) return { reminder, date, reason, charged: null };
    const entry: NewEntry = {
      kind: "reminder",
      guid: newId(),
      text: `Cancellation of reminder ${item.number}`,
      currency: item.currency,
      posted: { date, postings: await turnedPostings(tx, id) },
      reverses_guid: id,
    };
    return { reminder, date, reason, charged: { item, entry } };
  },

  async commit(tx, { reminder, date, reason, charged }): Promise<JsonText> {
    const { account_id } = tx.caller;
    const { row } = reminder;
    const before = presentReminder(reminder);
    if (charged !== null) {
      await bookEntries(tx, [charged.entry]);
      tx.write(updatedItems(tx, [{ ...charged.item, ended_on: date }]));
    }
    const cancelled = { ...row, cancelled_on: date, cancel_reason: reason };
    const after = presentReminder({ ...reminder, row: cancelled });
    tx.write(sql`update reminders set cancelled_on = ${date}, cancel_reason = ${reason}, document = ${after},
        updated_at = ${stampedAnew(account_id)}
      where account_id = ${account_id} and id = ${row.id}`);
    tx.audit("reminder", row.id, "cancelled", { before, after, reason });
    return after;
  },
});

/** Returns the first day on which a reminder may be cancelled: its own, or the last on which an allocation of it ended. */
function earliestOf({ snapshot }: Reminder, item: NumberedItem | undefined): CalendarDate {
  const ends = (item?.takes ?? []).flatMap(({ reversed_on }) => reversed_on ?? []);
  return [snapshot.issue_date, ...ends].reduce((last, day) => (day > last ? day : last));
}
