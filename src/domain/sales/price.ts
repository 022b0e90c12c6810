/** A product's prices by currency (spec 7.2): `default_price` is in the functional one. No price is ever converted. */
import { currencyDigits } from "../base/currency.ts";
import { scaledFromNumber, scaledToNumber } from "../base/money.ts";
import type { FieldError } from "../base/problem.ts";
import { RATE_DECIMALS } from "./line.ts";

export interface Price {
  readonly currency: string;
  /** In 1/10000 of the currency; above 0. */
  readonly amount: bigint;
}

export interface ProductPrices {
  /** In 1/10000 of the functional currency; 0 means no price. */
  readonly default_price: bigint;
  /** In other currencies, each at most once. */
  readonly prices: readonly Price[];
}

/** Returns the price in a currency in 1/10000; null when there is none. */
export function priceIn(
  { default_price, prices }: ProductPrices,
  functional_currency: string,
  currency: string,
): bigint | null {
  if (currency === functional_currency) return default_price > 0n ? default_price : null;
  return prices.find((price) => price.currency === currency)?.amount ?? null;
}

/** Returns price faults: a repeated or functional currency, or excess decimals. Unchanged present prices are valid. */
export function priceFaults(
  sent: readonly { readonly currency: string; readonly amount: number }[],
  functional_currency: string,
  present: readonly Price[],
): FieldError[] {
  return sent.flatMap(({ currency, amount }, index): FieldError[] => {
    const at = `prices[${index}]`;
    if (currency === functional_currency) {
      const message = `The books are in ${currency}: its price is default_price.`;
      return [{ field: `${at}.currency`, code: "not_allowed", message }];
    }
    if (sent.findIndex((price) => price.currency === currency) < index) {
      const message = `There is another price in ${currency}.`;
      return [{ field: `${at}.currency`, code: "duplicate", message }];
    }
    const was = present.find((price) => price.currency === currency);
    if (was && scaledToNumber(was.amount, RATE_DECIMALS) === amount) return [];
    const digits = currencyDigits(currency);
    const scaled = scaledFromNumber(amount, digits);
    if (typeof scaled !== "string") return [];
    const message = `The currency has ${digits} decimals.`;
    return [{ field: `${at}.amount`, code: scaled, message }];
  });
}

/**
 * Returns the prices after a change of the books' currency: no number changes its currency. The default price becomes an entry,
 * and the entry of the new currency becomes the default price; without such an entry, the product has no default price.
 */
export function pricesInBooksOf(
  { default_price, prices }: ProductPrices,
  from: string,
  to: string,
): ProductPrices {
  const was: Price[] = default_price > 0n ? [{ currency: from, amount: default_price }] : [];
  return {
    default_price: prices.find(({ currency }) => currency === to)?.amount ?? 0n,
    prices: [...prices.filter(({ currency }) => currency !== to), ...was],
  };
}
