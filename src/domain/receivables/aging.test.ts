/** What is owed by age. */
import { expect, it } from "vitest";
import { addDays, type CalendarDate } from "../base/calendar.ts";
import { type Aging, agingOn } from "./aging.ts";

const DAY = "2026-06-30" as CalendarDate;

it.each<[number, keyof Aging]>([
  [-1, "not_due"],
  [0, "not_due"],
  [1, "days_1_30"],
  [30, "days_1_30"],
  [31, "days_31_60"],
  [60, "days_31_60"],
  [61, "days_61_90"],
  [90, "days_61_90"],
  [91, "over_90"],
])("an item that was due %i days before is %s", (days, age) => {
  const aging = agingOn(DAY, [{ due_date: addDays(DAY, -days), open: 500n }]);
  expect(aging).toMatchObject({ [age]: 500n, total: 500n });
});

it("adds up", () => {
  const items = [0, 10, 20, 40, 100].map((days) => ({ due_date: addDays(DAY, -days), open: 100n }));
  expect(agingOn(DAY, items)).toEqual({
    not_due: 100n,
    days_1_30: 200n,
    days_31_60: 100n,
    days_61_90: 0n,
    over_90: 100n,
    total: 500n,
  });
});
