/** Days as people type them. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import { readDay } from "./typed-day.ts";

const TODAY = "2026-11-26" as CalendarDate;

describe("a typed day on 26 November 2026", () => {
  it.each([
    ["24.12.", "2026-12-24"],
    ["24.12", "2026-12-24"],
    ["24/12", "2026-12-24"],
    ["24-12", "2026-12-24"],
    ["24 12", "2026-12-24"],
    [" 4.1. ", "2027-01-04"],
    ["30.6.", "2026-06-30"],
    ["20.5.", "2027-05-20"],
    ["29.2.", "2028-02-29"],
    ["24/12-26", "2026-12-24"],
    ["24.12.26", "2026-12-24"],
    ["24.12.2026", "2026-12-24"],
    ["24. 12. 2026", "2026-12-24"],
    ["24/12/2026", "2026-12-24"],
    ["1-2-2027", "2027-02-01"],
    ["2026-12-24", "2026-12-24"],
    ["2027-1-5", "2027-01-05"],
    ["+14", "2026-12-10"],
    ["+0", "2026-11-26"],
    ["-26", "2026-10-31"],
    ["− 1", "2026-11-25"],
  ])("%j is %s", (typed, day) => {
    expect(readDay(typed, TODAY)).toBe(day);
  });

  it.each(["", "  "])("%j is none", (typed) => {
    expect(readDay(typed, TODAY)).toBeNull();
  });

  it.each([
    "24",
    "31.2.",
    "24.13.",
    "32.1.",
    "12/24/2026",
    "29.2.2027",
    "24.12.126",
    "soon",
    "1800-01-01",
    "+",
    "2026-12",
  ])("%j cannot be read", (typed) => {
    expect(readDay(typed, TODAY)).toBeUndefined();
  });
});
