/**
 * What a document must show to be issued: always where VAT is left to the buyer, and all that the law requires when the account
 * asks for it.
 */
import { describe, expect, it } from "vitest";
import { danish, reverseCharge } from "../../../test/support/documents/documents.ts";
import { Problem } from "../base/problem.ts";
import { hasBankAccount, missingOfSeller, requireComplete } from "./completeness.ts";
import type { DocumentSnapshot, Seller } from "./document.ts";

type Changes = {
  readonly seller?: Partial<Seller> | null;
  readonly customer?: Partial<DocumentSnapshot["customer"]>;
};

const changed = (document: DocumentSnapshot, { seller, customer }: Changes): DocumentSnapshot => ({
  ...document,
  seller: seller === null ? null : ({ ...document.seller, ...seller } as Seller),
  customer: { ...document.customer, ...customer },
});

/** The fields that a refusal names; undefined when there is no refusal. */
function refused(document: DocumentSnapshot, is_strict: boolean): unknown {
  try {
    requireComplete(document, { domestic_country: "DK", is_strict });
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe("INVOICE_INCOMPLETE");
    return error.extras.details?.missing;
  }
}

describe("requireComplete", () => {
  it.each<[string, Changes, string[], string[]]>([
    ["nothing missing", {}, [], []],
    [
      "no seller",
      { seller: null },
      ["seller.vat_number"],
      ["seller.name", "seller.street", "seller.city", "seller.vat_number"],
    ],
    ["no name of the seller", { seller: { name: " " } }, [], ["seller.name"]],
    [
      "no number of the seller",
      { seller: { vat_number: null } },
      ["seller.vat_number"],
      ["seller.vat_number"],
    ],
    [
      "an invalid number of the seller",
      { seller: { vat_number: "n/a" } },
      ["seller.vat_number"],
      ["seller.vat_number"],
    ],
    [
      "a number of the seller with a wrong check digit",
      { seller: { vat_number: "12345675" } },
      [],
      [],
    ],
    ["no bank account", { seller: { iban: null, bank_account_number: null } }, [], []],
    [
      "no street of the buyer",
      { customer: { street: null } },
      ["customer.street"],
      ["customer.street"],
    ],
    [
      "no address of the buyer",
      { customer: { street: "", city: null } },
      ["customer.street", "customer.city"],
      ["customer.street", "customer.city"],
    ],
    [
      "no number of the buyer",
      { customer: { vat_number: null } },
      ["customer.vat_number"],
      ["customer.vat_number"],
    ],
  ])("checks reverse charge with %s", (_what, changes, always, strictly) => {
    const document = changed(reverseCharge(), changes);
    expect(refused(document, false)).toEqual(always);
    expect(refused(document, true)).toEqual(strictly);
  });

  it.each<[string, Changes, string[]]>([
    ["nothing missing", {}, []],
    [
      "no seller",
      { seller: null },
      ["seller.name", "seller.street", "seller.city", "seller.vat_number"],
    ],
    ["no address of the buyer", { customer: { street: null } }, ["customer.street"]],
    ["no number of the buyer", { customer: { vat_number: null } }, []],
  ])("a sale with VAT and %s is refused only on request", (_what, changes, strictly) => {
    const document = changed(danish(), changes);
    expect(refused(document, false)).toEqual([]);
    expect(refused(document, true)).toEqual(strictly);
  });
});

describe("missingOfSeller", () => {
  const seller = (fields: Partial<Seller>) =>
    ({ ...danish().seller, country_key: null, ...fields }) as Seller;

  it.each<[string, Partial<Seller>, string, string[]]>([
    ["a Danish number in Denmark", { vat_number: "25313763" }, "DK", []],
    ["a Danish number in Germany", { vat_number: "25313763" }, "DE", ["seller.vat_number"]],
    ["a German number in Germany", { vat_number: "136695976" }, "DE", []],
    [
      "a German number of a seller in Germany",
      { vat_number: "136695976", country_key: "DE" },
      "DK",
      [],
    ],
    ["a number outside of the Union", { vat_number: "MVA 17" }, "NO", []],
  ])(
    "checks %s by the seller's country, else by the account's",
    (_what, fields, country, missing) => {
      expect(missingOfSeller(seller(fields), country)).toEqual(missing);
    },
  );
});

describe("hasBankAccount", () => {
  const none = { iban: null, bank_registration_number: null, bank_account_number: null };
  const seller = (fields: Partial<Seller>) =>
    ({ ...danish().seller, ...none, ...fields }) as Seller;

  it.each<[string, Partial<Seller>, string, boolean]>([
    ["nothing", {}, "DKK", false],
    ["an IBAN", { iban: "DK5000400440116243" }, "EUR", true],
    [
      "an account",
      { bank_registration_number: "0040", bank_account_number: "440116243" },
      "DKK",
      true,
    ],
    ["an account without its bank", { bank_account_number: "440116243" }, "DKK", false],
    ["payment slips, for kroner", { fik_creditor_number: "81234567" }, "DKK", true],
    ["payment slips, for euros", { fik_creditor_number: "81234567" }, "EUR", false],
  ])("with %s", (_what, fields, currency, has_one) => {
    expect(hasBankAccount(seller(fields), currency)).toBe(has_one);
    expect(hasBankAccount(null, currency)).toBe(false);
  });
});
