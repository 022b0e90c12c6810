/** The conditions for starting a close, and where the lock date may move (spec 3.10). */
import { describe, expect, it } from "vitest";
import type { CalendarDate, Month } from "../base/calendar.ts";
import { lockAfterReopening, requireLockKept, requireRoles } from "./accrual-booking.ts";

describe("the roles that a close needs", () => {
  const accounts = { contract_asset: 1, contract_liability: 2, exchange_difference: 3 };

  it.each<[string, object, boolean, readonly string[]]>([
    ["are complete when each has an account", {}, true, []],
    ["include the contract asset", { contract_asset: null }, false, ["contract_asset"]],
    ["include the contract liability", { contract_liability: null }, false, ["contract_liability"]],
    [
      "exclude exchange differences where all lines are in one currency",
      { exchange_difference: null },
      false,
      [],
    ],
    [
      "include exchange differences where a line is in a foreign currency",
      { exchange_difference: null },
      true,
      ["exchange_difference"],
    ],
    [
      "are all named in one refusal",
      { contract_asset: null, contract_liability: null, exchange_difference: null },
      true,
      ["contract_asset", "contract_liability", "exchange_difference"],
    ],
  ])("%s", (_what, changes, has_foreign, missing) => {
    const decide = () => requireRoles({ ...accounts, ...changes }, has_foreign);
    if (missing.length === 0) return expect(decide).not.toThrow();
    expect(decide).toThrow(
      expect.objectContaining({
        code: "ACCOUNT_ROLE_MISSING",
        extras: { details: { roles: missing } },
      }),
    );
  });
});

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
    ["is not removed", "2026-02-28", null, "PERIOD_CLOSED"],
    ["does not move to the day before the close", "2026-02-28", "2026-02-27", "PERIOD_CLOSED"],
    [
      "does not move from a later date to before the close",
      "2026-06-30",
      "2026-01-31",
      "PERIOD_CLOSED",
    ],
    ["moves back as far as the close", "2026-06-30", "2026-02-28", "moves"],
    ["moves back to a date after the close", "2026-06-30", "2026-03-31", "moves"],
    ["moves forward", "2026-02-28", "2026-03-15", "moves"],
    ["may be sent unchanged", "2026-02-28", "2026-02-28", "moves"],
    ["moves forward when it was left before the close", null, "2026-01-31", "moves"],
    ["may stay before the close when it was left there", "2026-01-31", "2026-01-31", "moves"],
    ["does not move further back from there", "2026-01-31", "2025-12-31", "PERIOD_CLOSED"],
  ])("%s", (_what, before, after, expected) => {
    expect(refusalOf(before, after, "2026-02")).toBe(expected);
  });
});

it("the lock date moves anywhere while no close holds it", () => {
  expect(refusalOf("2026-02-28", null, null)).toBe("moves");
  expect(refusalOf("2026-02-28", "2020-01-01", null)).toBe("moves");
});

describe("the lock date after a reopening", () => {
  it.each<[string, Day, string | null, Day]>([
    ["is the earlier one", "2025-12-31", null, "2025-12-31"],
    ["is none if there was none earlier", null, null, null],
    [
      "is the earlier one when it is after the remaining close",
      "2026-01-31",
      "2025-12",
      "2026-01-31",
    ],
    ["does not fall before the remaining close", "2025-06-30", "2025-12", "2025-12-31"],
    ["is not removed while a close remains", null, "2026-02", "2026-02-28"],
  ])("%s", (_what, before, closed, after) => {
    expect(lockAfterReopening(before as CalendarDate | null, closed as Month | null)).toBe(after);
  });
});
