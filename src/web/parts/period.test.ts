/** The names of periods in both languages. */
import { describe, expect, it } from "vitest";
import { periodName, shortPeriod } from "./period.ts";

describe("the name of a period", () => {
  it.each([
    ["2026-03", "March 2026", "marts 2026"],
    ["2026-W12", "Week 12, 2026", "Uge 12, 2026"],
    ["2026-W02", "Week 2, 2026", "Uge 2, 2026"],
    ["2026-Q1", "Quarter 1, 2026", "1. kvartal 2026"],
    ["2026-H1", "First half of 2026", "1. halvår 2026"],
    ["2026-H2", "Second half of 2026", "2. halvår 2026"],
    ["2026", "2026", "2026"],
  ])("of %s is %s, in Danish %s", (key, english, danish) => {
    expect([periodName("en", key), periodName("da", key)]).toEqual([english, danish]);
  });

  it("begins a sentence with a capital", () => {
    expect(periodName("da", "2026-03", true)).toBe("Marts 2026");
  });

  it.each([
    ["2026-03", "Mar", "2026", "mar"],
    ["2026-W12", "W12", "2026", "Uge 12"],
    ["2026-Q4", "Q4", "2026", "4. kv."],
    ["2026-H2", "H2", "2026", "2. halvår"],
    ["2026", "2026", null, "2026"],
  ])("is short for %s: %s of %s, in Danish %s", (key, english, year, danish) => {
    expect(shortPeriod("en", key)).toEqual({ name: english, year });
    expect(shortPeriod("da", key).name).toBe(danish);
  });
});
