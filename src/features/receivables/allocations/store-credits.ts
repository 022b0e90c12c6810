/** Matches credit notes with their own invoices when they are booked (spec 13.2, rule 4). Each match has an audit event of its own. */
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { matchOwnCredit } from "../../../domain/receivables/match-own-credit.ts";
import { entryOfAllocation, postedFrom } from "../../../domain/receivables/receivable-postings.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { storeItems } from "../open-items/queries.ts";
import { bookEntries, type NewEntry, postedEntry, postingAccounts } from "./book-entries.ts";
import { allocationRow, auditAllocation } from "./queries.ts";
import { type NewAllocation, storeAllocations } from "./store-allocations.ts";

/** A booked credit note with the item of its invoice, which is locked; null where the invoice has none. */
interface OwnCredit {
  readonly credit: NumberedItem;
  readonly invoice: NumberedItem | null;
  /** That of the books. */
  readonly functional_currency: string;
}

/**
 * Stores the items of credit notes, and their matches with their invoices in the order given. Throws ACCOUNT_ROLE_MISSING where a
 * match has an exchange difference and its role has no account.
 */
export async function storeCredits(tx: Tx, credits: readonly OwnCredit[]): Promise<void> {
  const matches = matchesOf(credits);
  const booked = await bookDifferences(tx, matches, credits);
  storeItems(
    tx,
    credits.map(({ credit }) => credit),
  );
  const made = matches.map((one) => ({ ...one, entry_no: booked.get(one.id)?.entry_no ?? null }));
  storeAllocations(tx, made);
  const known = new Map(credits.map((one) => [one.credit.id, one]));
  for (const one of made) {
    const own = known.get(one.credit.id);
    if (own?.invoice == null) throw new Error("a match has no credit note");
    const row = allocationRow(one, own.invoice, own.credit);
    auditAllocation(tx, row, own.functional_currency, own.invoice.customer_id);
  }
}

function matchesOf(credits: readonly OwnCredit[]): NewAllocation[] {
  const invoices = new Map<string, NumberedItem["takes"]>();
  return credits.flatMap(({ credit, invoice }) => {
    if (invoice === null) return [];
    const takes = invoices.get(invoice.id) ?? invoice.takes;
    const match = matchOwnCredit({ ...invoice, takes }, credit);
    if (match === null) return [];
    invoices.set(invoice.id, match.debit.takes);
    const { allocation, debit, credit: after } = match;
    const own = { id: newId<string>(), external_id: null, entry_no: null, request_hash: null };
    return [{ ...own, allocation, debit, credit: after }];
  });
}

/** Books what is left of foreign invoices when a credit note closes them: usually nothing. */
async function bookDifferences(
  tx: Tx,
  matches: readonly NewAllocation[],
  credits: readonly OwnCredit[],
): ReturnType<typeof bookEntries> {
  const differing = matches.filter(({ allocation }) => allocation.exchange_difference !== 0n);
  if (differing.length === 0) return new Map();
  const accounts = postingAccounts(tx, await getConfiguration(tx), {});
  const numbers = new Map(credits.map(({ invoice }) => [invoice?.id, invoice?.number]));
  const entries = differing.map(
    (match): NewEntry => ({
      kind: "payment",
      guid: match.id,
      text: `Exchange difference of ${numbers.get(match.debit.id)}`,
      currency: match.debit.currency,
      posted: postedEntry(entryOfAllocation(postedFrom(match)), accounts),
      reverses_guid: null,
    }),
  );
  return bookEntries(tx, entries);
}
