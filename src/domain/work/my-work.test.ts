import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import {
  attentionOf,
  compareLines,
  mostOfGroup,
  type RankedLine,
  rankedGroups,
  rankOf,
  shownGroups,
  type WaitingLine,
} from "./my-work.ts";

const day = (text: string) => text as CalendarDate;
const TODAY = day("2027-03-20");

/** Begun today, without due date and budget. */
const line = (fields: Partial<WaitingLine> = {}): WaitingLine => ({
  due_on: null,
  issue_failed: false,
  begun_on: TODAY,
  billable_hours: 0n,
  budget_hours: null,
  amount: 0n,
  estimate: null,
  last_worked_on: null,
  ...fields,
});

describe("why a line needs attention", () => {
  it.each<[string, Partial<WaitingLine>, string[], number]>([
    ["nothing", {}, [], 6],
    ["due yesterday", { due_on: day("2027-03-19") }, ["overdue"], 1],
    ["due today", { due_on: day("2027-03-20") }, ["due_soon"], 3],
    ["due in 7 days", { due_on: day("2027-03-27") }, ["due_soon"], 3],
    ["due in 8 days", { due_on: day("2027-03-28") }, [], 6],
    ["issue failed", { issue_failed: true }, ["failed"], 2],
    [
      "failed and overdue",
      { issue_failed: true, due_on: day("2027-03-01") },
      ["overdue", "failed"],
      1,
    ],
    ["hours at the budget", { billable_hours: 1000n, budget_hours: 1000n }, [], 6],
    ["hours above it", { billable_hours: 1001n, budget_hours: 1000n }, ["over_budget"], 4],
    ["amount at the estimate", { amount: 500n, estimate: 500n }, [], 6],
    ["amount above it", { amount: 501n, estimate: 500n }, ["over_budget"], 4],
    ["begun 14 days ago", { begun_on: day("2027-03-06") }, [], 6],
    ["begun 15 days ago", { begun_on: day("2027-03-05") }, ["stale"], 5],
    [
      "begun long ago, worked 14 days ago",
      { begun_on: day("2027-01-01"), last_worked_on: day("2027-03-06") },
      [],
      6,
    ],
    [
      "begun long ago, worked 15 days ago",
      { begun_on: day("2027-01-01"), last_worked_on: day("2027-03-05") },
      ["stale"],
      5,
    ],
    [
      "every reason but a failure",
      {
        due_on: day("2027-03-21"),
        amount: 2n,
        estimate: 1n,
        begun_on: day("2027-01-01"),
      },
      ["due_soon", "over_budget", "stale"],
      3,
    ],
  ])("%s", (_, fields, reasons, rank) => {
    const attention = attentionOf(line(fields), TODAY);
    expect(attention).toEqual(reasons);
    expect(rankOf(attention)).toBe(rank);
  });
});

const ranked = (fields: Partial<RankedLine> = {}): RankedLine => ({
  rank: 6,
  due_on: null,
  unbilled: 0,
  customer_name: "M",
  position: 1,
  ...fields,
});

describe("of two lines", () => {
  it.each<[string, Partial<RankedLine>, Partial<RankedLine>]>([
    ["the better rank, whatever else", { rank: 1 }, { rank: 2, due_on: day("2027-01-01") }],
    [
      "the earlier due date",
      { due_on: day("2027-01-01") },
      { due_on: day("2027-01-02"), unbilled: 9 },
    ],
    ["one with a due date", { due_on: day("2027-01-01") }, { unbilled: 9 }],
    ["the higher amount", { unbilled: 10 }, { unbilled: 9, customer_name: "A" }],
    ["the earlier name", { customer_name: "A", position: 2 }, { customer_name: "B" }],
    ["the earlier position", { position: 1 }, { position: 2 }],
  ])("%s comes first", (_, first, second) => {
    expect(compareLines(ranked(first), ranked(second))).toBeLessThan(0);
    expect(compareLines(ranked(second), ranked(first))).toBeGreaterThan(0);
  });

  it("neither comes first when they are equal in everything", () => {
    expect(compareLines(ranked(), ranked())).toBe(0);
  });
});

describe("groups", () => {
  it("have the rank of their best lines, and are sorted by it", () => {
    const lines = [
      { ...ranked({ rank: 6, unbilled: 100 }), of: "quiet" },
      { ...ranked({ rank: 5 }), of: "mixed" },
      { ...ranked({ rank: 3 }), of: "soon" },
      { ...ranked({ rank: 1 }), of: "mixed" },
    ];
    const groups = rankedGroups(lines, (one) => one.of);
    expect(groups.map(({ key, rank }) => [key, rank])).toEqual([
      ["mixed", 1],
      ["soon", 3],
      ["quiet", 6],
    ]);
    expect(groups[0]?.lines.map((one) => one.rank)).toEqual([1, 5]);
  });

  it("do not exist without lines", () => {
    expect(rankedGroups([], () => "")).toEqual([]);
  });

  const groupsOf = (...sizes: number[]) =>
    sizes.map((size, at) => ({
      key: `${at}`,
      rank: 6,
      lines: Array.from({ length: size }, (_, n) => n),
    }));

  it.each([
    [200, [150, 50], [150, 50]],
    [201, [150, 51], [20, 20]],
    [1000, [5, 300, 25, 670], [5, 20, 20, 20]],
    [600, Array(12).fill(50), [...Array(10).fill(20), 0, 0]],
  ])("show fewer lines each for %i lines in all", (waiting, sizes, shown) => {
    const groups = shownGroups(groupsOf(...sizes), mostOfGroup(waiting));
    expect(groups.map(({ lines }) => lines.length)).toEqual(shown);
    for (const { lines } of groups) expect(lines).toEqual(lines.map((_, n) => n));
  });
});
