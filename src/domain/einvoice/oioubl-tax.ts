/** VAT as OIOUBL has it, in the document and again in each line. */
import { decimalText } from "../base/money.ts";
import type {
  ElectronicInvoice,
  ElectronicLine,
  ElectronicVat,
  VatCategory,
} from "./electronic-invoice.ts";
import { shortDecimal } from "./one-unit.ts";
import { aggregate, element } from "./xml-element.ts";

/** All amounts have two decimals, in currencies without any also. */
export const OIOUBL_DECIMALS = 2;

/** The names of the VAT categories that OIOUBL knows. */
export const oioublCategories: Partial<Record<VatCategory, string>> = {
  S: "StandardRated",
  E: "ZeroRated",
  AE: "ReverseCharge",
};

/** Danish VAT in the list of taxes. */
export const VALUE_ADDED_TAX = aggregate(
  "cac:TaxScheme",
  element("cbc:ID", "63", { schemeAgencyID: "320", schemeID: "urn:oioubl:id:taxschemeid-1.1" }),
  element("cbc:Name", "Moms"),
);

type Subtotal = Pick<ElectronicVat, "category" | "rate" | "base" | "vat">;

/** Returns an amount of the document's currency as an element. */
export function oioublAmount(
  { currency, currency_digits }: Pick<ElectronicInvoice, "currency" | "currency_digits">,
  name: string,
  amount: bigint,
): string {
  return amountOf(name, currency, currency_digits, amount);
}

/** Returns the VAT in the currency of the books, which OIOUBL takes in kroner and euros with VAT that is charged; else null. */
export function saysFunctionalVat({
  functional,
  vat,
}: Pick<ElectronicInvoice, "functional" | "vat">): ElectronicInvoice["functional"] {
  if (functional === null || !["DKK", "EUR"].includes(functional.currency)) return null;
  return vat.some(({ category }) => category === "S") ? functional : null;
}

/** Returns the VAT of the document by category. */
export function oioublTaxes(invoice: ElectronicInvoice): string {
  return taxTotal(invoice, invoice.totals.vat, invoice.vat, saysFunctionalVat(invoice));
}

/** Returns the VAT of a line, which is its share of the booked VAT. */
export function oioublLineTax(invoice: ElectronicInvoice, line: ElectronicLine): string {
  const { category, rate, net: base, vat } = line;
  return taxTotal(invoice, vat, [{ category, rate, base, vat }], null);
}

function taxTotal(
  invoice: ElectronicInvoice,
  vat: bigint,
  subtotals: readonly Subtotal[],
  functional: ElectronicInvoice["functional"],
): string {
  return aggregate(
    "cac:TaxTotal",
    oioublAmount(invoice, "TaxAmount", vat),
    ...subtotals.map((subtotal) =>
      aggregate(
        "cac:TaxSubtotal",
        oioublAmount(invoice, "TaxableAmount", subtotal.base),
        oioublAmount(invoice, "TaxAmount", subtotal.vat),
        functional === null || subtotal.category !== "S"
          ? ""
          : amountOf(
              "TransactionCurrencyTaxAmount",
              functional.currency,
              functional.digits,
              functional.vat,
            ),
        aggregate(
          "cac:TaxCategory",
          element("cbc:ID", oioublCategories[subtotal.category] ?? subtotal.category, {
            schemeAgencyID: "320",
            schemeID: "urn:oioubl:id:taxcategoryid-1.1",
          }),
          element("cbc:Percent", shortDecimal(BigInt(subtotal.rate), 2, 0)),
          VALUE_ADDED_TAX,
        ),
      ),
    ),
  );
}

function amountOf(name: string, currency: string, digits: number, amount: bigint): string {
  const scaled =
    digits < OIOUBL_DECIMALS ? amount * 10n ** BigInt(OIOUBL_DECIMALS - digits) : amount;
  return element(`cbc:${name}`, decimalText(scaled, Math.max(digits, OIOUBL_DECIMALS)), {
    currencyID: currency,
  });
}
