/** Payment codes. */
import { describe, expect, it } from "vitest";
import type { FikCardType } from "../sales/fik.ts";
import {
  creditorReference,
  type NumberedDocument,
  numbersOfReference,
  paymentCodesOf,
  referencesOfNumber,
} from "./payment-codes.ts";

function codes(given: Partial<NumberedDocument>) {
  return paymentCodesOf({
    kind: "invoice",
    number: 47n,
    ledger_year: null,
    currency: "DKK",
    seller: {},
    ...given,
  });
}

describe("payment codes", () => {
  it("are a creditor reference of the number", () => {
    expect(codes({})).toEqual({ reference: "RF9347", rf: "RF9347", fik_line: null });
    expect(creditorReference("539007547034")).toBe("RF18539007547034");
  });

  it("have the year before six digits where numbers restart", () => {
    expect(codes({ ledger_year: 2026 }).rf).toMatch(/^RF\d\d2026000047$/);
  });

  it("begin with R for a reminder, and its payment id with 9", () => {
    const { rf, fik_line } = codes({
      kind: "reminder",
      seller: { fik_creditor_number: "81234567" },
    });
    expect(rf).toMatch(/^RF\d\dR47$/);
    expect(fik_line).toMatch(/^\+71<90000000000047\d\+81234567<$/);
  });

  it("are the payment id in kroner with a creditor number", () => {
    expect(codes({ seller: { fik_creditor_number: "81234567" } })).toEqual({
      reference: "000000000000471",
      rf: "RF9347",
      fik_line: "+71<000000000000471+81234567<",
    });
    expect(codes({ seller: { fik_creditor_number: "81234567" }, number: 2n }).reference).toBe(
      "000000000000026",
    );
    expect(
      codes({ seller: { fik_creditor_number: "81234567" }, currency: "EUR" }).fik_line,
    ).toBeNull();
  });

  it.each<[FikCardType, string, string]>([
    ["71", "000000000000471", "+71<000000000000471+81234567<"],
    ["73", "RF9347", "+73<+81234567<"],
    ["75", "RF9347", "+75<0000000000000471+81234567<"],
  ])("have the line of the seller's card type %s", (fik_card_type, reference, fik_line) => {
    const seller = { fik_creditor_number: "81234567", fik_card_type };
    expect(codes({ seller })).toEqual({ reference, rf: "RF9347", fik_line });
  });

  it("have no line for a number with more digits than a payment id", () => {
    const seller = { fik_creditor_number: "81234567" };
    const number = 10n ** 14n;
    expect(codes({ seller, number }).fik_line).toBeNull();
    expect(codes({ seller, number: 10n ** 13n, kind: "reminder" }).fik_line).toBeNull();
    expect(codes({ seller, number }).reference).toMatch(/^RF/);
  });

  it("are those of a document without a seller", () => {
    expect(codes({ seller: null })).toEqual({ reference: "RF9347", rf: "RF9347", fik_line: null });
  });
});

describe("the numbers of a reference", () => {
  it.each(["1", "47", "100", "2026000047", "9000001"])("have %s", (number) => {
    for (const kind of ["invoice", "reminder"] as const) {
      for (const reference of referencesOfNumber(number, kind)) {
        expect(numbersOfReference(reference), reference).toContain(number);
      }
    }
  });
});
