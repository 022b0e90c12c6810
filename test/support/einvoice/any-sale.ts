/**
 * Random sales as clients send them: who sells and buys, in which currency, what is on the lines, and how much is credited.
 * `issueSales` makes them through the API.
 */
import * as fc from "fast-check";
import type { Seller } from "../../../src/domain/sales/document.ts";
import type { VatCode } from "../../../src/domain/sales/vat-code.ts";
import { danish } from "../documents/documents.ts";

/** The products, one for each kind of account that decides about VAT; `none` is an account without a code. */
export const PRODUCTS: Readonly<Record<string, readonly [account: number, code: VatCode]>> = {
  domestic: [1000, "DK25"],
  exempt: [1410, "DK0"],
  reverse_charge: [1420, "DK_RC"],
  goods: [1050, "EU_GOODS_RC"],
  services: [1150, "EU_SERVICES_RC"],
  export: [1100, "EXPORT_GOODS"],
  abroad: [1200, "EXPORT_SERVICES"],
};

const UNITS = ["parts", "hours", "day", "Måned", "km", "session"];
export const PRODUCT_KINDS = Object.keys(PRODUCTS).flatMap((name) =>
  UNITS.map((unit) => `${name} ${unit}`),
);

/** The currencies of sales with their digits, and their rates to the books. */
export const CURRENCIES = [
  ["DKK", 2, 1],
  ["EUR", 2, 7.46],
  ["SEK", 2, 0.654321],
  ["ISK", 0, 0.05],
  ["JPY", 0, 0.045321],
  ["KWD", 3, 22],
] as const;

const SELLER = {
  ...(danish().seller as Seller),
  name: "Nordlys & Søn ApS",
  street: "Vestergade 12, 3. <sal>",
};

/** The accounts that sell: their books, their rate of VAT in percent, and their seller. */
export const BOOKS = [
  { currency: "DKK", domestic_rate: 25, seller: SELLER },
  {
    currency: "DKK",
    domestic_rate: 25,
    seller: { ...SELLER, fik_creditor_number: "81234567", fik_card_type: "71" },
  },
  {
    currency: "DKK",
    domestic_rate: 12.5,
    seller: { ...SELLER, vat_number: "DK 25 31 37 63", bank_account_number: null },
  },
  { currency: "EUR", domestic_rate: 25, seller: { ...SELLER, contact_name: "<Bo> & 'Co'" } },
  {
    currency: "ISK",
    domestic_rate: 25,
    seller: { ...SELLER, iban: null, einvoice_address: "0088:5798009811578" },
  },
  { currency: "DKK", domestic_rate: 0.25, seller: SELLER },
  {
    currency: "DKK",
    domestic_rate: 0,
    seller: { ...SELLER, vat_number: null, registration_number: "25313763" },
  },
  { currency: "DKK", domestic_rate: 25, seller: null },
] as const;

/** Texts that break naive writers of XML. The API refuses U+0000. */
const odd = fc.constantFrom(
  "Rådgivning",
  `Smith & Sons <"Best"> 'Ltd'`,
  "Plan 🧮 fase 2 👩‍💻",
  "שלום עולם – مرحبا",
  "bell\u0007 and \ufffe",
  "first line\nsecond line\r\nthird",
  "  padded\t ",
  "]]> <!-- --> &amp; &#0;",
  "x".repeat(140),
  `${"é".repeat(99)}🧮🧮`,
);
const named = fc.oneof(
  { weight: 30, arbitrary: odd },
  { weight: 1, arbitrary: fc.constant("\u0001") },
);

const DANISH_EAN = { country_key: "DK", ean_number: "5798009811578" };
const buyers = fc.constantFrom<Readonly<Record<string, unknown>>>(
  DANISH_EAN,
  { ...DANISH_EAN, vat_number: "10150817" },
  { country_key: "DK", vat_number: "DK 10 15 08 17" },
  { country_key: "DK", vat_number: "DK10150817" },
  { country_key: "DK", vat_number: "10150817", einvoice_address: "0184:10150817" },
  {
    country_key: "DK",
    vat_number: "10150817",
    se_number: "10150817",
    invoice_mail_out_option_key: "SE",
  },
  { country_key: "DK", p_number: "1003456789", invoice_mail_out_option_key: "P" },
  { country_key: "DE", vat_number: "DE136695976", einvoice_address: "9930:DE136695976" },
  { country_key: "SE", vat_number: "SE556036079301", einvoice_address: "0088:5798009811578" },
  { country_key: "GR", vat_number: "094259216", einvoice_address: "0088:5798009811578" },
  { country_key: "GB", vat_number: "XI123456789", einvoice_address: "0088:5798009811578" },
  { country_key: "GB", vat_number: "GB 123 4567 82", einvoice_address: "0088:5798009811578" },
  { country_key: "NO", vat_number: "NO 974760673 MVA", einvoice_address: "0192:974760673" },
  { country_key: "US", vat_number: "12-3456789", einvoice_address: "0088:5798009811578" },
  { country_key: "US", einvoice_address: "0088:5798009811578" },
  { country_key: "FR" },
);

