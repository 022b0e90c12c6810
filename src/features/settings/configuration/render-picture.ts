/**
 * A logo as documents print it. The PDF library reads PNGs trustingly, throws outside of every promise and knows not all
 * of them; it gets one that was read here and is written anew, small and in the plainest form.
 */
import { crc32, deflateSync } from "node:zlib";
import { PNG_SIGNATURE } from "../../../domain/base/image.ts";
import { filteredRows, type Pixels, scaledDown } from "../../../domain/base/png-plain.ts";

/** A PNG of eight bits in RGB, with opacity where a pixel is not opaque, as large as it is printed at most. */
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
