/**
 * Exports the journal of an account as plain text that hledger and beancount check independently: they prove that the books add
 * up, without trust in this program. All reads share one snapshot, so that a booking made meanwhile is either completely
 * included or not at all, and the closing balances match the entries.
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { openSnapshot } from "../../../platform/database/transaction.ts";
import { beancountWriter } from "./export-beancount.ts";
import { hledgerWriter } from "./export-hledger.ts";
import { batchesOf, type Journal, type JournalWriter, readJournal } from "./export-journal.ts";

export const journalFormats = ["hledger", "beancount"] as const;
export type JournalFormat = (typeof journalFormats)[number];

const writers: Readonly<Record<JournalFormat, (journal: Journal) => JournalWriter>> = {
  hledger: hledgerWriter,
  beancount: beancountWriter,
};

export function isJournalFormat(text: string): text is JournalFormat {
  return (journalFormats as readonly string[]).includes(text);
}

/**
 * Writes the account's whole journal as UTF-8 text, in batches, to the file or, when output is null,
 * to standard output. The file appears under its name only when it is complete and on disk, and then replaces an
 * earlier file of that name. Throws the system's error when writing fails.
 */
export async function exportJournal(
  cx: Context,
  format: JournalFormat,
  output: string | null,
): Promise<void> {
  const text = journalText(cx, format);
  if (output !== null) return writeAtomically(output, text);
  await pipeline(text, process.stdout, { end: false });
}

/**
 * Yields the journal as text: accounts, entries by date and number, closing balances. Amounts are integers of the
 * functional currency's minor unit, debit above 0. Holds one connection until the iteration ends.
 */
export async function* journalText(cx: Context, format: JournalFormat): AsyncIterable<string> {
  const snapshot = await openSnapshot(cx.db);
  try {
    const inside: Reader = { ...cx, ...snapshot };
    const journal = await readJournal(inside);
    const writer = writers[format](journal);
    yield writer.opening();
    for await (const entries of batchesOf(inside)) {
      yield entries.map((entry) => writer.entry(entry)).join("");
    }
    yield writer.closing();
  } finally {
    await snapshot.end();
  }
}

async function writeAtomically(output: string, text: AsyncIterable<string>): Promise<void> {
  await refuseSpecialFile(output);
  const folder = dirname(output);
  const draft = join(folder, `.${basename(output)}.${randomBytes(6).toString("hex")}.part`);
  try {
    const file = await open(draft, "wx");
    try {
      for await (const chunk of text) await file.appendFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, output);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Refuses a device such as `/dev/stdout` as output: a rename would replace it with a plain file. */
async function refuseSpecialFile(output: string): Promise<void> {
  const existing = await stat(output).catch(() => null);
  if (existing !== null && !existing.isFile()) throw new Error(`${output} is not a regular file.`);
}

/** Makes the new file name durable. Systems that cannot open a folder make names durable by themselves. */
async function syncFolder(folder: string): Promise<void> {
  const handle: FileHandle | null = await open(folder, "r").catch(() => null);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
