/**
 * What money out probably is (spec 13.5): a credit that is given back, or a payment that came back. It is never exact: a person decides
 * about money that leaves.
 */
import type { Money } from "../base/money.ts";
import { numbersIn, type PayersText } from "./named-documents.ts";
import { type matchReasons, plainName } from "./suggest-match.ts";

/** An outgoing line of a statement. */
export interface OutgoingLine extends PayersText {
  /** What left, above 0, in minor units. */
  readonly moved: Money;
  readonly currency: string;
  readonly counterparty_name: string;
  /** Empty where the bank does not tell it. */
  readonly counterparty_account: string;
}

/** A credit of a customer, with what is open of it. */
export interface OpenCredit {
  readonly id: string;
  readonly kind: "credit_note" | "payment" | "opening";
  readonly customer_id: string;
  readonly number: string;
  readonly currency: string;
  readonly open: Money;
}

/** A payment that may come back. */
export interface BookedPayment {
  readonly id: string;
  readonly customer_id: string;
  readonly number: string;
  /** What the bank moved, in the currency of outgoing lines that may take it back. */
  readonly bank_amount: Money;
  readonly currency: string;
  /** The account from which it came; empty where that is not known. */
  readonly counterparty_account: string;
}

export interface OutgoingSuggestion {
  readonly confidence: "likely" | "possible";
  readonly reasons: readonly (typeof matchReasons)[number][];
  readonly customer_id: string;
  /** The credit that is given back; null for a payment that came back. */
  readonly credit: OpenCredit | null;
  readonly returned: BookedPayment | null;
}

const MOST_SUGGESTIONS = 3;

/** Returns at most three suggestions, the best first. `names` has the names of the customers by id. */
export function suggestOutgoing(
  line: OutgoingLine,
  credits: readonly OpenCredit[],
  payments: readonly BookedPayment[],
  names: ReadonlyMap<string, string>,
): OutgoingSuggestion[] {
  const numbers = new Set(numbersIn(line));
  const named = plainName(line.counterparty_name);
  const isNamed = (customer_id: string): boolean =>
    named !== "" && plainName(names.get(customer_id) ?? "") === named;
  const suggestions: OutgoingSuggestion[] = [];
  for (const credit of credits) {
    const is_numbered = numbers.has(credit.number);
    const is_whole = credit.open === line.moved;
    if (credit.currency !== line.currency || credit.open < line.moved) continue;
    if (!is_whole && !is_numbered) continue;
    const { customer_id } = credit;
    const reasons = reasonsOf([
      [is_numbered, "number"],
      [is_whole, "amount"],
      [isNamed(customer_id), "name"],
    ]);
    const confidence = is_numbered ? "likely" : "possible";
    suggestions.push({ confidence, reasons, customer_id, credit, returned: null });
  }
  for (const returned of payments) {
    if (returned.currency !== line.currency || returned.bank_amount !== line.moved) continue;
    const { customer_id, counterparty_account } = returned;
    const is_of_account =
      counterparty_account !== "" && counterparty_account === line.counterparty_account;
    const reasons = reasonsOf([
      [is_of_account, "counterparty"],
      [true, "amount"],
      [isNamed(customer_id), "name"],
    ]);
    const confidence = is_of_account ? "likely" : "possible";
    suggestions.push({ confidence, reasons, customer_id, credit: null, returned });
  }
  return suggestions.sort(bestFirst).slice(0, MOST_SUGGESTIONS);
}

type Reason = (typeof matchReasons)[number];

function reasonsOf(held: readonly (readonly [holds: boolean, reason: Reason])[]): Reason[] {
  return held.flatMap(([holds, reason]) => (holds ? [reason] : []));
}

function bestFirst(a: OutgoingSuggestion, b: OutgoingSuggestion): number {
  const rank = ({ confidence, reasons }: OutgoingSuggestion): number =>
    (confidence === "likely" ? 0 : 10) - reasons.length;
  return rank(a) - rank(b);
}
