/**
 * The transport without a mail server: each message becomes an `.eml` file that any mail program opens. A file is complete as
 * soon as its name exists, even after a crash, because it is written under a hidden name, synced and renamed.
 */
import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../runtime/folder.ts";
import { syncFolder, writeSynced } from "../runtime/synced-file.ts";
import { isMessageId, type MailOutcome, type MailTransport, type RenderedMail } from "./mail.ts";

interface OutboxOptions {
  /** The folder. The first message creates it, readable by its owner only. */
  readonly dir: string;
}

/** Opens the outbox. A resend replaces `<message_id>.eml`. A full disk or missing permission is `failed_temporary`. */
export function openOutbox(options: OutboxOptions): MailTransport {
  const writing = new Set<Promise<MailOutcome>>();
  return {
    kind: "outbox",
    async send(rendered) {
      const outcome = write(options.dir, rendered);
      writing.add(outcome);
      try {
        return await outcome;
      } finally {
        writing.delete(outcome);
      }
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

async function write(dir: string, rendered: RenderedMail): Promise<MailOutcome> {
  if (!isMessageId(rendered.message_id)) {
    return {
      state: "failed_permanent",
      error_code: "message_refused",
      error_text: "The message id cannot be a file name in the outbox folder.",
    };
  }
  const hidden = join(dir, `.${rendered.message_id}.${randomUUID()}`);
  try {
    makeFolder(dir, 0o700);
    await writeSynced(hidden, rendered.raw, 0o600);
    await rename(hidden, join(dir, `${rendered.message_id}.eml`));
    await syncFolder(dir);
    return { state: "written_to_outbox" };
  } catch (cause) {
    await rm(hidden, { force: true }).catch(() => undefined);
    return failureOf(cause);
  }
}

/** A process that is writing a file renames it within moments, so files older than this are left over. */
const LEFT_OVER_MS = 3_600_000;

/** Removes the hidden files of processes that died while writing; returns how many. Never throws. */
export async function removeLeftovers(dir: string): Promise<number> {
  const names = await readdir(dir).catch(() => []);
  const left = names.filter((name) =>
    /^\..+@.+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name),
  );
  let removed = 0;
  for (const name of left) {
    const path = join(dir, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < LEFT_OVER_MS) continue;
    removed += await rm(path).then(
      () => 1,
      () => 0,
    );
  }
  return removed;
}

function failureOf(cause: unknown): MailOutcome {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const isFull = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
  return {
    state: "failed_temporary",
    error_code: isFull ? "outbox_full" : "outbox_not_writable",
    error_text: isFull
      ? "There is no room left for the message in the outbox folder."
      : "The message cannot be written to the outbox folder.",
    cause,
  };
}
