/** Random documents as they are frozen: every VAT code and kind of customer, several currencies, hours, discounts, odd texts, missing fields. */
import * as fc from "fast-check";
import { lessDiscount } from "../../../src/domain/base/money.ts";
import { creditDocumentOf } from "../../../src/domain/sales/credit-note.ts";
import type {
  DocumentCustomer,
  DocumentLine,
  DocumentSnapshot,
  Seller,
} from "../../../src/domain/sales/document.ts";
import { hoursAmount } from "../../../src/domain/sales/line.ts";
import { totalsOf } from "../../../src/domain/sales/totals.ts";
import { type VatCode, vatCodes } from "../../../src/domain/sales/vat-code.ts";
import { danish } from "../documents/documents.ts";

/** Texts that break naive writers of XML. */
const ODD_TEXTS = [
  "Rådgivning",
  `Smith & Sons <"Best"> 'Ltd'`,
  "Plan 🧮 fase 2 👩‍💻",
  "שלום עולם – مرحبا",
  "bell\u0007 and null\u0000 and \ufffe",
  "first line\nsecond line\r\nthird",
  "  padded\t ",
  "]]> <!-- --> &amp; &#0;",
  "x".repeat(140),
  `${"é".repeat(99)}🧮🧮`,
];

const odd = fc.constantFrom(...ODD_TEXTS);
/** Mostly the value, and sometimes none. */
const mostly = <Value>(value: Value) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(value) },
    { weight: 1, arbitrary: fc.constant(null) },
  );

type Kind = readonly [country: string | null, vat_number: string | null, ean: string | null];

const kinds: readonly Kind[] = [
  ["DK", null, "5798009811578"],
  ["DK", "10150817", "5798009811578"],
  ["DK", "DK 10 15 08 17", null],
  ["DE", "DE136695976", null],
  ["SE", "SE556036079301", null],
  ["GR", "094259216", null],
  ["GB", "XI123456789", null],
  ["GB", "GB 123 4567 82", null],
  ["NO", "NO 974760673 MVA", null],
  ["US", "12-3456789", null],
  ["US", null, null],
  [null, null, null],
];

const customers: fc.Arbitrary<DocumentCustomer> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    name: fc.oneof(fc.constant("Ringkøbing Kommune"), odd, fc.constant("\u0001 ")),
    att_person: fc.option(odd),
    external_reference: fc.option(fc.constant("PO-118")),
    payment_mean: fc.constantFrom(null, "FIK", "Domestic", "International", "Other"),
    p_number: fc.constantFrom(null, "1003456789", "12"),
    is_person: fc.boolean(),
  })
  .map(({ kind: [country_key, vat_number, ean_number], ...fields }) => ({
    ...danish().customer,
    ...fields,
    country_key,
    vat_number,
    ean_number,
  }));

const sellers: fc.Arbitrary<Seller | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 30,
    arbitrary: fc
      .record({
        name: mostly("Nordlys & Søn ApS"),
        vat_number: fc.constantFrom("25313763", "DK25313763", "DK 25 31 37 63", null, "none"),
        country_key: fc.constantFrom("DK", null),
        iban: mostly("DK50 0040 0440 1162 43"),
        bank_account_number: mostly("0440116243"),
        phone: mostly("+45 86 12 34 56"),
        street: fc.constantFrom("Vestergade 12\n3. sal", null, "Torvet <1>"),
        fik_creditor_number: fc.constant("81234567"),
        fik_card_type: fc.constantFrom("71" as const, "73" as const, "75" as const),
      })
      .map((fields) => ({ ...(danish().seller as Seller), ...fields })),
  },
);

const rows = (digits: number) =>
  fc.oneof(
    fc
      .array(
        fc.record({
          quantity: fc.integer({ min: 1, max: 20_000 }),
          price: fc.bigInt(1n, 30_000_000n),
        }),
        { minLength: 0, maxLength: 3 },
      )
      .chain((made) =>
        discounts.map((discount) =>
          made.map(({ quantity, price }) => ({
            quantity,
            unit_price_scaled: price,
            discount,
            net: hoursAmount(BigInt(quantity), price, discount, digits),
          })),
        ),
      ),
    fc
      .tuple(fc.bigInt(0n, 10n ** 8n), discountsOf(), fc.integer({ min: 1, max: 31 }))
      .map(([amount, discount, days]) => [
        {
          quantity: 100,
          // A share of a month: price and net are rounded, each for itself.
          unit_price_scaled: (amount * 10n ** BigInt(Math.max(0, 4 - digits)) * BigInt(days)) / 31n,
          discount,
          net: (lessDiscount(amount, discount) * BigInt(days)) / 31n,
        },
      ]),
  );

function discountsOf() {
  return fc.constantFrom(0, 0, 0, 500, 1250, 3333, 10_000);
}
const discounts = discountsOf();

