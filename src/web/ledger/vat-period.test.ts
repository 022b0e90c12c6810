/** Periods of a VAT return: their days, and the periods before and after. */
import { expect, it } from "vitest";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { vatPeriodIn } from "./vat-period.ts";

const TODAY = "2026-03-15" as CalendarDate;

it.each([
  ["2026-Q1", "2026-Q1", "2026-01-01", "2026-03-31", "2025-Q4", "2026-Q2"],
  ["2025-Q4", "2025-Q4", "2025-10-01", "2025-12-31", "2025-Q3", "2026-Q1"],
  ["2024-02", "2024-02", "2024-02-01", "2024-02-29", "2024-01", "2024-03"],
  [undefined, "2026-Q1", "2026-01-01", "2026-03-31", "2025-Q4", "2026-Q2"],
  ["2026-Q5", "2026-Q1", "2026-01-01", "2026-03-31", "2025-Q4", "2026-Q2"],
  ["2026-13", "2026-Q1", "2026-01-01", "2026-03-31", "2025-Q4", "2026-Q2"],
])("%s is %s", (text, key, from, to, before, after) => {
  expect(vatPeriodIn(text, TODAY)).toMatchObject({ key, from, to, before, after });
});
