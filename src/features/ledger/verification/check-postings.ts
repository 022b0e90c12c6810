/**
 * Works out a second time what payments, allocations and opening items post (spec 13.3), from what is stored of them and apart from the
 * code that books. Amounts are minor units; debits are above 0.
 */
import type { Places } from "./find-role-accounts.ts";

/** An entry with its postings: account, amount, amount in the entry's currency, customer. */
export interface FoundEntry {
  readonly entry_no: number;
  readonly guid: string;
  readonly kind: string;
  readonly number: string;
  readonly date: string;
  readonly currency: string;
  readonly reverses_guid: string | null;
  readonly postings: readonly (readonly [number, string, string, string | null])[];
}

/** An allocation with both items, as JSON has it. */
export interface StoredTake {
  readonly id: string;
  readonly date: string;
  readonly reversed_on: string | null;
  readonly amount: string;
  readonly rounding: string;
  readonly debit_functional: string;
  readonly credit_functional: string;
  readonly rounding_functional: string;
  readonly entry_no: number | null;
  readonly debit: StoredSide;
  readonly credit: StoredSide;
}

interface StoredSide {
  readonly kind: string;
  readonly customer_id: string;
}

export interface StoredMoney {
  readonly id: string;
  readonly kind: "payment" | "refund";
  readonly number: bigint;
  readonly date: string;
  readonly currency: string;
  readonly customer_id: string;
  readonly amount: bigint;
  readonly bank_amount: bigint;
  readonly fee: bigint;
  readonly reversed_on: string | null;
  readonly is_foreign: boolean;
}

interface Sums {
  amount: bigint;
  currency_amount: bigint;
}

/** What an entry, or the reversals of a day, should post: by place and customer. */
class Expected {
  readonly sums = new Map<string, Sums>();
  readonly date: string;

  constructor(date: string) {
    this.date = date;
  }

  add(place: string, customer_id: string | null, amount: bigint, currency_amount: bigint): void {
    const key = `${place} ${customer_id ?? ""}`;
    const sum = this.sums.get(key) ?? { amount: 0n, currency_amount: 0n };
    const added = sum.currency_amount + currency_amount;
    this.sums.set(key, { amount: sum.amount + amount, currency_amount: added });
  }
}

/** Returns what is wrong with the entries of a payment or refund and its own allocations; null when nothing is. */
export function faultOfMoney(
  money: StoredMoney,
  takes: readonly StoredTake[],
  entries: readonly FoundEntry[],
  places: Places,
): string | null {
  const own = entries.find(({ guid }) => guid === money.id);
  if (own === undefined) return "it is not booked";
  if (own.kind !== "payment" || BigInt(own.number) !== money.number)
    return "it is booked as another";
  if (entries.some(({ currency }) => currency !== money.currency))
    return "it is booked in another currency";
  const expected = new Map([[money.id, new Expected(money.date)]]);
  const at = (key: string, date: string): Expected => {
    const found = expected.get(key) ?? new Expected(date);
    expected.set(key, found);
    return found;
  };
  addMoney(at(money.id, money.date), money, 1n, places);
  for (const take of takes) {
    const is_within = take.entry_no === own.entry_no;
    addTake(at(is_within ? money.id : take.id, take.date), take, 1n, places);
    if (take.reversed_on === null) continue;
    addTake(at(reversalOn(take.reversed_on), take.reversed_on), take, -1n, places);
  }
  const { reversed_on } = money;
  if (reversed_on !== null) {
    const reversal = at(reversalOn(reversed_on), reversed_on);
    addMoney(reversal, money, -1n, places);
    addCharge(reversal, entries, places);
  }
  return faultBetween(expected, entries, places);
}

/** Returns what is wrong with the entries of an allocation that no payment is part of; null when nothing is. */
export function faultOfTake(
  take: StoredTake,
  entries: readonly FoundEntry[],
  places: Places,
): string | null {
  const expected = new Map([[take.id, new Expected(take.date)]]);
  addTake(expected.get(take.id) as Expected, take, 1n, places);
  const { reversed_on } = take;
  if (reversed_on !== null) {
    const reversal = new Expected(reversed_on);
    addTake(reversal, take, -1n, places);
    expected.set(reversalOn(reversed_on), reversal);
  }
  return faultBetween(expected, entries, places);
}

/** The item of a reminder or an opening item. */
export interface StoredCharge {
  readonly id: string;
  readonly kind: "opening" | "reminder";
  readonly is_credit: boolean;
  readonly number: string;
  readonly date: string;
  readonly ended_on: string | null;
  readonly customer_id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly functional: bigint;
}

/** Returns what is wrong with the entries of an opening item or reminder; null when nothing is. */
export function faultOfCharge(
  item: StoredCharge,
  entries: readonly FoundEntry[],
  places: Places,
): string | null {
  const own = entries.find(({ guid }) => guid === item.id);
  if (own === undefined) return item.functional === 0n ? null : "it is not booked";
  if (own.kind !== item.kind) return "it is booked as another";
  if (entries.some(({ currency }) => currency !== item.currency))
    return "it is booked in another currency";
  const expected = new Map<string, Expected>();
  const add = (key: string, date: string, sign: bigint): void => {
    const sums = new Expected(date);
    const [amount, currency_amount] = [sign * item.functional, sign * item.amount];
    sums.add(places.ofRole("receivables"), item.customer_id, amount, currency_amount);
    sums.add(ELSEWHERE, null, -amount, -currency_amount);
    expected.set(key, sums);
  };
  const sign = item.is_credit ? -1n : 1n;
  add(item.id, item.date, sign);
  if (item.ended_on !== null) add(reversalOn(item.ended_on), item.ended_on, -sign);
  const shown = entries.map((entry) => ({ ...entry, postings: entry.postings.map(elsewhere) }));
  return faultBetween(expected, shown, places);
}

