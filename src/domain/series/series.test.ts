/** Lines of a series as spec 4.6 and 4.8 describe them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LineId, ProductId, UserId } from "../base/brand.ts";
import type { CalendarDate } from "../base/calendar.ts";
import { currencyDigits } from "../base/currency.ts";
import { LARGEST_LINE } from "../base/money.ts";
import { Problem } from "../base/problem.ts";
import { recognitionMethods, rowsOf } from "../sales/line.ts";
import { lineFrom } from "../sales/line-from.ts";
import {
  findPeriod,
  periodAt,
  periodsFrom,
  type Recurrence,
  type SeriesPeriod,
  timingModes,
} from "./period.ts";
import {
  addedLine,
  changedLine,
  contentAt,
  contentsFrom,
  freePosition,
  inputOf,
  type LineContent,
  linesAt,
  linesInOrder,
  linesOver,
  occurrenceLine,
  positionFaults,
  removedLine,
  requireTimingFits,
  type Scope,
  type SeriesLine,
  scopes,
  seriesLineFaults,
  versionAt,
} from "./series.ts";

const base: LineContent = {
  product_id: "product" as ProductId,
  recognition_method: "value",
  agreed_value: 8_000_00n,
  hourly_rate: null,
  discount: 0,
  description_override: null,
  position: 1,
  assignees: [],
  service_from: null,
  service_to: null,
  budget_hours: null,
  product_name: "Retainer",
  product_number: null,
  account_number: 1010,
  unit: "parts",
};

/** A content with a price of this many whole units. */
const worth = (units: number, fields: Partial<LineContent> = {}): LineContent => ({
  ...base,
  agreed_value: BigInt(units) * 100n,
  ...fields,
});

const repriced =
  (units: number) =>
  (content: LineContent): LineContent => ({ ...content, agreed_value: BigInt(units) * 100n });

/** A line that applies from the first period on. */
function effective(content: LineContent, line_id = "line"): SeriesLine {
  return addedLine(line_id, content, "all", 0);
}

/** The price of a line in each of the first periods; null where the line is absent. */
function costs(line: SeriesLine, count = 6): (number | null)[] {
  return Array.from({ length: count }, (_, index) => {
    const content = contentAt(line, index);
    return content === null ? null : Number((content.agreed_value ?? 0n) / 100n);
  });
}

const changed = (line: SeriesLine, scope: Scope, index: number, units: number): SeriesLine =>
  changedLine(line, scope, index, repriced(units));

describe("the worked example", () => {
  it("bills 8,000, 9,500, 8,000 and then 8,000, 8,500, 7,000, 8,500", () => {
    const series: Recurrence = {
      frequency: "monthly",
      alignment: "anniversary",
      start_date: "2025-02-01" as CalendarDate,
      end_date: "2025-08-31" as CalendarDate,
    };
    const at = (text: string): number => {
      const period = findPeriod(series, text);
      if (typeof period === "string") throw new Error(period);
      return period.index;
    };
    const extra = worth(1500, { position: 2 });
    const march_only = addedLine("extra", extra, "this_only", at("2025-03"));
    const from_june = changed(effective(base), "this_and_following", at("2025-06"), 8500);
    const july = changed(from_june, "this_only", at("2025-07"), 7000);

    const invoices = [...periodsFrom(series, 0)].map(({ index }) =>
      linesAt([july, march_only], index).reduce(
        (sum, { content }) => sum + Number(content.agreed_value) / 100,
        0,
      ),
    );

    expect(invoices).toEqual([8000, 9500, 8000, 8000, 8500, 7000, 8500]);
  });
});

describe("adding a line", () => {
  it.each<[Scope, (number | null)[]]>([
    ["this_only", [null, null, 1500, null, null, null]],
    ["this_and_following", [null, null, 1500, 1500, 1500, 1500]],
    ["all", [null, null, 1500, 1500, 1500, 1500]],
  ])("%s", (scope, expected) => {
    expect(costs(addedLine("line", worth(1500), scope, 2))).toEqual(expected);
  });

  it("this_only is an override, and not an effective line", () => {
    const line = addedLine("line", worth(1500), "this_only", 2);
    expect(linesAt([line], 2, "effective")).toEqual([]);
    expect(linesAt([line], 2)).toMatchObject([{ line_id: "line", content: worth(1500) }]);
    expect(versionAt(line, 2)).toBeNull();
  });
});

