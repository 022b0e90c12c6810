/**
 * Money is a bigint of minor units. JSON numbers are read by their shortest decimal text, without binary floating-point
 * arithmetic (spec 0.3). `round` here is the only rounding of the product: halves away from zero.
 */

/** Minor units of the accompanying currency: 12.50 DKK is 1250n, 12 JPY is 12n. */
export type Money = bigint;

/** Integer hundredths of a percent: 12.5 % is 1250. */
export type Percent = number;

export const WHOLE: Percent = 100_00;

/** The largest amount of a line (spec 0.3). */
export const LARGEST_LINE: Money = 10n ** 12n;

const SIGNIFICANT_DIGITS = 15;

type NumberRefusal = "too_many_decimals" | "too_large";

/**
 * Reads a JSON number as an integer of 10^-decimals: `scaledFromNumber(12.5, 2)` is 1250n. Returns the reason when the number
 * has more decimals, or more than 15 significant digits.
 */
export function scaledFromNumber(value: number, decimals: number): bigint | NumberRefusal {
  if (!Number.isFinite(value)) return "too_large";
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (!match) return "too_large";
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "").replace(/0+$/, "");
  const places = fraction.length - Number(exponent);
  if (digits.length > SIGNIFICANT_DIGITS) {
    return places > 0 ? "too_many_decimals" : "too_large";
  }
  if (places > decimals) return "too_many_decimals";
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(decimals - places);
  return sign === "-" ? -scaled : scaled;
}

/** Reads a JSON number whose decimals a schema has checked; returns 0 for a number that `scaledFromNumber` rejects. */
export function scaledFromChecked(value: number, decimals: number): bigint {
  const scaled = scaledFromNumber(value, decimals);
  return typeof scaled === "string" ? 0n : scaled;
}

/** The JSON number of an integer of 10^-decimals; the inverse of `scaledFromNumber`. */
export function scaledToNumber(value: bigint, decimals: number): number {
  return Number(decimalText(value, decimals));
}

/** Returns the exact sum of JSON numbers. Throws a RangeError for a number that `scaledFromNumber` rejects. */
export function sumOfNumbers(values: Iterable<number>, decimals: number): number {
  let sum = 0n;
  for (const value of values) {
    const scaled = scaledFromNumber(value, decimals);
    if (typeof scaled === "string") throw new RangeError(`${value} is ${scaled}`);
    sum += scaled;
  }
  return scaledToNumber(sum, decimals);
}

/** Exact decimal text: `decimalText(-1250n, 2)` is "-12.50". */
export function decimalText(value: bigint, decimals: number): `${number}` {
  const text = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const sign = value < 0n ? "-" : "";
  if (decimals === 0) return `${sign}${text}` as `${number}`;
  return `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}` as `${number}`;
}

/** `numerator / denominator` to the nearest integer, halves away from zero (spec 0.3). */
export function round(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError("the denominator is positive");
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/**
 * Largest remainder (spec 0.3): splits an amount by weights so that the parts add up to it. The missing units go to the largest
 * fractions, ties to the earlier part. Weights must not be negative, and not all of them 0.
 */
export function allocate(amount: Money, weights: readonly bigint[]): Money[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total <= 0n) throw new RangeError("the weights add up to more than 0");
  const size = amount < 0n ? -amount : amount;
  const parts = weights.map((weight) => (size * weight) / total);
  const missing = size - parts.reduce((sum, part) => sum + part, 0n);
  const byFraction = weights
    .map((weight, index) => ({ index, fraction: (size * weight) % total }))
    .sort((a, b) =>
      a.fraction === b.fraction ? a.index - b.index : a.fraction > b.fraction ? -1 : 1,
    );
  for (const { index } of byFraction.slice(0, Number(missing)))
    parts[index] = (parts[index] ?? 0n) + 1n;
  return amount < 0n ? parts.map((part) => -part) : parts;
}

/** `amount × (1 - discount)`, rounded. */
export function lessDiscount(amount: Money, discount: Percent): Money {
  return discount === 0 ? amount : round(amount * BigInt(WHOLE - discount), BigInt(WHOLE));
}

/** `amount × rate %`, rounded: the VAT of a net amount. */
export function percentOf(amount: Money, rate: Percent): Money {
  return round(amount * BigInt(rate), BigInt(WHOLE));
}

/** Exchange rates are functional units for one foreign unit, in millionths (spec 7.4). */
export const RATE_DECIMALS = 6;

/** Converts minor units of one currency into minor units of another, rounded once. */
export function convert(
  amount: Money,
  rate_micro: bigint,
  from_digits: number,
  to_digits: number,
): Money {
  const up = 10n ** BigInt(to_digits);
  const down = 10n ** BigInt(RATE_DECIMALS + from_digits);
  return round(amount * rate_micro * up, down);
}
