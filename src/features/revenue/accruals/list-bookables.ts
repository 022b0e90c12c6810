/** Names how each kind of document is booked in the ledger: for routes, pages, the command line and the background work. */
import type { Bookables } from "../../ledger/booking/bookable.ts";
import { occurrenceBookable } from "../../recurring/occurrences/bookable.ts";
import { creditNoteBookable } from "../../sales/credit-notes/bookable.ts";
import { accrualBookable } from "./bookable.ts";

/** Defines how each kind of document is booked. */
export const bookables: Bookables = {
  invoice: occurrenceBookable,
  credit_note: creditNoteBookable,
  voucher: accrualBookable,
};
