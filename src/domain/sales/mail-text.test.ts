/** The account's own texts of mails: which placeholders they may have, and what replaces them. */
import { describe, expect, it } from "vitest";
import { filledMailText, type MailKind, unknownPlaceholder } from "./mail-text.ts";

const FACTS = {
  number: "47",
  customer: "Havnens {number} A/S",
  amount: "1.250,00 DKK",
  due_date: "24. december 2026",
  sender: "Nordlys $& Studio",
};

describe("a placeholder that is not known", () => {
  it.each<[MailKind, string, string | null]>([
    ["invoice", "Invoice {number} for {customer}: {amount}, due {due_date}. {sender}", null],
    ["credit_note", "Credit note {number} for {customer}: {amount}. {sender}", null],
    ["credit_note", "Due {due_date}", "due_date"],
    ["invoice", "Hello {name}, {nummer}", "name"],
    ["invoice", "{Number}", "Number"],
    ["invoice", "{ number }", " number "],
    ["invoice", "{}", ""],
    ["invoice", "{{number}}", null],
    ["invoice", "An open { and { no } more", " no "],
    ["invoice", "An open {", null],
    ["invoice", "{number\n}", null],
    ["invoice", "", null],
  ])("of the %s %j is %j", (kind, text, unknown) => {
    expect(unknownPlaceholder(kind, text)).toBe(unknown);
  });
});

it.each<[MailKind, string, string]>([
  ["invoice", "{number}, {number}: {amount}", "47, 47: 1.250,00 DKK"],
  ["invoice", "Due {due_date}", "Due 24. december 2026"],
  // A fact is text, whatever stands in it.
  ["invoice", "{customer} from {sender}", "Havnens {number} A/S from Nordlys $& Studio"],
  ["credit_note", "No {due_date}", "No {due_date}"],
])("fills the %s %j as %j", (kind, text, filled) => {
  expect(filledMailText(kind, text, FACTS)).toBe(filled);
});
