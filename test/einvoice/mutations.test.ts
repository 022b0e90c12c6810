/**
 * What the official rules refuse, measured: single changes of valid documents, and each rule of the service once. Negative controls show that
 * the comparison of amounts finds what the rules tolerate.
 */
import { describe, expect, it } from "vitest";
import type { ElectronicInvoice } from "../../src/domain/einvoice/electronic-invoice.ts";
import { missingOf } from "../../src/domain/einvoice/missing.ts";
import { writeBis } from "../../src/domain/einvoice/write-bis.ts";
import type { DocumentSnapshot } from "../../src/domain/sales/document.ts";
import type { VatCode } from "../../src/domain/sales/vat-code.ts";
import { readBack } from "../../src/features/documents/einvoice-files/read-back.ts";
import { creditNote, danish, line, reverseCharge, vat } from "../support/documents/documents.ts";
import { contentOf } from "../support/einvoice/content.ts";
import { lacksOfficialRules, refusalsOf } from "../support/einvoice/official-rules.ts";

/** A document of one line under a VAT code. */
function taxed(
  vat_code: VatCode,
  country_key: string,
  vat_number: string | null,
): DocumentSnapshot {
  const one = { ...line("Work", 10000n, [[100, 1000000n, 0, 10000n]]), vat_code, vat_rate: 0 };
  const entry = { ...vat(10000n, 0n), vat_code, rate: 0 };
  const customer = { ...danish().customer, country_key, vat_number, ean_number: null };
  const totals = { net: 10000n, vat: 0n, gross: 10000n };
  return { ...danish(), customer, lines: [one], vat: [entry], totals };
}

const goods = () => contentOf(taxed("EU_GOODS_RC", "DE", "DE136695976"));
const services = () => contentOf(taxed("EXPORT_SERVICES", "US", null));
const exempt = () => contentOf(taxed("DK0", "DK", "10150817"));
const krona = () =>
  contentOf({
    ...danish(),
    currency: "ISK",
    currency_digits: 0,
    rate_micro: 50_000n,
    lines: [line("Work", 500n, [[150, 3330000n, 0, 500n]])],
    vat: [vat(500n, 125n)],
    totals: { net: 500n, vat: 125n, gross: 625n },
  });

const PAID = { reference: "RF12" };

