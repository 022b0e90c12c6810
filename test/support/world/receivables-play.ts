/** Random steps of receivables, and the days, amounts and rates of their histories. Amounts are whole minor units, days are numbers. */
import fc from "fast-check";
import { NEVER, nearest, type OracleItem, type OracleTake } from "./receivables-oracle.ts";

const KINDS = [
  ...["invoice", "invoice", "credit", "payment", "payment", "prepayment", "mixed", "named"],
  ...["refund", "allocation", "allocation", "reversal", "release", "opening", "days", "close"],
] as const;

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
  what: fc.constantFrom(...KINDS),
  which: fc.nat(1000),
  other: fc.nat(1000),
  share: fc.integer({ min: 1, max: 1300 }),
  back: fc.nat(8),
});

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
export const RATES: Record<string, readonly [bigint, bigint]> = {
  DKK: [1_000_000n, 1_000_000n],
  EUR: [7_461_300n, 7_535_913n],
  JPY: [43_700n, 44_137n],
};
export const CURRENCIES = ["DKK", "EUR", "JPY"];
export const RATE_CHANGES = 19;

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
  return { id: "", kind, is_credit, day, currency, amount, functional, ended: NEVER };
}

/** Returns one of the rows; undefined where there is none. */
export function pick<Row>(rows: readonly Row[], at: number): Row | undefined {
  return rows[at % rows.length];
}

/** Returns the smaller amount. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