describe("changing a line", () => {
  it.each<[Scope, number[]]>([
    ["this_only", [8000, 8000, 9000, 8000, 8000, 8000]],
    ["this_and_following", [8000, 8000, 9000, 9000, 9000, 9000]],
    ["all", [8000, 8000, 9000, 9000, 9000, 9000]],
  ])("%s", (scope, expected) => {
    expect(costs(changed(effective(base), scope, 2, 9000))).toEqual(expected);
  });

  it("an override survives this_and_following, but not all", () => {
    const overridden = changed(effective(base), "this_only", 3, 7000);
    expect(costs(changed(overridden, "this_and_following", 2, 9000))).toEqual([
      8000, 8000, 9000, 7000, 9000, 9000,
    ]);
    expect(costs(changed(overridden, "all", 2, 9000))).toEqual([
      8000, 8000, 9000, 9000, 9000, 9000,
    ]);
  });

  it("an override before the range survives every scope", () => {
    const overridden = changed(effective(base), "this_only", 1, 7000);
    for (const scope of scopes) {
      expect(costs(changed(overridden, scope, 2, 9000)).slice(0, 3)).toEqual([8000, 7000, 9000]);
    }
  });

  it("splits a version that began earlier, and keeps the one that begins later", () => {
    const stepped = changed(effective(base), "this_and_following", 4, 8500);
    const split = changed(stepped, "this_only", 9, 1);
    const line = changedLine(split, "this_and_following", 2, (content) => ({
      ...content,
      discount: 10_00,
    }));
    expect(costs(line)).toEqual([8000, 8000, 8000, 8000, 8500, 8500]);
    const discounts = [0, 1, 2, 3, 4, 5, 9].map((index) => contentAt(line, index)?.discount);
    expect(discounts).toEqual([0, 0, 10_00, 10_00, 10_00, 10_00, 0]);
  });

  it("merges into the override of the period, and leaves the effective line unchanged", () => {
    const overridden = changed(effective(base), "this_only", 2, 7000);
    const line = changedLine(overridden, "this_only", 2, (content) => ({
      ...content,
      discount: 5_00,
    }));
    expect(contentAt(line, 2)).toMatchObject({ agreed_value: 7_000_00n, discount: 5_00 });
    expect(versionAt(line, 2)).toEqual(base);
  });

  it("does not add the line to a period without it", () => {
    const gone = removedLine(effective(base), "this_and_following", 2);
    for (const scope of scopes) {
      expect(costs(changed(gone, scope, 3, 9000))).toEqual([8000, 8000, null, null, null, null]);
    }
    const once = addedLine("line", worth(1500), "this_only", 2);
    expect(costs(changed(once, "this_and_following", 1, 9000))[2]).toBe(1500);
    expect(costs(changed(once, "all", 1, 9000))[2]).toBe(9000);
  });

  it("merges into a line that begins only within the range", () => {
    const later = addedLine("line", worth(1500), "this_and_following", 3);
    const expected = [null, null, null, 9000, 9000, 9000];
    expect(costs(changed(later, "this_and_following", 1, 9000))).toEqual(expected);
  });
});

describe("removing a line", () => {
  it.each<[Scope, (number | null)[]]>([
    ["this_only", [8000, 8000, null, 8000, 8000, 8000]],
    ["this_and_following", [8000, 8000, null, null, null, null]],
    ["all", [8000, 8000, null, null, null, null]],
  ])("%s", (scope, expected) => {
    expect(costs(removedLine(effective(base), scope, 2))).toEqual(expected);
  });

  it("an override survives a removal by this_and_following, but not by all", () => {
    const overridden = changed(effective(base), "this_only", 4, 7000);
    expect(costs(removedLine(overridden, "this_and_following", 2))).toEqual([
      8000,
      8000,
      null,
      null,
      7000,
      null,
    ]);
    expect(costs(removedLine(overridden, "all", 2))[4]).toBeNull();
  });

  it("removes the versions that begin within the range too", () => {
    const stepped = changed(effective(base), "this_and_following", 4, 8500);
    expect(costs(removedLine(stepped, "this_and_following", 2)).slice(2)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const later = addedLine("line", worth(1500), "this_and_following", 4);
    expect(costs(removedLine(later, "all", 2)).every((cost) => cost === null)).toBe(true);
  });

  it("removes a line that existed in one period only", () => {
    const once = addedLine("line", worth(1500), "this_only", 2);
    expect(costs(removedLine(once, "this_only", 2))[2]).toBeNull();
    expect(costs(removedLine(once, "all", 0))[2]).toBeNull();
  });
});

const PERIODS = 12;

interface Edit {
  readonly kind: "change" | "discount" | "remove";
  readonly scope: Scope;
  readonly index: number;
  readonly units: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("change", "discount", "remove"),
  scope: fc.constantFrom(...scopes),
  index: fc.nat({ max: PERIODS - 1 }),
  units: fc.integer({ min: 1, max: 99 }),
});

