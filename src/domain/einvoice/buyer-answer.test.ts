/** Which answer stands, and whom and what an answer names. */
import { expect, it } from "vitest";
import { isSameAddress, isSellersAddress, namedNumber, replacesAnswer } from "./buyer-answer.ts";

it.each([
  ["IP", null, true],
  ["IP", "AB", true],
  ["AB", "IP", false],
  ["RE", "CA", true],
  ["UQ", "RE", false],
  ["AP", "RE", true],
  ["PD", "AP", true],
  ["AP", "PD", false],
  ["UQ", "UQ", true],
] as const)("%s after %s stands: %s", (code, current, expected) => {
  expect(replacesAnswer(code, current)).toBe(expected);
});

it.each([
  ["47", ["47", null]],
  ["2026-47", ["47", 2026]],
  ["2026", ["2026", null]],
  ["../47", null],
  ["047", null],
  ["inv021", null],
  ["", null],
  ["9999999999999999", null],
])("%j names %j", (text, expected) => {
  const named = namedNumber(text);
  expect(named && [String(named.number), named.year]).toEqual(expected);
});

it.each([
  ["0184:25313763", { vat_number: "DK25313763" }, true],
  ["0184:DK25313763", { vat_number: "25313763" }, true],
  ["0184:25313763", { registration_number: "25313763", vat_number: "DK10150817" }, true],
  ["0184:10150817", { registration_number: "25313763", vat_number: "DK10150817" }, false],
  ["0088:5798009811578", { einvoice_address: "0088:5798009811578" }, true],
  ["0184:", { vat_number: null }, false],
  ["0184:25313763", null, false],
])("%s is the address of %j: %s", (address, seller, expected) => {
  expect(isSellersAddress(address, seller)).toBe(expected);
});

it("addresses are the same in either case", () => {
  expect(isSameAddress("0198:DK25313763", "0198:dk25313763")).toBe(true);
  expect(isSameAddress("0088:5798009811578", "0088:5798009811639")).toBe(false);
});
