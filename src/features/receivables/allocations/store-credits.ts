/** Matches credit notes with their own invoices when they are booked (spec 13.2, rule 5). */
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { matchOwnCredit } from "../../../domain/receivables/match-own-credit.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { storeItems } from "../open-items/queries.ts";
import { type NewAllocation, storeAllocations } from "./store-allocations.ts";

/** A booked credit note with the item of its invoice, which is locked; null where the invoice has none. */
interface OwnCredit {
  readonly credit: NumberedItem;
  readonly invoice: NumberedItem | null;
}

/** Stores the items of credit notes, and their matches with their invoices in the order given. */
export function storeCredits(tx: Tx, credits: readonly OwnCredit[]): void {
  storeItems(
    tx,
    credits.map(({ credit }) => credit),
  );
  const invoices = new Map<string, NumberedItem["takes"]>();
  const made: NewAllocation[] = [];
  for (const { credit, invoice } of credits) {
    if (invoice === null) continue;
    const takes = invoices.get(invoice.id) ?? invoice.takes;
    const match = matchOwnCredit({ ...invoice, takes }, credit);
    if (match === null) continue;
    invoices.set(invoice.id, match.debit.takes);
    const { allocation, debit, credit: after } = match;
    const own = { id: newId<string>(), external_id: null, entry_no: null, request_hash: null };
    made.push({ ...own, allocation, debit, credit: after });
  }
  storeAllocations(tx, made);
}
