/** The type of a picture is determined by its bytes, never by its name. */
import { describe, expect, it } from "vitest";
import { jpeg, png } from "../../../test/support/documents/pictures.ts";
import { readJpeg, readPng } from "./image.ts";

const changed = (bytes: Buffer, at: number, ...values: number[]): Buffer => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};

describe("readPng", () => {
  it.each([
    ["RGB", png(30, 20, { kind: 2 }), 20 * 91],
    ["with transparency", png(30, 20), 20 * 121],
    // 600 pixels, and a filter for each of the 38 rows of all passes.
    ["interlaced", png(30, 20, { interlace: 1 }), 600 * 4 + 38],
  ])("reads a PNG: %s", (_what, bytes, unpacked_bytes) => {
    const frame = { content_type: "image/png", width: 30, height: 20, unpacked_bytes };
    expect(readPng(bytes)).toMatchObject(frame);
  });

  const sound = png(3, 2);
  it.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["a JPEG", jpeg],
    ["a text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["another signature", changed(sound, 1, 0)],
    ["a file without an end", sound.subarray(0, -12)],
    ["a file that ends within its pixels", sound.subarray(0, 50)],
    ["a chunk longer than the file", changed(sound, 33, 0xff)],
    ["no width", changed(sound, 16, 0, 0, 0, 0)],
    ["three bits a sample", changed(sound, 24, 3)],
    ["an unknown kind of colour", changed(sound, 25, 5)],
    ["another first chunk", changed(sound, 12, 0x41)],
    ["another compression", changed(sound, 26, 1)],
    ["numbers of colours without the colours", changed(sound, 25, 3)],
  ])("refuses %s", (_what, bytes) => {
    expect(readPng(bytes)).toBeUndefined();
  });
});

describe("readJpeg", () => {
  it("reads the size of a JPEG", () => {
    expect(readJpeg(jpeg)).toEqual({ content_type: "image/jpeg", width: 48, height: 24 });
  });

  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  it.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["a PNG", png(3, 2)],
    ["a file without an end", jpeg.subarray(0, -2)],
    ["only a start and an end", Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ["a lossless frame, which PDF does not support", changed(jpeg, frame + 1, 0xc3)],
    ["twelve bits a sample", changed(jpeg, frame + 4, 12)],
    ["two components", changed(jpeg, frame + 9, 2)],
    ["no height", changed(jpeg, frame + 5, 0, 0)],
    ["an arithmetic-coded frame", changed(jpeg, frame + 1, 0xc9)],
    [
      "a file that ends before its scan",
      Buffer.concat([jpeg.subarray(0, scan), jpeg.subarray(-2)]),
    ],
    ["a scan before its frame", changed(jpeg, frame + 1, 0xda)],
  ])("refuses %s", (_what, bytes) => {
    expect(readJpeg(bytes)).toBeUndefined();
  });
});
