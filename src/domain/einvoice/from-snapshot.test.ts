/** The content of e-invoices, as it follows from frozen documents. */
import { describe, expect, it } from "vitest";
import { creditNote, danish, line } from "../../../test/support/documents/documents.ts";
import { FACTS } from "../../../test/support/einvoice/content.ts";
import type {
  DocumentCustomer,
  DocumentLine,
  DocumentSnapshot,
  Seller,
} from "../sales/document.ts";
import type { VatCode } from "../sales/vat-code.ts";
import { buyersNumber, electronicInvoiceFrom } from "./from-snapshot.ts";

const from = (changes: Partial<DocumentSnapshot> = {}, facts: Partial<typeof FACTS> = {}) =>
  electronicInvoiceFrom({ ...danish(), ...changes }, { ...FACTS, ...facts });

const withCustomer = (fields: Partial<DocumentCustomer>) => ({
  customer: { ...danish().customer, ...fields },
});
const withSeller = (fields: Partial<Seller>) => ({
  seller: { ...(danish().seller as Seller), ...fields },
});

describe("a line", () => {
  it("is made for each printed row, with its own place", () => {
    const { lines, period } = from();
    expect(lines.map(({ line_index, quantity, net }) => [line_index, quantity, net])).toEqual([
      [0, 2750, 3135000n],
      [0, 1850, 1942500n],
      [1, 100, 450000n],
      [2, 100, 0n],
    ]);
    expect(lines[0]?.discount).toEqual({ percent: 500, base: 3300000n, amount: 165000n });
    expect(period).toEqual({ from: "2026-11-01", to: "2026-11-30" });
  });

  it.each([
    ["within 0.02", 150, 3_330_000n, 499_50n, 2, "hours"],
    ["0.02 off", 150, 3_330_000n, 499_52n, 2, "hours"],
    ["0.03 off", 150, 3_330_000n, 499_53n, 2, "parts"],
    ["of a currency without decimals", 150, 3_330_000n, 500n, 0, "parts"],
  ] as const)("%s is as booked: its unit is %6$s", (_case, quantity, price, net, digits, unit) => {
    const made = from({
      language: "en",
      currency_digits: digits,
      lines: [line("Work", net, [[quantity, price, 0, net]])],
    }).lines[0];
    expect(made?.unit).toBe(unit);
    expect(made?.net).toBe(net);
    if (unit === "hours") return;
    expect(made).toMatchObject({ quantity: 100, discount: null });
    expect(made?.unit_price_scaled).toBe(net * 10n ** BigInt(4 - digits));
    expect(made?.description).toBe(
      digits === 2 ? "Work\n1.5 hours at 333.00 DKK" : "Work\n1.5 hours at 333 DKK",
    );
  });

  it.each([
    ["Kort", "Kort", null],
    ["Første\nanden", "Første", "Første\nanden"],
    ["x".repeat(101), "x".repeat(100), "x".repeat(101)],
    [`${"x".repeat(99)}🧮y`, `${"x".repeat(99)}🧮`, `${"x".repeat(99)}🧮y`],
    ["ring\u0007 \u0000", "ring", null],
  ])("%j is named by its first line", (text, name, description) => {
    const { lines } = from({ lines: [line(text, 100n, [[100, 10000n, 0, 100n]])] });
    expect(lines[0]).toMatchObject({ name, description });
  });
});

const taxed = (vat_code: VatCode, rate = 0): Partial<DocumentSnapshot> => {
  const one: DocumentLine = {
    ...line("Work", 10000n, [[100, 1000000n, 0, 10000n]]),
    vat_code,
    vat_rate: rate,
  };
  const vat = { vat_code, rate, base: 10000n, vat: 0n, vat_functional: 0n, reason: null };
  return { lines: [one], vat: [vat] };
};

describe("VAT", () => {
  it.each([
    ["DK25", 2500, "S", null],
    ["DK0", 0, "E", null],
    ["DK_RC", 0, "AE", "VATEX-EU-AE"],
    ["EU_SERVICES_RC", 0, "AE", "VATEX-EU-AE"],
    ["EU_GOODS_RC", 0, "K", "VATEX-EU-IC"],
    ["EXPORT_GOODS", 0, "G", "VATEX-EU-G"],
    ["EXPORT_SERVICES", 0, "O", "VATEX-EU-O"],
  ] as const)("of %s at %i is category %s", (code, rate, category, reason) => {
    const { vat, lines, delivery } = from(taxed(code, rate));
    expect(vat).toMatchObject([{ category, rate, base: 10000n }]);
    expect(vat[0]?.reason?.code ?? null).toBe(reason);
    expect(lines[0]?.category).toBe(category);
    expect(delivery).toEqual(category === "K" ? { date: "2026-11-20", country_key: "DK" } : null);
  });

  it("is one breakdown for two codes of one category and rate", () => {
    const [domestic, foreign] = [taxed("DK_RC"), taxed("EU_SERVICES_RC")];
    const { vat } = from({
      lines: [...(domestic.lines ?? []), ...(foreign.lines ?? [])],
      vat: [...(domestic.vat ?? []), ...(foreign.vat ?? [])],
    });
    expect(vat).toMatchObject([{ category: "AE", base: 20000n }]);
    expect(vat[0]?.reason?.text).toMatch(/§ 46.*artikel 44/);
  });

  it("outside the scope leaves out both VAT numbers and keeps the CVR number", () => {
    const { seller, buyer } = from({
      ...taxed("EXPORT_SERVICES"),
      ...withCustomer({ country_key: "CH", vat_number: "CHE123456789" }),
    });
    expect([seller.vat_number, seller.registration_number]).toEqual([null, "25313763"]);
    expect(buyer.vat_number).toBeNull();
  });

  it("is stated in the currency of the books, where it is another one and not 0", () => {
    const foreign = { currency: "EUR", rate_micro: 7460000n };
    const [entry] = danish().vat;
    const vat = entry ? [{ ...entry, vat_functional: 10308788n }] : [];
    expect(from({ ...foreign, vat }).functional).toEqual({
      currency: "DKK",
      digits: 2,
      vat: 10308788n,
    });
    expect(from({ ...foreign, ...taxed("EU_SERVICES_RC") }).functional).toBeNull();
    expect(from().functional).toBeNull();
  });
});

