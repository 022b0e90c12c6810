/**
 * What a bank line probably is (spec 13.5): which open items an incoming amount pays. An exact suggestion is by reference or numbers, of
 * one customer, of just what is open, and no other choice is as good. Nothing is booked by it.
 */
import type { Money } from "../base/money.ts";
import { numbersIn, type PayersText, referencesIn } from "./named-documents.ts";
import { numbersOfReference } from "./payment-codes.ts";

export const confidences = ["exact", "likely", "possible"] as const;
type Confidence = (typeof confidences)[number];

export const matchReasons = ["reference", "number", "counterparty", "amount", "name"] as const;
type MatchReason = (typeof matchReasons)[number];

/** An item with something open, as suggestions know it. */
export interface MatchedItem {
  readonly id: string;
  readonly customer_id: string;
  readonly is_credit: boolean;
  readonly currency: string;
  /** The number that is printed; null for an item without one. */
  readonly number: string | null;
  /** Its payment references, as documents print them. */
  readonly references: readonly string[];
  /** Above 0, in minor units of its currency. */
  readonly open: Money;
  /** Its due date, or its date where it has none: earlier items are paid first. */
  readonly due: string;
}

/** An incoming line of a statement. */
export interface MatchedLine extends PayersText {
  /** Above 0, in minor units. */
  readonly amount: Money;
  readonly currency: string;
  /** The amount in the payer's currency, where the bank tells it. */
  readonly instructed: { readonly amount: Money; readonly currency: string } | null;
  readonly counterparty_name: string;
  /** Empty where the bank does not tell it. */
  readonly counterparty_account: string;
}

/** The share of one item. */
interface MatchedShare {
  readonly item_id: string;
  readonly is_credit: boolean;
  readonly amount: Money;
}

export interface Suggestion {
  readonly confidence: Confidence;
  readonly reasons: readonly MatchReason[];
  readonly customer_id: string;
  readonly currency: string;
  /** In minor units of the currency: what the customer paid. */
  readonly amount: Money;
  readonly shares: readonly MatchedShare[];
}

const MOST_SUGGESTIONS = 3;
/** The highest number of items that an amount alone brings together. */
const MOST_TOGETHER = 5;
/** The oldest items among which combinations are looked for. */
const MOST_COMBINED = 14;

/** The open items of an account, made ready for many lines. */
export interface MatchIndex {
  readonly by_reference: ReadonlyMap<string, readonly MatchedItem[]>;
  readonly by_number: ReadonlyMap<string, readonly MatchedItem[]>;
  readonly by_amount: ReadonlyMap<string, readonly MatchedItem[]>;
  /** The debit items of a customer by currency and amount. */
  readonly by_own_amount: ReadonlyMap<string, readonly MatchedItem[]>;
  /** The debit items of each customer and currency, the earliest first. */
  readonly by_customer: ReadonlyMap<string, readonly MatchedItem[]>;
  readonly by_name: ReadonlyMap<string, readonly string[]>;
  readonly by_counterparty: ReadonlyMap<string, string>;
}

/**
 * Makes an index. Arguments: the open items, the customers by their plain names (`customersByName`), and for each account of a
 * counterparty the customer for whom alone it has paid so far.
 */
export function indexOf(
  items: readonly MatchedItem[],
  by_name: MatchIndex["by_name"],
  by_counterparty: ReadonlyMap<string, string>,
): MatchIndex {
  const debits = items.filter(({ is_credit }) => !is_credit);
  const by_customer = grouped(debits, (item) => [keyOf(item)]);
  for (const list of by_customer.values()) list.sort(earliestFirst);
  return {
    by_reference: grouped(items, ({ references }) => references),
    by_number: grouped(items, ({ number }) => (number === null ? [] : [number])),
    by_amount: grouped(debits, ({ open, currency }) => [`${open} ${currency}`]),
    by_own_amount: grouped(debits, (item) => [`${item.open} ${keyOf(item)}`]),
    by_customer,
    by_name,
    by_counterparty,
  };
}

/** What the items that lines may pay have: one of these numbers, amounts or customers. */
interface SoughtItems {
  readonly numbers: readonly string[];
  /** In minor units, of whatever currency. */
  readonly amounts: readonly Money[];
  readonly customer_ids: readonly string[];
}

/**
 * Returns what to look for among the open items, so that those that are found suggest the same as all would. Arguments: the lines, and as of
 * `indexOf` the customers by their names and by the accounts of counterparties.
 */
export function soughtBy(
  lines: readonly MatchedLine[],
  by_name: MatchIndex["by_name"],
  by_counterparty: ReadonlyMap<string, string>,
): SoughtItems {
  const numbers = lines.flatMap((line) => [
    ...numbersIn(line),
    ...referencesIn(line).flatMap(numbersOfReference),
  ]);
  const customer_ids = lines.flatMap((line) => [
    ...[by_counterparty.get(line.counterparty_account) ?? []].flat(),
    ...customersNamed(line, by_name),
  ]);
  return {
    numbers: [...new Set(numbers)],
    amounts: [...new Set(lines.flatMap(paidBy).map(({ amount }) => amount))],
    customer_ids: [...new Set(customer_ids)],
  };
}

