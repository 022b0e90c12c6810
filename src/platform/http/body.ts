/** Reads request bodies: JSON objects of at most 1 MB, 50 levels deep, in UTF-8. Any other body is MALFORMED_REQUEST. */
import { type FieldError, Problem } from "../../domain/base/problem.ts";

export const MOST_BODY_BYTES = 1_000_000;
const DEEPEST = 50;

/** The size from which another thread parses a body: some hundred document lines take tens of milliseconds. */
export const LARGE_BYTES = 32_768;

/** A large body, which another thread parses, or a file with its content type. */
export class UnreadBody {
  readonly bytes: Uint8Array;
  readonly content_type: string | null;

  constructor(bytes: Uint8Array, content_type: string | null = null) {
    this.bytes = bytes;
    this.content_type = content_type;
  }
}

/** The header by which access points name an envelope that they hand over. */
export const INSTANCE_HEADER = "X-SBDH-Instance-ID";
export const MOST_INSTANCE_LENGTH = 300;

/** Returns the error of an instance id, as a field error on the header's name. */
export function instanceFaults(instance_id: string | null): FieldError[] {
  if (instance_id === null || instance_id.length <= MOST_INSTANCE_LENGTH) return [];
  const message = `At most ${MOST_INSTANCE_LENGTH} characters.`;
  return [{ field: INSTANCE_HEADER, code: "too_long", message }];
}

/** A file as the body of a request. */
export interface SentFile {
  /** In lower case, without parameters. */
  readonly content_type: string;
  /** The header `X-SBDH-Instance-ID`, by which access points name what they hand over. */
  readonly instance_id?: string | null;
  readonly bytes: Uint8Array;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Returns the value of a JSON body; undefined for an empty one. Throws MALFORMED_REQUEST. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  requireShallow(bytes);
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Problem("MALFORMED_REQUEST", { message: "The body is not JSON in UTF-8." });
  }
}

/** Counts the depth on the bytes, before any recursive function sees them. Throws MALFORMED_REQUEST. */
function requireShallow(bytes: Buffer): void {
  let depth = 0;
  let in_string = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (in_string) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) in_string = false;
    } else if (byte === QUOTE) in_string = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEEPEST) {
        throw new Problem("MALFORMED_REQUEST", {
          message: `The body is nested deeper than ${DEEPEST} levels.`,
        });
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Returns the body of a route that takes files (`Route.file`), which the checks have made a file. */
export function sentFile(body: unknown): SentFile {
  return body as SentFile;
}
