/** Stores allocations with what they leave of their items. The caller has locked both items of each, and booked its entry. */
import type { Allocated } from "../../../domain/receivables/allocation.ts";
import type { OpenItem } from "../../../domain/receivables/open-item.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { updatedItems } from "../open-items/queries.ts";

/** An allocation that is to be stored, with both items after it. */
export interface NewAllocation extends Omit<Allocated, "state"> {
  readonly id: string;
  readonly external_id: string | null;
  /** The journal entry that it is in; null where nothing is posted. */
  readonly entry_no: bigint | null;
  readonly request_hash: Buffer | null;
}

/**
 * Stores allocations in the order in which they were made: the last state of each item is the one that stands. `stored` are new items
 * that are stored as the allocations leave them.
 */
export function storeAllocations(
  tx: Tx,
  made: readonly NewAllocation[],
  stored: ReadonlySet<string> = new Set(),
): void {
  if (made.length === 0) return;
  const { account_id } = tx.caller;
  const { columns, table } = tableOf(made, {
    id: ["uuid", ({ id }) => id],
    external_id: ["text", ({ external_id }) => external_id],
    debit_id: ["uuid", ({ debit }) => debit.id],
    credit_id: ["uuid", ({ credit }) => credit.id],
    currency: ["text", ({ debit }) => debit.currency],
    amount: ["bigint", ({ allocation }) => allocation.amount],
    rounding: ["bigint", ({ allocation }) => allocation.rounding],
    debit_functional: ["bigint", ({ allocation }) => allocation.debit_functional],
    credit_functional: ["bigint", ({ allocation }) => allocation.credit_functional],
    rounding_functional: ["bigint", ({ allocation }) => allocation.rounding_functional],
    exchange_difference: ["bigint", ({ allocation }) => allocation.exchange_difference],
    date: ["date", ({ allocation }) => allocation.date],
    entry_no: ["bigint", ({ entry_no }) => entry_no],
    request_hash: ["bytea", ({ request_hash }) => request_hash],
  });
  const last = new Map<string, OpenItem>();
  for (const item of made.flatMap(({ debit, credit }) => [debit, credit])) {
    if (!stored.has(item.id)) last.set(item.id, item);
  }
  tx.write(sql`with made as (insert into allocations (account_id, created_at, updated_at, ${columns})
      select ${account_id}, ${tx.clock.now()}, stamp(${account_id}), a.* from ${table} as a)
    ${updatedItems(tx, [...last.values()])}`);
}
