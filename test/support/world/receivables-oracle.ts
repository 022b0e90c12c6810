/**
 * What receivables should be, worked out day by day from what was sent, without any code of the product. Days are numbers from a first
 * day, amounts are minor units. It knows few rules, and looks at every day instead of reasoning about dates.
 */

/** The last day that is looked at. */
export const LAST_DAY = 100;

export interface OracleItem {
  id: string;
  readonly kind: string;
  readonly customer: string;
  /** Null for what is no debt. */
  readonly due: number | null;
  readonly is_credit: boolean;
  readonly day: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly functional: bigint;
  /** The first day on which nothing of it counts. */
  ended: number;
}

export interface OracleTake {
  readonly debit: OracleItem;
  readonly credit: OracleItem;
  readonly amount: bigint;
  readonly rounding: bigint;
  readonly debit_functional: bigint;
  readonly credit_functional: bigint;
  readonly day: number;
  until: number;
}

/** A part of a payment: what it pays, or what it gives back; with a credit, that credit is applied first. */
export interface OraclePart {
  readonly item: OracleItem;
  readonly credit: OracleItem | null;
  readonly amount: bigint | null;
  readonly rounding: bigint;
}

interface OraclePayment {
  readonly item: OracleItem;
  readonly bank: bigint;
  readonly fee: bigint;
}

/** The end of what does not end. */
export const NEVER = LAST_DAY + 1;

export class Oracle {
  items: OracleItem[] = [];
  takes: OracleTake[] = [];
  payments: OraclePayment[] = [];
  posted: { day: number; account: number; amount: bigint }[] = [];

  /** Adds an item, and what it posts on receivables and on its counter account; account 0 stands for all others. */
  add(item: Omit<OracleItem, "ended">, counter: number): OracleItem {
    const added = { ...item, ended: NEVER };
    this.items.push(added);
    const amount = item.is_credit ? -item.functional : item.functional;
    this.post(item.day, 6190, amount);
    this.post(item.day, counter, -amount);
    return added;
  }

  /** What is open of an item at the end of a day. */
  openOn(item: OracleItem, day: number): { open: bigint; functional: bigint } {
    if (day < item.day || day >= item.ended) return { open: 0n, functional: 0n };
    return this.#left(item, (take) => take.day <= day && day < take.until);
  }

  /** What is open once everything that counts has begun. */
  openAtLast(item: OracleItem): { open: bigint; functional: bigint } {
    if (item.ended !== NEVER) return { open: 0n, functional: 0n };
    return this.#left(item, (take) => take.until === NEVER);
  }

  /** Joins two items on the first day, from `from` on, with room on it and on every later day; null where there is none. */
  allocate(
    debit: OracleItem,
    credit: OracleItem,
    amount: bigint,
    rounding: bigint,
    from: number,
    is_own = false,
  ): OracleTake | null {
    const of_debit = amount + rounding;
    if (amount <= 0n || of_debit <= 0n) return null;
    let day = Math.max(debit.day, credit.day, from);
    for (let at = day; at <= LAST_DAY; at += 1) {
      const has_room =
        this.openOn(debit, at).open >= of_debit && this.openOn(credit, at).open >= amount;
      if (!has_room) day = at + 1;
    }
    if (day > LAST_DAY) return null;
    const credit_functional = this.#taken(credit, amount);
    const left = this.openAtLast(debit);
    const debit_functional =
      is_own && left.open !== of_debit
        ? smaller(credit_functional, left.functional)
        : this.#taken(debit, of_debit);
    const rounded = nearest(debit.functional * rounding, debit.amount);
    const take = {
      ...{ debit, credit, amount, rounding, debit_functional, credit_functional, day },
      until: NEVER,
    };
    this.takes.push(take);
    this.#postTake(take, rounded, day, 1n);
    return take;
  }

  /** Records money with its parts; null where it cannot be. */
  pay(
    payment: OraclePayment,
    parts: readonly OraclePart[],
    keeps_rest: boolean,
  ): { own: OracleTake[]; rest: bigint } | null {
    const before = [this.items, this.takes, this.payments, this.posted].map(({ length }) => length);
    const done = this.#pay(payment, parts, keeps_rest);
    if (done === null) {
      const lists = [this.items, this.takes, this.payments, this.posted];
      lists.forEach((list, at) => {
        list.length = before[at] ?? 0;
      });
    }
    return done;
  }

