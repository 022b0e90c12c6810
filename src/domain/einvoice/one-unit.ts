/**
 * A line as one unit of its net. The rules of e-invoices compute quantity × price − discount again and refuse a net that differs by more
 * than 0.02, and some syntaxes have no discount. The booked net never changes, so then the text says what was multiplied.
 */
import { decimalText } from "../base/money.ts";
import type { ElectronicInvoice, ElectronicLine } from "./electronic-invoice.ts";
import { unitCodeOf } from "./unit-codes.ts";

type Facts = Pick<ElectronicInvoice, "language" | "currency" | "currency_digits">;

/** Returns the line as 1 unit at the price of its net, with quantity, unit, price and discount in words in its description. */
export function asOneUnit(line: ElectronicLine, facts: Facts): ElectronicLine {
  const description = `${line.description ?? line.name}\n${wordsOf(line, facts)}`.trim();
  return {
    ...line,
    description,
    quantity: 100,
    unit: "parts",
    unit_price_scaled: line.net * 10n ** BigInt(Math.max(0, 4 - facts.currency_digits)),
    discount: null,
  };
}

/** `12,5 timer à 1.200,00 DKK, rabat 5 %`, without separators of thousands. */
function wordsOf(line: ElectronicLine, { language, currency, currency_digits }: Facts): string {
  const number = (value: bigint, decimals: number, fewest: number): string => {
    const text = shortDecimal(value, decimals, fewest);
    return language === "da" ? text.replace(".", ",") : text;
  };
  const quantity = number(BigInt(line.quantity), 2, 0);
  const price = `${number(line.unit_price_scaled, 4, Math.min(currency_digits, 4))} ${currency}`;
  const unit = unitWord(line.unit, line.quantity, language);
  const percent = line.discount === null ? null : number(BigInt(line.discount.percent), 2, 0);
  if (language === "da") {
    return `${quantity} ${unit} à ${price}${percent === null ? "" : `, rabat ${percent} %`}`;
  }
  return `${quantity} ${unit} at ${price}${percent === null ? "" : `, discount ${percent}%`}`;
}

function unitWord(unit: string, quantity: number, language: Facts["language"]): string {
  if (unitCodeOf(unit) !== "HUR") return unit === "parts" && language === "da" ? "stk." : unit;
  if (language === "da") return quantity === 100 ? "time" : "timer";
  return quantity === 100 ? "hour" : "hours";
}

/** Returns an exact decimal text without the zeros at its end, and with at least some decimals: 12000000n of four is `1200.00`. */
export function shortDecimal(value: bigint, decimals: number, fewest: number): string {
  const text = decimalText(value, decimals);
  if (decimals === 0) return text;
  const kept = text.replace(/0+$/, "");
  const least = text.length - decimals + fewest;
  const short = kept.length >= least ? kept : text.slice(0, least);
  return short.endsWith(".") ? short.slice(0, -1) : short;
}
