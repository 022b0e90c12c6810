/** The rules of EN 16931 that documents of ours can break. Their ids are those of its validation artefacts, release 1.3.16. */
import { isCountry } from "../base/country.ts";
import type { ElectronicInvoice, VatCategory } from "./electronic-invoice.ts";
import {
  type ElectronicRule,
  LINE_TEXT,
  rule,
  type Sentences,
  type Taxed,
  textsOf,
  vatByRate,
} from "./electronic-rule.ts";

/** The ids of the rules that want the seller's VAT number, by category of VAT. */
const NUMBER_RULES: readonly (readonly [VatCategory, string])[] = [
  ["S", "BR-S-02"],
  ["E", "BR-E-02"],
  ["AE", "BR-AE-02"],
  ["K", "BR-IC-02"],
  ["G", "BR-G-02"],
];

const SELLER_NUMBER: Sentences = {
  en: "The seller's VAT number is missing: set it in the configuration.",
  da: "Sælgers momsnummer mangler: Angiv det under indstillinger.",
};

const BUYER_NUMBER: Sentences = {
  en: "The customer's VAT number is missing, and the customer accounts for the VAT.",
  da: "Kundens momsnummer mangler, og kunden skal selv afregne momsen.",
};

const RATE: Sentences = {
  en: "A sale with Danish VAT needs a rate of at least 0.5 %: correct the rate in the configuration.",
  da: "Et salg med dansk moms kræver en sats på mindst 0,5 %: Ret satsen under indstillinger.",
};

/** Ours alone: the official rules allow sellers of other countries. */
export const SELLER_COUNTRY: ElectronicRule = rule(
  "MB-SELLER-COUNTRY",
  ({ seller }) => (seller.country_key === "DK" ? [] : ["seller.country_key"]),
  {
    en: "Only Danish sellers can send e-invoices.",
    da: "Kun danske sælgere kan sende e-fakturaer.",
  },
);

export const EN16931_RULES: readonly ElectronicRule[] = [
  SELLER_COUNTRY,
  rule("BR-06", ({ seller }) => (seller.name === null ? ["seller.name"] : []), {
    en: "The seller's name is missing: set it in the configuration.",
    da: "Sælgers navn mangler: Angiv det under indstillinger.",
  }),
  ...NUMBER_RULES.map(([category, id]) =>
    rule(
      id,
      (invoice) =>
        has(invoice, category) && invoice.seller.vat_number === null ? ["seller.vat_number"] : [],
      SELLER_NUMBER,
    ),
  ),
  rule("BR-07", ({ buyer }) => (buyer.name === null ? ["customer.name"] : []), {
    en: "The customer's name is missing.",
    da: "Kundens navn mangler.",
  }),
  rule("BR-11", ({ buyer }) => (buyer.country_key === null ? ["customer.country_key"] : []), {
    en: "The customer's country is missing.",
    da: "Kundens land mangler.",
  }),
  rule(
    "BR-CL-14",
    ({ buyer }) =>
      buyer.country_key === null || isCountry(buyer.country_key) ? [] : ["customer.country_key"],
    {
      en: "The customer's country is none of ISO 3166-1.",
      da: "Kundens land findes ikke i ISO 3166-1.",
    },
  ),
  rule(
    "BR-AE-02",
    (invoice) =>
      has(invoice, "AE") && invoice.buyer.vat_number === null && invoice.buyer.registration === null
        ? ["customer.vat_number"]
        : [],
    BUYER_NUMBER,
  ),
  rule(
    "BR-IC-02",
    (invoice) =>
      has(invoice, "K") && invoice.buyer.vat_number === null ? ["customer.vat_number"] : [],
    BUYER_NUMBER,
  ),
  rule("BR-16", ({ lines }) => (lines.length === 0 ? ["lines"] : []), {
    en: "No line has an amount.",
    da: "Ingen linje har et beløb.",
  }),
  rule("BR-25", ({ lines }) => textsOf(lines.filter(({ name }) => name === "")), LINE_TEXT),
  rule(
    "BR-O-11",
    ({ vat }) => (vat.length > 1 && vat.some(({ category }) => category === "O") ? ["lines"] : []),
    {
      en: "Services outside the EU must be on an invoice of their own: put the other lines on another one.",
      da: "Ydelser uden for EU skal stå på deres egen faktura: Flyt de andre linjer til en anden.",
    },
  ),
  rule(
    "BR-S-05",
    ({ vat }) =>
      vat.some(({ category, rate }) => category === "S" && rate === 0)
        ? ["configuration.vat.domestic_rate"]
        : [],
    RATE,
  ),
  rule(
    "BR-CO-17",
    ({ vat, currency_digits }) =>
      vat.some(
        (entry) => entry.rate > 0 && entry.rate < 50 && 2n * entry.vat >= unit(currency_digits),
      )
        ? ["configuration.vat.domestic_rate"]
        : [],
    RATE,
  ),
  rule("BR-CO-17", (invoice) => (invoice.vat.some(isFarOff(invoice)) ? ["currency"] : []), {
    en: "The booked VAT differs by 1 or more from the rate: an e-invoice cannot state it in this currency.",
    da: "Den bogførte moms afviger med 1 eller mere fra satsen: En e-faktura kan ikke angive den i denne valuta.",
  }),
  rule("BR-DEC-09", ({ currency_digits }) => (currency_digits > 2 ? ["currency"] : []), {
    en: "E-invoices have at most two decimals: choose another currency, or send a PDF.",
    da: "E-fakturaer har højst to decimaler: Vælg en anden valuta, eller send en PDF.",
  }),
  rule(
    "UBL-DT-01",
    ({ functional }) =>
      functional !== null && functional.digits > 2 ? ["configuration.functional_currency"] : [],
    {
      en: "E-invoices have at most two decimals, and the currency of the books has more.",
      da: "E-fakturaer har højst to decimaler, og regnskabets valuta har flere.",
    },
  ),
];

function has({ lines }: ElectronicInvoice, category: VatCategory): boolean {
  return lines.some((line) => line.category === category);
}

/** One unit of a currency, in minor units. */
function unit(digits: number): bigint {
  return 10n ** BigInt(digits);
}

/** Whether VAT and rate differ by at least 1 unit of the currency, which the rule tolerates no more. */
function isFarOff({ currency_digits }: ElectronicInvoice) {
  return (taxed: Taxed): boolean => {
    const compared = taxed.rate < 50 ? null : vatByRate(taxed, currency_digits);
    if (compared === null) return false;
    const off = compared.booked - compared.by_rate;
    return off >= 100n || off <= -100n;
  };
}