  #pay(payment: OraclePayment, parts: readonly OraclePart[], keeps_rest: boolean) {
    const { item } = payment;
    this.items.push(item);
    this.payments.push(payment);
    this.#postMoney(payment, item.day, 1n);
    for (const { item: debit, credit, amount, rounding } of parts) {
      if (credit === null) continue;
      const open = smaller(this.openAtLast(debit).open - rounding, this.openAtLast(credit).open);
      const taken = amount ?? open;
      if (taken <= 0n) continue;
      if (this.allocate(debit, credit, taken, rounding, item.day) === null) return null;
    }
    const own = parts.filter(({ credit }) => credit === null);
    let rest = own.reduce((left, { amount }) => left - (amount ?? 0n), item.amount);
    const made: OracleTake[] = [];
    for (const part of own) {
      const share = part.amount ?? smaller(this.openAtLast(part.item).open - part.rounding, rest);
      if (share <= 0n) continue;
      if (part.amount === null) rest -= share;
      const [debit, credit] = item.is_credit ? [part.item, item] : [item, part.item];
      const take = this.allocate(debit, credit, share, part.rounding, item.day);
      if (take === null) return null;
      made.push(take);
    }
    if (rest < 0n || (rest > 0n && !keeps_rest)) return null;
    return { own: made, rest };
  }

  /** Ends an allocation. Returns the day. */
  release(take: OracleTake, today: number): number {
    const day = Math.max(today, take.day);
    this.#end(take, day);
    return day;
  }

  /** Reverses money with all that it is applied to. Returns the day; null where a refund has taken of it. */
  reverse(payment: OraclePayment, today: number, charge: bigint): number | null {
    const { item } = payment;
    const own = this.takes.filter(({ debit, credit }) => debit === item || credit === item);
    const effective = own.filter(({ until }) => until === NEVER);
    if (item.ended !== NEVER) return null;
    if (item.is_credit && effective.some(({ debit }) => debit.kind === "refund")) return null;
    const days = own.flatMap(({ day, until }) => (until === NEVER ? [day] : [day, until]));
    const day = Math.max(today, item.day, ...days);
    for (const take of effective) this.#end(take, day);
    this.#postMoney(payment, day, -1n);
    this.post(day, 2390, charge);
    this.post(day, 6480, -charge);
    item.ended = day;
    return day;
  }

  /** The balance of an account at the end of a day. */
  balance(account: number, day: number): bigint {
    return this.posted
      .filter((one) => one.account === account && one.day <= day)
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  #end(take: OracleTake, day: number): void {
    take.until = day;
    const rounded = nearest(take.debit.functional * take.rounding, take.debit.amount);
    this.#postTake(take, rounded, day, -1n);
  }

  #left(item: OracleItem, counts: (take: OracleTake) => boolean) {
    let { amount: open, functional } = item;
    for (const take of this.takes) {
      if (!counts(take)) continue;
      if (take.debit === item) {
        open -= take.amount + take.rounding;
        functional -= take.debit_functional;
      }
      if (take.credit === item) {
        open -= take.amount;
        functional -= take.credit_functional;
      }
    }
    return { open, functional };
  }

  /** What an allocation takes in functional currency: what was left, less the share of what is open afterwards. */
  #taken(item: OracleItem, amount: bigint): bigint {
    const { open, functional } = this.openAtLast(item);
    if (open === amount) return functional;
    const share = nearest(item.functional * (open - amount), item.amount);
    return functional > share ? functional - share : 0n;
  }

  #postTake(take: OracleTake, rounded: bigint, day: number, sign: bigint): void {
    const { debit, credit, debit_functional, credit_functional } = take;
    this.post(day, placeOf(credit), sign * credit_functional);
    this.post(day, placeOf(debit), -sign * debit_functional);
    this.post(day, 2720, sign * rounded);
    this.post(day, 3610, sign * (debit_functional - credit_functional - rounded));
  }

  #postMoney({ item, bank, fee }: OraclePayment, day: number, sign: bigint): void {
    const into_bank = item.is_credit ? sign * bank : -sign * bank;
    this.post(day, 6480, into_bank);
    this.post(day, 2390, sign * fee);
    this.post(day, 7410, -into_bank - sign * fee);
  }

  post(day: number, account: number, amount: bigint): void {
    if (amount !== 0n) this.posted.push({ day, account, amount });
  }
}

function placeOf({ kind }: OracleItem): number {
  return kind === "payment" || kind === "refund" ? 7410 : 6190;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Divides to the nearest whole number; a half is rounded away from zero. */
export function nearest(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}
