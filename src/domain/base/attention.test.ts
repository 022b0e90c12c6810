/** The items that wait for a person, the most urgent first. */
import { describe, expect, it } from "vitest";
import {
  type AttentionKind,
  mostUrgent,
  strongestFacts,
  type Urgent,
  workingDayBefore,
} from "./attention.ts";
import type { CalendarDate } from "./calendar.ts";

const one = (kind: AttentionKind, since: string, subject_id = "x"): Urgent => ({
  kind,
  since: since as CalendarDate,
  subject_id,
});
const due = (day: string) => ({ due_on: day as CalendarDate });

describe("the most urgent items", () => {
  it.each<[string, Urgent[], string[]]>([
    ["none where none waits", [], []],
    [
      "a booking in doubt, then a failed delivery, then a month that is ready",
      [
        one("month_ready", "2026-10-31"),
        one("delivery_failed", "2026-11-01"),
        one("booking_in_doubt", "2026-11-19"),
      ],
      ["booking_in_doubt", "delivery_failed", "month_ready"],
    ],
    [
      "those that have waited longest among items of the same rank, whatever their kind",
      [
        one("delivery_failed", "2026-11-03"),
        one("delivery_unknown", "2026-11-01"),
        one("delivery_failed", "2026-11-02"),
      ],
      ["delivery_unknown", "delivery_failed", "delivery_failed"],
    ],
    [
      "those that end in weeks last",
      [one("retainer_ends", "2026-12-10"), one("budget", "2026-11-19")],
      ["budget", "retainer_ends"],
    ],
  ])("are %s", (_what, found, expected) => {
    expect(mostUrgent(found, 8).map(({ kind }) => kind)).toEqual(expected);
  });

  it("are limited to the requested number, and ordered by subject within a day", () => {
    const many = ["c", "a", "b"].map((id) => one("work_waits", "2026-08-06", id));
    expect(mostUrgent(many, 2).map(({ subject_id }) => subject_id)).toEqual(["a", "b"]);
  });
});

describe("the strongest facts", () => {
  it.each<[string, Urgent[], string[], string[]]>([
    ["nothing", [], [], []],
    [
      "the documents that go out, then the most urgent items",
      [one("month_ready", "2026-10-31"), one("delivery_failed", "2026-11-01")],
      ["2026-11-30", "2026-12-01"],
      ["2 going_out by 2026-12-01", "1 delivery_failed", "1 month_ready"],
    ],
    [
      "one for each kind, with its count",
      [
        one("work_waits", "2026-08-06"),
        one("work_waits", "2026-09-01"),
        one("budget", "2026-11-01"),
      ],
      [],
      ["2 work_waits", "1 budget"],
    ],
    [
      "three at most",
      [
        one("budget", "2026-11-01"),
        one("retainer_ends", "2026-12-10"),
        one("plan_waits", "2026-11-19"),
      ],
      ["2026-12-01"],
      ["1 going_out by 2026-12-01", "1 plan_waits", "1 budget"],
    ],
  ])("are %s", (_what, waiting, going_out, expected) => {
    const facts = strongestFacts(waiting, going_out.map(due));
    const reported = facts.map((fact) =>
      fact.fact === "going_out"
        ? `${fact.count} going_out by ${fact.by}`
        : `${fact.count} ${fact.fact}`,
    );
    expect(reported).toEqual(expected);
  });
});

it.each([
  ["Thursday", "2026-11-19", "2026-11-18"],
  ["Monday", "2026-11-16", "2026-11-13"],
  ["Sunday", "2026-11-15", "2026-11-13"],
  ["Saturday", "2026-11-14", "2026-11-13"],
])("the working day before a %s, %s, is %s", (_day, day, before) => {
  expect(workingDayBefore(day as CalendarDate)).toBe(before);
});
