/** The maximum size of previews and series: counting lines gives the same number as creating them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import {
  countPeriodLines,
  countWaitingLines,
  requireClockFits,
  requirePreviewFits,
  requireRoom,
  requireSeriesFits,
} from "./bounds.ts";
import type { Recurrence } from "./period.ts";
import { type LineContent, linesAt, type SeriesLine } from "./series.ts";

const day = (text: string) => text as CalendarDate;
const content = { position: 1 } as LineContent;

const active = (count: number, fields: Partial<SeriesLine> = {}): SeriesLine[] =>
  Array.from({ length: count }, (_, index) => ({
    line_id: `line ${index}`,
    hashed_periods: null,
    versions: new Map([[0, content]]),
    overrides: new Map(),
    ...fields,
  }));

const weekly = (start: string, lines: readonly SeriesLine[], end: string | null = null) => ({
  frequency: "weekly" as Recurrence["frequency"],
  alignment: "anniversary" as const,
  start_date: day(start),
  end_date: end === null ? null : day(end),
  lines,
});

/** `lines too_many: …`, or an empty text. */
function refused(decide: () => void): string {
  try {
    decide();
    return "";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [fault] = error.extras.field_errors ?? [];
    return `${error.code} ${fault?.field} ${fault?.code}: ${fault?.message}`;
  }
}

describe("the lines of periods", () => {
  const versions_by_index = (most: number) =>
    fc
      .array(fc.tuple(fc.nat({ max: 12 }), fc.boolean()), { maxLength: most })
      .map((all) => new Map(all.map(([at, is_there]) => [at, is_there ? content : null])));
  const line = fc
    .tuple(versions_by_index(4), versions_by_index(4))
    .map(([versions, overrides]) => ({ ...active(1)[0], versions, overrides }) as SeriesLine);

  it("are counted without creating them, also after edits and exclusions", () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 4 }),
        fc.nat({ max: 15 }),
        fc.uniqueArray(fc.nat({ max: 14 })),
        (lines, before, left_out) => {
          const except = left_out.sort((a, b) => a - b);
          let made = 0;
          for (let at = 0; at < before; at += 1) {
            if (!except.includes(at)) made += linesAt(lines, at).length;
          }
          expect(countPeriodLines(lines, before, except)).toBe(made);
        },
      ),
    );
  });
});

describe("the waiting lines", () => {
  const ended = weekly("2026-01-05", active(3), "2026-01-20");
  const edited = weekly("2026-01-05", [
    ...active(2),
    ...active(1, { versions: new Map([[2, content]]) }),
    ...active(1, { overrides: new Map([[1, null]]) }),
  ]);

  it.each<[string, Parameters<typeof countWaitingLines>[0], readonly number[], string, number]>([
    ["none before the start", weekly("2026-01-05", active(3)), [], "2026-01-04", 0],
    [
      "those of a period from its first day on",
      weekly("2026-01-05", active(3)),
      [],
      "2026-01-05",
      3,
    ],
    ["those of the next period as well", weekly("2026-01-05", active(3)), [], "2026-01-12", 6],
    ["none of settled periods", weekly("2026-01-05", active(3)), [0, 2], "2026-01-25", 3],
    [
      "none of periods that are settled ahead",
      weekly("2026-01-05", active(3)),
      [3, 4],
      "2026-01-25",
      9,
    ],
    ["none after the end", ended, [], "2026-12-31", 9],
    ["those that each period has", edited, [], "2026-01-25", 3 + 2 + 4],
    ["those that each open period has", edited, [1], "2026-01-25", 3 + 4],
  ])("are %s", (_, series, settled, through, expected) => {
    expect(countWaitingLines(series, settled, day(through))).toBe(expected);
  });
});

describe("a preview", () => {
  const through = (until: string, lines: number, settled: readonly number[] = []) =>
    refused(() =>
      requirePreviewFits(weekly("2026-01-05", active(lines)), settled, day(until)),
    ).replace("VALIDATION_FAILED until too_large: A preview shows at most ", "");

  const MOST = "1,000 periods and 50,000 lines in them; this one would have";

  it.each<[string, string, number, number, string]>([
    ["a thousand periods", "2045-03-05", 50, 0, ""],
    [
      "one period more",
      "2045-03-06",
      2,
      0,
      `${MOST} 1,001 periods and 2,002 lines. Ask for 2045-03-05 at the latest.`,
    ],
    [
      "one line more",
      "2045-03-05",
      51,
      0,
      `${MOST} 1,000 periods and 51,000 lines. Ask for 2044-10-16 at the latest.`,
    ],
    ["one period more of which one is settled", "2045-03-06", 50, 1, ""],
    [
      "two hundred years",
      "2199-12-31",
      500,
      0,
      `${MOST} 9,079 periods and 4,539,500 lines. Ask for 2027-12-05 at the latest.`,
    ],
  ])("is checked for %s", (_what, until, lines, settled, expected) => {
    const indexes = Array.from({ length: settled }, (_, index) => index);
    expect(through(until, lines, indexes)).toBe(expected);
  });

  it("fits through the day that its refusal names, and not a day later", () => {
    const last = /for (\S+) at/.exec(through("2199-12-31", 77))?.[1] ?? "";
    expect(through(last, 77)).toBe("");
    const [year, month, date] = last.split("-").map(Number);
    const next = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, (date ?? 0) + 1));
    expect(through(next.toISOString().slice(0, 10), 77)).not.toBe("");
  });
});

