/** Reverses an opening item to which nothing is applied (spec 13.4). */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { invalidField, notFound, Problem } from "../../../domain/base/problem.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { requireRecordable } from "../../../domain/receivables/record-payment.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { columnOfRef } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";
import { bookEntries, type NewEntry, turnedPostings } from "../allocations/book-entries.ts";
import { findItems, lockItems, updatedItems } from "../open-items/queries.ts";
import { shownItem } from "./create.ts";
import { OpeningItemReversal } from "./schemas.ts";

interface ReversalPlan {
  readonly item: NumberedItem;
  readonly date: CalendarDate;
  readonly reason: string;
  readonly entry: NewEntry;
}

/**
 * Takes a reference and the body of POST /opening-items/{ref}/reverse; returns the item. Throws NOT_FOUND, VALIDATION_FAILED for a
 * day before the item, ITEM_REVERSED, ITEM_APPLIED, PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED or LEDGER_MOVING.
 */
export const reverseOpeningItem = defineCommand({
  name: "reverse_opening_item",
  access: "issue",
  input: z.object({ ref: Ref, ...OpeningItemReversal.shape }),

  async plan(tx, { ref, reason, date: asked }): Promise<ReversalPlan> {
    const [column, value] = columnOfRef(ref);
    const found = await tx.row<{ id: string }>(sql`select id from open_items
      where account_id = ${tx.caller.account_id} and kind = 'opening' and ${raw(column)} = ${value}`);
    if (found === undefined) throw notFound("opening_item", ref);
    lockItems(tx, [found.id]);
    holdConfiguration(tx);
    const [configuration, items] = await Promise.all([
      getConfiguration(tx),
      findItems(tx, sql`i.id = ${found.id}`),
    ]);
    const item = items.get(found.id);
    if (item === undefined) throw notFound("opening_item", ref);
    if (item.ended_on !== null) throw new Problem("ITEM_REVERSED");
    if (item.takes.some(({ reversed_on }) => reversed_on === null))
      throw new Problem("ITEM_APPLIED");
    const today = todayIn(tx.clock, configuration.time_zone);
    const date = asked ?? today;
    const earliest = item.takes.reduce(
      (last, { reversed_on }) => (reversed_on !== null && reversed_on > last ? reversed_on : last),
      item.date,
    );
    if (date < earliest) {
      throw invalidField("date", "too_small", `The earliest day is ${earliest}.`);
    }
    requireRecordable(date, { today, lock: configuration });
    const entry: NewEntry = {
      kind: "opening",
      guid: newId(),
      text: `Reversal of opening item ${item.number}`,
      currency: item.currency,
      posted: { date, postings: await turnedPostings(tx, item.id) },
      reverses_guid: item.id,
    };
    return { item, date, reason, entry };
  },

  async commit(tx, { item, date, reason, entry }): Promise<JsonText> {
    const before = await shownItem(tx, item.id);
    await bookEntries(tx, [entry]);
    tx.write(updatedItems(tx, [{ ...item, ended_on: date }]));
    const after = await shownItem(tx, item.id);
    tx.audit("opening_item", item.id, "reversed", { before, after, reason });
    return after;
  },
});
