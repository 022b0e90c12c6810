/** The state of the next period of a retainer. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { type IssueTiming, periodAt } from "../../domain/series/period.ts";
import type { PeriodEvent } from "../../features/recurring/series/series.ts";
import { nextOf } from "./next-state.ts";

const day = (text: string) => text as CalendarDate;
const monthly = {
  frequency: "monthly",
  alignment: "anniversary",
  start_date: day("2026-01-01"),
  end_date: null,
} as const;

function next(
  timing: IssueTiming["mode"],
  fields: { status?: "draft" | "active"; event?: PeriodEvent } = {},
) {
  const period = periodAt(monthly, 2);
  if (period === undefined) throw new Error("an open-ended series has every period");
  const { status = "active", event } = fields;
  const series = {
    status,
    timing: { mode: timing, offset_days: 0 },
    activated_on: status === "active" ? day("2026-03-10") : null,
    period_events: new Map(event === undefined ? [] : [[2, event] as const]),
  };
  return nextOf(series, period);
}

describe("the next period", () => {
  it.each([
    ["in advance, due before the activation", "start-of-period", {}, "2026-03-01", "late"],
    ["in arrears", "end-of-period", {}, "2026-03-31", "scheduled"],
    ["issued manually", "manual", {}, "2026-03-31", "manual"],
    ["of a draft", "end-of-period", { status: "draft" }, "2026-03-31", "draft"],
    [
      "that was refused",
      "end-of-period",
      { event: { state: "failed", attempts: 1, next_attempt_at: null } },
      "2026-03-31",
      "failed",
    ],
  ] as const)("%s", (_case, timing, fields, at, state) => {
    expect(next(timing, fields)).toEqual({ key: "2026-03", day: at, state });
  });
});
