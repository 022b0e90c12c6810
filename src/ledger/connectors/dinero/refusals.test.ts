/** The refusals of Dinero, for each place of the reason in the answer. */
import { describe, expect, it } from "vitest";
import {
  isAbsent,
  isDeleted,
  isDuplicate,
  isMissingContact,
  isStale,
  refusalOf,
  rejectedFor,
} from "./refusals.ts";

const reported = (body: unknown, status = 400) =>
  refusalOf(status, Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));

/** The three places of the fault in an answer. */
const places = (key: string, text = "") => [
  { validationErrors: { [key]: text } },
  { errorMessageList: [{ Code: key, Message: text }] },
  { languageSpecificMessages: [{ property: key, message: text }] },
];

describe("an error key", () => {
  it.each(places("ledgerItemNotFound"))("identifies an absent item in %j", (body) => {
    expect(isAbsent(reported(body))).toBe(true);
    expect(isDuplicate(reported(body))).toBe(false);
  });

  it.each(places("guidMustBeUnique"))("identifies a duplicate guid in %j", (body) => {
    expect(isDuplicate(reported(body))).toBe(true);
  });

  it("is found within a text", () => {
    const errorMessageList = [{ Code: "42", Message: "items[0]: ledgerItemNotFound" }];
    expect(isAbsent(reported({ errorMessageList }))).toBe(true);
    expect(isDuplicate(reported({ message: "GuidMustBeUnique" }))).toBe(true);
  });

  it.each([
    [63, isAbsent],
    [65, isDeleted],
    [72, isDuplicate],
    [58, isStale],
  ])(
    "is read from code %i at the top or in the list of errors, as a number or text",
    (code, is) => {
      for (const one of [code, String(code)]) {
        expect(is(reported({ code: one }))).toBe(true);
        expect(is(reported({ code: 42, errorMessageList: [{ Code: one, Message: "no" }] }))).toBe(
          true,
        );
      }
    },
  );

  it("identifies a missing contact by status and code", () => {
    expect(isMissingContact(reported({ errorMessageList: [{ Code: "40" }] }, 404))).toBe(true);
    expect(isMissingContact(reported({ code: 41 }, 404))).toBe(false);
  });

  it("is missing if the answer differs from the documentation", () => {
    for (const body of ["", "<html>", "[]", '{"errorMessageList":[1,null],"validationErrors":7}']) {
      expect(rejectedFor(reported(body))).toMatchObject({ code: "VALIDATION", fields: {} });
    }
  });
});

describe("a refusal", () => {
  it.each([
    ["Date", "The accounting year is locked"],
    ["VoucherDate", "Datoen ligger i et lukket regnskabsår"],
    ["VatPeriod", "Momsperioden er afsluttet"],
    ["AccountingYear", "The year is closed"],
    ["accountingYearLocked", "Ukendt fejl"],
  ])("of %s with %j is a locked period in each place", (field, text) => {
    for (const body of places(field, text)) {
      expect(rejectedFor(reported(body))).toMatchObject({
        code: "PERIOD_LOCKED",
        fields: { [field]: text },
      });
    }
  });

  it("without a field is a locked period by its text alone", () => {
    expect(rejectedFor(reported({ message: "The period is locked" }))).toMatchObject({
      code: "PERIOD_LOCKED",
    });
    const errorMessageList = [{ Code: "42", Message: "Regnskabsåret er låst" }];
    expect(rejectedFor(reported({ code: 42, errorMessageList }))).toMatchObject({
      code: "PERIOD_LOCKED",
    });
  });

  it.each([
    ["ContactGuid", "The contact is blocked", "VALIDATION"],
    ["ContactGuid", "The contact does not exist", "UNKNOWN_CUSTOMER"],
    ["Description", "The text is blocked", "VALIDATION"],
    ["Description", "The account is locked", "VALIDATION"],
    ["Date", "The date is blocked", "VALIDATION"],
    ["UpdatedAt", "is locked", "VALIDATION"],
    ["Comment", "names a fiscal year", "VALIDATION"],
    ["Date", "There is no accounting year for the date", "NO_FISCAL_YEAR"],
  ])("of %s with %j is %s", (field, text, code) => {
    for (const body of places(field, text)) {
      expect(rejectedFor(reported({ ...body, message: text })).code).toBe(code);
    }
  });
});
