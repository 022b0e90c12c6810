/** Names with banned words that stay, because stored data or other programs use them. */

export interface Frozen {
  /** The whole identifier. */
  readonly name: string;
  readonly reason: string;
  /** The files in which it stays; all files where absent. */
  readonly files?: RegExp;
}

const column = "a stored name";
const field = "a field of the interface";

export const FROZEN: readonly Frozen[] = [
  { name: "standing_index", reason: column },
  { name: "is_there", reason: column },
  { name: "agreed_value", reason: "a column, and a field of the interface" },
  ...[
    "balance_there",
    "deleted_there",
    "gross_here",
    "gross_there",
    "missing_here",
    "missing_there",
    "moved_here",
    "moved_there",
    "number_here",
    "number_there",
  ].map((name) => ({ name, reason: field })),
];
