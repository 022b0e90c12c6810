/**
 * A file that another server can continue. When the first server fails, the second one makes the file again from its beginning:
 * what has been sent already must be the same, and is not sent twice. A file whose beginning has changed meanwhile breaks off.
 */
import { createHash } from "node:crypto";

type Part = string | Uint8Array;

/** A shorter file is made whole before its first part is sent, so that it can always be made again. In characters or bytes. */
export const MOST_HELD = 4_000_000;

/**
 * Yields the parts of a file. `again` gets the error with which the first attempt ended, and returns the second attempt or throws.
 * Throws an Error where the second attempt does not begin with what was sent.
 */
export async function* resumable(
  first: AsyncIterable<Part>,
  again: (error: unknown) => Promise<AsyncIterable<Part>>,
): AsyncGenerator<Part> {
  const sent = createHash("sha256");
  let sent_length = 0;
  const held: Part[] = [];
  let length = 0;
  let second: AsyncIterable<Part>;
  try {
    for await (const part of first) {
      held.push(part);
      length += part.length;
      if (length <= MOST_HELD) continue;
      for (const one of held.splice(0)) {
        const bytes = bytesOf(one);
        sent.update(bytes);
        sent_length += bytes.length;
        yield one;
      }
    }
    yield* held;
    return;
  } catch (error) {
    second = await again(error);
  }
  yield* restOf(second, sent_length, sent.digest("hex"));
}

/** Yields what follows the first bytes, which must have the digest. */
async function* restOf(
  file: AsyncIterable<Part>,
  length: number,
  digest: string,
): AsyncGenerator<Part> {
  const seen = createHash("sha256");
  let left = length;
  let is_same = length === 0;
  for await (const part of file) {
    if (is_same) {
      yield part;
      continue;
    }
    const bytes = bytesOf(part);
    const before = bytes.subarray(0, left);
    seen.update(before);
    left -= before.length;
    if (left > 0) continue;
    if (seen.digest("hex") !== digest) throw new Error(CHANGED);
    is_same = true;
    if (before.length < bytes.length) yield bytes.subarray(before.length);
  }
  if (!is_same) throw new Error(CHANGED);
}

const CHANGED = "the file has changed since its beginning was sent";

function bytesOf(part: Part): Uint8Array {
  return typeof part === "string" ? new TextEncoder().encode(part) : part;
}