const customers = fc.record({
  numbers: buyers,
  name: named,
  is_person: fc.oneof(
    { weight: 9, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  street: odd.filter((text) => text.length < 100),
  zip_code: fc.constantFrom("5000", null),
  city: fc.constantFrom("Odense C", "Zürich & <Umgebung>"),
  att_person: fc.option(odd),
  external_reference: fc.option(fc.constant("PO-118")),
  payment_mean: fc.constantFrom(null, "FIK", "Domestic", "International", "Other"),
  preferred_invoice_language_key: fc.constantFrom("da", "en"),
});

const discounts = fc.constantFrom(0, 0, 0, 5, 12.5, 33.33, 0.01, 100);

/** Work of one of the users of the account: hundredths of an hour, and their rate on the line in 1/10000, or none of their own. */
const work = fc.record({
  user: fc.integer({ min: 0, max: 3 }),
  hours: fc.integer({ min: 1, max: 2400 }),
  rate: fc.option(fc.integer({ min: 1, max: 30_000_000 })),
});

const lines = fc.record({
  kind: fc.constantFrom(...PRODUCT_KINDS),
  text: fc.oneof({ weight: 40, arbitrary: odd }, { weight: 1, arbitrary: fc.constant("\u0002") }),
  discount: discounts,
  service: fc.constantFrom(
    {},
    { service_from: "2026-02-01", service_to: "2026-02-28" },
    { service_from: "2026-03-03", service_to: "2026-03-03" },
  ),
  /** Minor units of a line by value; null for one by hours. */
  value: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 100_000_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }) },
    { weight: 2, arbitrary: fc.constant(null) },
  ),
  /** 1/10000 of the currency. */
  rate: fc.integer({ min: 1, max: 30_000_000 }),
  work: fc.uniqueArray(work, { minLength: 0, maxLength: 4, selector: ({ user }) => user }),
});

const oneKind = fc.constantFrom(...Object.keys(PRODUCTS));
const references = fc.option(fc.constantFrom("EAN-ref 7", "\u0003"), { nil: undefined });

export type Sale = typeof anySale extends fc.Arbitrary<infer Made> ? Made : never;

/** Mostly of one kind of product, because services outside the EU stand alone, and mostly with all that is wanted. */
export const anySale = fc
  .record({
    books: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(0, 1) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: BOOKS.length - 1 }) },
    ),
    customer: customers,
    currency: fc.constantFrom(...CURRENCIES, CURRENCIES[0], CURRENCIES[0]),
    lines: fc.array(lines, { minLength: 1, maxLength: 5 }),
    kind: fc.option(oneKind, { freq: 4 }),
    title: fc.option(odd.filter((text) => text.length < 200)),
    footer: fc.option(odd),
    buyer_reference: fc.oneof(fc.constant("EAN-ref 7"), references),
    order_reference: fc.option(fc.constant("PO 4711"), { nil: undefined }),
    accounting_cost: fc.option(fc.constant("4217:2323:<2>"), { nil: undefined }),
    hours_specification: fc.boolean(),
    /** Percent of each line that is credited; 100 credits the whole invoice, null nothing. */
    credited: fc.option(fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 99 })), { freq: 1 }),
    format: fc.constantFrom<"peppol-bis-3" | "oioubl-2.1">(
      "peppol-bis-3",
      "peppol-bis-3",
      "oioubl-2.1",
    ),
  })
  .map(({ kind, ...sale }) => ({
    ...sale,
    lines: sale.lines.map((line) => ({
      ...line,
      kind: kind === null ? line.kind : `${kind} ${line.kind.split(" ")[1]}`,
    })),
  }));

/** Three lines of 0.33: their VAT is 0.25, and 0.24 where it is rounded by line. */
export const threeLines: Sale = {
  books: 0,
  customer: {
    numbers: DANISH_EAN,
    name: "Ringkøbing Kommune",
    is_person: false,
    street: "Ved Fjorden 6",
    zip_code: "5000",
    city: "Odense C",
    att_person: null,
    external_reference: null,
    payment_mean: null,
    preferred_invoice_language_key: "da",
  },
  currency: CURRENCIES[0],
  lines: Array.from({ length: 3 }, () => ({
    kind: "domestic parts",
    text: "Rådgivning",
    discount: 0,
    service: {},
    value: 33,
    rate: 1,
    work: [],
  })),
  title: null,
  footer: null,
  buyer_reference: "EAN-ref 7",
  order_reference: undefined,
  accounting_cost: undefined,
  hours_specification: false,
  credited: null,
  format: "peppol-bis-3",
};
