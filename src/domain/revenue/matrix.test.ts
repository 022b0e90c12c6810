/** The rows of a matrix of revenue and the series of its chart. */
import { describe, expect, it } from "vitest";
import type { Month } from "../base/calendar.ts";
import { chartSeries, matrixOf } from "./matrix.ts";

const MONTHS = ["2026-01", "2026-02"] as Month[];

type Cell = { month: Month; key: string; earned: bigint | null };

const cell = (key: string, month: string, earned: bigint | null): Cell => ({
  key,
  month: month as Month,
  earned,
});

const shown = (cells: readonly Cell[]) =>
  matrixOf(MONTHS, cells).map((row) => [
    row.key,
    ...row.cells.map((one) => one?.earned),
    row.total,
  ]);

describe("the rows", () => {
  it.each<[string, Cell[], unknown[]]>([
    ["without cells", [], []],
    [
      "by their totals, the largest first",
      [cell("a", "2026-01", 5n), cell("b", "2026-01", 4n), cell("b", "2026-02", 3n)],
      [
        ["b", 4n, 3n, 7n],
        ["a", 5n, undefined, 5n],
      ],
    ],
    [
      "of equal totals by key",
      [cell("b", "2026-01", 1n), cell("a", "2026-02", 1n)],
      [
        ["a", undefined, 1n, 1n],
        ["b", 1n, undefined, 1n],
      ],
    ],
    ["without groups that earned nothing", [cell("a", "2026-01", 0n)], []],
    [
      "whose months cancel each other out",
      [cell("a", "2026-01", 5n), cell("a", "2026-02", -5n)],
      [["a", 5n, -5n, 0n]],
    ],
    [
      "with an unknown total first",
      [cell("a", "2026-01", 9n), cell("b", "2026-01", null), cell("b", "2026-02", 1n)],
      [
        ["b", null, 1n, null],
        ["a", 9n, undefined, 9n],
      ],
    ],
    ["without cells of other months", [cell("a", "2025-12", 9n)], []],
  ])("%s", (_what, cells, expected) => {
    expect(shown(cells)).toEqual(expected);
  });
});

describe("the series of a chart", () => {
  const rows = matrixOf(MONTHS, [
    cell("a", "2026-01", 9n),
    cell("b", "2026-01", 8n),
    cell("c", "2026-02", 7n),
    cell("d", "2026-02", 6n),
  ]);

  it("are the rows where there are few", () => {
    expect(chartSeries(rows, 4).map(({ key }) => key)).toEqual(["a", "b", "c", "d"]);
  });

  it("add up the others where there are many, so that each month keeps its sum", () => {
    expect(chartSeries(rows, 3)).toEqual([
      { key: "a", earned: [9n, 0n] },
      { key: "b", earned: [8n, 0n] },
      { key: null, earned: [0n, 13n] },
    ]);
  });

  it("are none without rows", () => {
    expect(chartSeries([], 7)).toEqual([]);
  });
});
