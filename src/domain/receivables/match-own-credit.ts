/** The match of a credit note with its own invoice (spec 13.2, rule 5). */
import { type Allocated, allocateItems } from "./allocation.ts";
import { type OpenItem, openAtLast } from "./open-item.ts";

/**
 * Returns the match of a new credit note with its invoice, up to what is open of the invoice; null when nothing is. What exceeds it
 * stays open as a credit.
 */
export function matchOwnCredit(invoice: OpenItem, credit: OpenItem): Allocated | null {
  const { open } = openAtLast(invoice);
  const amount = open < credit.amount ? open : credit.amount;
  if (amount === 0n) return null;
  const asked = { debit: invoice, credit, amount, rounding: 0n, date: null, is_own_credit: true };
  const found = allocateItems(asked);
  if (found.state === "no_room") throw new Error("an open amount has room on its last day");
  return found;
}
