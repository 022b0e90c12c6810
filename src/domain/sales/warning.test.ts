/** The warnings of a document, code by code, and that a correct document has none. */
import { describe, expect, it } from "vitest";
import { danish } from "../../../test/support/documents/documents.ts";
import type { LineId, UserId } from "../base/brand.ts";
import type { CalendarDate } from "../base/calendar.ts";
import type { DocumentSnapshot, Seller } from "./document.ts";
import type { VatCode } from "./vat-code.ts";
import { type WarnedLine, type WarningFacts, warningCodes, warningsOfDocument } from "./warning.ts";

const snapshot = danish();
const [first] = snapshot.lines;
if (first === undefined) throw new Error("the document has no line");

function lineOf(fields: Partial<WarnedLine> = {}): WarnedLine {
  return {
    id: first?.line_id as LineId,
    recognition_method: "value",
    position: 1,
    account_number: 1000,
    assignees: [
      { user_id: "u" as UserId, distribution_percentage: null, hourly_rate_override: null },
    ],
    ...fields,
  };
}

type SellerChange = Partial<Seller> | null;

interface Change {
  readonly document?: Partial<DocumentSnapshot>;
  readonly seller?: SellerChange;
  readonly customer?: Partial<DocumentSnapshot["customer"]>;
  readonly account?: VatCode | null;
  readonly facts?: Partial<WarningFacts>;
}

function factsWith({ document: fields, seller, customer, account, facts }: Change): WarningFacts {
  return {
    document: {
      ...snapshot,
      ...fields,
      seller: seller === null ? null : ({ ...snapshot.seller, ...seller } as Seller),
      customer: { ...snapshot.customer, ...customer },
    },
    is_issued: false,
    lines: [lineOf()],
    vat: { domestic_rate: 25_00, domestic_country: "DK" },
    vat_codes: new Map([[1000, account ?? "DK25"]]),
    dates: null,
    ...facts,
  };
}

const codesWith = (change: Change) =>
  warningsOfDocument(factsWith(change)).map(({ code, field }) => `${code} ${field}`);
const messagesWith = (change: Change) =>
  warningsOfDocument(factsWith(change)).map(({ message }) => message);

