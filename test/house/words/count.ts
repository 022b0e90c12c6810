/** Counts how often banned words occur in texts. */
import { FROZEN, type Frozen } from "./frozen.ts";
import { PAIRS, type Pair } from "./pairs.ts";
import type { Text, TextFile } from "./texts.ts";

/** By banned word; only those that occur. */
export type Counts = Readonly<Record<string, number>>;

/** Counts the banned words of a file; `onFrozen` is called for each frozen name that occurs. */
export function countWords({ path, texts }: TextFile, onFrozen?: (frozen: Frozen) => void): Counts {
  const counts: Record<string, number> = {};
  for (const text of texts) {
    // Few texts have a banned word at all, so only these are searched for frozen names.
    if (bannedIn(text).length === 0) continue;
    const others = withoutFrozen(path, text, onFrozen);
    for (const banned of bannedIn({ ...text, text: others }))
      counts[banned] = (counts[banned] ?? 0) + 1;
  }
  return counts;
}

const WHOLE_NAMES = FROZEN.map(
  (frozen) => [frozen, new RegExp(`(?<!\\w)${frozen.name}(?!\\w)`, "g")] as const,
);

/** The text without the names that may keep their banned words in this file. */
function withoutFrozen(path: string, text: Text, onFrozen?: (frozen: Frozen) => void): string {
  return WHOLE_NAMES.reduce((rest, [frozen, whole]) => {
    const { files, in_prose } = frozen;
    if ((text.kind === "prose" && !in_prose) || files?.test(path) === false) return rest;
    const without = rest.replaceAll(whole, "");
    if (without !== rest) onFrozen?.(frozen);
    return without;
  }, text.text);
}

/** All occurrences of banned words in a text. */
export function bannedIn({ kind, text }: Text): readonly string[] {
  return kind === "prose"
    ? [...text.matchAll(IN_PROSE)].map(([found]) => found.toLowerCase().replaceAll(BREAK, " "))
    : bannedInName(text);
}

/** A line break within a comment includes the asterisk of the next line. */
const BREAK = /\s+(?:\*\s+)?/g;
/** Names and paths within a sentence do not count as words. */
const IN_PROSE = new RegExp(
  `(?<![\\w/-])(?:${PAIRS.filter(({ where }) => where.includes("prose"))
    .map(({ banned }) => banned.replaceAll(" ", BREAK.source))
    .join("|")})(?![\\w/-])`,
  "gi",
);

const names = new Map<string, readonly string[]>();

function bannedInName(name: string): readonly string[] {
  const known = names.get(name);
  if (known !== undefined) return known;
  const words = ` ${wordsIn(name).join(" ")} `;
  const found = PAIRS.filter((pair) => isIn(pair, name, words)).map(({ banned }) => banned);
  names.set(name, found);
  return found;
}

function isIn({ banned, where }: Pair, name: string, words: string): boolean {
  return (
    (where.includes("name") && name === banned) ||
    (where.includes("identifier") && words.includes(` ${banned} `)) ||
    (where.includes("suffix") && words.length > banned.length + 2 && words.endsWith(` ${banned} `))
  );
}

/** The words of an identifier in lower case: split at `_`, at `-` and where a capital begins a word. */
function wordsIn(identifier: string): string[] {
  return identifier
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}
