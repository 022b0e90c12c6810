/** What a person has chosen for a bank line, as the line of a request of `POST /bank-lines/book`. Amounts are minor units. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../domain/base/money.ts";

/** `owed` leaves what is missing open; `fee` says that the bank kept it, or took it besides; `rounding` closes the items. */
export const MISSING = ["owed", "fee", "rounding"] as const;
export type Missing = (typeof MISSING)[number];

/** What a person has chosen: items in their order, and what a difference is. */
interface OtherDraft {
  readonly bank_line: string;
  /** What the bank moved, above 0; `is_in` tells the direction. */
  readonly moved: Money;
  readonly is_in: boolean;
  readonly line_currency: string;
  readonly customer: string;
  readonly currency: string;
  /** What the customer paid where the items are in another currency and a person has named it; null otherwise. */
  readonly named: number | null;
  readonly items: readonly {
    readonly id: string;
    readonly kind: "invoice" | "credit_note" | "payment" | "reminder" | "opening";
    readonly open: Money;
  }[];
  readonly missing: Missing;
}

/** Returns the difference between the items and the line, above 0 where the line is less; null in another currency. */
export function missingOf({
  moved,
  currency,
  line_currency,
  items,
}: Pick<OtherDraft, "moved" | "currency" | "line_currency" | "items">): Money | null {
  if (currency !== line_currency || items.length === 0) return null;
  return items.reduce((sum, { open }) => sum + open, 0n) - moved;
}

/** Returns the line of the request. */
export function bodyFrom(draft: OtherDraft) {
  const { bank_line, is_in, customer, currency, named, items, missing } = draft;
  const digits = currencyDigits(currency);
  const short = missingOf(draft) ?? 0n;
  const size = short < 0n ? -short : short;
  // A bank keeps a part of money in, and takes more than is refunded of money out.
  const has_fee = missing === "fee" && (is_in ? short > 0n : short < 0n);
  const is_rounded = missing === "rounding" && is_in && short !== 0n;
  const largest = items.toSorted((a, b) => (a.open < b.open ? 1 : a.open > b.open ? -1 : 0))[0];
  return {
    bank_line,
    payment: {
      ...{ customer, currency, amount: named },
      fee: has_fee ? scaledToNumber(size, digits) : 0,
      remainder: is_in && !is_rounded ? ("customer_credit" as const) : ("refuse" as const),
      allocations: items.map((item) => ({
        [item.kind]: item.id,
        rounding: is_rounded && item === largest ? scaledToNumber(short, digits) : 0,
      })),
    },
  };
}
