/** The list of registered hours: each registration, or sums by day and person when there are too many. */
import { describe, expect, it } from "vitest";
import { MOST_SPECIFIED, specificationOf, type WorkedEntry } from "./specification.ts";

const entry = (date: string, user_id: string, hours: number, note: string | null = null) => ({
  date,
  user_id,
  user_name: user_id.slice(0, 3),
  hours,
  note,
});
const many = (count: number): WorkedEntry[] =>
  Array.from({ length: count }, (_, index) => entry("2027-01-04", `eva ${index % 2}`, 50, "Note"));

describe("specificationOf", () => {
  it.each<[string, [string, WorkedEntry[]][], ReturnType<typeof specificationOf>]>([
    ["nothing for lines without work", [["a", []]], { hours: [], hours_are_summed: false }],
    [
      "each registration, in the order of the lines",
      [
        ["b", [entry("2027-01-05", "bo", 100)]],
        ["a", [entry("2027-01-04", "eva", 100, "x"), entry("2027-01-04", "eva", 25)]],
      ],
      {
        hours: [
          {
            line_id: "a",
            entries: [
              { date: "2027-01-04", user_name: "eva", hours: 100, note: "x" },
              { date: "2027-01-04", user_name: "eva", hours: 25, note: null },
            ],
          },
          {
            line_id: "b",
            entries: [{ date: "2027-01-05", user_name: "bo", hours: 100, note: null }],
          },
        ],
        hours_are_summed: false,
      },
    ],
    [
      "sums for each line when both together have one registration too many, with two users of one name apart",
      [
        ["a", many(MOST_SPECIFIED - 1)],
        ["b", [entry("2027-01-04", "eva 0", 1, "x"), entry("2027-01-05", "eva 0", 2, "y")]],
      ],
      {
        hours: [
          {
            line_id: "a",
            entries: [
              { date: "2027-01-04", user_name: "eva", hours: 25_000, note: null },
              { date: "2027-01-04", user_name: "eva", hours: 24_950, note: null },
            ],
          },
          {
            line_id: "b",
            entries: [
              { date: "2027-01-04", user_name: "eva", hours: 1, note: null },
              { date: "2027-01-05", user_name: "eva", hours: 2, note: null },
            ],
          },
        ],
        hours_are_summed: true,
      },
    ],
  ])("lists %s", (_what, entries, expected) => {
    expect(specificationOf(["a", "b"], new Map(entries))).toEqual(expected);
  });

  it("lists the maximum number of registrations one by one", () => {
    const { hours, hours_are_summed } = specificationOf(["a"], new Map([["a", many(1000)]]));
    expect([hours[0]?.entries.length, hours_are_summed]).toEqual([1000, false]);
  });
});
