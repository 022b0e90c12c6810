/** What one customer owes today, in functional currency. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { findOwedSources, isAnyKnown } from "../open-items/require-begun.ts";
import { findBalances, type OwedSums, sumOf } from "./find-balances.ts";

/**
 * Returns what a customer owes on the present day, of all currencies in minor units of the functional one; null where it is not known: until
 * receivables are begun, or until a connected ledger has reported what is paid.
 */
export async function findCustomerOwed(
  cx: Reader,
  customer_id: string,
  today: CalendarDate,
): Promise<OwedSums | null> {
  const sources = await findOwedSources(cx);
  if (!isAnyKnown(sources)) return null;
  const balances = await findBalances(cx, today, { sources, customer_ids: [customer_id] });
  return sumOf(balances.map(({ functional }) => functional));
}
