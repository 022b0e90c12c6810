/** What the files of banks have in common, whatever their form: statements with lines, and their limits (spec 13.5). */

import { cut } from "../../../domain/base/field-errors.ts";
import { invalidField, type Problem } from "../../../domain/base/problem.ts";
import type { StatementDays, StatementLine } from "../../../domain/receivables/bank-statement.ts";

/** A statement of a file, with what the file says of its bank account. */
export interface ReadStatement extends StatementDays {
  readonly format: "camt.053.001.02" | "camt.053.001.08" | "csv";
  readonly iban: string | null;
  readonly other_id: string | null;
  readonly currency: string;
  readonly lines: readonly StatementLine[];
}

/** The lines of one file. */
export const MOST_LINES = 50_000;

/** Returns the refusal of a file with too many lines. */
export function tooManyLines(): Problem {
  return invalidField("file", "invalid_format", `The file has more than ${MOST_LINES} lines.`);
}

/** The longest text that is kept of a line. */
const LONGEST = 1_000;

/** Returns a text of the bank, cut where it is too long; null for none. */
export function cutText(text: string | null): string | null {
  return text === null ? null : cut(text, LONGEST);
}
