/** Random steps of receivables, and the days, amounts and rates of their histories. Amounts are whole minor units, days are numbers. */
import fc from "fast-check";
import { NEVER, nearest, type OracleItem, type OracleTake } from "./receivables-oracle.ts";
import type { Json, Reply, World } from "./world.ts";

/** What may happen, and how often among all. */
const WEIGHTS: Record<string, number> = {
  invoice: 4,
  credit: 1,
  opening: 1,
  days: 3,
  close: 1,
  payment: 3,
  prepayment: 1,
  mixed: 1,
  named: 1,
  refund: 1,
  reversal: 1,
  allocation: 2,
  release: 1,
  remind: 2,
  cancel: 1,
};
export const KINDS = Object.keys(WEIGHTS);

/** A step: what is done, which of the known documents it concerns, and how much of them. */
export interface Step {
  readonly what: string;
  readonly which: number;
  readonly other: number;
  /** Thousandths of what is open or of a usual amount. */
  readonly share: number;
  /** Days before today. */
  readonly back: number;
}

export const anyStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    ...KINDS.flatMap((kind) => Array.from({ length: WEIGHTS[kind] ?? 0 }, () => kind)),
  ),
  which: fc.nat(1000),
  other: fc.nat(1000),
  share: fc.integer({ min: 1, max: 1300 }),
  back: fc.nat(8),
});

/** What a step did: the answer, whether the oracle did it as well, and what it foretold of the answer. */
export interface Done {
  readonly reply: Reply | null;
  readonly is_foretold: boolean;
  /** Fields of the answer. */
  readonly expected?: Json;
}

const START = Date.parse("2026-03-01");
const DAY_MS = 86_400_000;

/** The day with a number, as a text. */
export function dayOf(number: number): string {
  return new Date(START + number * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the number of a day. */
export function numberOf(day: string): number {
  return (Date.parse(day) - START) / DAY_MS;
}

/** Rates in millionths; those of the second column hold from 20 March. */
const RATES: Record<string, readonly [bigint, bigint]> = {
  DKK: [1_000_000n, 1_000_000n],
  EUR: [7_461_300n, 7_535_913n],
  JPY: [43_700n, 44_137n],
};
export const CURRENCIES = ["DKK", "EUR", "JPY"];
const RATE_CHANGES = 19;
/** The interest of letters, in hundredths of a percent. */
export const YEARLY_RATE = 1015n;
/** The terms of payment of new accounts. */
export const DAYS_TO_PAY = 14;

/** Returns the minor units of a unit of a currency. */
export function unitsOf(currency: string): bigint {
  return currency === "JPY" ? 1n : 100n;
}

/** An amount as the API has it. */
export function shown(amount: bigint, currency: string): number {
  return Number(amount) / Number(unitsOf(currency));
}

/** Returns an amount in functional currency, at the rate of a day. */
export function inBooks(amount: bigint, currency: string, day: number): bigint {
  const [rate, later] = RATES[currency] ?? [0n, 0n];
  const factor = day < RATE_CHANGES ? rate : later;
  return nearest(amount * factor * 100n, 1_000_000n * unitsOf(currency));
}

/** Returns the exchange difference of an allocation; a gain is above 0. */
export function gainOf(take: OracleTake): bigint {
  const { debit, rounding, debit_functional, credit_functional } = take;
  return credit_functional + nearest(debit.functional * rounding, debit.amount) - debit_functional;
}

/** Returns the item of money that is not recorded yet. */
export function moneyOf(
  kind: "payment" | "refund",
  day: number,
  currency: string,
  amount: bigint,
  functional: bigint,
): OracleItem {
  const is_credit = kind === "payment";
  return {
    id: "",
    kind,
    customer: "",
    due: null,
    is_credit,
    day,
    currency,
    amount,
    functional,
    ended: NEVER,
  };
}

/** An account with two customers, a product and rates, whose letters charge fees, compensation and interest. */
export async function openReceivables(world: World): Promise<Json> {
  const account = await world.openAnother();
  const done = (call: string, body?: Json): Promise<Json> =>
    world.done(call, body, account.keys.read_write);
  for (const currency of ["EUR", "JPY"]) {
    const [rate, later] = RATES[currency] ?? [];
    const path = `PUT /exchange-rates/${currency}`;
    await done(`${path}/2026-01-01`, { rate: Number(rate) / 1e6 });
    await done(`${path}/${dayOf(RATE_CHANGES)}`, { rate: Number(later) / 1e6 });
  }
  const levels = [3, 13, 23, 33].map((days_after_due, at) => ({
    days_after_due,
    fee: at === 0 ? 0 : 100,
    compensation: at > 0,
  }));
  const interest = { rate: Number(YEARLY_RATE) / 100 };
  await done("PATCH /configuration", { reminders: { levels, interest } });
  const customers = [await done("POST /customers", { name: "Acme" })];
  customers.push(await done("POST /customers", { name: "Other" }));
  const product = await done("POST /products", { name: "Work", default_price: 100 });
  return { ...account, customers: customers.map(({ id }) => id), product: product.id };
}

/** Returns one of the rows; undefined where there is none. */
export function pick<Row>(rows: readonly Row[], at: number): Row | undefined {
  return rows[at % rows.length];
}

/** Returns the smaller amount. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
