/** Pictures for tests: generated PNGs of any size, and a small JPEG. */
import { crc32, deflateSync } from "node:zlib";

interface PngLook {
  /** 2 is RGB, 6 is RGB with transparency. */
  readonly kind?: 2 | 6;
  readonly interlace?: 0 | 1;
  /** Replaces the pixels. */
  readonly data?: Buffer;
}

/** A PNG with a gradient from dark blue to light green, its lower left half transparent by half if the kind allows it. */
export function png(width: number, height: number, look: PngLook = {}): Buffer {
  const { kind = 6, interlace = 0 } = look;
  const passes = interlace === 1 ? ADAM7 : [[0, 0, 1, 1] as const];
  const rows = passes.flatMap(([left, top, across, down]) => {
    const rows_of_pass: Buffer[] = [];
    for (let y = top; y < height && left < width; y += down) {
      const pixels: number[] = [];
      for (let x = left; x < width; x += across) {
        const part = x / width;
        const alpha = part > 1 - y / height ? 255 : 90;
        const pixel = [20 + 80 * part, 60 + 150 * part, 140 - 40 * part, alpha];
        pixels.push(...pixel.slice(0, kind === 6 ? 4 : 3));
      }
      // Each row begins with its filter type, none.
      rows_of_pass.push(Buffer.from([0, ...pixels]));
    }
    return rows_of_pass;
  });
  const header = { width, height, depth: 8, kind, interlace };
  return pngOf(header, look.data ?? deflateSync(Buffer.concat(rows)));
}

export interface PngFrame {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 is gray, 2 RGB, 3 palette indexes, 4 gray and 6 RGB with transparency. */
  readonly kind: 0 | 2 | 3 | 4 | 6;
  readonly interlace?: 0 | 1;
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
}

/** A PNG of any kind around its compressed data. */
export function pngOf(frame: PngFrame, data: Buffer): Buffer {
  const { width, height, depth, kind, interlace = 0, palette, transparency } = frame;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, kind, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", Buffer.from(palette))]),
    ...(transparency === undefined ? [] : [chunk("tRNS", Buffer.from(transparency))]),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The seven passes of an interlaced picture: the origin and the steps of each. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** 48 by 24 pixels. */
export const jpeg: Buffer = Buffer.from(
  "/9j/4AAQSkZJRgABAQEABQACAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ" +
    "c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk" +
    "pKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAYADADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAA" +
    "AAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk" +
    "M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT" +
    "lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QA" +
    "HwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdh" +
    "cRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp" +
    "anN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk" +
    "5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDpGOMdPxOKTef9n/vqn0UAM3n/AGP++qN3+7/31T6KAIyw9R/3" +
    "0achzn/HNOooAKKKKACiiigAooooA//Z",
  "base64",
);
