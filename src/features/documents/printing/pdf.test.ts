/**
 * Whole documents through `viewOf` and `renderPdf`. The text of the pages is read back with poppler's
 * pdftotext where it is installed; the structure of the file is checked everywhere.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  creditNote,
  danish,
  line,
  reverseCharge,
  vat,
} from "../../../../test/support/documents/documents.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { renderPdf } from "./pdf.ts";
import { viewOf } from "./view.ts";

const folder = mkdtempSync(join(tmpdir(), "matchbook-pdf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lacksReader = lacks("pdftotext");

describe("renderPdf", () => {
  it("gives the same bytes for the same view, dated by the document", async () => {
    const view = viewOf(danish(), { number: 1042n });
    const first = await renderPdf(view);
    await renderPdf(viewOf(reverseCharge(), { number: 1n }));
    const second = await renderPdf(structuredClone(view));
    expect(second.equals(first)).toBe(true);
    expect(first.toString("latin1")).toContain("(D:20261120000000Z)");
  });

  it("is a tagged PDF with language, title, and a table with heads and cells", async () => {
    const bytes = await renderPdf(viewOf(danish(), { number: 1042n }));
    const file = bytes.toString("latin1");
    expect(file.startsWith("%PDF-1.7")).toBe(true);
    expect(file.trimEnd().endsWith("%%EOF")).toBe(true);
    expect(file).toContain("/StructTreeRoot");
    expect(file).toContain("/Marked true");
    expect(file).toContain("/Lang (da-DK)");
    expect(file).toContain("/DisplayDocTitle true");
    expect(pageCount(bytes)).toBe(1);
    expect(elements(bytes, "Document")).toBe(1);
    expect(elements(bytes, "H1")).toBe(1);
    expect(elements(bytes, "Table")).toBe(2);
    expect(elements(bytes, "TR")).toBe(1 + 4 + 1 + 1);
    expect(elements(bytes, "TH")).toBe(6 + 4);
    expect(await renderPdf(viewOf(reverseCharge(), { number: 1n })).then(String)).toContain(
      "/Lang (en-GB)",
    );
  });

  it.skipIf(lacksReader)(
    "the text of a Danish invoice has all of its amounts (needs pdftotext)",
    async () => {
      const text = await textOf(danish(), 1042n);
      for (const expected of [
        "Faktura 1042",
        "Nordlys Rådgivning ApS",
        "CVR-nr. 25313763",
        "Att. Mette Krogh",
        "EAN 5798009811578",
        "20. november 2026",
        "20. december 2026",
        "Netto 30 dage",
        "PO-2026-118",
        "27,50 timer 1.200,00 5% 31.350,00",
        "18,50 timer 1.050,00 19.425,00",
        "1.–30. november 2026",
        "Vi ses den 3. december",
        "Subtotal uden moms 55.275,00",
        "Dansk moms 25% 55.275,00 13.818,75",
        "I alt DKK 69.093,75",
        "DKK 69.093,75",
        "0040 0440116243",
        "DK50 0040 0440 1162 43",
        "Side 1 af 1",
      ]) {
        expect(text).toContain(expected);
      }
      expect(text).not.toContain("UDKAST");
      expect(text).not.toContain("Kurs");
    },
  );

  it.skipIf(lacksReader)(
    "the text of a reverse charge names both VAT numbers (needs pdftotext)",
    async () => {
      const text = await textOf(reverseCharge(), 1043n);
      expect(text).toContain("Invoice 1043");
      expect(text).toContain("Total EUR 12,500.00");
      expect(text).toContain("Reverse charge / Omvendt betalingspligt");
      expect(text).toContain("Seller's VAT no. DK25313763. Customer's VAT no. DE136695976.");
      expect(text).toContain("1 EUR = 7.46 DKK");
      expect(text).toContain("Denmark");
      expect(text).toContain("Germany");
      expect(text).toContain("End of month + 15 days");
      expect(text).not.toContain("VAT in DKK");
    },
  );

  it.skipIf(lacksReader)(
    "the text of a draft has the mark and no number (needs pdftotext)",
    async () => {
      const text = await textOf(danish(), null);
      expect(text.match(/UDKAST/g)?.length).toBeGreaterThanOrEqual(1);
      expect(text).toContain("ikke gyldig som faktura");
      expect(text).not.toMatch(/Faktura \d/);
      expect(text).not.toContain("Betalingsreference");
    },
  );

  it.skipIf(lacksReader)(
    "the text of a credit note names the invoice (needs pdftotext)",
    async () => {
      const text = await textOf(creditNote(), 17n);
      expect(text).toContain("Kreditnota 17");
      expect(text).toContain("Krediterer faktura 1042 af 20. november 2026");
      expect(text).toContain("I alt krediteret DKK 69.093,75");
      expect(text).not.toContain("Betales senest");
    },
  );

  it.skipIf(lacksReader)("the text of huge amounts is exact (needs pdftotext)", async () => {
    const net = 900719925474099311n;
    const text = await textOf(
      {
        ...danish(),
        currency: "KWD",
        currency_digits: 3,
        rate_micro: 22851234n,
        lines: [line("Anlæg", net, [[100, net * 10n, 0, net]])],
        vat: [vat(net, 225179981368524828n)],
        totals: { net, vat: 225179981368524828n, gross: 1125899906842624139n },
      },
      1n,
    );
    expect(text).toContain("I alt KWD 1.125.899.906.842.624,139");
    expect(text).toContain("900.719.925.474.099,311");
    expect(text).toContain("1 KWD = 22,851234 DKK");
  });

  it("repeats the head of the table on each page and keeps every one of 500 lines", async () => {
    const lines = Array.from({ length: 500 }, (_, index) =>
      line(`Opgave nummer ${index + 1}`, 100n, [[100, 10000n, 0, 100n]]),
    );
    const bytes = await renderPdf(viewOf({ ...danish(), lines }, { number: 7n }));
    const pages = pageCount(bytes);
    expect(pages).toBeGreaterThan(10);
    expect(elements(bytes, "TR")).toBe(1 + 500 + 2);
    if (lacksReader) return;
    const text = read(bytes);
    expect(text.match(/Beskrivelse/g)?.length).toBeGreaterThanOrEqual(pages - 1);
    expect(text).toContain(`Side 2 af ${pages}`);
    for (const { text: expected } of lines) expect(text).toContain(expected);
  });

  it.each([1, 9, 20, 25, 26, 27, 28, 29, 30, 39, 60])(
    "keeps the payment box on the page of the totals after %i lines",
    async (count) => {
      for (const service_to of [null, "2026-11-30"]) {
        const plain = line("Opgave", 100n, [[100, 10000n, 0, 100n]]);
        const one = { ...plain, service_from: service_to && "2026-11-01", service_to };
        const lines = Array.from({ length: count }, () => one);
        const bytes = await renderPdf(viewOf({ ...danish(), lines }, { number: 7n }));
        // Nine short lines leave just enough room on the first page, and 39 on the second.
        if (service_to === null)
          expect(pageCount(bytes)).toBe(count <= 9 ? 1 : count <= 39 ? 2 : 3);
        if (lacksReader) continue;
        const last = read(bytes, pageCount(bytes));
        expect(last).toMatch(/Subtotal uden moms .* I alt DKK .* Til betaling/);
      }
    },
  );

  it.skipIf(lacksReader)(
    "the text of totals too long for a page with the box is on the page before it (needs pdftotext)",
    async () => {
      const lines = [line("Opgave", 100n, [[100, 10000n, 0, 100n]])];
      const many = Array.from({ length: 36 }, () => vat(100n, 25n));
      const bytes = await renderPdf(viewOf({ ...danish(), lines, vat: many }, { number: 7n }));
      expect(pageCount(bytes)).toBe(3);
      expect(read(bytes, 2)).toMatch(/Subtotal uden moms .* I alt DKK/);
      expect(read(bytes, 3)).toContain("Til betaling");
    },
  );

  it("accepts texts longer than a page, words wider than a column and unprintable characters", async () => {
    const lines = [
      line("ord ".repeat(6000), 0n, [[100, 0n, 0, 0n]]),
      line("x".repeat(3000), 100n, [[100, 10000n, 0, 100n]]),
      line("\ud83c\udf89 \u65e5\u672c \u202e\u0000 \u0645\u0631", 100n, [[100, 10000n, 0, 100n]]),
      line("", 100n, [[100, 10000n, 0, 100n]]),
    ];
    const long = { ...danish(), title: "titel ".repeat(80), lines };
    const bytes = await renderPdf(viewOf(long, { number: 7n }));
    expect(pageCount(bytes)).toBeGreaterThan(3);
    if (!lacksReader) expect(read(bytes).match(/\bord\b/g)?.length).toBe(6000);
  });

  it("prints the account's name while there is no seller", async () => {
    const view = viewOf({ ...danish(), seller: null }, { number: 7n });
    expect(view.seller).toEqual({ label: "", name: "Nordlys", lines: [] });
    expect(view.payment?.facts.map((fact) => fact.label)).toEqual([
      "Til betaling",
      "Betales senest",
      "Betalingsreference",
    ]);
    expect(pageCount(await renderPdf(view))).toBe(1);
  });
});

async function textOf(snapshot: DocumentSnapshot, number: bigint | null): Promise<string> {
  return read(await renderPdf(viewOf(snapshot, { number })));
}

/** The text of the pages, or of one of them: white space as one space, none before a per cent sign (poppler guesses). */
function read(bytes: Buffer, page?: number): string {
  const file = join(folder, "document.pdf");
  writeFileSync(file, bytes);
  const pages = page === undefined ? [] : ["-f", String(page), "-l", String(page)];
  const text = execFileSync("pdftotext", [...pages, "-layout", "-enc", "UTF-8", file, "-"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return text.replace(/\s+/g, " ").replaceAll(" %", "%");
}

function pageCount(bytes: Buffer): number {
  return bytes.toString("latin1").match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
}

/** The number of structure elements of a type in the file. */
function elements(bytes: Buffer, type: string): number {
  return bytes.toString("latin1").match(new RegExp(`/S /${type}\\b`, "g"))?.length ?? 0;
}