const mergeOf = ({ kind, units }: Edit) =>
  kind === "discount"
    ? (content: LineContent): LineContent => ({ ...content, discount: units * 100 })
    : repriced(units);

const edited = (line: SeriesLine, { kind, scope, index, units }: Edit): SeriesLine =>
  kind === "remove"
    ? removedLine(line, scope, index)
    : changedLine(line, scope, index, mergeOf({ kind, scope, index, units }));

/** A line with a history: the period of its first version, and edits. */
const history = fc
  .record({
    scope: fc.constantFrom(...scopes),
    index: fc.nat({ max: PERIODS - 1 }),
    edits: fc.array(edit, { maxLength: 10 }),
  })
  .map(({ scope, index, edits }) => ({ added: addedLine("line", base, scope, index), edits }));

const lineOf = ({ added, edits }: { added: SeriesLine; edits: Edit[] }): SeriesLine =>
  edits.reduce(edited, added);

/** The content of every period separately: a slow and obvious model of a line. */
interface Plain {
  readonly effective: (LineContent | null)[];
  /** Undefined where there is no override. */
  readonly override: (LineContent | null | undefined)[];
}

function plainly(line: Plain, { scope, index, kind, units }: Edit): Plain {
  const merge = mergeOf({ scope, index, kind, units });
  const [was_effective, was_override] = [line.effective, line.override];
  const result: Plain = { effective: [...was_effective], override: [...was_override] };
  const apply = (content: LineContent | null) =>
    kind === "remove" || content === null ? null : merge(content);
  for (let at = 0; at < PERIODS; at += 1) {
    const override = was_override[at];
    const content = override === undefined ? (was_effective[at] ?? null) : override;
    if (scope === "this_only") {
      if (at === index) result.override[at] = apply(content);
      continue;
    }
    if (at < index) continue;
    result.effective[at] = apply(was_effective[at] ?? null);
    if (scope === "this_and_following" || override === undefined) continue;
    result.override[at] = kind === "remove" ? undefined : apply(override);
  }
  return result;
}

const indexes = Array.from({ length: PERIODS }, (_, index) => index);

