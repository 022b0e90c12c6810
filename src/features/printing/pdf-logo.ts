/**
 * The seller's logo on the first page. The PDF library reads PNGs trustingly, throws outside of every promise and
 * knows not all of them; it gets one that was read here and is written anew in the plainest form.
 */
import { crc32, deflateSync } from "node:zlib";
import { picturePixels } from "../configuration/read-picture.ts";
import { frame, type Sheet } from "./pdf-sheet.ts";

/** What a logo takes at most, in points. */
const MOST_HEIGHT = 56;
const SPACE_BELOW = 12;

/** The logo as large as its place and its own pixels allow. Returns where what comes under it begins. */
export function drawLogo(sheet: Sheet, bytes: Buffer, left: number, top: number): number {
  const { logo, seller } = sheet.view;
  if (logo === null) return top;
  const scale = Math.min((frame.right - left) / logo.width, MOST_HEIGHT / logo.height, 1);
  const [width, height] = [logo.width * scale, logo.height * scale];
  // A turn that a camera noted would not be in the size that was measured. The library's types do not know it.
  const options = { width, height, ignoreOrientation: true };
  sheet.describedElement(sheet.root, "Figure", { alt: seller.name }, () => {
    sheet.doc.image(printable(bytes), left, top, options);
  });
  return top + height + SPACE_BELOW;
}

/** A JPEG as it is, a PNG as RGB of eight bits, with opacity where a pixel is not opaque. */
function printable(bytes: Buffer): Buffer {
  const picture = picturePixels(bytes);
  if (picture === null) return bytes;
  const { width, height, pixels } = picture;
  const source = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length);
  const is_opaque = isOpaque(source);
  const samples = is_opaque ? 3 : 4;
  const rows = Buffer.alloc(height * (1 + width * samples));
  let at = 0;
  for (let row = 0; row < height; row += 1) {
    // Each row begins with its filter: none.
    at += 1;
    for (let from = 4 * row * width; from < 4 * (row + 1) * width; from += 4) {
      source.copy(rows, at, from, from + samples);
      at += samples;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, is_opaque ? 2 : 6, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function isOpaque(pixels: Buffer): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
