/** The effect of choosing a product for a line of a draft. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromNumber } from "../../domain/base/money.ts";
import { RATE_DECIMALS, type RecognitionMethod } from "../../domain/sales/line.ts";
import { proposedEarning } from "../../domain/sales/proposed-earning.ts";
import type { Language } from "../words/words.ts";
import { draftNumber } from "./draft-number.ts";
import { type DraftFacts, type ProductFacts, productPrice } from "./draft-sums.ts";
import type { TypedLine } from "./draft-typed.ts";

/** The currencies of the draft and of the account, the language in which the price was typed, and the day of the draft. */
type Pricing = Pick<DraftFacts, "currency" | "functional_currency"> & {
  readonly language: Language;
  /** The day on which the service of a line over time is proposed to begin. */
  readonly from: CalendarDate;
};

/**
 * Returns the change of a line for which a product was chosen. A typed price stays. A price of the earlier product becomes that
 * of the chosen one, where it has a price. The first product of a line proposes how and over which days the line is earned.
 */
export function productChosen(
  line: TypedLine,
  chosen: ProductFacts,
  earlier: ProductFacts | undefined,
  pricing: Pricing,
): Partial<TypedLine> {
  const proposed = line.product_id === "" ? proposedEarning(chosen, pricing.from) : null;
  const method = proposed?.recognition_method ?? line.method;
  const has_price = productPrice(chosen, method, pricing) !== null;
  const follows = has_price && isPriceOf(line, earlier, pricing);
  return {
    product_id: chosen.id,
    ...(proposed === null ? {} : { method }),
    ...(proposed?.service_from && proposed.service_to && line.service_from === ""
      ? { service_from: proposed.service_from, service_to: proposed.service_to }
      : {}),
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
