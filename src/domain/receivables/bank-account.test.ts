/** Which changes of a bank account are refused, and which Danish IBAN is its. */
import { expect, it } from "vitest";
import {
  type BankAccount,
  bankAccountFaults,
  firstBankAccount,
  isDanishIbanOf,
} from "./bank-account.ts";

const main = firstBankAccount("a", "DKK");
const other: BankAccount = { ...main, is_default: false };

it.each<[string, BankAccount | null, BankAccount, string | undefined]>([
  ["a first account", null, main, undefined],
  ["another one", null, other, undefined],
  ["an inactive one", null, { ...other, active: false }, undefined],
  ["an inactive default", null, { ...main, active: false }, "is_default"],
  ["the other becomes the default", other, main, undefined],
  ["an inactive one becomes the default", other, { ...main, active: false }, "is_default"],
  ["the default is one no more", main, other, "is_default"],
  ["the default becomes inactive", main, { ...main, active: false }, "active"],
  ["the other becomes inactive", other, { ...other, active: false }, undefined],
  ["another currency", other, { ...other, currency: "EUR" }, "currency"],
])("%s", (_, before, after, field) => {
  const faults = bankAccountFaults(before, after);
  expect(faults.map((fault) => [fault.field, fault.code])).toEqual(
    field === undefined ? [] : [[field, "not_allowed"]],
  );
});

it.each([
  ["DK4395700012345678", "9570", "12345678", true],
  ["DK4395700012345678", "9570", "0012345678", true],
  ["DK5000400440116243", "40", "0440 116 243", true],
  ["DK4395700012345678", "9571", "12345678", false],
  ["DK4395700012345678", null, "95700012345678", false],
  ["DK4395700012345678", "9570", null, false],
  ["NO4395700012345678", "9570", "12345678", false],
])("whether %s is of %s %s: %s", (iban, registration_number, account_number, is_of) => {
  expect(isDanishIbanOf(iban, { registration_number, account_number })).toBe(is_of);
});
