/**
 * How many faults of a request are reported: at most a hundred, less than 64 KB together, and each is cut where it quotes the
 * request. A body of a megabyte may have a fault in every other byte.
 */
/** Codes of `field_errors` (spec 7.3 and 11.7). */
export type FieldCode =
  | "required"
  | "invalid_type"
  | "invalid_value"
  | "too_small"
  | "too_large"
  | "too_long"
  | "too_short"
  | "too_many"
  | "too_many_decimals"
  | "invalid_format"
  | "unknown_reference"
  | "ambiguous"
  | "unknown_account"
  | "duplicate"
  | "not_allowed"
  | "sum_not_100"
  | "unknown_field"
  | "unknown_parameter";

export interface FieldError {
  /** A path such as `lines[0].agreed_value`. */
  readonly field: string;
  readonly code: FieldCode;
  readonly message: string;
}

export const MOST_FIELD_ERRORS = 100;
const MOST_FIELD_ERROR_BYTES = 60_000;

const MOST_FIELD = 200;
const MOST_MESSAGE = 400;

/** Returns the first faults, up to the limits. */
export function fittingErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const listed: FieldError[] = [];
  let bytes = 0;
  for (const { field, code, message } of errors.slice(0, MOST_FIELD_ERRORS)) {
    const error = { field: cut(field, MOST_FIELD), code, message: cut(message, MOST_MESSAGE) };
    bytes += bytesOf(JSON.stringify(error)) + 1;
    if (bytes > MOST_FIELD_ERROR_BYTES) break;
    listed.push(error);
  }
  return listed;
}

/** The text, shortened at its end when it is longer; never cut inside a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most - 1);
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
}

/** The size in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
