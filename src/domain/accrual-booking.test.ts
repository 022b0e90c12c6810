/** Where the lock date may move (decisions.md 56). */
import { describe, expect, it } from "vitest";
import { requireLockKept } from "./accrual-booking.ts";
import type { CalendarDate, Month } from "./calendar.ts";

type Day = string | null;

const refusalOf = (before: Day, after: Day, closed: Day): string => {
  try {
    requireLockKept(
      before as CalendarDate | null,
      after as CalendarDate | null,
      closed as Month | null,
    );
    return "moves";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("the lock date, after February was closed and locked", () => {
  it.each<[string, Day, Day, string]>([
    ["is not taken away", "2026-02-28", null, "PERIOD_CLOSED"],
    ["does not move a day behind the close", "2026-02-28", "2026-02-27", "PERIOD_CLOSED"],
    ["does not move behind it from afar", "2026-06-30", "2026-01-31", "PERIOD_CLOSED"],
    ["moves back as far as the close", "2026-06-30", "2026-02-28", "moves"],
    ["moves back in front of it", "2026-06-30", "2026-03-31", "moves"],
    ["moves forward", "2026-02-28", "2026-03-15", "moves"],
    ["may be sent as it is", "2026-02-28", "2026-02-28", "moves"],
    ["moves forward from behind the close, where it was once left", null, "2026-01-31", "moves"],
    ["may stay there", "2026-01-31", "2026-01-31", "moves"],
    ["moves no further behind", "2026-01-31", "2025-12-31", "PERIOD_CLOSED"],
  ])("%s", (_what, before, after, expected) => {
    expect(refusalOf(before, after, "2026-02")).toBe(expected);
  });
});

it("moves anywhere while no close holds it", () => {
  expect(refusalOf("2026-02-28", null, null)).toBe("moves");
  expect(refusalOf("2026-02-28", "2020-01-01", null)).toBe("moves");
});