describe("a series", () => {
  const TODAY = day("2026-03-10");
  type Sized = ReturnType<typeof weekly>;
  const decided = (after: Sized, before: Sized | null = null) =>
    refused(() => requireSeriesFits(before, after, TODAY, "lines"));

  // 500 weeks from the start through a year from today.
  const START = "2017-08-14";

  it.each<[string, Sized, boolean]>([
    ["of 500 lines in 500 periods", weekly(START, active(500)), true],
    ["of 500 lines in 501 periods", weekly("2017-08-07", active(500)), false],
    ["of 501 lines in 500 periods", weekly(START, active(501)), false],
    ["that ends before it is too large", weekly("1990-01-01", active(500), "1999-07-26"), true],
    ["that ends a week after that", weekly("1990-01-01", active(500), "1999-08-02"), false],
    ["that starts later than that", weekly("2028-01-03", active(500)), true],
    [
      "whose lines begin late",
      weekly("1990-01-01", active(500, { versions: new Map([[1_442, content]]) })),
      true,
    ],
    ["without lines", weekly("1900-01-01", []), true],
  ])("is checked by its size: %s", (_what, series, fits) => {
    expect(decided(series) === "").toBe(fits);
  });

  it("is refused with its size and the ways to reduce it", () => {
    expect(decided(weekly("1990-01-01", active(500)))).toBe(
      "VALIDATION_FAILED lines too_many: A series has at most 250,000 lines in its periods from its start through a year from today; this one would have 970,500 in 1,941 periods. Use fewer lines, start it later or end it earlier.",
    );
  });

  it("that is already too large may stay or shrink, but not grow", () => {
    const large = weekly("1990-01-01", active(400));
    expect(decided(large, large)).toBe("");
    expect(decided(weekly("1991-01-07", active(400)), large)).toBe("");
    expect(decided(weekly("1990-01-01", active(399)), large)).toBe("");
    expect(decided(weekly("1990-01-01", active(401)), large)).not.toBe("");
    expect(decided(weekly("1989-12-25", active(400)), large)).not.toBe("");
  });
});

const ACCOUNT =
  "An account has at most 1,000,000 lines in periods that have begun and have no invoice";

describe("the waiting lines of an account", () => {
  it.each<[string, number, number, number, boolean]>([
    ["a million with the series", 780_000, 0, 220_000, true],
    ["one line more", 780_001, 0, 220_000, false],
    ["a million and one already, and a series that grows", 1_000_001, 5, 6, false],
    ["a million and one already, and a series that stays", 1_000_001, 5, 5, true],
    ["a million and one already, and a series that shrinks", 1_000_001, 5, 4, true],
  ])("are checked where a series grows: %s", (_, others, before, after, fits) => {
    const found = refused(() => requireRoom(others, before, after, "lines"));
    const message = `${ACCOUNT}; with the ${after.toLocaleString("en")} of this series it would have more. Issue or skip waiting periods, use fewer lines, start it later or end it earlier.`;
    expect(found).toBe(fits ? "" : `VALIDATION_FAILED lines too_many: ${message}`);
  });

  it.each<[string, readonly (readonly [before: number, after: number])[], string]>([
    ["none", [], ""],
    [
      "a million together",
      [
        [5, 400_000],
        [5, 600_000],
      ],
      "",
    ],
    [
      "one line more, most of them from before",
      [
        [600_000, 600_001],
        [5, 400_000],
      ],
      "1,000,001, 400,000 of them in the series B",
    ],
    [
      "too many already, and no series grows",
      [
        [600_000, 600_000],
        [400_001, 400_001],
      ],
      "",
    ],
    [
      "too many already, and one series grows",
      [
        [600_000, 600_001],
        [600_000, 600_000],
      ],
      "1,200,001, 600,001 of them in the series A",
    ],
  ])("are checked where a clock is set: %s", (_, counts, expected) => {
    const series = counts.map(([before, after], at) => ({ name: "AB"[at] ?? "", before, after }));
    const message = `${ACCOUNT}; at this time it would have ${expected}. Set an earlier time, or issue, skip or cancel waiting periods.`;
    expect(refused(() => requireClockFits(series))).toBe(
      expected === "" ? "" : `VALIDATION_FAILED now too_many: ${message}`,
    );
  });
});
