/** What is taken as a logo: a picture that every document can print, and whose pixels can be had at once. */
import { inflateSync } from "node:zlib";
import { type Picture, type Png, readJpeg, readPng } from "../../domain/base/image.ts";
import { pixelsOf } from "../../domain/base/png-pixels.ts";
import { invalidField, type Problem } from "../../domain/base/problem.ts";

const MOST_LOGO_BYTES = 300_000;
const MOST_SIDE = 2000;
/** Far more than the print shows; what is more would cost every rendering. */
const MOST_PIXELS = 1_000_000;

/** What is in the file. Throws VALIDATION_FAILED for what no document could print. */
export function pictureFrom(bytes: Buffer): Picture {
  if (bytes.length > MOST_LOGO_BYTES) throw tooLarge(`At most ${MOST_LOGO_BYTES} bytes.`);
  const png = readPng(bytes);
  const picture = png ?? readJpeg(bytes);
  if (picture === undefined) throw invalid("Neither a whole PNG nor a whole JPEG.");
  const { width, height } = picture;
  // Before anything is unpacked: a few bytes can stand for very many.
  if (width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS) {
    throw tooLarge(`At most ${MOST_SIDE} pixels wide and high, and ${MOST_PIXELS} in all.`);
  }
  if (png !== undefined && unpacked(png) === undefined) {
    throw invalid("The pixels of the PNG cannot be read.");
  }
  return picture;
}

/** The pixels of a logo that was taken, as `pixelsOf` has them; null for a JPEG, which needs no unpacking. */
export function picturePixels(
  bytes: Buffer,
): { readonly width: number; readonly height: number; readonly pixels: Uint8Array } | null {
  const png = readPng(bytes);
  if (png === undefined) return null;
  const pixels = unpacked(png);
  if (pixels === undefined) throw new Error("a logo was taken that cannot be read");
  return { width: png.width, height: png.height, pixels };
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
