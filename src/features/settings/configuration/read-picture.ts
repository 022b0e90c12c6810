/** Checks logo pictures: every document must be able to print them, and their pixels must be readable immediately. */
import { inflateSync } from "node:zlib";
import { type Picture, type Png, readJpeg, readPng } from "../../../domain/base/image.ts";
import { pixelsOf } from "../../../domain/base/png-pixels.ts";
import { invalidField, type Problem } from "../../../domain/base/problem.ts";
import { plainPng } from "./render-picture.ts";

const MOST_LOGO_BYTES = 300_000;
const MOST_SIDE = 2000;
/** The highest number of pixels, far more than the print shows; a larger picture would block the thread that reads it. */
const MOST_PIXELS = 500_000;

/** Returns a picture's properties and printed form. Throws VALIDATION_FAILED if no document could print the picture. */
export function pictureFrom(bytes: Buffer): Picture & { readonly plain: Buffer | null } {
  if (bytes.length > MOST_LOGO_BYTES) throw tooLarge(`At most ${MOST_LOGO_BYTES} bytes.`);
  const png = readPng(bytes);
  const picture = png ?? readJpeg(bytes);
  if (picture === undefined) throw invalid("Neither a whole PNG nor a whole JPEG.");
  const { width, height } = picture;
  // Checked before decompression, because a few bytes can expand to very many.
  if (width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS) {
    throw tooLarge(`At most ${MOST_SIDE} pixels wide and high, and ${MOST_PIXELS} in all.`);
  }
  if (png === undefined) return { ...picture, plain: null };
  const plain = plainFrom(png);
  if (plain === undefined) throw invalid("The pixels of the PNG cannot be read.");
  return { ...picture, plain };
}

/** Returns the printed form of an accepted PNG. */
export function plainOf(bytes: Buffer): Buffer {
  const png = readPng(bytes);
  const plain = png && plainFrom(png);
  if (plain === undefined) throw new Error("a logo was taken that cannot be read");
  return plain;
}

function plainFrom(png: Png): Buffer | undefined {
  const pixels = unpacked(png);
  return pixels && plainPng({ width: png.width, height: png.height, pixels });
}

function unpacked(png: Png): Uint8Array | undefined {
  try {
    const maxOutputLength = png.unpacked_bytes;
    return pixelsOf(png, inflateSync(Buffer.concat(png.data), { maxOutputLength }));
  } catch {
    return undefined;
  }
}

const invalid = (message: string): Problem => invalidField("content", "invalid_format", message);
const tooLarge = (message: string): Problem => invalidField("content", "too_large", message);