/** Returns at most three suggestions for a line, the best first. */
export function suggestionsFor(line: MatchedLine, index: MatchIndex): Suggestion[] {
  // One more than is suggested shows as well that none stands out.
  return allSuggestions(line, index, MOST_SUGGESTIONS + 1).slice(0, MOST_SUGGESTIONS);
}

/** Returns the customers to whom a line may belong: that of its best suggestion, and those of others that are as good. */
export function likelyPayers(line: MatchedLine, index: MatchIndex): Set<string> {
  const all = allSuggestions(line, index, Number.POSITIVE_INFINITY);
  const [best] = all;
  const alike = best === undefined ? [] : all.filter((one) => bestFirst(best, one) === 0);
  return new Set(alike.map(({ customer_id }) => customer_id));
}

function allSuggestions(line: MatchedLine, index: MatchIndex, most_alike: number): Suggestion[] {
  const paid = paidBy(line);
  const named = paid.flatMap((money) => byDocuments(line, money, index));
  const fitting = paid.flatMap((money) => [
    ...byCounterparty(line, money, index),
    ...byAmount(line, money, index, most_alike),
    ...byName(line, money, index),
  ]);
  return withoutTies(distinct([...named, ...fitting].sort(bestFirst)));
}

/** What a line moved, in one currency. */
export interface Paid {
  readonly amount: Money;
  readonly currency: string;
}

/** Returns what a line moved, and what was instructed where that is in another currency: foreign items are compared with it. */
export function paidBy({ amount, currency, instructed }: MatchedLine): Paid[] {
  const own = { amount, currency };
  return instructed === null || instructed.currency === currency ? [own] : [own, instructed];
}

function byDocuments(line: MatchedLine, paid: Paid, index: MatchIndex): Suggestion[] {
  const referenced = found(referencesIn(line), index.by_reference, paid.currency);
  const numbered = found(numbersIn(line), index.by_number, paid.currency);
  const items = [...new Set([...referenced, ...numbered])].sort(earliestFirst);
  const customers = [...grouped(items, ({ customer_id }) => [customer_id]).values()];
  return customers.flatMap((own) => {
    const debits = own.filter(({ is_credit }) => !is_credit);
    if (debits.length === 0) return [];
    const reasons = reasonsOf(own, referenced, numbered);
    const is_whole = sumOf(own) === paid.amount;
    const has_rivals = customers.length > 1 || hasNamesakes(own);
    const confidence = is_whole && !has_rivals ? "exact" : "likely";
    if (is_whole) return [suggestion(paid, confidence, [...reasons, "amount"], own)];
    const part = combination(own, paid.amount);
    return part === null
      ? [suggestion(paid, "likely", reasons, own)]
      : [suggestion(paid, "likely", [...reasons, "amount"], part)];
  });
}

/** Two documents with one number, as those of two years, or an invoice and a credit note: the number does not tell which is meant. */
function hasNamesakes(items: readonly MatchedItem[]): boolean {
  const numbers = items.flatMap(({ number }) => (number === null ? [] : [number]));
  return new Set(numbers).size < numbers.length;
}

function reasonsOf(
  items: readonly MatchedItem[],
  referenced: ReadonlySet<MatchedItem>,
  numbered: ReadonlySet<MatchedItem>,
): MatchReason[] {
  const reasons: MatchReason[] = [];
  if (items.some((item) => referenced.has(item))) reasons.push("reference");
  if (items.some((item) => numbered.has(item))) reasons.push("number");
  return reasons;
}

function byCounterparty(line: MatchedLine, paid: Paid, index: MatchIndex): Suggestion[] {
  const customer_id = index.by_counterparty.get(line.counterparty_account);
  if (customer_id === undefined) return [];
  const items = index.by_customer.get(keyOf({ customer_id, currency: paid.currency })) ?? [];
  const fitting = combination(items, paid.amount);
  return fitting === null ? [] : [suggestion(paid, "likely", ["counterparty", "amount"], fitting)];
}

function byAmount(
  line: MatchedLine,
  paid: Paid,
  index: MatchIndex,
  most_alike: number,
): Suggestion[] {
  const all = index.by_amount.get(`${paid.amount} ${paid.currency}`) ?? [];
  const items = all.slice(0, most_alike);
  const named = new Set(customersNamed(line, index.by_name));
  return items.map(
    (item): Suggestion =>
      suggestion(paid, "possible", named.has(item.customer_id) ? ["amount", "name"] : ["amount"], [
        item,
      ]),
  );
}

function byName(line: MatchedLine, paid: Paid, index: MatchIndex): Suggestion[] {
  return customersNamed(line, index.by_name).flatMap((customer_id) => {
    const items = index.by_customer.get(keyOf({ customer_id, currency: paid.currency })) ?? [];
    if (items.length === 0) return [];
    const fitting = fittingOf(customer_id, paid, index);
    return fitting === null
      ? [suggestion(paid, "possible", ["name"], items)]
      : [suggestion(paid, "possible", ["amount", "name"], fitting)];
  });
}