describe.skipIf(lacksOfficialRules)(
  "BIS 3 (needs the official rules: EINVOICE_VALIDATOR_DIR)",
  () => {
    it.each<[string, () => ElectronicInvoice]>([
      ["a domestic invoice", () => contentOf(danish())],
      ["a credit note", () => contentOf(creditNote())],
      ["reverse charge in EUR", () => contentOf(reverseCharge())],
      ["goods to the EU", goods],
      ["services outside the EU without VAT numbers", services],
      ["an exempt sale with its reason alone", exempt],
      ["ISK as one unit of its net", krona],
      [
        "VAT in two currencies",
        () => ({
          ...contentOf(danish()),
          currency: "EUR",
          functional: { currency: "DKK", digits: 2, vat: 100n },
        }),
      ],
      [
        "IBAN with 58 in DKK",
        () => ({
          ...contentOf(danish()),
          payment: { ...PAID, code: "58", iban: "DK5000400440116243", swift: null },
        }),
      ],
      [
        "a payment slip",
        () => ({
          ...contentOf(danish()),
          payment: {
            ...PAID,
            code: "93",
            card_type: "71",
            payment_id: "000000000010017",
            creditor: "81234567",
          },
        }),
      ],
      [
        "a payment slip of 16 digits",
        () => ({
          ...contentOf(danish()),
          payment: {
            ...PAID,
            code: "93",
            card_type: "75",
            payment_id: "0000000000010017",
            creditor: "81234567",
          },
        }),
      ],
      [
        "a payment slip without an id",
        () => ({
          ...contentOf(danish()),
          payment: { ...PAID, code: "93", card_type: "73", payment_id: null, creditor: "81234567" },
        }),
      ],
      [
        "a PDF of hours",
        () => ({
          ...contentOf(danish()),
          attachments: [{ filename: "timer-1001.pdf", content: new Uint8Array([37, 80, 68, 70]) }],
        }),
      ],
      ["nothing to pay to", () => ({ ...contentOf(danish()), payment: null })],
    ])("passes %s", async (_case, make) => {
      const invoice = make();
      expect(missingOf(invoice, "peppol-bis-3")).toEqual([]);
      expect(await refusalsOf(writeBis(invoice))).toEqual([]);
    });

    it.each<[string, () => ElectronicInvoice, string[]]>([
      [
        "ISK of its hours",
        () =>
          edited(krona(), (one) => ({
            ...one,
            quantity: 150,
            unit: "hours",
            unit_price_scaled: 3330000n,
          })),
        ["PEPPOL-EN16931-R120"],
      ],
      [
        "the seller's VAT number beside services outside the EU",
        () => ({ ...services(), seller: contentOf(danish()).seller }),
        ["BR-O-02"],
      ],
      [
        "an exempt sale without a reason",
        () => ({ ...exempt(), vat: exempt().vat.map((one) => ({ ...one, reason: null })) }),
        ["BR-E-10"],
      ],
      [
        "goods to the EU without delivery",
        () => ({ ...goods(), delivery: null }),
        ["BR-IC-11", "BR-IC-12"],
      ],
      [
        "an e-mail address as endpoint",
        () => withReceiver("EM", "a@b.example"),
        ["PEPPOL-EN16931-CL008"],
      ],
      [
        "a wrong check digit of a GLN",
        () => withReceiver("0088", "5798009811579"),
        ["PEPPOL-COMMON-R040"],
      ],
      [
        "a transfer of code 30 between Danes",
        () => ({
          ...contentOf(danish()),
          payment: { ...PAID, code: "30", iban: "DK5000400440116243", swift: null },
        }),
        ["DK-R-005"],
      ],
      [
        "an amount one cent off",
        () => ({
          ...contentOf(danish()),
          totals: { net: 5527500n, vat: 1381875n, gross: 6909376n },
        }),
        ["BR-CO-15"],
      ],
      ["an element left out", () => ({ ...contentOf(danish()), issue_date: "" }), ["BR-03"]],
    ])("refuses %s", async (_case, make, expected) => {
      expect(await refusalsOf(writeBis(make()))).toEqual(expect.arrayContaining(expected));
    });

    it.each<[string, string, (invoice: ElectronicInvoice) => ElectronicInvoice]>([
      ["BR-06", "seller.name", (one) => ({ ...one, seller: { ...one.seller, name: null } })],
      [
        "BR-S-02",
        "seller.vat_number",
        (one) => ({ ...one, seller: { ...one.seller, vat_number: null } }),
      ],
      ["BR-07", "customer.name", (one) => ({ ...one, buyer: { ...one.buyer, name: null } })],
      [
        "BR-11",
        "customer.country_key",
        (one) => ({ ...one, buyer: { ...one.buyer, country_key: null } }),
      ],
      [
        "BR-CL-14",
        "customer.country_key",
        (one) => ({ ...one, buyer: { ...one.buyer, country_key: "XX" } }),
      ],
      ["BR-16", "lines", (one) => ({ ...one, lines: [] })],
      [
        "BR-25",
        "lines[0].description_override",
        (one) => edited(one, (first) => ({ ...first, name: "" })),
      ],
      ["BR-DEC-09", "currency", (one) => ({ ...one, currency: "KWD", currency_digits: 3 })],
      [
        "UBL-DT-01",
        "configuration.functional_currency",
        (one) => ({ ...one, functional: { currency: "KWD", digits: 3, vat: 1n } }),
      ],
      [
        "DK-R-002",
        "seller.registration_number",
        (one) => ({ ...one, seller: { ...one.seller, registration_number: null } }),
      ],
      [
        "PEPPOL-EN16931-R020",
        "seller.einvoice_address",
        (one) => ({ ...one, seller: { ...one.seller, endpoint: null } }),
      ],
      [
        "PEPPOL-EN16931-R010",
        "customer.einvoice_address",
        (one) => ({ ...one, buyer: { ...one.buyer, endpoint: null } }),
      ],
      ["PEPPOL-EN16931-R003", "buyer_reference", (one) => ({ ...one, buyer_reference: null })],
    ])("%s is a rule of the service, cured by %s", async (rule, field, change) => {
      const invoice = change(contentOf(danish()));
      expect(missingOf(invoice, "peppol-bis-3").map((one) => [one.rule, one.field])).toContainEqual(
        [rule, field],
      );
      expect(await refusalsOf(writeBis(invoice))).toContain(rule);
    });

    it.each<[string, string, () => DocumentSnapshot]>([
      ["BR-AE-02", "customer.vat_number", () => taxed("EU_SERVICES_RC", "DE", null)],
      [
        "BR-AE-02",
        "seller.vat_number",
        () => unregistered(taxed("EU_SERVICES_RC", "DE", "DE136695976")),
      ],
      ["BR-IC-02", "customer.vat_number", () => taxed("EU_GOODS_RC", "DE", null)],
      [
        "BR-IC-02",
        "seller.vat_number",
        () => unregistered(taxed("EU_GOODS_RC", "DE", "DE136695976")),
      ],
      ["BR-E-02", "seller.vat_number", () => unregistered(taxed("DK0", "DK", null))],
      ["BR-G-02", "seller.vat_number", () => unregistered(taxed("EXPORT_GOODS", "US", null))],
      ["BR-S-05", "configuration.vat.domestic_rate", () => taxed("DK25", "DK", null)],
      [
        "BR-O-11",
        "lines",
        () => beside(taxed("EXPORT_SERVICES", "US", null), taxed("DK0", "US", null)),
      ],
    ])("%s of a frozen document is cured by %s", async (rule, field, make) => {
      const invoice = contentOf(make());
      const broken = missingOf(invoice, "peppol-bis-3").map((one) => [one.rule, one.field]);
      expect(broken).toContainEqual([rule, field]);
      expect(await refusalsOf(writeBis(invoice))).toContain(rule);
    });

    it("tolerates VAT that is a cent too high everywhere, which the comparison of amounts finds", async () => {
      const booked = danish();
      const high = contentOf({
        ...booked,
        vat: [vat(5527500n, 1381876n)],
        totals: { net: 5527500n, vat: 1381876n, gross: 6909376n },
      });
      const xml = writeBis(high);
      expect(await refusalsOf(xml)).toEqual([]);
      expect(
        (await readBack(Buffer.from(xml), booked, new AbortController().signal))?.faults.length,
      ).toBeGreaterThan(0);
      const right = await readBack(
        Buffer.from(writeBis(contentOf(booked))),
        booked,
        new AbortController().signal,
      );
      expect(right?.faults).toEqual([]);
    });
  },
);

/** The document with every line changed. */
function edited(
  invoice: ElectronicInvoice,
  change: (line: ElectronicInvoice["lines"][number]) => ElectronicInvoice["lines"][number],
): ElectronicInvoice {
  return { ...invoice, lines: invoice.lines.map(change) };
}

function withReceiver(scheme: string, value: string): ElectronicInvoice {
  return contentOf(danish(), { scheme, value });
}

/** The document of a seller without a VAT number, who has a CVR number. */
function unregistered(document: DocumentSnapshot): DocumentSnapshot {
  const { seller } = danish();
  if (seller === null) return document;
  return { ...document, seller: { ...seller, vat_number: null, registration_number: "25313763" } };
}

/** A document with the lines of two. */
function beside(one: DocumentSnapshot, other: DocumentSnapshot): DocumentSnapshot {
  return { ...one, lines: [...one.lines, ...other.lines], vat: [...one.vat, ...other.vat] };
}
