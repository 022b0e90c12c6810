/** Pixels of every kind of PNG, calculated by hand, and invalid data. */
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type PngFrame, png, pngOf } from "../../../test/support/documents/pictures.ts";
import { readPng } from "./image.ts";
import { pixelsOf } from "./png-pixels.ts";

/** The pixels of a picture with this frame and this unpacked data, as `rrggbbaa`. */
function pixels(frame: PngFrame, ...unpacked: number[]): string[] | undefined {
  const picture = readPng(pngOf(frame, Buffer.alloc(1)));
  if (picture === undefined) throw new Error("no PNG");
  const found = pixelsOf(picture, Uint8Array.from(unpacked));
  return found && Buffer.from(found).toString("hex").match(/.{8}/g)?.map(String);
}

const wide = (kind: PngFrame["kind"], depth: number, more: Partial<PngFrame> = {}): PngFrame => ({
  width: 2,
  height: 1,
  kind,
  depth,
  ...more,
});
const palette = [1, 2, 3, 0xaa, 0xbb, 0xcc];

describe("pixelsOf", () => {
  it.each<[string, PngFrame, number[], string[]]>([
    ["gray of a bit", wide(0, 1), [0, 0b01000000], ["000000ff", "ffffffff"]],
    ["gray of four bits", wide(0, 4), [0, 0x3f], ["333333ff", "ffffffff"]],
    ["gray of 16 bits", wide(0, 16), [0, 0x80, 0x80, 0, 0], ["808080ff", "000000ff"]],
    [
      "gray, one shade transparent",
      wide(0, 8, { transparency: [0, 7] }),
      [0, 7, 8],
      ["07070700", "080808ff"],
    ],
    ["gray with opacity", wide(4, 8), [0, 9, 255, 8, 16], ["090909ff", "08080810"]],
    ["RGB", wide(2, 8), [0, 1, 2, 3, 4, 5, 6], ["010203ff", "040506ff"]],
    [
      "RGB, one colour transparent",
      wide(2, 8, { transparency: [0, 1, 0, 2, 0, 3] }),
      [0, 1, 2, 3, 1, 2, 4],
      ["01020300", "010204ff"],
    ],
    [
      "RGB of 16 bits",
      wide(2, 16),
      [0, 0, 128, 0, 129, 255, 255, 1, 0, 1, 128, 1, 129],
      ["0001ffff", "010101ff"],
    ],
    ["RGB with opacity", wide(6, 8), [0, 1, 2, 3, 4, 5, 6, 7, 8], ["01020304", "05060708"]],
    ["two colours", wide(3, 1, { palette }), [0, 0b10000000], ["aabbccff", "010203ff"]],
    [
      "two colours, the first half transparent",
      wide(3, 8, { palette, transparency: [128] }),
      [0, 0, 1],
      ["01020380", "aabbccff"],
    ],
  ])("reads %s", (_what, frame, data, expected) => {
    expect(pixels(frame, ...data)).toEqual(expected);
  });

  it.each([
    ["Sub", 1, [1, 5, 5], ["10", "20", "30", "01", "06", "0b"]],
    ["Up", 2, [1, 5, 5], ["10", "20", "30", "11", "25", "35"]],
    ["Average", 3, [1, 5, 5], ["10", "20", "30", "09", "19", "29"]],
    ["Paeth", 4, [1, 5, 5], ["10", "20", "30", "11", "25", "35"]],
  ] as const)("undoes the filter %s", (_what, filter, row, expected) => {
    const frame: PngFrame = { width: 3, height: 2, kind: 0, depth: 8 };
    const found = pixels(frame, 0, 0x10, 0x20, 0x30, filter, ...row);
    expect(found?.map((pixel) => pixel.slice(0, 2))).toEqual(expected);
  });

  it.each([
    [1, 1],
    [3, 2],
    [9, 5],
    [17, 16],
  ])("reads an interlaced picture of %d by %d pixels like the plain one", (width, height) => {
    const [plain, interlaced] = ([0, 1] as const).map((interlace) => {
      const picture = readPng(png(width, height, { interlace }));
      if (picture === undefined) throw new Error("no PNG");
      return pixelsOf(picture, inflateSync(Buffer.concat(picture.data)));
    });
    expect(interlaced).toBeDefined();
    expect(interlaced).toEqual(plain);
  });

  it.each<[string, PngFrame, number[]]>([
    ["too few bytes", wide(0, 8), [0, 1]],
    ["too many bytes", wide(0, 8), [0, 1, 2, 3]],
    ["an unknown filter", wide(0, 8), [5, 1, 2]],
    ["a colour beyond the palette", wide(3, 8, { palette }), [0, 0, 2]],
  ])("finds no pixels in %s", (_what, frame, data) => {
    expect(pixels(frame, ...data)).toBeUndefined();
  });
});