describe("numbers and references", () => {
  it.each([
    ["DK", "DK 10 15 08 17", "DK10150817", { scheme: "0184", value: "10150817" }],
    ["DE", "136695976", "DE136695976", null],
    ["GR", "094259216", "EL094259216", null],
    ["NO", "NO 974 760 673 MVA", "NO974760673MVA", null],
    ["NO", "974760673", null, { scheme: null, value: "974760673" }],
    ["GB", "XI123456789", "XI123456789", null],
    ["DE", "no number", null, null],
    ["US", null, null, null],
  ])("of a buyer in %s with %j", (country_key, vat_number, expected, registration) => {
    const { buyer } = from(withCustomer({ country_key, vat_number }));
    expect([buyer.vat_number, buyer.registration]).toEqual([expected, registration]);
  });

  it("are those of the Danish VAT number where the seller has set no others", () => {
    expect(from().seller).toMatchObject({
      vat_number: "DK25313763",
      registration_number: "25313763",
      endpoint: { scheme: "0184", value: "25313763" },
      country_key: "DK",
    });
    expect(from(withSeller({ vat_number: null })).seller).toMatchObject({
      vat_number: null,
      registration_number: null,
      endpoint: null,
    });
  });

  it.each([
    [{ buyer_reference: "Dept. 7" }, {}, "Dept. 7"],
    [{}, {}, "PO-2026-118"],
    [withCustomer({ external_reference: null }), {}, "Mette Krogh"],
    [{ buyer_reference: "Dept. 7" }, { buyer_reference: "Dept. 8" }, "Dept. 8"],
  ])(
    "%#: the buyer's reference is the printed one, or a correction",
    (changes, corrections, expected) => {
      expect(from(changes, { corrections }).buyer_reference).toBe(expected);
    },
  );

  it("have their year where numbers restart each year", () => {
    expect([buyersNumber(47n, 2026), buyersNumber(47n, null)]).toEqual(["2026-47", "47"]);
    const made = electronicInvoiceFrom(creditNote(), { ...FACTS, preceding_year: 2026 });
    expect(made.preceding?.number).toMatch(/^2026-\d+$/);
    expect([made.due_date, made.payment_terms, made.payment]).toEqual([null, null, null]);
  });
});

describe("paying", () => {
  const codes = (fik_line: string | null) => ({
    payment_codes: { reference: "RF12", rf: "RF12", fik_line },
  });
  const iban = { iban: "DK5000400440116243" };

  it.each([
    [
      "FIK",
      "DK",
      "+71<000000000010017+81234567<",
      {},
      { code: "93", payment_id: "000000000010017" },
    ],
    ["FIK", "DK", "+73<+81234567<", {}, { code: "93", card_type: "73", payment_id: null }],
    ["FIK", "DK", null, {}, { code: "42", account_number: "0440116243", reference: "RF12" }],
    ["Domestic", "DE", null, {}, { code: "42" }],
    ["International", "DK", null, {}, { code: "58", ...iban }],
    ["International", "US", null, {}, { code: "30", ...iban }],
    [null, "DK", null, {}, { code: "42" }],
    [null, "DK", null, { bank_account_number: null }, { code: "58", ...iban }],
    [null, "NO", null, {}, { code: "58", ...iban }],
    [null, "US", null, {}, { code: "30", ...iban }],
  ] as const)("by %s in %s with %j and %j", (payment_mean, country_key, fik, seller, expected) => {
    const made = from({
      ...codes(fik),
      ...withSeller(seller),
      ...withCustomer({ payment_mean, country_key }),
    });
    expect(made.payment).toMatchObject(expected);
  });

  it("is left out where the seller has no account for the customer", () => {
    const none = withSeller({ iban: null, bank_account_number: null });
    expect(from(none).payment).toBeNull();
    expect(
      from({ ...withSeller({ iban: null }), ...withCustomer({ country_key: "SE" }) }).payment,
    ).toBeNull();
  });
});