describe("any edits of a line", () => {
  it("give the same lines whether periods are read one after the other or alone", () => {
    fc.assert(
      fc.property(
        fc.array(history, { maxLength: 3 }),
        fc.array(fc.nat({ max: PERIODS + 2 }), { maxLength: 12 }),
        (histories, indexes) => {
          const lines = histories.map(lineOf);
          const linesIn = linesOver(lines);
          for (const index of indexes) expect(linesIn(index)).toEqual(linesAt(lines, index));
        },
      ),
    );
  });

  it("leave every period as separate edits of each period would", () => {
    fc.assert(
      fc.property(history, ({ added, edits }) => {
        const start: Plain = {
          effective: indexes.map((index) => versionAt(added, index)),
          override: indexes.map((index) => added.overrides.get(index)),
        };
        const plain = edits.reduce(plainly, start);
        const line = lineOf({ added, edits });
        expect(indexes.map((index) => versionAt(line, index))).toEqual(plain.effective);
        expect(indexes.map((index) => contentAt(line, index))).toEqual(
          plain.effective.map((content, index) => {
            const override = plain.override[index];
            return override === undefined ? content : override;
          }),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("never change a period before the first of their range", () => {
    fc.assert(
      fc.property(history, edit, (drawn, last) => {
        const before = lineOf(drawn);
        const after = edited(before, last);
        for (const index of indexes.slice(0, last.index)) {
          expect(contentAt(after, index)).toEqual(contentAt(before, index));
          expect(versionAt(after, index)).toEqual(versionAt(before, index));
        }
      }),
    );
  });

  it("with this_only never change another period", () => {
    fc.assert(
      fc.property(history, edit, (drawn, last) => {
        const before = lineOf(drawn);
        const after = edited(before, { ...last, scope: "this_only" });
        expect(after.versions).toEqual(before.versions);
        for (const index of indexes.filter((other) => other !== last.index)) {
          expect(contentAt(after, index)).toEqual(contentAt(before, index));
        }
      }),
    );
  });

  it("with this_and_following keep every override, and with all replace every one", () => {
    fc.assert(
      fc.property(history, edit, (drawn, last) => {
        const before = lineOf(drawn);
        const following = edited(before, { ...last, scope: "this_and_following" });
        expect(following.overrides).toEqual(before.overrides);
        const all = edited(before, { ...last, kind: "change", scope: "all" });
        for (const index of indexes.slice(last.index)) {
          const content = contentAt(all, index);
          if (content !== null) expect(content.agreed_value).toBe(BigInt(last.units) * 100n);
          expect(content === null).toBe(contentAt(before, index) === null);
        }
        const gone = edited(before, { ...last, kind: "remove", scope: "all" });
        for (const index of indexes.slice(last.index)) expect(contentAt(gone, index)).toBeNull();
      }),
    );
  });

  it("keep the line's id", () => {
    fc.assert(
      fc.property(history, (drawn) => {
        expect(lineOf(drawn).line_id).toBe("line");
      }),
    );
  });

  it("leave exactly the effective contents and overrides among the contents from a period on", () => {
    fc.assert(
      fc.property(history, fc.nat({ max: PERIODS - 1 }), (drawn, index) => {
        const line = lineOf(drawn);
        const inForce = indexes
          .slice(index)
          .flatMap((at) => [versionAt(line, at), contentAt(line, at)])
          .filter((content) => content !== null);
        expect(new Set(contentsFrom([line], index))).toEqual(new Set(inForce));
      }),
    );
  });
});

describe("the lines of a period", () => {
  const first = effective(worth(100, { position: 2 }), "first");
  const second = effective(worth(200, { position: 1 }), "second");

  it("are in the order of their positions", () => {
    expect(linesAt([first, second], 0).map(({ line_id }) => line_id)).toEqual(["second", "first"]);
    expect(linesAt([], 0)).toEqual([]);
  });

  it("leave out lines that are removed or have not begun", () => {
    const late = addedLine("late", worth(300, { position: 3 }), "this_and_following", 2);
    const gone = removedLine(second, "this_only", 2);
    const ids = [1, 2].map((at) => linesAt([first, gone, late], at).map(({ line_id }) => line_id));
    expect(ids).toEqual([
      ["second", "first"],
      ["first", "late"],
    ]);
  });
});

describe("positions", () => {
  const at_one = effective(worth(100, { position: 1 }), "one");
  const at_two = effective(worth(200, { position: 2 }), "two");
  const moved = (line: SeriesLine, scope: Scope, index: number, position: number) =>
    changedLine(line, scope, index, (content) => ({ ...content, position }));

  it.each<[string, SeriesLine[], number]>([
    ["two effective lines", [at_one, moved(at_two, "all", 0, 1)], 0],
    ["in the period alone", [at_one, moved(at_two, "this_only", 3, 1)], 3],
    ["in a later period alone", [at_one, moved(at_two, "this_only", 3, 1)], 1],
    ["from a later period on", [at_one, moved(at_two, "this_and_following", 5, 1)], 2],
    [
      "with a line that begins later",
      [at_one, addedLine("late", worth(1), "this_and_following", 7)],
      0,
    ],
    ["with a line of one later period", [at_one, addedLine("once", worth(1), "this_only", 7)], 0],
    [
      "when the override that separated them has ended",
      [at_one, moved(moved(at_two, "all", 0, 1), "this_only", 2, 4)],
      2,
    ],
  ])("refuse a duplicate: %s", (_, lines, index) => {
    expect(positionFaults(lines, index)).toEqual([
      { field: "line.position", code: "duplicate", message: expect.any(String) },
    ]);
  });

  it.each<[string, SeriesLine[], number]>([
    ["no lines", [], 0],
    ["positions with a gap", [at_one, moved(at_two, "all", 0, 9)], 0],
    ["lines that change places", [moved(at_one, "all", 3, 2), moved(at_two, "all", 3, 1)], 0],
    [
      "a position that is free again",
      [removedLine(at_one, "all", 2), moved(at_two, "all", 2, 1)],
      0,
    ],
    ["a duplicate in the past", [at_one, moved(at_two, "this_only", 3, 1)], 4],
  ])("accept %s", (_, lines, index) => {
    expect(positionFaults(lines, index)).toEqual([]);
  });

  it("have a free one after the last, counting later periods", () => {
    const later = moved(at_two, "this_and_following", 6, 8);
    const once = moved(at_two, "this_only", 6, 8);
    expect(freePosition([], 0)).toBe(1);
    expect(freePosition([at_one, at_two], 0)).toBe(3);
    expect(freePosition([at_one, later], 2)).toBe(9);
    expect(freePosition([at_one, once], 2)).toBe(9);
    expect(freePosition([at_one, once], 7)).toBe(3);
    expect(freePosition([removedLine(at_one, "all", 0)], 0)).toBe(1);
  });

  it("follow an order in all periods, and those that it does not name come last", () => {
    const once = addedLine("once", worth(9, { position: 3 }), "this_only", 2);
    const lines = [moved(at_one, "this_and_following", 4, 7), at_two, once];
    const [one = "", two = ""] = [at_one.line_id, at_two.line_id];
    const idsAt = (ordered: readonly SeriesLine[], index: number) =>
      linesAt(ordered, index).map(({ line_id }) => line_id);
    const ordered = linesInOrder(lines, [two, one], 0);
    expect(idsAt(ordered, 0)).toEqual([two, one]);
    expect(idsAt(ordered, 2)).toEqual([two, one, "once"]);
    expect(idsAt(ordered, 5)).toEqual([two, one]);
    expect(positionFaults(ordered, 0)).toEqual([]);
    expect(ordered.map((line) => costs(line))).toEqual(lines.map((line) => costs(line)));
  });

  it("follow an order from a period on, and keep theirs before it", () => {
    const once = addedLine("once", worth(9, { position: 3 }), "this_only", 5);
    const lines = [at_one, at_two, once];
    const [one = "", two = ""] = [at_one.line_id, at_two.line_id];
    const ordered = linesInOrder(lines, [two, one], 3);
    const ids = [2, 3, 5].map((index) => linesAt(ordered, index).map(({ line_id }) => line_id));
    expect(ids).toEqual([
      [one, two],
      [two, one],
      [two, one, "once"],
    ]);
    expect(positionFaults(ordered, 0)).toEqual([]);
    expect(ordered.map((line) => costs(line))).toEqual(lines.map((line) => costs(line)));
  });

  it("are free where freePosition returns them", () => {
    fc.assert(
      fc.property(fc.array(history, { maxLength: 3 }), edit, (drawn, added) => {
        const lines = drawn.map((each, at) =>
          moved({ ...lineOf(each), line_id: `${at}` }, "all", 0, at + 1),
        );
        const position = freePosition(lines, added.index);
        const line = addedLine("new", worth(1, { position }), added.scope, added.index);
        expect(positionFaults([...lines, line], added.index)).toEqual([]);
      }),
    );
  });
});

describe("methods and timing", () => {
  it.each(
    recognitionMethods.flatMap((method) => timingModes.map((mode) => [method, mode] as const)),
  )("%s under %s", (recognition_method, mode) => {
    const check = () => requireTimingFits([base, { recognition_method }], { mode, offset_days: 0 });
    const is_measured = recognition_method === "hours" || recognition_method === "progress";
    if (!is_measured || mode !== "start-of-period") expect(check).not.toThrow();
    else expect(check).toThrow(new Problem("SERIES_TIMING_CONFLICT"));
  });

  it("fit when there are no lines", () => {
    expect(() => requireTimingFits([], { mode: "start-of-period", offset_days: 0 })).not.toThrow();
  });
});

describe("the restrictions of a series line", () => {
  const from = "2025-01-01" as CalendarDate;

  it.each(["value", "hours", "progress", "on_issue"] as const)("allow %s", (method) => {
    expect(seriesLineFaults({ recognition_method: method }, "line")).toEqual([]);
    const empty = { recognition_method: method, service_from: null, service_to: null };
    expect(seriesLineFaults(empty, "line")).toEqual([]);
  });

  it("exclude milestones", () => {
    expect(seriesLineFaults({ recognition_method: "milestone" }, "lines[2]")).toMatchObject([
      { field: "lines[2].recognition_method", code: "not_allowed" },
    ]);
  });

  it("exclude a service period, also half of one", () => {
    const both = { recognition_method: "value", service_from: from, service_to: from } as const;
    expect(seriesLineFaults(both, "line")).toMatchObject([
      { field: "line.service_from", code: "not_allowed" },
      { field: "line.service_to", code: "not_allowed" },
    ]);
    const half = { recognition_method: "value", service_to: from } as const;
    expect(seriesLineFaults(half, "line")).toMatchObject([{ field: "line.service_to" }]);
  });
});

describe("the line of an occurrence", () => {
  const ID = "occurrence-line" as LineId;
  const period = (series: Partial<Recurrence>, key: string): SeriesPeriod => {
    const found = findPeriod(
      {
        frequency: "monthly",
        alignment: "anniversary",
        start_date: "2025-01-31" as CalendarDate,
        end_date: null,
        ...series,
      },
      key,
    );
    if (typeof found === "string") throw new Error(found);
    return found;
  };
  const net = (content: LineContent, at: SeriesPeriod): bigint =>
    rowsOf(occurrenceLine(content, ID, at), 2).reduce((sum, row) => sum + row.net, 0n);

  const ends = { end_date: "2025-05-15" as CalendarDate };
  const quarters: Partial<Recurrence> = {
    frequency: "quarterly",
    alignment: "calendar",
    start_date: "2025-02-15" as CalendarDate,
    end_date: "2025-11-20" as CalendarDate,
  };

  it.each<[string, Partial<Recurrence>, string, number, bigint]>([
    ["a whole month", ends, "2025-01", 3100, 3_100_00n],
    ["a whole month of 30 days", ends, "2025-03", 3100, 3_100_00n],
    ["16 of 31 days", ends, "2025-04", 3100, 1_600_00n],
    ["45 of 90 days at the start", quarters, "2025-Q1", 30000, 15_000_00n],
    ["a whole quarter", quarters, "2025-Q2", 30000, 30_000_00n],
    ["a longer whole quarter", quarters, "2025-Q3", 30000, 30_000_00n],
    ["51 of 92 days at the end", quarters, "2025-Q4", 30000, 16_630_43n],
  ])("costs by days: %s", (_, series, key, units, expected) => {
    expect(net(worth(units), period(series, key))).toBe(expected);
  });

  it("one day of a month of 31 costs a 31st", () => {
    const start_date = "2025-03-01" as CalendarDate;
    const one_day = period({ start_date, end_date: start_date }, "2025-03");
    expect(net(worth(31), one_day)).toBe(1_00n);
  });

  it("rounds the discounted amount before it is prorated", () => {
    const at = period(ends, "2025-04");
    // 0.06 less 25 % is 0.05 after rounding, of which 16 of 31 days are 0.03; computed in one step, it would be 0.02.
    expect(net({ ...base, agreed_value: 6n, discount: 25_00 }, at)).toBe(3n);
    // 0.27 less 10 % is 0.24, of which 16 of 31 days are 0.12; in the other order, it would be 0.13.
    expect(net({ ...base, agreed_value: 27n, discount: 10_00 }, at)).toBe(12n);
    expect(net(worth(3100, { discount: 10_00 }), at)).toBe(1_440_00n);
  });

  it.each(["value", "progress", "on_issue"] as const)("prorates %s", (recognition_method) => {
    const content = worth(3100, { recognition_method, budget_hours: 31_00 });
    const line = occurrenceLine(content, ID, period(ends, "2025-04"));
    expect(line).toMatchObject({
      budget_hours: 16_00,
      nominal_budget: 31_00,
      share: { days: 16, of: 31 },
    });
    expect(net(content, period(ends, "2025-04"))).toBe(1_600_00n);
  });

  it("does not prorate hours", () => {
    const content = worth(0, { recognition_method: "hours", hourly_rate: 1_000_0000n });
    const line = occurrenceLine(content, ID, period(ends, "2025-04"));
    expect(line).toEqual({ ...content, id: ID });
    const hours = [{ user_id: "anna" as UserId, hours: 2_50n }];
    expect(rowsOf(line, 2, hours)).toMatchObject([{ quantity: 2_50, net: 2_500_00n }]);
  });

  it.each<[number, number]>([
    [10_00, 5_16],
    [1_00, 52],
    [3, 2],
    [1, 1],
  ])(
    "takes 16 of 31 days of a budget of %i hundredths of an hour: %i",
    (budget_hours, expected) => {
      const content = worth(3100, { recognition_method: "progress", budget_hours });
      expect(occurrenceLine(content, ID, period(ends, "2025-04")).budget_hours).toBe(expected);
    },
  );

  it("never leaves a budget of 0 hours, of which no share could be computed", () => {
    const content = worth(1, { recognition_method: "progress", budget_hours: 1 });
    const start_date = "2025-03-01" as CalendarDate;
    const one_day = period({ start_date, end_date: start_date }, "2025-03");
    expect(occurrenceLine(content, ID, one_day).budget_hours).toBe(1);
  });

  it.each(["value", "hours", "progress", "on_issue"] as const)(
    "has the period as its service period only by value: %s",
    (recognition_method) => {
      for (const key of ["2025-03", "2025-04"]) {
        const at = period(ends, key);
        const line = occurrenceLine(worth(1, { recognition_method }), ID, at);
        const is_value = recognition_method === "value";
        expect([line.service_from, line.service_to]).toEqual(
          is_value ? [at.from, at.to] : [null, null],
        );
        expect(line.id).toBe(ID);
      }
    },
  );

  it("has no share in a whole period", () => {
    const line = occurrenceLine(base, ID, period(ends, "2025-03"));
    expect(line.share).toBeUndefined();
  });

  it("costs the same in two parts of a period as in one, give or take one unit", () => {
    const amount = fc.bigInt({ min: 0n, max: LARGEST_LINE });
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 29 }), (agreed_value, days) => {
        const content = { ...base, agreed_value };
        const end_date = `2025-04-${String(days).padStart(2, "0")}` as CalendarDate;
        const start_date = "2025-04-01" as CalendarDate;
        const first = period({ start_date, end_date }, "2025-04");
        const start_later = `2025-04-${String(days + 1).padStart(2, "0")}` as CalendarDate;
        const rest = period({ start_date: start_later, alignment: "calendar" }, "2025-04");
        const whole = net(content, period({ start_date }, "2025-04"));
        const difference = net(content, first) + net(content, rest) - whole;
        expect(whole).toBe(agreed_value);
        expect(difference === 0n || difference === 1n).toBe(true);
      }),
    );
  });
});

describe("a content as a client would send it", () => {
  const percentage = fc.integer({ min: 0, max: 100_00 });
  const rate = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const content: fc.Arbitrary<LineContent> = fc
    .record({
      agreed_value: fc.bigInt({ min: 0n, max: LARGEST_LINE }),
      hourly_rate: fc.option(rate),
      discount: percentage,
      description_override: fc.option(fc.string()),
      position: fc.integer({ min: 1, max: 500 }),
      assignees: fc.array(
        fc.record({
          user_id: fc.uuid().map((id) => id as UserId),
          distribution_percentage: fc.option(percentage),
          hourly_rate_override: fc.option(rate),
        }),
        { maxLength: 3 },
      ),
      budget_hours: fc.option(fc.integer({ min: 1, max: 100_000_00 })),
    })
    .map((fields) => ({ ...base, ...fields }));
  const product = {
    id: base.product_id,
    name: base.product_name,
    product_number: base.product_number,
    account_number: base.account_number,
    names_account: true,
    unit: base.unit,
    default_price: 1_0000n,
    prices: [],
    functional_currency: "DKK",
    quantity: 1_00n,
  };

  it("becomes the same content again, in any currency", () => {
    fc.assert(
      fc.property(content, fc.constantFrom("JPY", "EUR", "KWD"), (drawn, currency) => {
        const input = inputOf(drawn, currencyDigits(currency));
        const line = lineFrom(input, "line" as LineId, 7, product, currency);
        expect(line).toEqual({ ...drawn, id: "line" });
      }),
    );
  });

  it("omits the service period of an occurrence", () => {
    const series: Recurrence = {
      frequency: "monthly",
      alignment: "anniversary",
      start_date: "2025-01-01" as CalendarDate,
      end_date: null,
    };
    const at = periodAt(series, 0);
    if (at === undefined) throw new Error("no period");
    const line = occurrenceLine(base, "line" as LineId, at);
    expect(line.service_from).toBe(at.from);
    expect(inputOf(line, 2)).toEqual(inputOf(base, 2));
  });
});
