/** Reads and writes NDJSON: one JSON value on each line. */
import { Problem } from "../../domain/base/problem.ts";

export const NDJSON_TYPE = "application/x-ndjson";

const LINE_FEED = 0x0a;

interface Bounds {
  readonly rows: number;
  readonly row_bytes: number;
}

/** Returns the lines of a text, without the last one if it is empty. Throws MALFORMED_REQUEST for more or longer lines. */
export function linesOf(bytes: Uint8Array, most: Bounds): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    lines.push(bytes.subarray(start, end));
    if (lines.length > most.rows) throw malformed(`At most ${most.rows} rows.`);
    if (end - start > most.row_bytes) {
      throw malformed(`Row ${lines.length} is larger than ${most.row_bytes} bytes.`);
    }
    start = end + 1;
  }
  return lines;
}

function malformed(message: string): Problem {
  return new Problem("MALFORMED_REQUEST", { message });
}

const encoder = new TextEncoder();

/** Returns values as bytes, which a stream sends without waiting for more. */
export function ndjsonBytes(values: readonly unknown[]): Uint8Array {
  return encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}
