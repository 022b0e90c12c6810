/**
 * Converts a line as sent to a line of an invoice or series. Its price is the one that the client sends, else the product's in
 * the document's currency. The line records which of these two prices it has, so that a change of currency takes the product's
 * price in the new currency and leaves a sent price unchanged (spec 7.2).
 */
import type { LineId, ProductId, UserId } from "../base/brand.ts";
import { currencyDigits } from "../base/currency.ts";
import {
  LARGEST_LINE,
  type Money,
  round,
  scaledFromChecked,
  scaledFromNumber,
} from "../base/money.ts";
import type { FieldCode, FieldError } from "../base/problem.ts";
import {
  HOURS_DECIMALS,
  type Line,
  type LineInput,
  PERCENT_DECIMALS,
  RATE_DECIMALS,
  type RecognitionMethod,
} from "./line.ts";
import { type ProductPrices, priceIn } from "./price.ts";

/** The values that a line takes from its product. Prices in 1/10000, quantity in 1/100. */
export interface PricedProduct extends ProductPrices {
  readonly id: ProductId;
  readonly name: string;
  readonly product_number: string | null;
  readonly account_number: number;
  /** Whether a user set the account, so that no VAT treatment changes it. */
  readonly names_account: boolean;
  readonly unit: string;
  readonly quantity: bigint;
  /** The currency of `default_price`. */
  readonly functional_currency: string;
}

/** The existing line that a sent line names by its id, with the previous currency of its document. */
export interface NamedLine {
  readonly line: Line;
  readonly currency: string;
}

/**
 * Converts a sent line to a line in a currency, with its defaults from the product; returns the faults instead when there are any
 * (decimals of the currency, missing prices, spec 2.1). A price that `named` had from the product and that is sent back unchanged
 * remains the product's price; in another currency, the product's price in that currency replaces it.
 */
export function lineFrom(
  input: LineInput,
  id: LineId,
  index: number,
  product: PricedProduct,
  currency: string,
  named?: NamedLine,
): Line | FieldError[] {
  const faults: FieldError[] = [];
  const price = priceOf(input, product, currency, named, (field, code, message) => {
    faults.push({ field: `lines[${index}].${field}`, code, message });
  });
  if (faults.length > 0) return faults;
  return {
    id,
    product_id: product.id,
    recognition_method: input.recognition_method,
    ...price,
    discount: Number(scaledFromChecked(input.discount ?? 0, PERCENT_DECIMALS)),
    description_override: input.description_override ?? null,
    position: input.position ?? index + 1,
    assignees: (input.assignees ?? []).map((assignee) => ({
      user_id: assignee.user_id as UserId,
      distribution_percentage: scaledOrNull(assignee.distribution_percentage, PERCENT_DECIMALS),
      hourly_rate_override: bigScaledOrNull(assignee.hourly_rate_override, RATE_DECIMALS),
    })),
    service_from: input.service_from ?? null,
    service_to: input.service_to ?? null,
    budget_hours: scaledOrNull(input.budget_hours, HOURS_DECIMALS),
    product_name: product.name,
    product_number: product.product_number,
    account_number: product.account_number,
    ...(product.names_account ? {} : { domestic_account: product.account_number }),
    unit: product.unit,
  };
}

/**
 * A line after a change of its document's currency. A sent price keeps its number (spec 5.2); a price from the product becomes
 * the product's price in the new currency. Returns a fault, with its field relative to the line, when the product has no such
 * price, when the currency has fewer decimals than the number, or when the value becomes too large.
 */
export function lineInCurrency<Content extends Omit<Line, "id">>(
  line: Content,
  product: PricedProduct,
  from: string,
  to: string,
): Content | FieldError {
  if (from === to) return line;
  const faults: FieldError[] = [];
  const refuse: Refuse = (field, code, message) => faults.push({ field, code, message });
  const takesProducts = (field: PriceField): boolean =>
    line.price_from_product === true && priceFieldOf(line.recognition_method) === field;
  const priced = {
    ...line,
    agreed_value: takesProducts("agreed_value")
      ? productValue(product, to, refuse)
      : rescaled(line.agreed_value, from, to, refuse),
    hourly_rate: takesProducts("hourly_rate") ? productRate(product, to, refuse) : line.hourly_rate,
  };
  return faults[0] ?? priced;
}

type PriceField = "agreed_value" | "hourly_rate";
type Refuse = (field: PriceField, code: FieldCode, message: string) => void;

/** Returns the field that is the price of a line by a method; the other field is information only. */
function priceFieldOf(method: RecognitionMethod): PriceField {
  return method === "hours" ? "hourly_rate" : "agreed_value";
}

