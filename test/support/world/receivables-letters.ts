/**
 * The reminders of a random history. The oracle works out what is listed and its interest, day by day; fees and compensation are those
 * of the letter, which may charge each only as often as the law allows.
 */
import { NEVER, nearest, type Oracle, type OracleItem } from "./receivables-oracle.ts";
import {
  type Done,
  dayOf,
  inBooks,
  pick,
  type Step,
  shown,
  unitsOf,
  YEARLY_RATE,
} from "./receivables-play.ts";
import type { Json, Reply } from "./world.ts";

const MOST_FEES = 3;
const FEE = 100;
const COMPENSATION: Record<string, number> = { DKK: 310, EUR: 40 };

interface SentLetter {
  readonly id: string;
  /** Null for a letter that charges nothing. */
  readonly item: OracleItem | null;
  readonly charges: bigint;
  readonly interest: bigint;
  readonly listed: Json[];
  readonly has_fee: boolean;
  readonly day: number;
  is_cancelled: boolean;
}

export class RandomLetters {
  readonly #oracle: Oracle;
  readonly #send: (call: string, body: Json) => Promise<Reply>;
  readonly #sent: SentLetter[] = [];

  constructor(oracle: Oracle, send: (call: string, body: Json) => Promise<Reply>) {
    this.#oracle = oracle;
    this.#send = send;
  }

  /** Sends all letters of a day; null where there are none. */
  async send(today: number): Promise<Done | null> {
    const { body } = await this.#send("POST /reminder-runs/preview", {});
    if (body.error?.code === "RECEIVABLES_NOT_BEGUN") return null;
    const rows: Json[] = body.rows.filter(({ left_out }: Json) => left_out === null);
    if (rows.length === 0) return null;
    for (const row of rows) this.#check(row, today);
    const chosen = rows.map(({ customer_id: customer, currency, agreed }) => ({
      ...{ customer, currency, agreed },
    }));
    const reply = await this.#send("POST /reminder-runs", { rows: chosen });
    for (const [at, row] of rows.entries()) {
      this.#add(row, reply.body.outcomes[at].reminder_id, today);
    }
    const expected = { issued: rows.length, refused: 0, remaining: 0 };
    return { reply, is_foretold: true, expected };
  }

  async cancel({ which }: Step, today: number): Promise<Done | null> {
    const letter = pick(this.#sent, which);
    if (letter === undefined) return null;
    const { id, item } = letter;
    const reply = await this.#send(`POST /reminders/${id}/cancel`, { reason: "random" });
    const takes = this.#oracle.takes.filter(({ debit }) => debit === item);
    if (letter.is_cancelled || takes.some(({ until }) => until === NEVER)) {
      return { reply, is_foretold: false };
    }
    // A cancellation has the present day; an allocation that ends later has to be waited for.
    if (takes.some(({ until }) => until > today)) return { reply, is_foretold: false };
    letter.is_cancelled = true;
    if (item !== null) {
      item.ended = today;
      this.#post(letter, today, -1n);
    }
    return { reply, is_foretold: true, expected: { cancelled_on: dayOf(today) } };
  }

  /** Compares a letter with what the oracle has of the customer's debts. */
  #check({ customer_id, currency, items, interest, fee, compensation }: Json, today: number): void {
    const debts = this.#oracle.items.filter(
      (one) => one.customer === customer_id && one.currency === currency && isReminded(one),
    );
    const listed = debts.flatMap((item) => {
      const owed = this.#interestOf(item, today);
      const open = (item.due ?? 0) < today ? this.#openFrom(item, today) : 0n;
      if (open === 0n && owed === 0n) return [];
      return [`${item.id} ${shown(open, currency)} ${shown(owed, currency)}`];
    });
    const found = items.map((one: Json) => `${idOf(one)} ${one.open} ${one.interest}`);
    require(listed.sort().join(), found.sort().join(), "what a letter lists");
    const sum = items.reduce((all: number, one: Json) => all + one.interest, 0);
    require(sum.toFixed(2), interest.toFixed(2), "the interest of a letter");
    const counting: Json[] = items.filter(({ counts }: Json) => counts);
    const is_charged = (one: Json, what: (letter: SentLetter, of: Json) => boolean): number =>
      this.#listing(idOf(one)).filter(([letter, of]) => what(letter, of)).length;
    for (const one of items) {
      const before = is_charged(one, (_letter, of) => of.compensation > 0);
      const most = before > 0 || !one.counts ? 0 : (COMPENSATION[currency] ?? 0);
      require(one.compensation === 0 || one.compensation === most, true, "a compensation");
    }
    const total = items.reduce((all: number, one: Json) => all + one.compensation, 0);
    require(total, compensation, "the compensation of a letter");
    const may_charge = counting.some(
      (one) => is_charged(one, ({ has_fee }, of) => has_fee && of.counts) < MOST_FEES,
    );
    require(fee === 0 || (fee === FEE && currency === "DKK" && may_charge), true, "a fee");
  }

  #add(row: Json, id: string, day: number): void {
    const { customer_id: customer, currency, fee, compensation, interest, items } = row;
    const minor = (amount: number): bigint =>
      BigInt(Math.round(amount * Number(unitsOf(currency))));
    const [charged, owed] = [minor(fee) + minor(compensation), minor(interest)];
    const [charges, earned] = [inBooks(charged, currency, day), inBooks(owed, currency, day)];
    const fields = { id, kind: "reminder", customer, due: null, is_credit: false, day, currency };
    const amount = charged + owed;
    const item = { ...fields, amount, functional: charges + earned, ended: NEVER };
    const letter = {
      ...{ id, item: amount > 0n ? item : null, charges, interest: earned },
      ...{ listed: items, has_fee: fee > 0, day, is_cancelled: false },
    };
    this.#sent.push(letter);
    if (amount === 0n) return;
    this.#oracle.items.push(item);
    this.#post(letter, day, 1n);
  }

  #post({ charges, interest }: SentLetter, day: number, sign: bigint): void {
    this.#oracle.post(day, 6190, sign * (charges + interest));
    this.#oracle.post(day, 1550, -sign * charges);
    this.#oracle.post(day, 3490, -sign * interest);
  }

  /** The letters that count and list an item, with its row in each. */
  #listing(id: string): [SentLetter, Json][] {
    const counted = this.#sent.filter(({ is_cancelled }) => !is_cancelled);
    return counted.flatMap((letter) =>
      letter.listed
        .filter((one) => idOf(one) === id)
        .map((one): [SentLetter, Json] => [letter, one]),
    );
  }

  #interestOf(item: OracleItem, today: number): bigint {
    const charged = this.#listing(item.id).flatMap(([{ day }, one]) =>
      one.interest > 0 ? [day] : [],
    );
    let sum = 0n;
    for (let day = Math.max(item.due ?? 0, item.day - 1, ...charged) + 1; day <= today; day += 1) {
      sum += this.#oracle.openOn(item, day).open;
    }
    return nearest(sum * YEARLY_RATE, 365n * 10_000n);
  }

  /** What is open on a day and on every later one. */
  #openFrom(item: OracleItem, today: number): bigint {
    let least = this.#oracle.openOn(item, today).open;
    for (const { day } of this.#oracle.takes) {
      if (day <= today) continue;
      const { open } = this.#oracle.openOn(item, day);
      if (open < least) least = open;
    }
    return least;
  }
}

function isReminded({ kind, is_credit }: OracleItem): boolean {
  return kind === "invoice" || (kind === "opening" && !is_credit);
}

function idOf({ invoice_id, opening_id }: Json): string {
  return invoice_id ?? opening_id;
}

function require(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
