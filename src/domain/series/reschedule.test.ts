/** Moving versions and overrides of periods: for any old and new start, they stay with their keys (spec 4.9). */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate } from "../base/calendar.ts";
import { alignments, type Frequency, frequencies, periodAt, type Recurrence } from "./period.ts";
import { movedLine, moveOf } from "./reschedule.ts";
import type { LineContent } from "./series.ts";

const day = fc
  .integer({ min: 0, max: 3000 })
  .map((days) => addDays("2024-01-01" as CalendarDate, days));
const series = (frequency: Frequency): fc.Arbitrary<Recurrence> =>
  fc.record({
    frequency: fc.constant(frequency),
    alignment: fc.constantFrom(...alignments),
    start_date: day,
    end_date: fc.constant(null),
  });
const keyAt = (one: Recurrence, index: number) => periodAt(one, index)?.key;
const from = (start_date: string, frequency: Frequency = "monthly"): Recurrence => ({
  frequency,
  alignment: "anniversary",
  start_date: start_date as CalendarDate,
  end_date: null,
});
/** A content that contains only its name. */
const content = (text: string): LineContent => ({ description_override: text }) as LineContent;

describe("moveOf", () => {
  it.each(frequencies)(
    "%s: keeps every period at its key, and drops those before the start",
    (frequency) => {
      fc.assert(
        fc.property(series(frequency), series(frequency), fc.nat(60), (before, after, index) => {
          const move = moveOf(before, after);
          const at = move === undefined ? index : move.periodAt(index);
          const key = keyAt(before, index) ?? "";
          if (at === undefined) expect(key < (keyAt(after, 0) ?? "")).toBe(true);
          else expect(keyAt(after, at)).toBe(key);
        }),
        { numRuns: 60 },
      );
    },
  );

  it("moves versions in order, whatever the frequencies", () => {
    const any = fc.constantFrom(...frequencies).chain(series);
    fc.assert(
      fc.property(any, any, fc.nat(40), (before, after, index) => {
        const move = moveOf(before, after);
        if (move === undefined) return;
        expect(move.versionAt(0)).toBe(0);
        expect(move.versionAt(index + 1)).toBeGreaterThanOrEqual(move.versionAt(index));
      }),
      { numRuns: 100 },
    );
  });

  it("changes nothing where only alignment or end change", () => {
    const before = from("2025-02-15");
    expect(moveOf(before, { ...before, alignment: "calendar" })).toBeUndefined();
    expect(moveOf(before, { ...before, end_date: "2025-12-31" as CalendarDate })).toBeUndefined();
    expect(moveOf(before, from("2025-02-20"))).toBeUndefined();
  });
});

describe("movedLine", () => {
  const line = {
    line_id: "a",
    hashed_periods: null,
    versions: new Map([
      [0, content("first")],
      [4, content("from May")],
      [5, null],
    ]),
    overrides: new Map([
      [1, content("in February")],
      [6, null],
    ]),
  };
  const moved = (after: Recurrence) => {
    const move = moveOf(from("2025-01-01"), after);
    if (move === undefined) throw new Error("nothing moves");
    const { versions, overrides } = movedLine(line, move);
    const said = (versions_by_index: ReadonlyMap<number, LineContent | null>) =>
      [...versions_by_index].map(([index, version]) => [
        index,
        version?.description_override ?? null,
      ]);
    return [said(versions), said(overrides)];
  };

  it.each<[string, Recurrence, unknown]>([
    [
      "an earlier start",
      from("2024-11-01"),
      [
        [
          [0, "first"],
          [6, "from May"],
          [7, null],
        ],
        [
          [3, "in February"],
          [8, null],
        ],
      ],
    ],
    [
      "a later start",
      from("2025-03-01"),
      [
        [
          [0, "first"],
          [2, "from May"],
          [3, null],
        ],
        [[4, null]],
      ],
    ],
    [
      "a start after a version",
      from("2025-05-31"),
      [
        [
          [0, "from May"],
          [1, null],
        ],
        [[2, null]],
      ],
    ],
    ["a start after all versions", from("2025-12-01"), [[[0, null]], []]],
    [
      "another frequency",
      from("2025-01-01", "quarterly"),
      [
        [
          [0, "first"],
          [2, null],
        ],
        [],
      ],
    ],
  ])("with %s", (_what, after, expected) => {
    expect(moved(after)).toEqual(expected);
  });
});