/** Currencies with their digits and a rate to the books, in millionths. */
const CURRENCIES = [
  ["DKK", 2, null],
  ["DKK", 2, null],
  ["EUR", 2, 7_460_000n],
  ["ISK", 0, 50_000n],
  ["JPY", 0, 45_321n],
  ["KWD", 3, 22_000_000n],
] as const;

const lineOf = (
  digits: number,
  rate: number,
  codes: readonly VatCode[],
): fc.Arbitrary<DocumentLine> =>
  fc
    .record({
      text: fc.oneof(
        { weight: 8, arbitrary: odd },
        { weight: 1, arbitrary: fc.constant("\u0002") },
      ),
      unit: fc.constantFrom("hours", "parts", "day", "Måned", "km", "session"),
      product_number: fc.option(fc.constant("P-1 <&>")),
      code: fc.constantFrom(...codes),
      made: rows(digits),
      service: fc.option(
        fc.constantFrom(["2026-10-01", "2026-10-31"], ["2026-11-03", "2026-11-03"]),
      ),
    })
    .map(({ text, unit, product_number, code, made, service }) => {
      const net = made.reduce((sum, row) => sum + row.net, 0n);
      return {
        ...(danish().lines[0] as DocumentLine),
        text,
        unit,
        product_number,
        vat_code: code,
        vat_rate: code === "DK25" ? rate : 0,
        net,
        net_functional: net,
        rows: made,
        service_from: service?.[0] ?? null,
        service_to: service?.[1] ?? null,
      };
    });

/** A frozen invoice; amounts add up as they do when one is booked. */
const anyInvoice: fc.Arbitrary<DocumentSnapshot> = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES),
    rate: fc.constantFrom(2500, 2500, 2500, 2500, 1250, 0, 25),
    codes: fc.oneof(
      ...vatCodes.map((code) => fc.constant<VatCode[]>([code])),
      fc.subarray<VatCode>([...vatCodes], { minLength: 1, maxLength: 3 }),
    ),
  })
  .chain(({ currency: [currency, digits, rate_micro], rate, codes }) =>
    fc
      .record({
        lines: fc.array(lineOf(digits, rate, codes), { minLength: 1, maxLength: 5 }),
        customer: customers,
        seller: sellers,
        language: fc.constantFrom("da" as const, "en" as const),
        title: fc.option(odd),
        footer: fc.option(odd, { nil: undefined }),
        buyer_reference: fc.option(fc.constantFrom("EAN-ref 7", "\u0003"), { nil: undefined }),
        order_reference: fc.option(fc.constant("PO 4711"), { nil: undefined }),
        settled: fc.constantFrom(0n, 0n, 0n, 1n, -1n),
      })
      .map(({ lines, settled, buyer_reference, order_reference, footer, ...fields }) => {
        const placed = lines.map((line, at) => ({ ...line, line_id: `l${at}`, position: at + 1 }));
        const conversion =
          rate_micro === null ? null : { rate_micro, from_digits: digits, to_digits: 2 };
        const computed = totalsOf(placed, conversion);
        const vat = computed.vat.map((entry) =>
          entry.vat + settled > 0n && entry.vat > 0n
            ? { ...entry, vat: entry.vat + settled }
            : entry,
        );
        const tax = vat.reduce((sum, entry) => sum + entry.vat, 0n);
        const net = computed.totals.net;
        return {
          ...danish(),
          ...fields,
          ...(buyer_reference !== undefined && { buyer_reference }),
          ...(footer !== undefined && { footer }),
          ...(order_reference !== undefined && { order_reference }),
          lines: placed,
          vat,
          totals: { net, vat: tax, gross: net + tax },
          currency,
          currency_digits: digits,
          rate_micro,
          payment_codes: {
            reference: "RF871001",
            rf: "RF871001",
            fik_line:
              currency !== "DKK" || fields.seller === null
                ? null
                : FIK_LINES[fields.seller.fik_card_type ?? "71"],
          },
        };
      }),
  );

const FIK_LINES = {
  "71": "+71<000000000010017+81234567<",
  "73": "+73<+81234567<",
  "75": "+75<0000000000010017+81234567<",
};

/** A frozen invoice, or a credit note of one. */
export const anyDocument: fc.Arbitrary<DocumentSnapshot> = fc
  .tuple(anyInvoice, fc.boolean(), fc.integer({ min: 1, max: 100 }))
  .map(([document, is_credit, percent]) => {
    const lines = document.lines.map(({ line_id, net }) => ({
      invoice_line_id: line_id as never,
      amount: (net * BigInt(percent)) / 100n,
    }));
    const credited = lines.filter(({ amount }) => amount > 0n);
    if (!is_credit || credited.length === 0) return document;
    const credit_note = {
      id: "01990000-0000-7000-8000-000000000009",
      credit_date: "2026-11-25",
      lines: credited,
    };
    return creditDocumentOf(credit_note, { document, number: 1001n }, { by_line: new Map() });
  });