describe("warningsOfDocument", () => {
  it("gives no warning for a complete document", () => {
    expect(warningsOfDocument(factsWith({}))).toEqual([]);
  });

  it.each<[string, SellerChange, string]>([
    ["no seller", null, "no name, no address, no VAT number and no bank account"],
    ["no name", { name: " " }, "no name"],
    ["no street", { street: null }, "no address"],
    ["no street and no city", { street: null, city: "" }, "no address"],
    ["no number", { vat_number: null }, "no VAT number"],
    ["no address and no number", { city: null, vat_number: null }, "no address and no VAT number"],
    ["no way to pay", { iban: null, bank_account_number: null }, "no bank account"],
  ])("warns of a seller with %s", (_what, seller, gaps) => {
    expect(codesWith({ seller })).toEqual(["SELLER_INCOMPLETE seller"]);
    const remedy = gaps.includes(" and ") || gaps.includes(", ") ? "them" : "it";
    expect(messagesWith({ seller })).toEqual([
      `The invoice will show ${gaps} of the seller: set ${remedy} in the configuration.`,
    ]);
    expect(messagesWith({ seller, facts: { is_issued: true } })).toEqual([
      `The invoice shows ${gaps} of the seller.`,
    ]);
  });

  it.each<[string, SellerChange]>([
    ["an IBAN", { bank_account_number: null }],
    ["a registration and an account number", { iban: null }],
  ])("does not warn of a seller with %s", (_what, seller) => {
    expect(codesWith({ seller })).toEqual([]);
  });

  it("warns of an IBAN that cannot be right, and not on a credit note, which prints none", () => {
    const iban = "DK51 0040 0440 1162 43";
    const doubt = "The seller's IBAN has a wrong length or check digits.";
    expect(codesWith({ seller: { iban } })).toEqual(["SELLER_INCOMPLETE seller.iban"]);
    // Right check digits, for another length than that of the country.
    expect(messagesWith({ seller: { iban: "DK47 0040 0440 1162 430" } })).toEqual([doubt]);
    expect(messagesWith({ seller: { iban } })).toEqual([doubt]);
    const both = { seller: { iban, vat_number: "13585629" } };
    expect(codesWith(both)).toEqual(["SELLER_INCOMPLETE seller"]);
    expect(messagesWith(both)).toEqual([
      `The seller's VAT number has a wrong check digit. ${doubt}`,
    ]);
    expect(messagesWith({ seller: { iban, city: null } })).toEqual([
      `The invoice will show no address of the seller: set it in the configuration. ${doubt}`,
    ]);
    expect(messagesWith({ seller: { iban }, document: { kind: "credit_note" } })).toEqual([]);
  });

  it.each<[string, Change, string[]]>([
    [
      "a German company without a number",
      { customer: { country_key: "DE", vat_number: null } },
      ["BUYER_NUMBER_MISSING customer.vat_number"],
    ],
    [
      "a German company with a blank number",
      { customer: { country_key: "DE", vat_number: " " } },
      ["BUYER_NUMBER_MISSING customer.vat_number"],
    ],
    [
      "a German person",
      { customer: { country_key: "DE", is_person: true, vat_number: null } },
      ["CONSUMER_IN_EU customer.is_person"],
    ],
    ["a Danish company without a number", { customer: { vat_number: null } }, []],
    [
      "the same under domestic reverse charge",
      { account: "DK_RC", customer: { vat_number: null } },
      ["BUYER_NUMBER_MISSING customer.vat_number"],
    ],
    [
      "a Danish person under domestic reverse charge",
      { account: "DK_RC", customer: { is_person: true } },
      ["BUYER_NUMBER_MISSING customer.vat_number"],
    ],
    [
      "exempt sales to a German company without a number",
      { account: "DK0", customer: { country_key: "DE", vat_number: null } },
      [],
    ],
    [
      "a German company with a wrong check digit",
      { customer: { country_key: "DE", vat_number: "DE136695977" } },
      ["BUYER_NUMBER_DOUBTFUL customer.vat_number"],
    ],
    [
      "a Danish company with a wrong check digit, which pays VAT anyway",
      { customer: { vat_number: "10150818" } },
      ["BUYER_NUMBER_DOUBTFUL customer.vat_number"],
    ],
    [
      "a German person with a number that is none",
      { customer: { country_key: "DE", is_person: true, vat_number: "n/a" } },
      ["BUYER_NUMBER_DOUBTFUL customer.vat_number"],
    ],
    ["an American company", { customer: { country_key: "US", vat_number: null } }, []],
    ["an American person", { customer: { country_key: "US", is_person: true } }, []],
  ])("checks the number of %s", (_what, change, expected) => {
    expect(codesWith(change)).toEqual(expected);
  });

  it.each<[string | null, string, string]>([
    ["DE136695977", "DE", "has a wrong check digit, so that domestic VAT is charged"],
    ["DK10150817", "DE", "belongs to another country, so that domestic VAT is charged"],
    ["n/a", "DE", "does not have the format of its country, so that domestic VAT is charged"],
    ["10150818", "DK", "has a wrong check digit"],
  ])("states the fault of the number %s in %s", (vat_number, country_key, doubt) => {
    expect(messagesWith({ customer: { vat_number, country_key } })).toEqual([
      `The customer's VAT number ${doubt}.`,
    ]);
  });

  it.each<[string, SellerChange, string]>([
    ["alone", { vat_number: "25313764" }, "The seller's VAT number has a wrong check digit."],
    [
      "together with a missing field",
      { vat_number: "DE136695976", iban: null, bank_account_number: null },
      "The invoice will show no bank account of the seller: set it in the configuration. The seller's VAT number belongs to another country.",
    ],
    [
      "that is malformed",
      { vat_number: "n/a" },
      "The invoice will show no VAT number of the seller: set it in the configuration.",
    ],
  ])("warns of a doubtful number of the seller %s", (_what, seller, message) => {
    expect(messagesWith({ seller })).toEqual([message]);
  });

  it("warns of lines by hours without hours, with their places", () => {
    const other = { ...first, line_id: "other", rows: [] };
    const lines = [
      lineOf({ id: "other" as LineId, recognition_method: "hours", position: 20 }),
      lineOf({ position: 10 }),
    ];
    const change = { document: { lines: [first, other] }, facts: { lines } };
    expect(codesWith(change)).toEqual(["LINE_WITHOUT_HOURS lines[1]"]);
    expect(messagesWith(change)).toEqual(["Line 2 has no hours and is not printed."]);
  });

  it("warns of lines without assignees, except those whose revenue follows the work", () => {
    const lines = (["value", "hours", "progress", "milestone", "on_issue"] as const).map(
      (recognition_method, index) =>
        lineOf({
          id: `line ${index}` as LineId,
          recognition_method,
          position: index + 1,
          assignees: [],
        }),
    );
    expect(codesWith({ facts: { lines } })).toEqual(["NOBODY_ASSIGNED lines[0].assignees"]);
    expect(messagesWith({ facts: { lines } })).toEqual([
      "Lines 1, 4 and 5 have no assignee: their revenue will be unassigned.",
    ]);
  });

  it.each<[string, string | undefined, string, string[]]>([
    ["of the day itself", "2026-11-20", "2026-11-20", []],
    ["seven days before", "2026-11-13", "2026-11-20", []],
    ["eight days before", "2026-11-12", "2026-11-20", ["RATE_OLD undefined"]],
    ["years before", "2020-01-01", "2026-11-20", ["RATE_OLD undefined"]],
    ["that was not kept, of an older document", undefined, "2026-11-20", []],
  ])("checks the age of an exchange rate %s", (_what, rate_date, issue_date, expected) => {
    const rate = rate_date === undefined ? {} : { rate_date };
    expect(codesWith({ document: { ...rate, issue_date } })).toEqual(expected);
    expect(codesWith({ document: { ...rate, issue_date }, facts: { is_issued: true } })).toEqual(
      expected,
    );
  });

  const day = (text: string) => text as CalendarDate;
  it.each<[string, string, string | null, string[]]>([
    ["today", "2026-11-20", null, []],
    ["a year ahead", "2027-11-20", null, []],
    ["more than a year ahead", "2027-11-21", null, ["DATE_FAR issue_date"]],
    ["a year back", "2025-11-20", null, []],
    ["more than a year back", "2025-11-19", null, ["DATE_FAR issue_date"]],
    ["the last number's day", "2026-11-10", "2026-11-10", []],
    [
      "the day before the last number's",
      "2026-11-09",
      "2026-11-10",
      ["DATE_BEFORE_LAST_NUMBER issue_date"],
    ],
    [
      "today, the last number being ahead",
      "2026-11-20",
      "2026-12-01",
      ["DATE_BEFORE_LAST_NUMBER issue_date"],
    ],
    [
      "both",
      "2020-01-01",
      "2026-11-10",
      ["DATE_FAR issue_date", "DATE_BEFORE_LAST_NUMBER issue_date"],
    ],
  ])("checks a date: %s", (_what, issue_date, last, expected) => {
    const last_number_date = last === null ? null : day(last);
    const dates = { today: day("2026-11-20"), last_number_date };
    expect(codesWith({ document: { issue_date }, facts: { dates } })).toEqual(expected);
    const credit = { document: { issue_date, kind: "credit_note" as const }, facts: { dates } };
    expect(codesWith(credit)).toEqual(expected.map((one) => one.replace("issue", "credit")));
    expect(codesWith({ document: { issue_date } })).toEqual([]);
  });

  it("names at most five lines", () => {
    const lines = Array.from({ length: 9 }, (_, index) =>
      lineOf({ position: index + 1, assignees: [] }),
    );
    expect(messagesWith({ facts: { lines } })).toEqual([
      "Lines 1, 2, 3, 4, 5 and 4 more have no assignee: their revenue will be unassigned.",
    ]);
  });

  it("warns only of a credit note's own faults", () => {
    const change: Change = {
      document: { kind: "credit_note" },
      seller: { city: null, iban: null, bank_account_number: null },
      customer: { country_key: "DE", vat_number: null },
      facts: { lines: [] },
    };
    expect(messagesWith(change)).toEqual([
      "The credit note will show no address of the seller, as its invoice.",
    ]);
  });

  it("gives each code at most once, and only listed codes", () => {
    const change: Change = {
      seller: null,
      customer: { country_key: "DE", vat_number: null },
      facts: { lines: [lineOf({ assignees: [] }), lineOf({ assignees: [], position: 2 })] },
    };
    const codes = warningsOfDocument(factsWith(change)).map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
    expect(codes.every((code) => warningCodes.includes(code))).toBe(true);
  });
});
