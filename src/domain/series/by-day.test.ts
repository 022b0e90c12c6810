/** The periods of all retainers in the order of their first days. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { periodsByDay, type Recurring } from "./by-day.ts";

const day = (text: string) => text as CalendarDate;

function series(id: string, fields: Partial<Recurring> = {}): Recurring {
  return {
    id,
    frequency: "monthly",
    alignment: "anniversary",
    start_date: day("2026-01-15"),
    end_date: null,
    first_index: 0,
    ...fields,
  };
}

const monthly = series("b-monthly");
const quarterly = series("a-quarterly", { frequency: "quarterly" });
const weekly = series("c-weekly", { frequency: "weekly", start_date: day("2026-02-09") });
const ended = series("d-ended", { end_date: day("2026-03-20") });

function shown(
  many: readonly Recurring[],
  from: string,
  to: string,
  after: [string, string] | null = null,
): string[] {
  const place = after && { from: day(after[0]), id: after[1] };
  return [...periodsByDay(many, { from: day(from), to: day(to) }, place)].map(
    ({ series: { id }, period }) => `${period.from} ${id[0]} ${period.index}`,
  );
}

describe("the periods of several series", () => {
  it.each<[string, readonly Recurring[], string, string, string[]]>([
    ["none without a series", [], "2026-01-01", "2026-12-31", []],
    ["none before the first begins", [monthly], "2025-01-01", "2026-01-14", []],
    ["one that begins on the last day", [monthly], "2026-01-01", "2026-01-15", ["2026-01-15 b 0"]],
    ["one that begins on the first", [monthly], "2026-02-15", "2026-03-14", ["2026-02-15 b 1"]],
    [
      "in the order of their days, and on one day of the series' ids",
      [weekly, monthly, quarterly],
      "2026-02-01",
      "2026-04-15",
      [
        ...["2026-02-09 c 0", "2026-02-15 b 1", "2026-02-16 c 1", "2026-02-23 c 2"],
        ...["2026-03-02 c 3", "2026-03-09 c 4", "2026-03-15 b 2", "2026-03-16 c 5"],
        ...["2026-03-23 c 6", "2026-03-30 c 7", "2026-04-06 c 8", "2026-04-13 c 9"],
        ...["2026-04-15 a 1", "2026-04-15 b 3"],
      ],
    ],
    [
      "none after the end",
      [ended],
      "2026-02-01",
      "2026-12-31",
      ["2026-02-15 d 1", "2026-03-15 d 2"],
    ],
    [
      "none before the first requested period of a series",
      [series("e", { first_index: 3 })],
      "2026-01-01",
      "2026-05-31",
      ["2026-04-15 e 3", "2026-05-15 e 4"],
    ],
  ])("%s", (_what, many, from, to, expected) => {
    expect(shown(many, from, to)).toEqual(expected);
  });

  it("continue after a cursor as in the complete list", () => {
    const many = [weekly, monthly, quarterly, ended];
    const all = shown(many, "2026-01-01", "2026-12-31");
    const ids = new Map(many.map(({ id }) => [id[0], id]));
    for (const [at, one] of all.entries()) {
      const [from = "", letter] = one.split(" ");
      const rest = shown(many, "2026-01-01", "2026-12-31", [from, ids.get(letter) ?? ""]);
      expect(rest).toEqual(all.slice(at + 1));
    }
  });

  it("are created only on demand", () => {
    const endless = periodsByDay([monthly, weekly], {
      from: day("2026-01-01"),
      to: day("2199-12-31"),
    });
    expect(endless.next().value?.period.from).toBe("2026-01-15");
  });
});
