/** The range of days in an address: days, months, and what is shown for an address that cannot be read. */
import { expect, it } from "vitest";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { rangeIn } from "./ledger-range.ts";

const TODAY = "2026-03-15" as CalendarDate;

it.each([
  ["nothing", {}, "2026-01-01", TODAY],
  ["days", { from: "2025-04-02", to: "2025-05-03" }, "2025-04-02", "2025-05-03"],
  ["months", { from: "2025-04", to: "2025-05" }, "2025-04-01", "2025-05-31"],
  ["days as people type them", { from: "2/4-25", to: "3.5.2025" }, "2025-04-02", "2025-05-03"],
  ["days from today", { from: "-14", to: "+0" }, "2026-03-01", TODAY],
  ["a last day alone", { to: "2025-05-03" }, "2025-01-01", "2025-05-03"],
  ["no day", { from: "x", to: "2026-02-30" }, "2026-01-01", TODAY],
  ["the last day before the first", { from: "2026-03-02", to: "2026-03-01" }, "2026-01-01", TODAY],
])("an address with %s", (_case, query, from, to) => {
  expect(rangeIn(query, TODAY)).toEqual({ from, to });
});
