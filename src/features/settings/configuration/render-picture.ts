/**
 * Encodes a logo as documents print it. The PDF library does not validate PNGs, throws outside of every promise and does not
 * support all PNGs. The library gets a PNG that is decoded and encoded again here, small and in the plainest form.
 */
import { crc32, deflateSync } from "node:zlib";
import { PNG_SIGNATURE } from "../../../domain/base/image.ts";
import { filteredRows, type Pixels, scaledDown } from "../../../domain/base/png-plain.ts";

/** Returns a PNG of eight bits in RGB, with opacity when a pixel is not opaque, in at most the printed size. */
export function plainPng(picture: Pixels): Buffer {
  const scaled = scaledDown(picture);
  const { samples, rows } = filteredRows(scaled);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(scaled.width, 0);
  header.writeUInt32BE(scaled.height, 4);
  header.set([8, samples === 3 ? 2 : 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from(PNG_SIGNATURE),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
