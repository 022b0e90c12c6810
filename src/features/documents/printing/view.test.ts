/** The contents of a document, as strings: its columns, facts and sentences. */
import { describe, expect, it } from "vitest";
import { creditNote, danish, line, vat } from "../../../../test/support/documents/documents.ts";
import type { DocumentLine, DocumentSnapshot } from "../../../domain/sales/document.ts";
import { fullVatNumber } from "./parties.ts";
import { viewOf } from "./view.ts";

describe("viewOf", () => {
  it("shows VAT in the functional currency when there is VAT in another", () => {
    const foreign = { ...danish(), currency: "EUR", rate_micro: 7460000n };
    const view = viewOf(
      { ...foreign, vat: [{ ...vat(5527500n, 1381875n), vat_functional: 10308788n }] },
      { number: 1n },
    );
    expect(view.functional).toEqual([
      { label: "Moms i DKK", value: "103.087,88" },
      { label: "Kurs", value: "1 EUR = 7,46 DKK" },
    ]);
  });

  it("has a column of discounts or of VAT rates only when some line needs it", () => {
    const plain = line("Plain", 100n, [[100, 10000n, 0, 100n]]);
    const labels = (lines: DocumentLine[]) =>
      viewOf({ ...danish(), lines }, { number: 1n }).table.columns.map((column) => column.label);
    expect(labels([plain])).toEqual(["Beskrivelse", "Antal", "Enhed", "Enhedspris", "Beløb"]);
    const exempt = { ...plain, vat_code: "DK0" as const, vat_rate: 0 };
    expect(labels([plain, exempt])).toContain("Moms");
    expect(labels(danish().lines.slice())).toContain("Rabat");
  });

  it("shows a full discount as a row and an unpriced line as text", () => {
    const free = line("Free", 0n, [[100, 10000n, 10000, 0n]]);
    const text = line("Text", 0n, [[0, 0n, 0, 0n]]);
    const view = viewOf({ ...danish(), lines: [free, text] }, { number: 1n });
    expect(view.table.lines.map((entry) => entry.rows.length)).toEqual([1, 0]);
  });

  it("shows the days that a credit note credits, when it knows them", () => {
    const [, retainer] = creditNote().lines;
    if (retainer === undefined) throw new Error("no second line");
    const note = (lines: DocumentLine[]) =>
      viewOf({ ...creditNote(), lines }, { number: 1n }).table.lines.map((entry) => entry.note);
    const credited_service = { from: "2026-11-11", to: "2026-11-30" };
    expect(note([retainer, { ...retainer, credited_service }])).toEqual([
      "1.–30. november 2026",
      "11.–30. november 2026",
    ]);
  });

  it("adds up the VAT when there are several codes", () => {
    const entries = [vat(100n, 25n), { ...vat(50n, 0n), vat_code: "DK0" as const, rate: 0 }];
    const totals = { net: 150n, vat: 25n, gross: 175n };
    const view = viewOf({ ...danish(), vat: entries, totals }, { number: 1n });
    expect(view.vat_table.rows.length).toBe(2);
    expect(view.vat_table.sum).toEqual({ label: "Moms i alt", value: "0,25" });
  });

  it("prints the line of a payment slip for kroner, when the number is known", () => {
    const seller = {
      ...(danish().seller as NonNullable<DocumentSnapshot["seller"]>),
      fik_creditor_number: "81234567",
      fik_card_type: "71" as const,
    };
    const slipOf = (changes: Partial<DocumentSnapshot>, number: bigint | null) =>
      viewOf({ ...danish(), seller, ...changes }, { number }).payment?.facts.find(({ label }) =>
        label.includes("FIK"),
      );
    expect(slipOf({}, 47n)).toEqual({
      label: "Indbetalingskort (FIK)",
      value: "+71<000000000000471+81234567<",
    });
    expect(slipOf({ language: "en" }, 47n)?.label).toBe("Payment slip (FIK)");
    expect(slipOf({}, null)).toBeUndefined();
    expect(slipOf({ currency: "EUR" }, 47n)).toBeUndefined();
    expect(slipOf({ seller: danish().seller }, 47n)).toBeUndefined();
    expect(slipOf({ seller: { ...seller, fik_card_type: "73" } }, 47n)?.value).toBe(
      "+73<+81234567<",
    );
  });

  it.each([
    ["da", "Betalings-id"],
    ["en", "Payment reference"],
  ] as const)("prints frozen payment codes in %s, whatever the seller has", (language, label) => {
    const payment_codes = {
      reference: "000000000000471",
      rf: "RF9347",
      fik_line: "+71<000000000000471+81234567<",
    };
    const valuesOf = (codes: DocumentSnapshot["payment_codes"]) => {
      const snapshot = { ...danish(), language, ...(codes && { payment_codes: codes }) };
      const facts = viewOf(snapshot, { number: 48n }).payment?.facts ?? [];
      return facts.map((fact) => `${fact.label}: ${fact.value}`);
    };
    const printed = valuesOf(payment_codes);
    expect(printed).toContain(`${label}: 000000000000471`);
    expect(printed.at(-1)).toMatch(/\(FIK\): \+71<000000000000471\+81234567<$/);
    const of_euros = valuesOf({ reference: "RF9347", rf: "RF9347", fik_line: null });
    expect(of_euros).toContain(
      `${language === "da" ? "Betalingsreference" : "Payment reference"}: RF9347`,
    );
    expect(of_euros.join()).not.toContain("FIK");
    expect(valuesOf(undefined).join()).not.toMatch(/RF|Betalings-id/);
  });

  it("asks for no payment when nothing is due", () => {
    const view = viewOf({ ...danish(), totals: { net: 0n, vat: 0n, gross: 0n } }, { number: 1n });
    expect(view.payment).toBeNull();
  });
});

describe("fullVatNumber", () => {
  it.each([
    ["25313763", "DK", "DK25313763"],
    ["DK 25 31 37 63", "DK", "DK25313763"],
    ["123456789", "GR", "EL123456789"],
    ["EL123456789", "GR", "EL123456789"],
    ["U12345678", "AT", "ATU12345678"],
    ["de123456789", "DE", "DE123456789"],
    ["de-123/456.789", "DE", "DE123456789"],
    ["XI980780684", "GB", "XI980780684"],
  ])("writes %s of %s as %s", (number, country, expected) => {
    expect(fullVatNumber(number, country)).toBe(expected);
  });

  it("writes nothing when there is no number", () => {
    expect(fullVatNumber("  ", "DK")).toBeNull();
    expect(fullVatNumber(null, null)).toBeNull();
  });
});
