/** The state of a month on its way to the close. */
import { describe, expect, it } from "vitest";
import type { Month } from "../base/calendar.ts";
import { isClosable, type MonthFacts, stateOfMonth } from "./month-state.ts";

const OCTOBER = "2026-10" as Month;
const AFTER: MonthFacts = {
  close: null,
  locked_through: "2026-09" as Month,
  ready: OCTOBER,
  current: "2026-11" as Month,
};

describe("October 2026", () => {
  it.each<[string, Partial<MonthFacts>, string, boolean]>([
    ["the month after the last locked one", {}, "ready", true],
    ["while September waits", { ready: "2026-09" as Month }, "open", true],
    ["when no month waits", { ready: null }, "open", true],
    ["during October", { current: OCTOBER, ready: null }, "current", false],
    ["in September", { current: "2026-09" as Month, ready: null }, "future", false],
    ["before the lock date, without a close", { locked_through: OCTOBER }, "locked", false],
    ["while its close runs", { close: "running" }, "closing", false],
    ["after its close", { close: "completed", locked_through: OCTOBER }, "closed", false],
    ["after a close that did not lock", { close: "completed" }, "closed", false],
    ["after a close with failures", { close: "partial" }, "partial", true],
    ["after it was reopened", { close: "reopened" }, "reopened", true],
    [
      "reopened, before a lock date set by hand",
      { close: "reopened", locked_through: OCTOBER },
      "reopened",
      true,
    ],
  ])("%s", (_case, facts, state, may_close) => {
    const found = stateOfMonth(OCTOBER, { ...AFTER, ...facts });
    expect([found, isClosable(found)]).toEqual([state, may_close]);
  });
});
