/**
 * The rules of this service for OIOUBL against the official ones: a random document breaks one of them exactly when the official rules
 * refuse it, and each broken rule is among the refusals. A valid document states the booked amounts.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText } from "../../src/domain/base/money.ts";
import type { ElectronicInvoice } from "../../src/domain/einvoice/electronic-invoice.ts";
import { missingOf } from "../../src/domain/einvoice/missing.ts";
import { writeOioubl } from "../../src/domain/einvoice/write-oioubl.ts";
import { danish } from "../support/documents/documents.ts";
import { anyDocument } from "../support/einvoice/any-document.ts";
import { contentOf } from "../support/einvoice/content.ts";
import { mended } from "../support/einvoice/mended.ts";
import { lacksOfficialRules, refusalsOf } from "../support/einvoice/official-rules.ts";

/** A document takes these rules three times as long as those of BIS 3. */
const RUNS = Number(process.env.TEST_EINVOICES ?? 200) / 2;

/** Mostly addresses that OIOUBL can state. */
const receivers = fc.constantFrom(
  { scheme: "0088", value: "5798009811578" },
  { scheme: "0184", value: "10150817" },
  { scheme: "0198", value: "DK10150817" },
  { scheme: "0096", value: "1003456789" },
  { scheme: "9930", value: "DE136695976" },
  null,
);

describe.skipIf(lacksOfficialRules)(
  "OIOUBL (needs the official rules: EINVOICE_VALIDATOR_DIR)",
  () => {
    it("breaks a rule of the service exactly when the official rules refuse it", async () => {
      let valid = 0;
      await fc.assert(
        fc.asyncProperty(
          anyDocument,
          receivers,
          fc.boolean(),
          async (document, receiver, is_mended) => {
            const invoice = contentOf(is_mended ? mended(document) : document, receiver);
            const xml = writeOioubl(invoice);
            const broken = missingOf(invoice, "oioubl-2.1").map(({ rule }) => rule);
            const refusals = await idsOf(xml);
            const facts = { document: invoice, broken, refusals };
            expect(refusals, JSON.stringify(facts, text)).toEqual(expect.arrayContaining(broken));
            expect(broken.length > 0, JSON.stringify(facts, text)).toBe(refusals.length > 0);
            if (refusals.length > 0) return;
            valid += 1;
            expect(amountsIn(xml)).toEqual(amountsOf(invoice));
          },
        ),
        { numRuns: RUNS },
      );
      expect(valid).toBeGreaterThan(0);
    });

    it("finds amounts that are one cent off, and a VAT that was computed by line", async () => {
      const invoice = contentOf(danish(), { scheme: "0088", value: "5798009811578" });
      const xml = writeOioubl(invoice);
      expect(await idsOf(xml)).toEqual([]);
      const { net, vat, gross } = invoice.totals;
      const off = { ...invoice, totals: { net, vat: vat + 1n, gross: gross + 1n } };
      expect(await idsOf(writeOioubl(off))).toContain("F-LIB385");
      expect(amountsIn(writeOioubl(off))).not.toEqual(amountsOf(invoice));
      const [first, ...rest] = invoice.vat;
      if (first === undefined) throw new Error("the invoice has no VAT");
      const by_line = { ...off, vat: [{ ...first, vat: first.vat + 1n }, ...rest] };
      // The official rules allow this, so that only the comparison finds it.
      expect(await idsOf(writeOioubl(by_line))).toEqual([]);
      expect(amountsIn(writeOioubl(by_line))).not.toEqual(amountsOf(invoice));
    });

    it("has a rule for the VAT of a line, and none for that of the document, which roundings may move", async () => {
      const invoice = contentOf(danish(), { scheme: "0088", value: "5798009811578" });
      const { net, vat, gross } = invoice.totals;
      const [first, ...rest] = invoice.vat;
      if (first === undefined) throw new Error("the invoice has no VAT");
      const moved = {
        ...invoice,
        totals: { net, vat: vat + 150n, gross: gross + 150n },
        vat: [{ ...first, vat: first.vat + 150n }, ...rest],
      };
      expect(missingOf(moved, "oioubl-2.1")).toEqual([]);
      expect(await idsOf(writeOioubl(moved))).toEqual([]);
    });

    it.each([
      ["the buyer's reference", /(<cac:Contact>\n)<cbc:ID>.*?<\/cbc:ID>\n/s, "F-INV051"],
      [
        "the VAT of a line",
        /(<cac:InvoiceLine>.*?)<cac:TaxTotal>.*?<\/cac:TaxTotal>\n/s,
        "F-INV138",
      ],
      [
        "the format of an address",
        /<cbc:AddressFormatCode.*?<\/cbc:AddressFormatCode>\n/s,
        "F-LIB025",
      ],
    ])("is refused without %s", async (_, left_out, rule) => {
      const xml = writeOioubl(contentOf(danish(), { scheme: "0088", value: "5798009811578" }));
      const without = xml.replace(left_out, (_whole, kept) =>
        typeof kept === "string" ? kept : "",
      );
      expect(without).not.toBe(xml);
      expect(await idsOf(without)).toContain(rule);
    });
  },
);

/** The ids of the refusals; the schema numbers nothing. */
async function idsOf(xml: string): Promise<string[]> {
  return (await refusalsOf(xml)).map((refusal) => refusal.replace(/^XSD .*$/s, "XSD"));
}

/** The totals, and the base and VAT of each breakdown, as the document states them. */
function amountsIn(xml: string): string[] {
  const head = xml.replace(/<cac:(Invoice|CreditNote)Line>.*/s, "");
  const found = head.matchAll(
    /<cbc:(?:LineExtension|TaxInclusive|Payable|Taxable|Tax|TaxExclusive)Amount [^>]*>([^<]*)</g,
  );
  return [...found].map(([, amount = ""]) => amount);
}

function amountsOf({ currency_digits: digits, totals, vat }: ElectronicInvoice): string[] {
  const amount = (value: bigint) => decimalText(value * 10n ** BigInt(2 - digits), 2);
  const { net, gross } = totals;
  return [
    totals.vat,
    ...vat.flatMap(({ base, vat: taxed }) => [base, taxed]),
    net,
    totals.vat,
    gross,
    gross,
  ].map(amount);
}

function text(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
