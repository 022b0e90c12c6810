import { describe, expect, it } from "vitest";
import { amountOf, day, dayOf, decimal, moment, momentOf, UnreadableValue } from "./values.ts";

const of = (text: string) => ({ amount: { __class__: "Decimal", decimal: text } });

describe("a decimal of Tryton", () => {
  it.each([
    ["12.50", 1250n],
    ["-0.05", -5n],
    ["1E+3", 100_000n],
    ["12.5000", 1250n],
    ["0E-8", 0n],
    ["90071992547409.93", 9_007_199_254_740_993n],
  ])("%s is read exactly", (text, minor) => {
    expect(amountOf(of(text), "amount", 2)).toBe(minor);
  });

  it.each(["0.005", "NaN", "", "1,5"])("%s is refused as an amount of two decimals", (text) => {
    expect(() => amountOf(of(text), "amount", 2)).toThrow(UnreadableValue);
  });

  it("is 0 if it is null, and is written in the format that is read", () => {
    expect(amountOf({ amount: null }, "amount", 2)).toBe(0n);
    expect(amountOf({ amount: decimal(-1250n, 2) }, "amount", 2)).toBe(-1250n);
  });
});

describe("days and moments of Tryton", () => {
  it("are read in the format in which they are written", () => {
    expect(dayOf({ date: day("2026-03-01") }, "date")).toBe("2026-03-01");
    expect(dayOf({ date: null }, "date")).toBeNull();
    const at = "2026-03-01T09:05:07.123Z";
    expect(momentOf({ at: moment(at) }, "at")).toBe(Date.parse(at));
  });
});
