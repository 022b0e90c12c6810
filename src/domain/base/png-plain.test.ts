/** Pictures prepared for print: their size, their colours, and that their rows are read back unchanged. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pngOf } from "../../../test/support/documents/pictures.ts";
import { readPng } from "./image.ts";
import { pixelsOf } from "./png-pixels.ts";
import { filteredRows, type Pixels, scaledDown } from "./png-plain.ts";

/** A picture that repeats these `rrggbbaa` pixels until it is full. */
function picture(width: number, height: number, ...colors: string[]): Pixels {
  const row = Buffer.from(colors.join(""), "hex");
  return { width, height, pixels: Buffer.alloc(4 * width * height, row) };
}
const colors = ({ pixels }: Pixels) =>
  new Set(Buffer.from(pixels).toString("hex").match(/.{8}/g)?.map(String));

describe("scaledDown", () => {
  it.each([
    [830, 235, 830, 235],
    [3, 3, 3, 3],
    [1000, 100, 830, 83],
    [100, 1000, 24, 235],
    [700, 700, 235, 235],
    [2000, 1, 830, 1],
    [1, 2000, 1, 235],
    [831, 235, 830, 235],
  ])("scales %d by %d pixels to %d by %d", (width, height, to_width, to_height) => {
    const scaled = scaledDown(picture(width, height, "102030ff"));
    expect([scaled.width, scaled.height]).toEqual([to_width, to_height]);
    expect(scaled.pixels).toHaveLength(4 * to_width * to_height);
    expect([...colors(scaled)]).toEqual(["102030ff"]);
  });

  it.each([
    ["averages two opaque pixels", ["00000aff", "00000cff"], "00000bff"],
    ["ignores the colour of a transparent pixel", ["ff0000ff", "00ff0000"], "ff000080"],
    ["takes little colour from an almost transparent pixel", ["ff0000ff", "00ff0001"], "fe010080"],
    ["gives no colour to transparent pixels", ["11223300"], "00000000"],
  ])("%s", (_what, pixels, expected) => {
    expect([...colors(scaledDown(picture(1660, 2, ...pixels)))]).toEqual([expected]);
  });

  it("splits a pixel between the two new pixels that it overlaps", () => {
    // 1245 pixels become 830: each new pixel covers one and a half.
    const { pixels } = scaledDown(picture(1245, 3, "000000ff", "00005aff", "0000b4ff"));
    expect([pixels[2], pixels[6]]).toEqual([30, 150]);
  });
});

describe("filteredRows", () => {
  const noise = { width: 37, height: 20, pixels: new Uint8Array(37 * 20 * 4) };
  for (let at = 0; at < noise.pixels.length; at += 1) noise.pixels[at] = (at * at * 31) >> 3;
  it.each<[string, Pixels, 3 | 4]>([
    ["opaque pixels as three samples", picture(9, 5, "010203ff", "f0e0d0ff"), 3],
    ["other pixels as four samples", picture(9, 5, "010203ff", "f0e0d0fe"), 4],
    ["noise", noise, 4],
  ])("gives rows that a PNG reader reads back: %s", (_what, from, samples) => {
    const found = filteredRows(from);
    expect(found.samples).toBe(samples);
    const { width, height } = from;
    const frame = { width, height, depth: 8, kind: samples === 3 ? 2 : 6 } as const;
    const read = readPng(pngOf(frame, Buffer.alloc(1)));
    if (read === undefined) throw new Error("no PNG");
    expect(Buffer.from(pixelsOf(read, found.rows) ?? []).equals(from.pixels)).toBe(true);
  });

  it("makes a smooth gradient compress at least three times better", () => {
    const from = picture(300, 200, "00000000");
    for (let at = 0; at < from.pixels.length; at += 1) {
      const [row, column] = [Math.floor(at / 1200), (at >> 2) % 300];
      from.pixels[at] = at % 4 === 3 ? 255 : row + column;
    }
    const { rows } = filteredRows(from);
    expect(deflateSync(rows).length).toBeLessThan(deflateSync(from.pixels).length / 3);
  });
});
