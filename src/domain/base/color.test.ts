/** Accent colours stay readable on white. */
import { describe, expect, it } from "vitest";
import { contrastWithWhite, isColor, readableOnWhite } from "./color.ts";

const channels = (color: string) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

describe("isColor", () => {
  it.each([
    ["#0b5b49", true],
    ["#ABCDEF", true],
    ["0b5b49", false],
    ["#fff", false],
    ["#0b5b4g", false],
    ["#0b5b4900", false],
    ["red", false],
  ])("%s: %s", (text, expected) => {
    expect(isColor(text)).toBe(expected);
  });
});

describe("contrastWithWhite", () => {
  it.each([
    ["#ffffff", 1],
    ["#000000", 21],
    ["#767676", 4.54],
    ["#ff0000", 4],
  ])("of %s is %d", (color, expected) => {
    expect(contrastWithWhite(channels(color))).toBeCloseTo(expected, 2);
  });
});

describe("readableOnWhite", () => {
  it.each(["#0b5b49", "#000000", "#767676", "#8a1538"])("leaves %s", (color) => {
    expect(readableOnWhite(color)).toBe(color);
  });

  it.each(["#ffff00", "#ffffff", "#63d0b0", "#ffc0cb", "#00ff00", "#ff0000"])(
    "dims %s only as far as needed",
    (color) => {
      const ink = readableOnWhite(color);
      expect(contrastWithWhite(channels(ink))).toBeGreaterThanOrEqual(4.5);
      expect(contrastWithWhite(channels(ink))).toBeLessThan(4.75);
    },
  );

  it("keeps the hue", () => {
    expect(readableOnWhite("#ffff00")).toMatch(/^#([0-9a-f]{2})\1(?:00)$/);
  });
});
