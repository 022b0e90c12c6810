/** The meaning of a cell's text, by the decimal sign of the reader. */
import { describe, expect, it } from "vitest";
import { type HoursFault, typedHours } from "./typed-hours.ts";

const SUM = 400n;

describe("hours are typed", () => {
  it.each<[typed: string, danish: bigint | HoursFault, english?: bigint | HoursFault]>([
    ["", 0n],
    ["  ", 0n],
    ["0", 0n],
    ["0,00", 0n],
    ["7", 700n],
    ["7,5", 750n],
    ["7.5", 750n],
    ["7,25", 725n],
    [" 7,5 ", 750n],
    [",5", 50n],
    [".5", 50n],
    ["7,", 700n],
    ["7,500", 750n, 750_000n],
    ["1.500", 150_000n, 150n],
    ["1,500", 150n, 150_000n],
    ["1.500,25", 150_025n, "unreadable"],
    ["1,500.25", "unreadable", 150_025n],
    ["0.250", 25n],
    ["7:30", 750n],
    ["07:05", 708n],
    [":45", 75n],
    ["0:10", 17n],
    ["7:60", "unreadable"],
    ["7:5", "unreadable"],
    ["+1", 500n],
    ["+0:30", 450n],
    ["-1,5", 250n],
    ["\u22121", 300n],
    ["-4", 0n],
    ["-4,01", "below_zero"],
    ["+1-0,5", 450n],
    ["1:30:00", 150n],
    ["00:20:12", 34n],
    ["26:00:00", 2_600n],
    ["1:30:60", "unreadable"],
    ["=3+2,5", 550n],
    ["=8-0:30", 750n],
    ["=-1+3", 200n],
    ["=1-2", "below_zero"],
    ["=", "unreadable"],
    ["+", "unreadable"],
    ["=3+", "unreadable"],
    ["3+2", "unreadable"],
    ["=3*2", "unreadable"],
    ["seven", "unreadable"],
    [",", "unreadable"],
    ["7,5,5", "unreadable"],
    ["1.2.3", "unreadable"],
    ["1e3", "unreadable"],
    ["7,333", "too_fine", 733_300n],
    ["0,005", "too_fine"],
    ["9".repeat(61), "unreadable"],
  ])("%j", (typed, danish, english = danish) => {
    expect(typedHours(typed, SUM, ",")).toBe(danish);
    expect(typedHours(typed, SUM, ".")).toBe(english);
  });
});
