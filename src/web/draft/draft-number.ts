/** The numbers of a draft as people type them, products included, and what a field shows once it is left. */
import type { Money } from "../../domain/base/money.ts";
import { scaledFromChecked, scaledFromNumber, scaledToNumber } from "../../domain/base/money.ts";
import { HOURS_DECIMALS, RATE_DECIMALS, type RecognitionMethod } from "../../domain/sales/line.ts";
import { amountOf, amountOfNumber, hoursOf, plainNumber } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import type { Language } from "../words/words.ts";

/** The most decimals of a factor: more than any price or quantity has. */
const FACTOR_DECIMALS = 8;
/** The largest number that is shown as understood: a larger one may differ from its digits. */
const MOST = 10n ** (15n + BigInt(FACTOR_DECIMALS));

/** Returns the number that a text means: `14500`, or a product such as `3*18500`. NaN if unreadable, undefined if empty. */
export function draftNumber(language: Language, typed: string): number | undefined {
  const factors = typed.split(/[*×x]/iu);
  if (factors.length === 1) return numberFrom(language, typed);
  let product = 1n;
  for (const factor of factors) {
    const scaled = scaledFromNumber(numberFrom(language, factor) ?? Number.NaN, FACTOR_DECIMALS);
    if (typeof scaled === "string") return Number.NaN;
    product *= scaled;
  }
  const decimals = FACTOR_DECIMALS * factors.length;
  const number = scaledToNumber(product, decimals);
  // A number that is not exactly the product is no result.
  return scaledFromNumber(number, decimals) === product ? number : Number.NaN;
}

/** Whether a text is one number in Danish and another one in English: `1.500` is fifteen hundred, or one and a half. */
export function hasTwoMeanings(typed: string): boolean {
  const [da, en] = [draftNumber("da", typed), draftNumber("en", typed)];
  return Number.isFinite(da) && Number.isFinite(en) && da !== en;
}

/** Returns a price as its field shows it once it is left: `14500` as `14.500,00`. An unreadable text stays as typed. */
export function priceUnderstood(language: Language, typed: string, currency: string): string {
  return understood(language, typed, (value) => amountOfNumber(language, value, currency));
}

/** Returns hours as their field shows them once it is left: `7,5` as `7,50`. An unreadable text stays as typed. */
export function hoursUnderstood(language: Language, typed: string): string {
  return understood(language, typed, (value) =>
    hoursOf(language, scaledFromChecked(value, HOURS_DECIMALS)),
  );
}

/** Returns a percentage as its field shows it once it is left. An unreadable text stays as typed. */
export function percentUnderstood(language: Language, typed: string): string {
  return understood(language, typed, (value) => plainNumber(language, value));
}

/** Shows a number only in a form that means the same number: a text never changes its meaning when its field is left. */
function understood(language: Language, typed: string, show: (value: number) => string): string {
  const value = draftNumber(language, typed);
  const scaled = scaledFromNumber(value ?? Number.NaN, FACTOR_DECIMALS);
  if (value === undefined || typeof scaled === "string" || scaled > MOST || scaled < -MOST) {
    return typed;
  }
  const forms = [show(value), plainNumber(language, value)];
  return forms.find((form) => numberFrom(language, form) === value) ?? typed;
}

/** Returns the price of a line as its field shows it: a rate in 1/10000 for hours, an amount in minor units otherwise. */
export function priceText(
  language: Language,
  price: Money,
  method: RecognitionMethod,
  currency: string,
): string {
  if (method !== "hours") return amountOf(language, price, currency);
  const rate = plainNumber(language, scaledToNumber(price, RATE_DECIMALS));
  return priceUnderstood(language, rate, currency);
}
