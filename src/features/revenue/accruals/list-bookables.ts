/** Names how each kind of document is booked in the ledger: for routes, pages, the command line and the background work. */
import type { AnyBookable, Bookables } from "../../ledger/booking/bookable.ts";
import { moveBookable } from "../../ledger/moves/bookable.ts";
import { findMoveOf } from "../../ledger/moves/queries.ts";
import { occurrenceBookable } from "../../recurring/occurrences/bookable.ts";
import { creditNoteBookable } from "../../sales/credit-notes/bookable.ts";
import { accrualBookable } from "./bookable.ts";

/** Defines how each kind of document is booked. */
export const bookables: Bookables = {
  invoice: occurrenceBookable,
  credit_note: creditNoteBookable,
  voucher: voucherBookable(),
};

/** A voucher is that of an accrual, or the one that opens the balances of new books: its facts say which. */
function voucherBookable(): AnyBookable {
  const of = (facts: object): AnyBookable => ("move" in facts ? moveBookable : accrualBookable);
  return {
    ...accrualBookable,
    async read(tx, guids) {
      const [guid] = guids;
      const move = guid === undefined ? undefined : await findMoveOf(tx, guid);
      return (move === undefined ? accrualBookable : moveBookable).read(tx, guids);
    },
    booked: (tx, outcomes) => of(outcomes[0]?.facts ?? {}).booked(tx, outcomes),
    async accepted(cx, guid) {
      const move = await findMoveOf(cx, guid);
      const { accepted } = (move === undefined ? accrualBookable : moveBookable) as AnyBookable;
      if (accepted === undefined) throw new Error("a voucher may be accepted before it is booked");
      return accepted(cx, guid);
    },
    refused: (tx, facts, reason) => of(facts).refused(tx, facts, reason),
  };
}
