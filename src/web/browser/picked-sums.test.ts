/** The keys and the sums of a list. */
import { describe, expect, it } from "vitest";
import { namedText, rowAfter, sumsOf } from "./picked-sums.ts";

describe("the sums of selected rows", () => {
  it.each([
    ["nothing", [], []],
    ["one amount", [["125050", "DKK"]], [["DKK", 125050n]]],
    [
      "one currency",
      [
        ["100", "DKK"],
        ["-30", "DKK"],
      ],
      [["DKK", 70n]],
    ],
    [
      "two currencies, by name",
      [
        ["1", "EUR"],
        ["2", "DKK"],
        ["4", "EUR"],
      ],
      [
        ["DKK", 2n],
        ["EUR", 5n],
      ],
    ],
    [
      "amounts above the safe numbers",
      [
        ["9007199254740993", "DKK"],
        ["1", "DKK"],
      ],
      [["DKK", 9007199254740994n]],
    ],
    [
      "rows without an amount",
      [
        [undefined, undefined],
        ["5", "DKK"],
      ],
      [["DKK", 5n]],
    ],
  ] as const)("are those of %s", (_, rows, sums) => {
    expect(sumsOf(rows.map(([minor, currency]) => ({ minor, currency })))).toEqual(sums);
  });
});

describe("a key in a list of three rows", () => {
  it.each([
    ["j", -1, 0],
    ["J", 0, 1],
    ["j", 2, 2],
    ["k", 2, 1],
    ["k", 0, 0],
    ["k", -1, 0],
    ["l", 0, null],
  ] as const)("%s in row %s leads to %s", (key, at, next) => {
    expect(rowAfter(key, at, 3)).toBe(next);
  });

  it("leads nowhere in an empty list", () => {
    expect(rowAfter("j", -1, 0)).toBe(null);
  });
});

it.each([
  [1, "DKK 5.00", "Book 1, DKK 5.00"],
  [2, "DKK 5.00 + EUR 1.00", "Book 2 lines, DKK 5.00 + EUR 1.00"],
])("a button names %s selected rows and their sum", (count, sum, text) => {
  const label = { one: "Book 1, {sum}", many: "Book {n} lines, {sum}" };
  expect(namedText(label, count, sum)).toBe(text);
});
