/**
 * What money out probably is (spec 13.5): credits of a customer that are given back, or a payment that came back. An exact suggestion is by
 * reference or numbers, of one customer, of just what is open or was paid, and no other choice is as good.
 */
import type { CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { invoiceNumbersIn, numbersIn, type PayersText, referencesIn } from "./named-documents.ts";
import {
  bestFirst,
  type confidences,
  type MatchedLine,
  type matchReasons,
  type Paid,
  paidBy,
  plainName,
} from "./suggest-match.ts";

type Confidence = (typeof confidences)[number];
type Reason = (typeof matchReasons)[number];

/** An outgoing line of a statement; `amount` is what left, above 0. */
export interface OutgoingLine extends MatchedLine {
  readonly date: CalendarDate;
  readonly bank_account_id: string;
}

/** A credit of a customer, with what is open of it in minor units of its currency. */
export interface OpenCredit {
  readonly id: string;
  readonly kind: "credit_note" | "payment" | "opening";
  readonly customer_id: string;
  readonly number: string;
  readonly date: CalendarDate;
  readonly currency: string;
  readonly open: Money;
  /** What the payment was recorded with; null without one. */
  readonly reference: string | null;
}

/** A payment that may come back: it stands, and no refund takes of it. */
export interface BookedPayment {
  readonly id: string;
  readonly customer_id: string;
  readonly number: string;
  readonly date: CalendarDate;
  readonly bank_account_id: string;
  /** What the bank moved, in the currency of outgoing lines that may take it back. */
  readonly bank_amount: Money;
  readonly currency: string;
  /** What the payer wrote on its line, and the reference with which it was recorded. */
  readonly written: readonly PayersText[];
  /** The account from which it came; empty where that is not known. */
  readonly counterparty_account: string;
}

/** The share of a credit that is given back, in minor units of its currency. */
interface GivenBack {
  readonly credit: OpenCredit;
  readonly amount: Money;
}

export interface OutgoingSuggestion {
  readonly confidence: Confidence;
  readonly reasons: readonly Reason[];
  readonly customer_id: string;
  /** Of the credits; all have one. */
  readonly currency: string;
  /** The credits that are given back; empty for a payment that came back. */
  readonly given: readonly GivenBack[];
  readonly returned: BookedPayment | null;
  /** What the line takes beyond what the payment brought; 0 for credits. */
  readonly fee: Money;
}

/** What suggestions know of an account. */
interface OutgoingFacts {
  readonly credits: readonly OpenCredit[];
  readonly payments: readonly BookedPayment[];
  /** The names of the customers by id. */
  readonly names: ReadonlyMap<string, string>;
  /** For each account of a counterparty the customer for whom alone it has paid so far. */
  readonly by_counterparty: ReadonlyMap<string, string>;
}

const MOST_SUGGESTIONS = 3;

/** What credits and payments have that lines may give or bring back: one of these amounts, numbers or references. */
interface SoughtOutgoing {
  /** In minor units, of whatever currency. */
  readonly amounts: readonly Money[];
  readonly numbers: readonly string[];
  /** In capitals without blanks. */
  readonly references: readonly string[];
}

/** Returns what to look for among the credits and payments of an account. */
export function soughtByOutgoing(lines: readonly OutgoingLine[]): SoughtOutgoing {
  return {
    amounts: [...new Set(lines.flatMap(paidBy).map(({ amount }) => amount))],
    numbers: [...new Set(lines.flatMap(numbersIn))],
    references: [...new Set(lines.flatMap(referencesOf))],
  };
}

/** Returns at most three suggestions, the best first. */
export function suggestOutgoing(line: OutgoingLine, facts: OutgoingFacts): OutgoingSuggestion[] {
  const found = [
    ...paidBy(line).flatMap((money) => refundsOf(line, money, facts)),
    ...facts.payments.flatMap((payment) => returnOf(line, payment, facts.names)),
  ];
  return withoutRivals(found).sort(bestFirst).slice(0, MOST_SUGGESTIONS);
}

function refundsOf(line: OutgoingLine, money: Paid, facts: OutgoingFacts): OutgoingSuggestion[] {
  const numbers = new Set(numbersIn(line));
  const references = new Set(referencesOf(line));
  const usable = facts.credits.filter(
    ({ currency, date }) => currency === money.currency && date <= line.date,
  );
  const isReferenced = ({ reference }: OpenCredit): boolean =>
    reference !== null && references.has(plainReference(reference));
  const isNamed = (credit: OpenCredit): boolean =>
    numbers.has(credit.number) || isReferenced(credit);
  const suggested = (confidence: Confidence, credits: readonly OpenCredit[]) => {
    const [{ customer_id = "" } = {}] = credits;
    const given = shared(credits, money.amount);
    const is_whole = sumOf(credits) === money.amount;
    const is_payer = facts.by_counterparty.get(line.counterparty_account) === customer_id;
    const reasons = reasonsOf([
      [credits.some(isReferenced), "reference"],
      [credits.some(({ number }) => numbers.has(number)), "number"],
      [is_payer, "counterparty"],
      [is_whole, "amount"],
      [isOfName(line, customer_id, facts.names), "name"],
    ]);
    const is_likely = confidence === "possible" && is_payer;
    return {
      confidence: is_likely ? ("likely" as const) : confidence,
      ...{ reasons, customer_id, currency: money.currency, given, returned: null, fee: 0n },
    };
  };
  const named = byCustomer(usable.filter(isNamed));
  const of_invoices = new Set(invoiceNumbersIn(line));
  const by_name = named.flatMap((own) => {
    if (sumOf(own) !== money.amount) {
      return own
        .filter(({ open }) => open >= money.amount)
        .map((credit) => suggested("likely", [credit]));
    }
    const is_unclear =
      named.length > 1 ||
      hasNamesakes(own) ||
      own.some((credit) => of_invoices.has(credit.number) && !isReferenced(credit));
    return [suggested(is_unclear ? "likely" : "exact", own)];
  });
  const by_amount = usable
    .filter((credit) => credit.open === money.amount && !isNamed(credit))
    .map((credit) => suggested("possible", [credit]));
  return [...by_name, ...by_amount];
}

/** Returns the suggestion that the line brings a payment back, with a charge of the bank where only a reference tells so. */
function returnOf(
  line: OutgoingLine,
  returned: BookedPayment,
  names: OutgoingFacts["names"],
): OutgoingSuggestion[] {
  const { customer_id, currency, counterparty_account: account } = returned;
  const fee = line.amount - returned.bank_amount;
  const of_line = referencesOf(line);
  const is_referenced = returned.written.flatMap(referencesOf).some((one) => of_line.includes(one));
  const has_accounts = account !== "" && line.counterparty_account !== "";
  const is_of_account = has_accounts && account === line.counterparty_account;
  const is_elsewhere = has_accounts && !is_of_account;
  if (currency !== line.currency || returned.bank_account_id !== line.bank_account_id) return [];
  if (returned.date > line.date || fee < 0n) return [];
  if (fee > 0n && (!is_referenced || is_elsewhere)) return [];
  const reasons = reasonsOf([
    [is_referenced, "reference"],
    [is_of_account, "counterparty"],
    [fee === 0n, "amount"],
    [isOfName(line, customer_id, names), "name"],
  ]);
  const is_likely = is_of_account || (is_referenced && !is_elsewhere);
  const is_exact = is_referenced && is_of_account && fee === 0n;
  const confidence = is_exact ? "exact" : is_likely ? "likely" : "possible";
  return [{ confidence, reasons, customer_id, currency, given: [], returned, fee }];
}

/** Of several choices that a reference or number names with their whole amount, none is exact. */
function withoutRivals(suggestions: readonly OutgoingSuggestion[]): OutgoingSuggestion[] {
  const isNamed = ({ confidence, reasons }: OutgoingSuggestion): boolean =>
    confidence !== "possible" &&
    reasons.includes("amount") &&
    (reasons.includes("reference") || reasons.includes("number"));
  const has_rivals = suggestions.filter(isNamed).length > 1;
  return suggestions.map((one) =>
    has_rivals && one.confidence === "exact" ? { ...one, confidence: "likely" } : one,
  );
}

/** Returns what identifies a transfer: its structured reference, its own id, and the payment references in its texts. */
function referencesOf(written: PayersText): string[] {
  const own = [written.reference, written.end_to_end_id].map(plainReference).filter(Boolean);
  return [...own, ...referencesIn(written)];
}

function plainReference(reference: string): string {
  return reference.replace(/\s/g, "").toUpperCase();
}

function shared(credits: readonly OpenCredit[], amount: Money): GivenBack[] {
  let left = amount;
  return credits.flatMap((credit) => {
    const share = credit.open < left ? credit.open : left;
    left -= share;
    return share > 0n ? [{ credit, amount: share }] : [];
  });
}

/** Two credits with one number, as a credit note and a payment: the number does not tell which is meant. */
function hasNamesakes(credits: readonly OpenCredit[]): boolean {
  return new Set(credits.map(({ number }) => number)).size < credits.length;
}

function byCustomer(credits: readonly OpenCredit[]): OpenCredit[][] {
  const customers = [...new Set(credits.map(({ customer_id }) => customer_id))];
  return customers.map((id) => credits.filter(({ customer_id }) => customer_id === id));
}

function isOfName(line: OutgoingLine, customer_id: string, names: OutgoingFacts["names"]): boolean {
  const named = plainName(line.counterparty_name);
  return named !== "" && plainName(names.get(customer_id) ?? "") === named;
}

function sumOf(credits: readonly OpenCredit[]): Money {
  return credits.reduce((sum, { open }) => sum + open, 0n);
}

function reasonsOf(held: readonly (readonly [holds: boolean, reason: Reason])[]): Reason[] {
  return held.flatMap(([holds, reason]) => (holds ? [reason] : []));
}
