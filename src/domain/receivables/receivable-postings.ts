/**
 * What payments, allocations, reminders and opening items post (spec 13.3). Debits are above 0 and credits below 0, in minor units of
 * the functional currency. Postings of 0 are left out, and an entry without postings is not made.
 */
import type { CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import type { OpenItem } from "./open-item.ts";

/** An account by what it is for; the configuration and the bank account name its number. */
type PostingRole =
  | "bank"
  | "receivables"
  | "customer_credit"
  | "rounding"
  | "payment_fee"
  | "exchange_difference"
  | "reminder_fee"
  | "interest_income"
  | "counter_account";

interface RolePosting {
  readonly role: PostingRole;
  /** On receivables and customer credit; otherwise null. */
  readonly customer_id: string | null;
  readonly amount: Money;
  /** In minor units of the item's currency: 0 for exchange differences and for fees in a foreign currency. */
  readonly currency_amount: Money;
}

export interface DatedPostings {
  readonly date: CalendarDate;
  readonly postings: readonly RolePosting[];
}

/** Where what is open of an item stands in the books. */
interface ItemPlace {
  readonly account: "receivables" | "customer_credit";
  readonly customer_id: string;
}

/** An allocation with the places of its items; functional amounts as in `Allocation`. */
export interface PostedAllocation {
  readonly date: CalendarDate;
  readonly amount: Money;
  readonly rounding: Money;
  readonly debit_functional: Money;
  readonly credit_functional: Money;
  readonly rounding_functional: Money;
  readonly exchange_difference: Money;
  readonly debit: ItemPlace;
  readonly credit: ItemPlace;
}

/** A payment or a refund. */
export interface PostedPayment {
  readonly kind: "payment" | "refund";
  readonly date: CalendarDate;
  readonly customer_id: string;
  /** In minor units of its currency. */
  readonly amount: Money;
  readonly is_foreign: boolean;
  /** What the bank credits or debits, in minor units of the functional currency. */
  readonly bank_amount: Money;
  readonly fee: Money;
  readonly allocations: readonly PostedAllocation[];
}

/** Returns an allocation with the places of its items: payments and refunds stand on customer credit, the others on receivables. */
export function postedFrom({
  allocation,
  debit,
  credit,
}: {
  readonly allocation: Omit<PostedAllocation, "debit" | "credit">;
  readonly debit: PlacedItem;
  readonly credit: PlacedItem;
}): PostedAllocation {
  return { ...allocation, debit: placeOf(debit), credit: placeOf(credit) };
}

type PlacedItem = Pick<OpenItem, "kind" | "customer_id">;

function placeOf({ kind, customer_id }: PlacedItem): ItemPlace {
  const is_money = kind === "payment" || kind === "refund";
  return { account: is_money ? "customer_credit" : "receivables", customer_id };
}

/** Returns the entry of a payment, with those of its allocations that begin on its day. Each later one has an entry of its own. */
export function entryOfPayment(payment: PostedPayment): DatedPostings {
  const of_day = payment.allocations.filter(({ date }) => date === payment.date);
  return entryOf(payment.date, [
    ...moneyOf(payment),
    ...itemOf(payment),
    ...of_day.flatMap((one) => postingsOfAllocation(one)),
  ]);
}

/** Returns the entry of an allocation that is made by itself. Its postings are empty where nothing moves in the books. */
export function entryOfAllocation(allocation: PostedAllocation): DatedPostings {
  return entryOf(allocation.date, postingsOfAllocation(allocation));
}

/** Returns the entry of a reminder that charges something, in functional currency and in its own. */
export function entryOfReminder(reminder: {
  readonly date: CalendarDate;
  readonly customer_id: string;
  readonly charges: FunctionalAmount;
  readonly interest: FunctionalAmount;
}): DatedPostings {
  const { date, customer_id, charges, interest } = reminder;
  return entryOf(date, [
    posting("receivables", customer_id, plus(charges, interest)),
    posting("reminder_fee", null, negated(charges)),
    posting("interest_income", null, negated(interest)),
  ]);
}

/** Returns the entry of an opening item; that of a credit has the opposite sides. */
export function entryOfOpening(item: {
  readonly date: CalendarDate;
  readonly customer_id: string;
  readonly is_credit: boolean;
  readonly amount: FunctionalAmount;
}): DatedPostings {
  const amount = item.is_credit ? negated(item.amount) : item.amount;
  return entryOf(item.date, [
    posting("receivables", item.customer_id, amount),
    posting("counter_account", null, negated(amount)),
  ]);
}

/**
 * Returns the one entry that takes entries back on a day. A charge of the bank for a payment that came back is its fee, in minor
 * units of the functional currency.
 */
export function reversalOf(
  entries: readonly DatedPostings[],
  date: CalendarDate,
  fee: Money = 0n,
): DatedPostings {
  const turned = entries.flatMap(({ postings }) =>
    postings.map((one) => ({
      ...one,
      amount: -one.amount,
      currency_amount: -one.currency_amount,
    })),
  );
  const charge = { functional: fee, currency: 0n };
  return entryOf(date, [
    ...turned,
    posting("payment_fee", null, charge),
    posting("bank", null, negated(charge)),
  ]);
}

/** An amount in functional currency, and the same in the currency of the item, both in minor units. */
interface FunctionalAmount {
  readonly functional: Money;
  readonly currency: Money;
}

/** What the bank gets and keeps. The whole amount in foreign currency stands beside the bank's. */
function moneyOf({ kind, amount, is_foreign, bank_amount, fee }: PostedPayment): RolePosting[] {
  const bank = { functional: bank_amount, currency: is_foreign ? amount : bank_amount };
  const charge = { functional: fee, currency: is_foreign ? 0n : fee };
  return [
    posting("bank", null, kind === "payment" ? bank : negated(bank)),
    posting("payment_fee", null, charge),
  ];
}

/** The payment itself as an item: what no allocation of its day takes stays on customer credit. */
function itemOf({ kind, customer_id, amount, bank_amount, fee }: PostedPayment): RolePosting[] {
  const item =
    kind === "payment"
      ? { functional: -(bank_amount + fee), currency: -amount }
      : { functional: bank_amount - fee, currency: amount };
  return [posting("customer_credit", customer_id, item)];
}

/** Moves what is taken from the credit item's place to the debit item's. */
function postingsOfAllocation(allocation: PostedAllocation): RolePosting[] {
  const { amount, rounding, debit, credit } = allocation;
  return [
    posting(credit.account, credit.customer_id, {
      functional: allocation.credit_functional,
      currency: amount,
    }),
    posting(debit.account, debit.customer_id, {
      functional: -allocation.debit_functional,
      currency: -(amount + rounding),
    }),
    posting("rounding", null, {
      functional: allocation.rounding_functional,
      currency: rounding,
    }),
    posting("exchange_difference", null, {
      functional: -allocation.exchange_difference,
      currency: 0n,
    }),
  ];
}

/** Adds up the postings of each account and customer, and leaves out those that come to 0. */
function entryOf(date: CalendarDate, postings: readonly RolePosting[]): DatedPostings {
  const sums = new Map<string, RolePosting>();
  for (const one of postings) {
    const key = `${one.role} ${one.customer_id}`;
    const sum = sums.get(key);
    sums.set(key, {
      ...one,
      amount: (sum?.amount ?? 0n) + one.amount,
      currency_amount: (sum?.currency_amount ?? 0n) + one.currency_amount,
    });
  }
  const kept = [...sums.values()].filter(({ amount }) => amount !== 0n);
  return { date, postings: kept };
}

function posting(
  role: PostingRole,
  customer_id: string | null,
  { functional, currency }: FunctionalAmount,
): RolePosting {
  return { role, customer_id, amount: functional, currency_amount: currency };
}

function plus(a: FunctionalAmount, b: FunctionalAmount): FunctionalAmount {
  return { functional: a.functional + b.functional, currency: a.currency + b.currency };
}

function negated({ functional, currency }: FunctionalAmount): FunctionalAmount {
  return { functional: -functional, currency: -currency };
}
