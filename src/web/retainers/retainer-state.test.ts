/** The state of a retainer, and the periods of its strip. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { retainerState, stripRange } from "./retainer-state.ts";

const day = (text: string) => text as CalendarDate;

describe("a retainer", () => {
  it.each([
    ["draft", { status: "draft", end_date: null }, "draft"],
    ["active without an end", { status: "active", end_date: null }, "active"],
    ["active on its last day", { status: "active", end_date: day("2026-03-10") }, "ending"],
    ["after its last day", { status: "active", end_date: day("2026-03-09") }, "ended"],
  ] as const)("is %s", (_case, fields, state) => {
    expect(retainerState({ is_discarded: false, ...fields }, day("2026-03-10"))).toBe(state);
  });

  it("is discarded whatever its dates", () => {
    const series = { is_discarded: true, status: "draft", end_date: day("2027-01-01") } as const;
    expect(retainerState(series, day("2026-03-10"))).toBe("discarded");
  });
});

describe("the strip", () => {
  it.each([
    ["begins with the first period of a young series", 3, null, null, [0, 24]],
    ["is around today", 40, null, null, [28, 52]],
    ["ends with the last period", 40, 45, null, [21, 45]],
    ["shows all of a short series", 3, 5, null, [0, 5]],
    ["of a series without a period is empty", 0, 0, null, [0, 0]],
    ["begins where it is asked to", 40, null, 4, [4, 28]],
    ["does not begin after the last period", 40, 45, 99, [44, 45]],
  ] as const)("%s", (_case, begun, known, asked, [first, end]) => {
    expect(stripRange(begun, known, asked)).toEqual({ first, end });
  });
});
