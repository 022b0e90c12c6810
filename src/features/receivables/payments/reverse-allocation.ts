/** Reverses one allocation (spec 13.2): both items have again what it took. */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import {
  entryOfAllocation,
  postedFrom,
  reversalOf,
} from "../../../domain/receivables/receivable-postings.ts";
import { requireAllocationReversible } from "../../../domain/receivables/reverse-payment.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";
import {
  bookEntries,
  type NewEntry,
  postedEntry,
  postingAccounts,
} from "../allocations/book-entries.ts";
import { type AllocationRow, findAllocations } from "../allocations/queries.ts";
import { reverseAllocations } from "../allocations/reverse-allocations.ts";
import { findItems, lockItems } from "../open-items/queries.ts";
import { restorePayments, shownAllocation } from "./allocate.ts";
import { AllocationReversal } from "./schemas.ts";

interface ReversalPlan {
  readonly row: AllocationRow;
  readonly date: CalendarDate;
  readonly reason: string;
  readonly entry: NewEntry;
  readonly functional_currency: string;
  readonly customer_id: string;
}

/**
 * Takes an id and the body of POST /allocations/{id}/reverse; returns the allocation. Throws NOT_FOUND, VALIDATION_FAILED,
 * ALLOCATION_REVERSED, PAYMENT_REFUNDED, ITEM_SETTLED, PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED, LEDGER_MOVING or
 * ACCOUNT_ROLE_MISSING.
 */
export const reverseAllocation = defineCommand({
  name: "reverse_allocation",
  access: "issue",
  input: z.object({ id: Uuid, ...AllocationReversal.shape }),

  async plan(tx, { id, reason, date: asked = null }): Promise<ReversalPlan> {
    const [known] = await findAllocations(tx, sql`a.id = ${id}`);
    if (known === undefined) throw notFound("allocation", id);
    const ids = [known.debit_id, known.credit_id];
    lockItems(tx, ids);
    holdConfiguration(tx);
    const [configuration, [row = known], items] = await Promise.all([
      getConfiguration(tx),
      findAllocations(tx, sql`a.id = ${id}`),
      findItems(tx, sql`i.id = any(${ids})`),
    ]);
    const [debit, credit] = [items.get(row.debit_id), items.get(row.credit_id)];
    if (debit === undefined || credit === undefined) throw new Error("an allocation has two items");
    const today = todayIn(tx.clock, configuration.time_zone);
    const facts = { asked, today, lock: configuration };
    const date = requireAllocationReversible(row, [debit, credit], facts);
    const accounts = postingAccounts(tx, configuration, {});
    const own = entryOfAllocation(postedFrom({ allocation: row, debit, credit }));
    const posted = postedEntry(reversalOf([own], date), accounts);
    const text = `Reversal: applied to ${debit.number}`;
    const { currency } = row;
    const reverses_guid = await guidOf(tx, row);
    const entry = {
      kind: "payment",
      guid: newId<string>(),
      text,
      currency,
      posted,
      reverses_guid,
    } as const;
    const { functional_currency } = configuration;
    return { row, date, reason, entry, functional_currency, customer_id: debit.customer_id };
  },

  async commit(tx, plan): Promise<JsonText> {
    const { row, date, reason, entry, functional_currency, customer_id } = plan;
    const before = await shownAllocation(tx, row.id, functional_currency);
    const booked = await bookEntries(tx, [entry]);
    const items = [row.debit_id, row.credit_id];
    await reverseAllocations(tx, [row.id], items, { date, reason, ended_id: null });
    const after = await shownAllocation(tx, row.id, functional_currency);
    tx.audit("allocation", row.id, "reversed", { before, after, reason, customer_id });
    const entry_no = booked.get(entry.guid)?.entry_no ?? null;
    await restorePayments(tx, [row.debit, row.credit], entry_no, "released", reason);
    return after;
  },
});

/** Returns the guid of the entry that an allocation is in; null where it posted nothing. */
async function guidOf(
  tx: Parameters<typeof findAllocations>[0],
  { entry_no }: AllocationRow,
): Promise<string | null> {
  if (entry_no === null) return null;
  const row = await tx.row<{ guid: string }>(sql`select guid from ledger_entries
    where account_id = ${tx.caller.account_id} and entry_no = ${entry_no}`);
  return row?.guid ?? null;
}
