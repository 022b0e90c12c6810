/** Days and months on the start page, in both languages. */
import { expect, it } from "vitest";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { dayBeside, monthBeside } from "./format-days.ts";

const TODAY = "2026-01-03" as CalendarDate;

it.each([
  ["2026-01-02", "en", "2 January", "January"],
  ["2025-12-31", "en", "31 December 2025", "December 2025"],
  ["2027-01-01", "en", "1 January 2027", "January 2027"],
  ["2026-12-31", "da", "31. december", "December"],
  ["2025-10-05", "da", "5. oktober 2025", "Oktober 2025"],
] as const)("%s in %s", (day, language, shown, month) => {
  expect(dayBeside(language, day as CalendarDate, TODAY)).toBe(shown);
  expect(monthBeside(language, day as CalendarDate, TODAY)).toBe(month);
});
