/** Amounts, days and moments in both languages. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText } from "../../domain/base/money.ts";
import {
  amountOf,
  amountOfNumber,
  dayOf,
  daysInWords,
  momentOf,
  moneyOf,
  plainNumber,
} from "./format.ts";

describe("an amount", () => {
  it.each([
    [7_153_125n, "DKK", "71.531,25", "71,531.25"],
    [-5n, "DKK", "−0,05", "−0.05"],
    [0n, "DKK", "0,00", "0.00"],
    [1_234_567n, "JPY", "1.234.567", "1,234,567"],
    [1_234_567n, "KWD", "1.234,567", "1,234.567"],
    [9_007_199_254_740_993_01n, "EUR", "9.007.199.254.740.993,01", "9,007,199,254,740,993.01"],
  ])("of %s minor units of %s is %s in Danish and %s in English", (amount, currency, da, en) => {
    expect(amountOf("da", amount, currency)).toBe(da);
    expect(amountOf("en", amount, currency)).toBe(en);
  });

  it.each([
    ["en", "en-GB"],
    ["da", "da-DK"],
  ] as const)("has in %s the marks that CLDR has for %s", (language, locale) => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.constantFrom("JPY", "DKK", "KWD"),
        (amount, currency) => {
          const digits = currencyDigits(currency);
          const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
          const of_cldr = new Intl.NumberFormat(locale, decimals).format(
            decimalText(amount, digits),
          );
          expect(amountOf(language, amount, currency)).toBe(of_cldr.replace("-", "\u2212"));
        },
      ),
    );
  });

  it("includes its currency in a sentence", () => {
    expect(moneyOf("da", 7_153_125n, "DKK")).toBe("71.531,25 kr.");
    expect(moneyOf("da", 7_153_125n, "EUR")).toBe("71.531,25 EUR");
    expect(moneyOf("en", 7_153_125n, "DKK")).toBe("DKK 71,531.25");
  });

  it("has the same text if it comes from a number of the API", () => {
    expect(amountOfNumber("da", 71531.25, "DKK")).toBe("71.531,25");
    expect(amountOfNumber("en", 1234.567, "KWD")).toBe("1,234.567");
  });
});

it("writes a plain number as a user types it", () => {
  expect([plainNumber("da", 1250.5), plainNumber("en", 1250.5)]).toEqual(["1250,5", "1250.5"]);
});

it("writes the same day in both languages", () => {
  expect([dayOf("da", "2026-11-19"), dayOf("en", "2026-11-19")]).toEqual([
    "19. nov. 2026",
    "19 Nov 2026",
  ]);
  expect([dayOf("da", "2026-01-01"), dayOf("en", "2028-02-29")]).toEqual([
    "1. jan. 2026",
    "29 Feb 2028",
  ]);
});

describe("a moment", () => {
  const at = "2027-01-04T23:30:15.000Z";

  it("is written in the local time of its zone, with seconds in the exact form", () => {
    const danish = momentOf("da", at, "Europe/Copenhagen");
    expect(danish.text).toMatch(/^5\. jan\. 2027.* 00\.30$/);
    expect(danish.exact).toMatch(/^tirsdag.* 5\. januar 2027.* 00\.30\.15 CET$/);
    const english = momentOf("en", at, "Europe/Copenhagen");
    expect(english.text).toMatch(/^5 Jan 2027.* 00:30$/);
    expect(english.exact).toMatch(/^Tuesday.* 5 January 2027.* 00:30:15 CET$/);
  });

  it("is written in UTC, marked as such, without a time zone", () => {
    expect(momentOf("en", at, null).text).toMatch(/^4 Jan 2027.* 23:30 UTC$/);
  });
});

it("puts the days of a sentence into words, and leaves names as they are", () => {
  const sentence = 'Issues the invoice for "2026-11-20 ApS", dated 2026-11-20, due 2026-12-04.';
  expect(daysInWords("en", sentence)).toBe(
    'Issues the invoice for "2026-11-20 ApS", dated 20 Nov 2026, due 4 Dec 2026.',
  );
  expect(daysInWords("da", "fra 2026-11-20")).toBe("fra 20. nov. 2026");
});
