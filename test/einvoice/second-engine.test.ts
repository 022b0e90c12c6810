/**
 * The second engine for the official rules, in Java, agrees with the rules of this service: phive about UBL, and Mustang with veraPDF about
 * Factur-X. One process validates all files of a kind, because its start takes seconds.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ElectronicInvoice } from "../../src/domain/einvoice/electronic-invoice.ts";
import { missingOf } from "../../src/domain/einvoice/missing.ts";
import { writeBis } from "../../src/domain/einvoice/write-bis.ts";
import { writeCii } from "../../src/domain/einvoice/write-cii.ts";
import { writeOioubl } from "../../src/domain/einvoice/write-oioubl.ts";
import type { DocumentSnapshot } from "../../src/domain/sales/document.ts";
import { renderPdf } from "../../src/features/documents/printing/pdf.ts";
import { viewOf } from "../../src/features/documents/printing/view.ts";
import { anyDocument } from "../support/einvoice/any-document.ts";
import { contentOf } from "../support/einvoice/content.ts";
import { facturXAnswers, lacksJavaRules, phiveRefusals } from "../support/einvoice/java-rules.ts";
import { mended } from "../support/einvoice/mended.ts";

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env.TEST_EINVOICES ?? 200) / 2;
/** Ten of issued documents are validated in `issued-documents.test.ts`; one takes seconds of CPU. */
const PRINTED = 4;

const bytes = (xml: string) => new TextEncoder().encode(xml);

describe.skipIf(lacksJavaRules)("the second engine (needs Java: EINVOICE_BUILD)", () => {
  it.each([
    ["peppol-bis-3", writeBis],
    ["oioubl-2.1", writeOioubl],
  ] as const)(
    "%s is refused by phive exactly when it breaks a rule of the service",
    async (format, write) => {
      const invoices = sampleOf(RUNS / 2).map((document) => contentOf(document));
      const refusals = await phiveRefusals(invoices.map((invoice) => bytes(write(invoice))));
      const broken = invoices.map((invoice) => rulesOf(invoice, format));
      expect(broken.filter((rules) => rules.length === 0)).not.toEqual([]);
      expect(refusals.map((ids, at) => [at, ids.length > 0, ids, SEED])).toEqual(
        broken.map((rules, at) => [at, rules.length > 0, refusals[at], SEED]),
      );
    },
  );

  it("CII is refused exactly when it breaks a rule of the service, with and without an address", async () => {
    const invoices = sampleOf(RUNS / 4).map((document, at) =>
      contentOf(document, at % 2 === 0 ? undefined : null),
    );
    const xml = invoices.map((invoice) => bytes(writeCii(invoice)));
    const answers = await facturXAnswers(xml, "xml");
    const broken = invoices.map((invoice) => rulesOf(invoice, "factur-x"));
    expect(broken.filter((rules) => rules.length === 0)).not.toEqual([]);
    expect(answers.map((answer, at) => [at, answer === "valid", answer])).toEqual(
      broken.map((rules, at) => [at, rules.length === 0, answers[at]]),
    );
  });

  it("pages with their data are PDF/A-3a and Factur-X, with characters that the fonts lack", async () => {
    const expressible = sampleOf(RUNS).flatMap((document) => {
      const invoice = contentOf(document);
      return rulesOf(invoice, "factur-x").length === 0 ? [{ document, invoice }] : [];
    });
    const files = await Promise.all(
      expressible.slice(0, PRINTED).map(({ document, invoice }) => {
        const view = viewOf(document, { number: 1001n });
        return renderPdf(view, null, undefined, bytes(writeCii(invoice)));
      }),
    );
    expect(files).toHaveLength(PRINTED);
    expect(await facturXAnswers(files, "pdf")).toEqual(files.map(() => "valid"));
  });
});

/** Random documents, half of them without the most common faults. */
function sampleOf(runs: number): DocumentSnapshot[] {
  return fc
    .sample(fc.tuple(anyDocument, fc.boolean()), { numRuns: Math.max(PRINTED, runs), seed: SEED })
    .map(([document, is_mended]) => (is_mended ? mended(document) : document));
}

function rulesOf(invoice: ElectronicInvoice, format: Parameters<typeof missingOf>[1]): string[] {
  return missingOf(invoice, format).map(({ rule }) => rule);
}
