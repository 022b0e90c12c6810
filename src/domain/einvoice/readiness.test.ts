/** The warnings of an e-invoice that is not sent yet, and what a customer alone may lack. */
import { describe, expect, it } from "vitest";
import { danish } from "../../../test/support/documents/documents.ts";
import { contentOf } from "../../../test/support/einvoice/content.ts";
import type { Seller } from "../sales/document.ts";
import { missingOf, sentencesOf } from "./missing.ts";
import {
  missingOfSeller,
  partiesAlone,
  type ReadinessFacts,
  readinessOf,
  readinessOfParties,
} from "./readiness.ts";

const invoice = contentOf(danish());
const READY: ReadinessFacts = {
  invoice,
  format: "peppol-bis-3",
  terms: { domestic_country: "DK", carried_formats: ["peppol-bis-3", "oioubl-2.1"] },
  looks_up: true,
  lookup: {
    registered: "yes",
    formats: ["peppol-bis-3"],
    looked_up_at: "2026-11-27T10:00:00Z",
  },
};
const WITHOUT_CONNECTION = { domestic_country: "DK", carried_formats: null };
const transfer = { code: "58", reference: "1001", swift: null } as const;

describe("an e-invoice is warned of", () => {
  it.each<[string, Partial<ReadinessFacts>, readonly string[]]>([
    ["not where everything is there", {}, []],
    ["without a connection", { terms: WITHOUT_CONNECTION }, ["EINVOICE_NOT_CONNECTED"]],
    [
      "where the receiver is not registered",
      { lookup: { ...READY.lookup, registered: "no", formats: [] } },
      ["RECEIVER_NOT_REGISTERED customer.einvoice_address"],
    ],
    [
      "where the receiver takes no invoices",
      { lookup: { ...READY.lookup, formats: [] } },
      ["RECEIVER_NOT_REGISTERED customer.einvoice_address"],
    ],
    [
      "where the receiver was not looked up",
      { lookup: { registered: "unknown", formats: [], looked_up_at: null } },
      ["RECEIVER_NOT_LOOKED_UP customer.einvoice_address"],
    ],
    [
      "not of a look-up while look-ups are off",
      { looks_up: false, lookup: { registered: "unknown", formats: [], looked_up_at: null } },
      [],
    ],
    [
      "not of a receiver without an address, which is missing",
      {
        invoice: { ...invoice, buyer: { ...invoice.buyer, endpoint: null } },
        lookup: { registered: "unknown", formats: [], looked_up_at: null },
      },
      [],
    ],
    [
      "not of the register of Peppol for OIOUBL, of which it knows nothing",
      { format: "oioubl-2.1", lookup: { ...READY.lookup, registered: "no", formats: [] } },
      [],
    ],
    [
      "neither of connection nor receiver for Factur-X, which goes by mail",
      {
        format: "factur-x",
        terms: WITHOUT_CONNECTION,
        lookup: { ...READY.lookup, registered: "no", formats: [] },
      },
      [],
    ],
    [
      "with nothing to pay to",
      { invoice: { ...invoice, payment: null } },
      ["PAYMENT_ACCOUNT_MISSING seller.iban"],
    ],
    [
      "with an IBAN whose check digits are wrong",
      { invoice: { ...invoice, payment: { ...transfer, iban: "DK5000400440116244" } } },
      ["IBAN_INVALID seller.iban"],
    ],
    [
      "not with a right IBAN",
      { invoice: { ...invoice, payment: { ...transfer, iban: "DK5000400440116243" } } },
      [],
    ],
    [
      "not of an account on a credit note, which is not paid",
      { invoice: { ...invoice, kind: "credit_note", payment: null } },
      [],
    ],
    [
      "not of an account where there is nothing to pay",
      { invoice: { ...invoice, payment: null, totals: { net: 0n, vat: 0n, gross: 0n } } },
      [],
    ],
  ])("%s", (_case, facts, expected) => {
    const { missing, warnings } = readinessOf({ ...READY, ...facts });
    expect(warnings.map(({ code, field }) => [code, field ?? []].flat().join(" "))).toEqual(
      expected,
    );
    for (const { message } of warnings) expect(message.en).not.toBe(message.da);
    expect(missing.map(({ field }) => field)).toEqual(
      facts.invoice?.buyer.endpoint === null ? ["customer.einvoice_address"] : [],
    );
  });
});

