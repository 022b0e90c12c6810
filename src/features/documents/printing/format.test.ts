/** Formats of both languages, checked against literal expectations; nothing goes through a float. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText } from "../../../domain/base/money.ts";
import { clean, cleanOrNull } from "./clean.ts";
import {
  formatCountry,
  formatDay,
  formatMoney,
  formatPercent,
  formatPeriod,
  formatQuantity,
  formatRate,
  formatUnit,
  formatUnitPrice,
} from "./format.ts";
import type { PrintLanguage } from "./texts.ts";
import { texts } from "./texts.ts";

const nbsp = "\u00a0";

describe("formatMoney", () => {
  it.each<[bigint, number, string, string]>([
    [0n, 2, "0,00", "0.00"],
    [5n, 2, "0,05", "0.05"],
    [-5n, 2, "-0,05", "-0.05"],
    [123450n, 2, "1.234,50", "1,234.50"],
    [-123450n, 2, "-1.234,50", "-1,234.50"],
    [1234n, 0, "1.234", "1,234"],
    [1234567n, 3, "1.234,567", "1,234.567"],
    [7n, 3, "0,007", "0.007"],
    [900719925474099310n, 2, "9.007.199.254.740.993,10", "9,007,199,254,740,993.10"],
    [
      123456789012345678901234567n,
      2,
      "1.234.567.890.123.456.789.012.345,67",
      "1,234,567,890,123,456,789,012,345.67",
    ],
  ])("prints %s minor units with %i digits", (minor, digits, danish, english) => {
    expect(formatMoney(minor, digits, "da")).toBe(danish);
    expect(formatMoney(minor, digits, "en")).toBe(english);
  });

  it("keeps every digit of any amount", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.constantFrom(0, 2, 3), (minor, digits) => {
        const printed = formatMoney(minor, digits, "en").replaceAll(",", "").replace(".", "");
        expect(BigInt(printed)).toBe(minor);
        const danish = formatMoney(minor, digits, "da").replaceAll(".", "").replace(",", "");
        expect(BigInt(danish)).toBe(minor);
      }),
    );
  });
});

describe("formatUnitPrice", () => {
  it.each<[bigint, number, string]>([
    [12000000n, 2, "1.200,00"],
    [37800n, 2, "3,78"],
    [125n, 2, "0,0125"],
    [15005n, 2, "1,5005"],
    [-12000000n, 2, "-1.200,00"],
    [15000000n, 0, "1.500"],
    [15000500n, 0, "1.500,05"],
    [12345670n, 3, "1.234,567"],
    [12345678n, 3, "1.234,5678"],
  ])("prints %s ten-thousandths with %i digits", (scaled, digits, danish) => {
    expect(formatUnitPrice(scaled, digits, "da")).toBe(danish);
  });
});

describe("numbers without a currency", () => {
  it("prints quantities with at least the requested decimals, and never drops one", () => {
    expect(formatQuantity(2750, 2, "da")).toBe("27,50");
    expect(formatQuantity(123400, 0, "da")).toBe("1.234");
    expect(formatQuantity(2750, 0, "en")).toBe("27.5");
    expect(formatQuantity(-150, 2, "en")).toBe("-1.50");
  });

  it("prints percentages with only the decimals that they need", () => {
    expect(formatPercent(2500, "da")).toBe(`25${nbsp}%`);
    expect(formatPercent(1250, "da")).toBe(`12,5${nbsp}%`);
    expect(formatPercent(1225, "en")).toBe("12.25%");
    expect(formatPercent(0, "en")).toBe("0%");
  });

  it("prints rates with two to six decimals", () => {
    expect(formatRate(7460000n, "da")).toBe("7,46");
    expect(formatRate(7000000n, "en")).toBe("7.00");
    expect(formatRate(45123n, "da")).toBe("0,045123");
  });

  it("writes the decimal text of any integer", () => {
    expect(decimalText(0n, 2)).toBe("0.00");
    expect(decimalText(-5n, 2)).toBe("-0.05");
    expect(decimalText(12345n, 0)).toBe("12345");
    expect(decimalText(12345n, 5)).toBe("0.12345");
  });
});

describe("days", () => {
  it("prints a day in words", () => {
    expect(formatDay("2026-11-20", "da")).toBe("20. november 2026");
    expect(formatDay("2026-11-20", "en")).toBe("20 November 2026");
    expect(formatDay("2028-02-29", "da")).toBe("29. februar 2028");
  });

  it.each<[PrintLanguage, string, string, string]>([
    ["da", "2026-11-01", "2026-11-30", "1.–30. november 2026"],
    ["en", "2026-11-01", "2026-11-30", "1–30 November 2026"],
    ["en", "2026-11-01", "2027-01-31", "1 November 2026 – 31 January 2027"],
    ["da", "2026-11-01", "2027-01-31", "1. november 2026 – 31. januar 2027"],
    ["en", "2026-11-20", "2026-11-20", "20 November 2026"],
  ])("prints a period in %s from %s to %s", (language, from, to, expected) => {
    expect(formatPeriod(from, to, language)).toBe(expected);
  });
});

describe("units", () => {
  it("translates known units and leaves others as they are", () => {
    expect(formatUnit("hours", 100, "da")).toBe("time");
    expect(formatUnit("Timer", 200, "en")).toBe("hours");
    expect(formatUnit("stk", 100, "da")).toBe("stk.");
    expect(formatUnit("licens", 200, "da")).toBe("licens");
  });

  it("names known countries and leaves other texts unchanged", () => {
    expect(formatCountry("DE", "da")).toBe("Tyskland");
    expect(formatCountry("de", "en")).toBe("Germany");
    expect(formatCountry("Danmark", "da")).toBe("Danmark");
  });
});

describe("texts", () => {
  it("has every text in both languages", () => {
    expect(leaves(texts.en)).toEqual(leaves(texts.da));
    expect(leaves(texts.da).length).toBeGreaterThan(60);
  });

  it("has no empty text", () => {
    for (const dictionary of [texts.da, texts.en]) {
      for (const value of strings(dictionary)) expect(value.trim()).not.toBe("");
    }
  });
});

describe("clean", () => {
  it("removes characters that would print as a box or change the direction of reading", () => {
    expect(clean("a\tb\u0000c\r\nd\u202ee\u200b")).toBe("a b c\nde");
    expect(clean("e\u0301")).toBe("é");
    expect(cleanOrNull(" \u200b ")).toBeNull();
    expect(cleanOrNull(null)).toBeNull();
  });
});

function leaves(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value)
    .flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
    .sort();
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
