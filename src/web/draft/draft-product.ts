/** The effect of choosing a product for a line of a draft. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromNumber } from "../../domain/base/money.ts";
import { RATE_DECIMALS, type RecognitionMethod } from "../../domain/sales/line.ts";
import type { Language } from "../words/words.ts";
import { draftNumber } from "./draft-number.ts";
import { type DraftFacts, type ProductFacts, productPrice } from "./draft-sums.ts";
import type { TypedLine } from "./draft-typed.ts";

/** The currencies of the draft and of the account, and the language in which the price was typed. */
type Pricing = Pick<DraftFacts, "currency" | "functional_currency"> & {
  readonly language: Language;
};

/**
 * Returns the change of a line for which a product was chosen. A typed price stays. A price of the earlier product becomes that
 * of the chosen one, where it has a price. The first product that is sold by the hour makes the line one by hours.
 */
export function productChosen(
  line: TypedLine,
  chosen: ProductFacts,
  earlier: ProductFacts | undefined,
  pricing: Pricing,
): Partial<TypedLine> {
  const is_first = line.product_id === "" && chosen.unit === "hours";
  const method = is_first ? "hours" : line.method;
  const has_price = productPrice(chosen, method, pricing) !== null;
  const follows = has_price && isPriceOf(line, earlier, pricing);
  return {
    product_id: chosen.id,
    ...(is_first ? { method } : {}),
    ...(follows ? { price: "" } : {}),
  };
}

/** Whether the line has the price of the product, whether it is typed or not. */
function isPriceOf(
  { price, method }: TypedLine,
  product: ProductFacts | undefined,
  pricing: Pricing,
): boolean {
  if (product === undefined || price === "") return false;
  const value = draftNumber(pricing.language, price) ?? Number.NaN;
  const scaled = scaledFromNumber(value, decimalsOf(method, pricing.currency));
  return scaled === productPrice(product, method, pricing);
}

function decimalsOf(method: RecognitionMethod, currency: string): number {
  return method === "hours" ? RATE_DECIMALS : currencyDigits(currency);
}
