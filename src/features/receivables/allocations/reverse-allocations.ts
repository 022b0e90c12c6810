/** Reverses allocations: their items have again what they took, from the day of the reversal (spec 13.2, rule 5). */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { OpenItem } from "../../../domain/receivables/open-item.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { findItems, updatedItems } from "../open-items/queries.ts";

interface Reversal {
  readonly date: CalendarDate;
  readonly reason: string;
  /** An item that ends on the day, such as a reversed payment; null when none does. */
  readonly ended_id: string | null;
}

/** Stores the reversal of allocations, and what their items then have. The items are locked; follows all other locks. */
export async function reverseAllocations(
  tx: Tx,
  ids: readonly string[],
  item_ids: readonly string[],
  { date, reason, ended_id }: Reversal,
): Promise<void> {
  const { account_id } = tx.caller;
  tx.write(sql`update allocations set reversed_on = ${date}, reversal_reason = ${reason}, updated_at = ${stampedAnew(account_id)}
    where account_id = ${account_id} and id = any(${ids})`);
  const items = await findItems(tx, sql`i.id = any(${item_ids})`);
  const after = [...items.values()].map(
    (item): OpenItem => (item.id === ended_id ? { ...item, ended_on: date } : item),
  );
  tx.write(updatedItems(tx, after));
}
