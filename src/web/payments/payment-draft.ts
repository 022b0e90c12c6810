/**
 * The form of a payment as a request of `POST /payments`: what it pays, which credit notes are applied first, and what a difference
 * between the amount and what is owed is.
 * Pure; amounts are minor units of the payment's currency.
 */
import { currencyDigits } from "../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../domain/base/money.ts";

/** An item that a payment pays, and what is open of it. */
export interface PaidItem {
  readonly id: string;
  readonly kind: "invoice" | "opening" | "reminder";
  readonly open: Money;
}

/** A credit note, and what is open of it. */
type CreditLeft = Pick<PaidItem, "id" | "open">;

/** A part of the request: the item that is paid, with the credit note that is applied to it or with a rounding. */
interface Part {
  readonly [field: string]: string | number;
}

/** What is left to pay after credit notes. */
interface CreditedItems {
  /** The parts of the request that apply the credit notes. */
  readonly parts: readonly Part[];
  /** The items that the payment itself pays, with what is open of them then. */
  readonly items: readonly PaidItem[];
}

/** `owed` and `credit` leave the difference with the customer; `rounding` and `fee` close the items. */
export type Difference = "none" | "owed" | "rounding" | "fee" | "credit";

/** The amount that came, and the items that it pays in their order. */
export interface PaymentDraft {
  readonly currency: string;
  readonly amount: Money;
  readonly items: readonly PaidItem[];
  /** The parts of the request that apply credit notes before. */
  readonly credit_parts: readonly Part[];
  readonly is_foreign: boolean;
  /** The largest difference that may be rounded away. */
  readonly rounding_limit: Money;
}

/** What a difference makes of the request. */
interface DifferenceFields {
  readonly amount: number;
  readonly fee?: number;
  readonly remainder: "refuse" | "customer_credit";
  readonly allocations: readonly Part[];
}

export function totalOf(items: readonly Pick<PaidItem, "open">[]): Money {
  return items.reduce((sum, { open }) => sum + open, 0n);
}

/** Applies credit notes to items, both in the order given: each takes as much as it can of the first items that have room. */
export function applyCredits(
  items: readonly PaidItem[],
  credits: readonly CreditLeft[],
): CreditedItems {
  const left = credits.map((credit) => ({ ...credit }));
  const parts: Part[] = [];
  const owed = items.map((item) => {
    let { open } = item;
    for (const credit of left) {
      const taken = credit.open < open ? credit.open : open;
      if (taken === 0n) continue;
      parts.push({ [item.kind]: item.id, credit_note: credit.id });
      credit.open -= taken;
      open -= taken;
    }
    return { ...item, open };
  });
  return { parts, items: owed.filter(({ open }) => open > 0n) };
}

/** Returns what the difference may be, the usual one first; `none` where there is no difference. */
export function differencesOf(draft: PaymentDraft): readonly Difference[] {
  const { amount, items, is_foreign, rounding_limit } = draft;
  const missing = totalOf(items) - amount;
  if (missing === 0n) return ["none"];
  const size = missing < 0n ? -missing : missing;
  const is_small = items.length > 0 && size <= rounding_limit;
  const rounding: readonly Difference[] = is_small ? ["rounding"] : [];
  if (missing < 0n) return ["credit", ...rounding];
  // What a bank keeps of a foreign payment is known in the currency of the books only.
  return ["owed", ...rounding, ...(is_foreign ? [] : (["fee"] as const))];
}

/** Returns the fields of the request for one of `differencesOf`. */
export function differenceFields(draft: PaymentDraft, difference: Difference): DifferenceFields {
  const { currency, amount, items, credit_parts } = draft;
  const shown = (money: Money): number => scaledToNumber(money, currencyDigits(currency));
  const missing = totalOf(items) - amount;
  // The largest item has room for the rounding.
  const rounded = difference === "rounding" ? largestOf(items) : undefined;
  const own = items.map((item) => ({
    [item.kind]: item.id,
    ...(item === rounded && { rounding: shown(missing) }),
  }));
  const allocations = [...credit_parts, ...own];
  const remainder = difference === "credit" ? "customer_credit" : "refuse";
  if (difference !== "fee") return { amount: shown(amount), remainder, allocations };
  return { amount: shown(amount + missing), fee: shown(missing), remainder, allocations };
}

function largestOf(items: readonly PaidItem[]): PaidItem | undefined {
  const [largest] = items.toSorted((a, b) => (a.open < b.open ? 1 : a.open > b.open ? -1 : 0));
  return largest;
}