function priceOf(
  input: LineInput,
  product: PricedProduct,
  currency: string,
  named: NamedLine | undefined,
  refuse: Refuse,
): Pick<Line, "agreed_value" | "hourly_rate" | "price_from_product"> {
  const field = priceFieldOf(input.recognition_method);
  const is_named = (input[field] ?? null) !== null;
  const is_sent_back = named !== undefined && sendsBack(input, field, named);
  const takesProducts = !is_named || (is_sent_back && named.currency !== currency);
  const mark = takesProducts || is_sent_back ? ({ price_from_product: true } as const) : {};
  const sent = {
    agreed_value: takesProducts && field === "agreed_value" ? null : input.agreed_value,
    hourly_rate: bigScaledOrNull(input.hourly_rate, RATE_DECIMALS),
  };
  const agreed_value = sentValue(sent.agreed_value, currency, refuse);
  if (!takesProducts) return { agreed_value, hourly_rate: sent.hourly_rate, ...mark };
  const hint = is_named
    ? ` ${input[field]} was its price in ${named?.currency}; leave the line's id out to mean it in ${currency}.`
    : "";
  const refuseWithHint: Refuse = (at, code, message) => refuse(at, code, `${message}${hint}`);
  return field === "agreed_value"
    ? {
        agreed_value: productValue(product, currency, refuseWithHint),
        hourly_rate: sent.hourly_rate,
        ...mark,
      }
    : { agreed_value, hourly_rate: productRate(product, currency, refuseWithHint), ...mark };
}

/** Whether the sent price is the price that the line has from the same product, as the client read it. */
function sendsBack(input: LineInput, field: PriceField, { line, currency }: NamedLine): boolean {
  if (line.price_from_product !== true || line.product_id !== input.product_id) return false;
  if (priceFieldOf(line.recognition_method) !== field) return false;
  const digits = field === "hourly_rate" ? RATE_DECIMALS : currencyDigits(currency);
  return scaledFromNumber(input[field] ?? Number.NaN, digits) === line[field];
}

function sentValue(
  sent: number | null | undefined,
  currency: string,
  refuse: Refuse,
): Money | null {
  if (sent === undefined || sent === null) return null;
  const digits = currencyDigits(currency);
  const value = scaledFromNumber(sent, digits);
  if (typeof value === "string") {
    refuse("agreed_value", value, `The currency has ${digits} decimals.`);
    return null;
  }
  return atMostLargest(value, refuse);
}

function productValue(product: PricedProduct, currency: string, refuse: Refuse): Money | null {
  const price = priceIn(product, product.functional_currency, currency);
  const value =
    price === null
      ? 0n
      : round(
          price * product.quantity * 10n ** BigInt(currencyDigits(currency)),
          10n ** BigInt(RATE_DECIMALS + HOURS_DECIMALS),
        );
  if (value > 0n) return atMostLargest(value, refuse);
  refuse("agreed_value", "required", `${noPriceIn(product, currency)} give the agreed value.`);
  return null;
}

function productRate(product: PricedProduct, currency: string, refuse: Refuse): bigint | null {
  if (product.unit !== "hours") {
    refuse("hourly_rate", "required", "A line by hours needs an hourly rate.");
    return null;
  }
  const price = priceIn(product, product.functional_currency, currency);
  if (price !== null) return price;
  refuse("hourly_rate", "required", `${noPriceIn(product, currency)} give the hourly rate.`);
  return null;
}

/** The first part of the message; the advice for the caller follows the semicolon. */
function noPriceIn({ default_price, functional_currency }: PricedProduct, currency: string) {
  if (currency === functional_currency) return "The product has no price;";
  const other = default_price > 0n ? `, only one in ${functional_currency}` : "";
  return `The product has no price in ${currency}${other};`;
}

function rescaled(
  value: Money | null,
  from_currency: string,
  to_currency: string,
  refuse: Refuse,
): Money | null {
  const [from, to] = [currencyDigits(from_currency), currencyDigits(to_currency)];
  if (value === null || from === to) return value;
  const scaled = value * 10n ** BigInt(to);
  const unit = 10n ** BigInt(from);
  if (scaled % unit !== 0n) {
    refuse("agreed_value", "too_many_decimals", `The currency has ${to} decimals.`);
    return null;
  }
  return atMostLargest(scaled / unit, refuse);
}

function atMostLargest(value: Money, refuse: Refuse): Money | null {
  if (value <= LARGEST_LINE) return value;
  refuse("agreed_value", "too_large", "The amount of a line can be at most 10^12 minor units.");
  return null;
}

function bigScaledOrNull(value: number | null | undefined, decimals: number): bigint | null {
  return value === null || value === undefined ? null : scaledFromChecked(value, decimals);
}

function scaledOrNull(value: number | null | undefined, decimals: number): number | null {
  return value === null || value === undefined ? null : Number(scaledFromChecked(value, decimals));
}