function customersNamed(
  { counterparty_name }: MatchedLine,
  by_name: MatchIndex["by_name"],
): readonly string[] {
  const name = plainName(counterparty_name);
  return name === "" ? [] : (by_name.get(name) ?? []);
}

/** Returns the one item of a customer with the amount, else up to five that add up to it; null where the choice is not clear. */
function fittingOf(customer_id: string, paid: Paid, index: MatchIndex): MatchedItem[] | null {
  const key = keyOf({ customer_id, currency: paid.currency });
  const equal = index.by_own_amount.get(`${paid.amount} ${key}`) ?? [];
  if (equal.length > 0) return equal.length === 1 ? [...equal] : null;
  return combination(index.by_customer.get(key) ?? [], paid.amount);
}

/** Returns up to five items whose open amounts add up to an amount; null where there are none, or several such choices. */
function combination(items: readonly MatchedItem[], amount: Money): MatchedItem[] | null {
  const choices: MatchedItem[][] = [];
  const tried = items.slice(0, MOST_COMBINED);
  const pick = (from: number, chosen: readonly MatchedItem[], left: Money): void => {
    if (left === 0n && chosen.length > 0) choices.push([...chosen]);
    if (chosen.length === MOST_TOGETHER || choices.length > 1) return;
    for (let at = from; at < tried.length; at += 1) {
      const item = tried[at];
      if (item !== undefined) pick(at + 1, [...chosen, item], left - signed(item));
    }
  };
  pick(0, [], amount);
  return choices.length === 1 ? (choices[0] ?? null) : null;
}

/** Shares the amount among items in their order; credits that are named are used whole. */
function suggestion(
  { amount, currency }: Paid,
  confidence: Confidence,
  reasons: readonly MatchReason[],
  items: readonly MatchedItem[],
): Suggestion {
  const credits = items.filter(({ is_credit }) => is_credit);
  let left = amount + credits.reduce((sum, { open }) => sum + open, 0n);
  const shares: MatchedShare[] = credits.map(({ id, open }) => ({
    item_id: id,
    is_credit: true,
    amount: open,
  }));
  for (const { id, open, is_credit } of items) {
    if (left <= 0n) break;
    const share = open < left ? open : left;
    if (is_credit) continue;
    left -= share;
    shares.push({ item_id: id, is_credit: false, amount: share });
  }
  const customer_id = items[0]?.customer_id ?? "";
  return { confidence, reasons, customer_id, currency, amount, shares };
}

/** Of two exact suggestions neither is exact. */
function withoutTies(suggestions: readonly Suggestion[]): Suggestion[] {
  const exact = suggestions.filter(({ confidence }) => confidence === "exact");
  if (exact.length < 2) return [...suggestions];
  return suggestions.map((one) =>
    one.confidence === "exact" ? { ...one, confidence: "likely" } : one,
  );
}

/** Keeps the first, best suggestion of those that pay the same items. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ currency, shares }) => {
    const key = `${currency} ${shares.map(({ item_id, amount }) => `${item_id}:${amount}`).sort()}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

type Ranked = Pick<Suggestion, "confidence" | "reasons">;

/** The order of suggestions: by confidence, then by the number of reasons. */
export function bestFirst(a: Ranked, b: Ranked): number {
  const rank = ({ confidence, reasons }: Ranked): number =>
    confidences.indexOf(confidence) * 10 - reasons.length;
  return rank(a) - rank(b);
}

function found(
  names: readonly string[],
  index: ReadonlyMap<string, readonly MatchedItem[]>,
  currency: string,
): Set<MatchedItem> {
  const items = names.flatMap((name) => index.get(name) ?? []);
  return new Set(items.filter((item) => item.currency === currency));
}

function sumOf(items: readonly MatchedItem[]): Money {
  return items.reduce((sum, item) => sum + signed(item), 0n);
}

function signed({ is_credit, open }: MatchedItem): Money {
  return is_credit ? -open : open;
}

function keyOf({ customer_id, currency }: Pick<MatchedItem, "customer_id" | "currency">): string {
  return `${customer_id} ${currency}`;
}

function earliestFirst(a: MatchedItem, b: MatchedItem): number {
  return a.due < b.due ? -1 : a.due > b.due ? 1 : 0;
}

/** Returns the ids of customers by their plain names. Argument: the names by id. */
export function customersByName(names: ReadonlyMap<string, string>): Map<string, string[]> {
  const by_name = new Map<string, string[]>();
  for (const [id, name] of names) {
    const plain = plainName(name);
    by_name.set(plain, [...(by_name.get(plain) ?? []), id]);
  }
  return by_name;
}

/** A name without case, punctuation and the form of the company. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\b(a\/s|aps|i\/s|ivs|p\/s|ab|as|gmbh|ltd|inc|bv)\b\.?/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function grouped<Value>(
  values: readonly Value[],
  keysOf: (value: Value) => readonly string[],
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    for (const key of keysOf(value)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [value]);
      else group.push(value);
    }
  }
  return groups;
}