const ELSEWHERE = "account 0";

/** A counter account may be any: what is not a customer's is one place. */
function elsewhere(posting: FoundEntry["postings"][number]): FoundEntry["postings"][number] {
  const [, amount, currency_amount, customer_id] = posting;
  return customer_id === null ? [0, amount, currency_amount, null] : posting;
}

function reversalOn(date: string): string {
  return `reversed ${date}`;
}

/** The bank's part, what it kept, and the money itself, which customer credit holds until it is applied. */
function addMoney(to: Expected, money: StoredMoney, sign: bigint, places: Places): void {
  const { kind, customer_id, amount, bank_amount, fee, is_foreign } = money;
  const direction = kind === "payment" ? sign : -sign;
  const in_bank = is_foreign ? amount : bank_amount;
  to.add(places.ofRole("bank"), null, direction * bank_amount, direction * in_bank);
  to.add(places.ofRole("payment_fee"), null, sign * fee, is_foreign ? 0n : sign * fee);
  const held = direction * bank_amount + sign * fee;
  to.add(places.ofRole("customer_credit"), customer_id, -held, -direction * amount);
}

/** Both items lose what is taken of them; the rounding is its share, and the rest is the exchange difference. */
function addTake(to: Expected, take: StoredTake, sign: bigint, places: Places): void {
  const [amount, rounding] = [BigInt(take.amount), BigInt(take.rounding)];
  const credit = BigInt(take.credit_functional);
  const debit = BigInt(take.debit_functional);
  const rounded = BigInt(take.rounding_functional);
  const add = (place: string, customer_id: string | null, books: bigint, own: bigint): void =>
    to.add(place, customer_id, sign * books, sign * own);
  add(placeOf(take.credit, places), take.credit.customer_id, credit, amount);
  add(placeOf(take.debit, places), take.debit.customer_id, -debit, -(amount + rounding));
  add(places.ofRole("rounding"), null, rounded, rounding);
  add(places.ofRole("exchange_difference"), null, debit - credit - rounded, 0n);
}

function placeOf({ kind }: StoredSide, places: Places): string {
  return places.ofRole(["payment", "refund"].includes(kind) ? "customer_credit" : "receivables");
}

/** The bank may take something for a transfer that came back. It is stored in the entry only. */
function addCharge(to: Expected, entries: readonly FoundEntry[], places: Places): void {
  const bank = places.ofRole("bank");
  const turned = entries.filter(
    ({ reverses_guid, date }) => reverses_guid !== null && date === to.date,
  );
  const found = turned
    .flatMap(({ postings }) => postings)
    .filter(([account]) => places.ofAccount(account) === bank)
    .reduce((sum, [, amount]) => sum + BigInt(amount), 0n);
  const charge = (to.sums.get(`${bank} `)?.amount ?? 0n) - found;
  if (charge <= 0n) return;
  to.add(bank, null, -charge, 0n);
  to.add(places.ofRole("payment_fee"), null, charge, 0n);
}

function faultBetween(
  expected: ReadonlyMap<string, Expected>,
  entries: readonly FoundEntry[],
  places: Places,
): string | null {
  const found = new Map<string, Expected>();
  for (const { guid, date, reverses_guid, postings } of entries) {
    const key = reverses_guid === null ? guid : reversalOn(date);
    const sums = found.get(key) ?? new Expected(date);
    if (sums.date !== date) return `its entry is of ${date}`;
    for (const [account, amount, currency_amount, customer_id] of postings) {
      sums.add(places.ofAccount(account), customer_id, BigInt(amount), BigInt(currency_amount));
    }
    found.set(key, sums);
  }
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [should, has] = [expected.get(key), found.get(key)];
    if (should !== undefined && has !== undefined && should.date !== has.date) {
      return `its entry is of ${has.date}, and should be of ${should.date}`;
    }
    if (!agree(should, has, key.startsWith("reversed "))) {
      return `its entry of ${should?.date ?? has?.date} has other amounts`;
    }
  }
  return null;
}

/**
 * Whether an entry has what it should. A posting of 0 is left out, with its amount in currency. What a reversal turns is what was
 * posted, so that only its functional amounts are compared.
 */
function agree(
  should: Expected | undefined,
  has: Expected | undefined,
  is_turned: boolean,
): boolean {
  const keys = new Set([...(should?.sums.keys() ?? []), ...(has?.sums.keys() ?? [])]);
  return [...keys].every((key) => {
    const wanted = should?.sums.get(key);
    const found = has?.sums.get(key);
    if ((wanted?.amount ?? 0n) !== (found?.amount ?? 0n)) return false;
    if (is_turned || (wanted?.amount ?? 0n) === 0n) return true;
    return wanted?.currency_amount === found?.currency_amount;
  });
}
