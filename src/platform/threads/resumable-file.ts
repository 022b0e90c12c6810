/**
 * A file that another server can continue. When the first server fails, the second one makes the file again from its beginning:
 * what has been sent already must be the same, and is not sent twice. A file whose beginning has changed meanwhile breaks off.
 */
import { createHash } from "node:crypto";

type Part = string | Uint8Array;

/** A shorter file is made whole before its first part is sent, so that it can always be made again. In characters. */
export const MOST_HELD = 4_000_000;

/**
 * Yields the text of a file. `again` gets the error with which the first attempt ended, and returns the second attempt or throws.
 * Throws an Error where the second attempt does not begin with what was sent.
 */
export async function* resumable(
  first: AsyncIterable<Part>,
  again: (error: unknown) => Promise<AsyncIterable<Part>>,
): AsyncGenerator<string> {
  const sent = createHash("sha256");
  let sent_length = 0;
  const held: string[] = [];
  let length = 0;
  let second: AsyncIterable<Part>;
  try {
    for await (const part of first) {
      const text = textOf(part);
      held.push(text);
      length += text.length;
      if (length <= MOST_HELD) continue;
      for (const one of held.splice(0)) {
        sent.update(one, "utf16le");
        sent_length += one.length;
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

/** Yields what follows the first characters, which must have the digest. */
async function* restOf(
  file: AsyncIterable<Part>,
  length: number,
  digest: string,
): AsyncGenerator<string> {
  const seen = createHash("sha256");
  let left = length;
  let is_same = length === 0;
  for await (const part of file) {
    const text = textOf(part);
    const before = text.slice(0, left);
    if (!is_same) {
      seen.update(before, "utf16le");
      left -= before.length;
      if (left > 0) continue;
      if (seen.digest("hex") !== digest) throw new Error(CHANGED);
      is_same = true;
    }
    if (before.length < text.length) yield text.slice(before.length);
  }
  if (!is_same) throw new Error(CHANGED);
}

const CHANGED = "the file has changed since its beginning was sent";

function textOf(part: Part): string {
  return typeof part === "string" ? part : new TextDecoder().decode(part);
}
