/** The names of months and weekdays: those that `Intl` has. */
import { describe, expect, it } from "vitest";
import { dayParts } from "./day-names.ts";

describe.each([
  ["en", "en-GB"],
  ["da", "da-DK"],
] as const)("in %s, as in %s,", (language, locale) => {
  const of_intl = (at: Date, style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" }).format(at);

  it("a day of each month and weekday has its names", () => {
    const seen = new Set<string>();
    for (let month = 0; month < 12; month += 1) {
      for (const date of [1, 2, 3, 4, 5, 26, 28]) {
        const at = new Date(Date.UTC(2024, month, date));
        const parts = dayParts(language, at.toISOString().slice(0, 10));
        expect(parts).toEqual({
          day: language === "da" ? `${date}.` : `${date}`,
          month: of_intl(at, { month: "long" }),
          short_month: of_intl(at, { month: "short" }),
          year: "2024",
          weekday: of_intl(at, { weekday: "long" }),
          short_weekday: of_intl(at, { weekday: "short" }),
        });
        seen.add(parts.month).add(parts.weekday);
      }
    }
    expect(seen.size).toBe(12 + 7);
  });

  it("a text that is no date is refused", () => {
    expect(() => dayParts(language, "2026-13-01")).toThrow(RangeError);
    expect(() => dayParts(language, "")).toThrow(RangeError);
  });
});
