/** Sums of periods by month, state and currency. */
import { describe, expect, it } from "vitest";
import type { CalendarDate, Month } from "../../domain/base/calendar.ts";
import { monthSums } from "./month-sums.ts";

const months = ["2026-03", "2026-04"] as Month[];
const period = (
  from: string,
  state: "issued" | "scheduled" | "failed" | "skipped" | "dropped",
  net: bigint,
  currency = "DKK",
) => ({ from: from as CalendarDate, state, net, currency });

describe("the sums of a month", () => {
  it("count the periods that begin in it, by state", () => {
    const [march, april] = monthSums(months, [
      period("2026-03-31", "scheduled", 100n),
      period("2026-03-01", "issued", 300n),
      period("2026-03-01", "issued", 200n),
      period("2026-04-01", "dropped", 50n),
    ]);
    expect(march?.states).toEqual([
      { state: "issued", count: 2, amounts: [{ currency: "DKK", net: 500n }] },
      { state: "scheduled", count: 1, amounts: [{ currency: "DKK", net: 100n }] },
    ]);
    expect(april?.states.map(({ state }) => state)).toEqual(["dropped"]);
  });

  it("keep currencies apart", () => {
    const [march] = monthSums(months, [
      period("2026-03-01", "failed", 10n, "EUR"),
      period("2026-03-09", "failed", 20n, "DKK"),
      period("2026-03-09", "failed", 5n, "EUR"),
    ]);
    expect(march?.states).toEqual([
      {
        state: "failed",
        count: 3,
        amounts: [
          { currency: "DKK", net: 20n },
          { currency: "EUR", net: 15n },
        ],
      },
    ]);
  });

  it("leave out other months, and are empty without periods", () => {
    expect(monthSums(months, [period("2026-05-01", "issued", 1n)])).toEqual([
      { month: "2026-03", states: [] },
      { month: "2026-04", states: [] },
    ]);
  });
});
