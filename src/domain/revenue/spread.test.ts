/** The weights of the months of a service. */
import { describe, expect, it } from "vitest";
import type { CalendarDate, Month } from "../base/calendar.ts";
import { type Convention, spreadOf } from "./spread.ts";

function spread(from: string, to: string, convention: Convention) {
  return spreadOf(from as CalendarDate, to as CalendarDate, convention);
}

describe("a spread", () => {
  it("weighs a day of any month as a whole number of parts", () => {
    const { months, weights, whole } = spread("2025-01-16", "2025-04-15", "monthly");
    expect(months).toEqual(["2025-01", "2025-02", "2025-03", "2025-04"]);
    expect(Number(weights.get("2025-01" as Month)) / Number(whole)).toBeCloseTo(
      16 / 31 / 3.016129,
      6,
    );
    expect(weights.get("2025-04" as Month)).toBe(whole);
  });

  it("counts days by days", () => {
    const { weights } = spread("2025-01-16", "2025-04-15", "daily");
    expect([...weights.values()]).toEqual([16n, 44n, 75n, 90n]);
  });

  it("has no weight when its end is before its start", () => {
    const { weights, whole } = spread("2025-01-16", "2025-01-15", "monthly");
    expect([weights.size, whole]).toEqual([0, 0n]);
  });

  it("stays the same, whatever other spreads were requested in between", () => {
    const before = spread("2025-01-16", "2025-04-15", "daily");
    for (let day = 10; day < 20; day += 1) spread(`19${day}-01-01`, "2199-12-31", "daily");
    expect(spread("2025-01-16", "2025-04-15", "daily")).toEqual(before);
  });
});
