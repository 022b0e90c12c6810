/** Names with banned words that stay, because stored data or other programs use them. */

export interface Frozen {
  /** The whole identifier. */
  readonly name: string;
  readonly reason: string;
  /** Whether it also stays in sentences and comments. */
  readonly in_prose?: boolean;
  /** The files in which it stays; all files where absent. */
  readonly files?: RegExp;
}

const column = "a stored name";
const field = "a field of the interface";

export const FROZEN: readonly Frozen[] = [
  { name: "standing_index", reason: column },
  { name: "is_there", reason: column },
  {
    name: "told",
    reason: column,
    files:
      /^src\/(platform\/database\/tables-ledger|features\/ledger\/connections\/(schemas|check-connection|change-mapping|queries))\.ts$/,
  },
  { name: "tells_payments", reason: field, in_prose: true },
  {
    name: "happened",
    reason: "a name within stored digests",
    files: /^src\/assistant\/protocol\/fingerprint\./,
  },
  { name: "born", reason: "a field of the stored lock of a folder" },
  {
    name: "piece",
    reason: "a unit of the interface",
    files: /^src\/features\/documents\/printing\//,
  },
  {
    name: "pieces",
    reason: "a spelling of a unit",
    files: /^src\/features\/documents\/printing\//,
  },
  {
    name: "everybody's",
    reason: "a printed text",
    in_prose: true,
    files: /^src\/features\/documents\/printing\/texts\.ts$/,
  },
  {
    name: "nobody",
    reason: "a user of the operating system",
    in_prose: true,
    files: /^src\/platform\/database\/embedded\/server-user\.ts$/,
  },
  ...["series go on", "the sandbox goes on"].map((name) => ({
    name,
    reason: "a key of stored answers",
    in_prose: true,
    files: /^test\/upgrade\/plays\.ts$/,
  })),
  { name: "rehearse", reason: "an address of the pages" },
  ...["rehearse_issue", "rehearse_beside", "rehearse_credit"].map((name) => ({
    name,
    reason: "a label of metrics",
  })),
  { name: "agreed", reason: "a form field of the pages" },
  { name: "BUYER_NUMBER_DOUBTFUL", reason: "a code of the interface" },
  { name: "NOBODY_ASSIGNED", reason: "a code of the interface" },
  { name: "not_ours", reason: "a value of the interface" },
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
