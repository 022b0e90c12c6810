/**
 * Banned words (docs/style.md). A record contains the number of their occurrences by file. The count of a file may only
 * decrease, and then the record is lowered (`UPDATE_WORDS=1`). A new file has none.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { bannedIn, type Counts, countWords } from "./words/count.ts";
import { FROZEN, type Frozen } from "./words/frozen.ts";
import { PAIRS } from "./words/pairs.ts";
import { type TextFile, textFiles } from "./words/texts.ts";

const RECORD = join(packageRoot, "test/house/words/record.json");

type Record = Readonly<{ [path: string]: Counts }>;

const files = textFiles();

function counted(files: readonly TextFile[], onFrozen?: (frozen: Frozen) => void): Record {
  const entries = files.map((file) => [file.path, countWords(file, onFrozen)] as const);
  return Object.fromEntries(entries.filter(([, counts]) => Object.keys(counts).length > 0));
}

/** The entries in which one record exceeds another, as text. */
function more(record: Record, than: Record): string[] {
  return Object.entries(record).flatMap(([path, counts]) =>
    Object.entries(counts)
      .filter(([word, count]) => count > (than[path]?.[word] ?? 0))
      .map(
        ([word, count]) => `${path}: "${word}" ${count} times, ${than[path]?.[word] ?? 0} recorded`,
      ),
  );
}

describe.each(PAIRS)("the word $banned", ({ banned, where, refuses, accepts }) => {
  const kindOf = (text: string) =>
    /\s/.test(text) || where[0] === "prose" ? "prose" : "identifier";

  it("is refused, and a similar text is accepted", () => {
    expect(bannedIn({ kind: kindOf(refuses), text: refuses })).toContain(banned);
    expect(bannedIn({ kind: kindOf(accepts), text: accepts })).not.toContain(banned);
  });
});

describe("banned words", () => {
  const recorded = JSON.parse(readFileSync(RECORD, "utf8")) as Record;
  const met = new Set<Frozen>();
  const now = counted(files, (frozen) => met.add(frozen));

  it("occur in no file more often than recorded", () => {
    expect(more(now, recorded)).toEqual([]);
  });

  it("are recorded as often as they occur", () => {
    if (process.env.UPDATE_WORDS !== undefined && more(now, recorded).length === 0) {
      writeFileSync(RECORD, `${JSON.stringify(now, null, 2)}\n`);
      return;
    }
    expect(more(recorded, now), "lower the record: UPDATE_WORDS=1").toEqual([]);
  });

  it("are permitted only in frozen names that occur", () => {
    expect(FROZEN.filter((frozen) => !met.has(frozen))).toEqual([]);
  });
});
