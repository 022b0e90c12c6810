/** Documents that the text of a bank line names. */
import { describe, expect, it } from "vitest";
import { invoiceNumbersIn, numbersIn, type PayersText, referencesIn } from "./named-documents.ts";

function written(given: Partial<PayersText>): PayersText {
  return { reference: "", end_to_end_id: "", text: "", ...given };
}

describe("references", () => {
  it.each<[string, Partial<PayersText>, string[]]>([
    ["in the structured field", { reference: "RF18539007547034" }, ["RF18539007547034"]],
    ["in groups of four", { text: "Payment RF18 5390 0754 7034 thanks" }, ["RF18539007547034"]],
    ["with a wrong check digit", { text: "RF19539007547034" }, []],
    ["of a short number", { text: "rf9347" }, ["RF9347"]],
    ["of a payment slip", { text: "+71<000000000000471+81234567<" }, ["000000000000471"]],
    ["of a payment slip, as banks write it", { text: "71/000000000000471" }, ["000000000000471"]],
    ["of a payment slip with a wrong check digit", { text: "71/000000000000472" }, []],
    ["as 15 digits alone", { reference: "000000000000471" }, ["000000000000471"]],
    ["as 15 digits in other text", { text: "ref 000000000000471" }, []],
  ])("%s", (_name, given, expected) => {
    expect(referencesIn(written(given))).toEqual(expected);
  });
});

describe("numbers", () => {
  it.each<[string, string, string[]]>([
    ["a word of three digits", "Acme 1047", ["1047"]],
    ["a short number behind a word", "Faktura 47", ["47"]],
    ["a number behind a sign", "#7 and nr. 8", ["7", "8"]],
    ["two words of one", "invoice no. 12", ["12"]],
    ["zeros before it", "Faktura 0047", ["47"]],
    ["several", "1047, 1048 og 1050", ["1047", "1048", "1050"]],
    ["a short number alone", "47 stk", []],
    ["a date", "betaling 2026-03-15", []],
    ["an amount", "1.250,00", []],
  ])("%s", (_name, text, expected) => {
    expect(numbersIn(written({ text }))).toEqual(expected);
  });
});

it("calls those numbers those of invoices that stand behind the word", () => {
  const text = "Kreditnota nr. 12 til faktura nr. 0047, invoice #48, 1049";
  expect(invoiceNumbersIn(written({ text, reference: "Faktura 50" }))).toEqual(["50", "47", "48"]);
});
