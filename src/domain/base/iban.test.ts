/** Which texts are an IBAN, and how one is stored. A package that knows the registry confirms the lengths of all countries. */
import { countrySpecs, isValidIBAN } from "ibantools";
import { describe, expect, it } from "vitest";
import { ibanFrom } from "./iban.ts";

it.each([
  ["DK50 0040 0440 1162 43", "DK5000400440116243"],
  ["dk5000400440116243", "DK5000400440116243"],
  [" DE89\u00a03704 0044 0532 0130 00 ", "DE89370400440532013000"],
  ["GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819"],
  ["DK51 0040 0440 1162 43", undefined],
  ["DK50 0040 0440 1162 34", undefined],
  ["DK50 0040 0440 1162 4", undefined],
  ["DK47 0040 0440 1162 430", undefined],
  ["XX50 0040 0440 1162 43", undefined],
  ["0040 0440116243", undefined],
  ["DK50", undefined],
  ["", undefined],
])("%j is %s", (text, iban) => expect(ibanFrom(text)).toBe(iban));

/** The number with its check digits. */
function withDigits(country: string, inside: string): string {
  const all = `${inside}${country}00`.replace(/[A-Z]/g, (one) => `${one.charCodeAt(0) - 55}`);
  return `${country}${`${98n - (BigInt(all) % 97n)}`.padStart(2, "0")}${inside}`;
}

describe("every country", () => {
  const known = Object.entries(countrySpecs).flatMap(
    ([country, { chars, bban_regexp, ...spec }]) =>
      chars && bban_regexp ? [{ country, inside: chars - 4, form: bban_regexp, ...spec }] : [],
  );

  it("has the length of the registry", () => {
    expect(known.length).toBeGreaterThan(100);
    for (const { country, inside } of known) {
      for (const length of [inside - 1, inside, inside + 1]) {
        const iban = withDigits(country, "7".repeat(length));
        expect([iban, ibanFrom(iban) !== undefined]).toEqual([iban, length === inside]);
      }
    }
  });

  it("accepts what the package accepts, and no number with a changed digit", () => {
    let count = 0;
    for (const { country, inside, form, bban_validation_func } of known) {
      const text = ["1".repeat(inside), `ABCD${"7".repeat(inside - 4)}`].find((one) =>
        new RegExp(form).test(one),
      );
      if (text === undefined || bban_validation_func) continue;
      count += 1;
      const iban = withDigits(country, text);
      expect([iban, isValidIBAN(iban), ibanFrom(iban)]).toEqual([iban, true, iban]);
      const changed = `${iban.slice(0, -1)}${iban.endsWith("1") ? "2" : "1"}`;
      expect([changed, ibanFrom(changed)]).toEqual([changed, undefined]);
    }
    expect(count).toBeGreaterThan(80);
  });
});
