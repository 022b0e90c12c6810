/** The words of a statement of account in both languages, and its PDF. */
import { describe, expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { accountStatementOf } from "../../../../test/support/documents/statement.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { renderLetter } from "./pdf-letter.ts";
import { statementText, statementViewOf } from "./statement-view.ts";

describe("statementText", () => {
  it.each([
    [
      "da",
      [
        "Faktura 47",
        "Faktura 48",
        "Betaling 12: faktura 47 (6.250,00), faktura 48 (750,00)",
        "Betaling 12 er tilbageført",
        "Kreditnota 5: faktura 48",
        "Afrunding af faktura 47",
        "Faktura 47 udlignet med en anden kundes betaling 14",
        "Betaling 15 brugt på en anden kundes faktura 9",
      ],
    ],
    [
      "en",
      [
        "Invoice 47",
        "Invoice 48",
        "Payment 12: invoice 47 (6,250.00), invoice 48 (750.00)",
        "Payment 12 was reversed",
        "Credit note 5: invoice 48",
        "Rounding of invoice 47",
        "Invoice 47 settled by another customer's payment 14",
        "Payment 15 used for another customer's invoice 9",
      ],
    ],
  ] as const)("names each change in %s", (language, texts) => {
    const { lines } = accountStatementOf();
    const formats = { language, currency_digits: 2 };
    expect(lines.map((line) => statementText(line, formats))).toEqual(texts);
  });

  it.each([
    [
      "da",
      "Afrunding af faktura 47",
      "Betaling 15 brugt på en anden kundes faktura 9",
      "tilbageført",
    ],
    [
      "en",
      "Rounding of invoice 47",
      "Payment 15 used for another customer's invoice 9",
      "reversed",
    ],
  ] as const)("names what is reversed in %s", (language, rounding, transfer, back) => {
    const undone = accountStatementOf()
      .lines.slice(5)
      .map((line) => ({ ...line, is_reversal: true, debit: line.credit, credit: line.debit }));
    const texts = undone.map((line) => statementText(line, { language, currency_digits: 2 }));
    expect([texts[0], texts[2]]).toEqual([`${rounding}, ${back}`, `${transfer}, ${back}`]);
  });
});

describe("statementViewOf", () => {
  it("shows what is owed by age, and where to pay it", () => {
    const { boxes, total, notes } = statementViewOf(accountStatementOf());
    expect(total).toEqual({ label: "Saldo DKK", value: "8.650,00" });
    expect(boxes[0]?.facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      "Ikke forfaldent: 1.000,00",
      "1–30 dage forfaldent: 5.250,00",
      "Over 90 dage forfaldent: 2.400,00",
    ]);
    expect(boxes[1]?.facts.map(({ label }) => label)).toContain("IBAN");
    expect(notes).toBeNull();
  });

  it("shows what is held for the customer, and asks for nothing", () => {
    const none = { not_due: 0n, days_1_30: 0n, days_31_60: 0n, days_61_90: 0n, over_90: 0n };
    const { boxes, total, notes } = statementViewOf(
      accountStatementOf({
        language: "en",
        lines: [],
        opening_balance: -250_00n,
        closing_balance: -250_00n,
        aging: { ...none, total: 0n },
        unapplied: 250_00n,
      }),
    );
    expect(total.value).toBe("-250.00");
    expect(boxes.map(({ facts }) => facts)).toEqual([[{ label: "Your credit", value: "-250.00" }]]);
    expect(notes).toBe("A minus means that we owe you the amount.");
  });
});

describe.skipIf(lacks("pdftotext"))("the PDF of a statement (needs pdftotext)", () => {
  it("has its lines in their order, with the head of the table on each page", async () => {
    const { lines, ...statement } = accountStatementOf();
    const many = { ...statement, lines: Array.from({ length: 8 }, () => lines).flat() };
    const pdf = await renderLetter(statementViewOf(many));
    const pages = textOfPdf(pdf).split("\f").slice(0, -1);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages.slice(0, -1)) {
      expect(page).toMatch(/Dato\s+Tekst\s+Forfalder\s+Debet\s+Kredit\s+Saldo/);
    }
    const words = pages.join(" ");
    expect(words).toMatch(/Kontoudtog[\s\S]*Saldo fra tidligere\s+2\.000,00/);
    expect(words).toMatch(/2\. nov\. 2026\s+Faktura 47\s+16\. nov\. 2026\s+6\.250,00\s+8\.250,00/);
    expect(words).toMatch(/Saldo DKK\s+8\.650,00/);
    expect((await renderLetter(statementViewOf(many))).equals(pdf)).toBe(true);
  });
});