it.each([
  ["DK", "DK", []],
  ["DK", "SE", ["MB-SELLER-COUNTRY"]],
  [null, "SE", ["MB-SELLER-COUNTRY"]],
  ["SE", "SE", ["MB-SELLER-COUNTRY"]],
  ["SE", "DK", ["MB-SELLER-COUNTRY"]],
])("a seller in %s who charges the VAT of %s breaks %j", (country_key, domestic_country, rules) => {
  const document = danish();
  const seller = { ...(document.seller as Seller), country_key, registration_number: "25313763" };
  const terms = { ...READY.terms, domestic_country };
  const of_seller = { ...READY, terms, invoice: contentOf({ ...document, seller }) };
  const { missing } = readinessOf(of_seller);
  const of_country = missing.filter(({ field }) => field === "seller.country_key");
  expect(of_country.map(({ rule }) => rule)).toEqual(rules);
});

it.each<[ReadinessFacts["format"], readonly string[] | null, readonly string[]]>([
  ["oioubl-2.1", ["peppol-bis-3"], ["MB-FORMAT customer.einvoice_format"]],
  ["oioubl-2.1", ["peppol-bis-3", "oioubl-2.1"], []],
  ["oioubl-2.1", null, []],
  ["peppol-bis-3", ["peppol-bis-3"], []],
  ["factur-x", ["peppol-bis-3"], []],
])(
  "an e-invoice in %s through a connection that carries %j misses %j",
  (format, carried, expected) => {
    const terms = { domestic_country: "DK", carried_formats: carried };
    const { missing } = readinessOf({ ...READY, format, terms });
    expect(missing.map(({ rule, field }) => `${rule} ${field}`)).toEqual(expected);
  },
);

describe("a customer alone", () => {
  const { seller, customer } = danish();
  const of = (...parties: Parameters<typeof partiesAlone>) =>
    readinessOfParties({ ...READY, invoice: partiesAlone(...parties) }).missing.map(
      ({ field }) => field,
    );

  it("lacks neither lines nor references, which documents have", () => {
    expect(of(seller, customer, "0088:5798009811578")).toEqual([]);
  });

  it.each<[string, Parameters<typeof partiesAlone>, readonly string[]]>([
    ["an address", [seller, customer, null], ["customer.einvoice_address"]],
    [
      "what the seller lacks",
      [{ ...(seller as Seller), name: null, vat_number: null }, customer, "0088:5798009811578"],
      ["seller.name", "seller.registration_number", "seller.einvoice_address"],
    ],
    [
      "a Danish seller",
      [{ ...(seller as Seller), country_key: "SE" }, customer, "0088:5798009811578"],
      ["seller.country_key", "seller.registration_number", "seller.einvoice_address"],
    ],
  ])("may lack %s", (_what, parties, expected) => {
    expect(of(...parties)).toEqual(expected);
  });
});

describe("a seller lacks", () => {
  it.each<[string, Seller | null, string, readonly string[]]>([
    [
      "name, number and address without any data",
      null,
      "DK",
      ["registration_number", "einvoice_address", "name"],
    ],
    ["nothing for any customer", danish().seller, "DK", []],
    [
      "Denmark where the account charges another country's VAT",
      danish().seller,
      "SE",
      ["country_key"],
    ],
    [
      "a Danish number, too, in another country",
      { ...danish().seller, country_key: "SE" } as Seller,
      "DK",
      ["country_key", "einvoice_address", "registration_number"],
    ],
  ])("%s", (_case, seller, country, expected) => {
    const fields = missingOfSeller(seller, country).map(({ field }) => field);
    expect([...new Set(fields)].sort()).toEqual(expected.map((name) => `seller.${name}`).sort());
  });
});

describe("a broken rule", () => {
  it("is translated by its sentence, because two rules may have the same id", () => {
    const far_off = {
      ...invoice,
      vat: invoice.vat.map((entry) => ({ ...entry, vat: entry.vat + 100n })),
    };
    const [broken] = missingOf(far_off, "peppol-bis-3").filter(({ rule }) => rule === "BR-CO-17");
    expect(broken?.field).toBe("currency");
    expect(sentencesOf(broken?.message.en ?? "")).toEqual(broken?.message);
    expect(sentencesOf("another sentence")).toBeUndefined();
  });
});
