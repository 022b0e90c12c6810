/** The open item of a booked document. */
import { describe, expect, it } from "vitest";
import type { DocumentSnapshot } from "../sales/document.ts";
import { itemOfDocument } from "./item-of-document.ts";

/** EUR 1,000.00 and VAT 250.00 at 7.46, in two lines whose functional amounts were rounded each. */
const invoice = {
  kind: "invoice",
  document_id: "inv",
  customer: { id: "acme" },
  currency: "EUR",
  issue_date: "2026-03-02",
  payment: { type: "Netto", days: 14, due_date: "2026-03-16" },
  lines: [{ net_functional: 248_6418n }, { net_functional: 497_3582n }],
  vat: [{ vat_functional: 186_5000n }],
  totals: { net: 1_000_00n, vat: 250_00n, gross: 1_250_00n },
} as unknown as DocumentSnapshot;

describe("the open item of a document", () => {
  it("is what the invoice posts on receivables, and is due when the invoice is", () => {
    expect(itemOfDocument(invoice, 47n)).toEqual({
      id: "inv",
      kind: "invoice",
      is_credit: false,
      customer_id: "acme",
      number: "47",
      currency: "EUR",
      date: "2026-03-02",
      due_date: "2026-03-16",
      ended_on: null,
      amount: 1_250_00n,
      functional: 932_5000n,
      takes: [],
    });
  });

  it("is a credit of a credit note, which is not due", () => {
    const item = itemOfDocument({ ...invoice, kind: "credit_note" }, 3n);
    expect([item?.is_credit, item?.due_date, item?.amount]).toEqual([true, null, 1_250_00n]);
  });

  it("does not exist for a document of 0", () => {
    const totals = { net: 0n, vat: 0n, gross: 0n };
    expect(itemOfDocument({ ...invoice, totals }, 48n)).toBeNull();
  });
});
