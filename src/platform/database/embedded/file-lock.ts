/**
 * A lock between processes: a file that names its holder. It does not protect the data, because two processes may
 * both take over a dead holder's lock. The rename of a new cluster and PostgreSQL's own lock file then decide.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { writePrivate } from "../../runtime/private-file.ts";
import { identifyProcess, isStillRunning, type ProcessIdentity } from "./process-identity.ts";

const TIMEOUT_MS = 120_000;
const HALF_WRITTEN_MS = 2_000;

/**
 * Does the work while holding the lock file (absolute path). Waits while a living process holds it, at most two minutes; takes
 * over from a dead one. Throws an Error that names the holder when the wait times out.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const identity = identifyProcess(process.pid) ?? { pid: process.pid, born: "" };
  const own = JSON.stringify({ ...identity, token: randomUUID() });
  const deadline = Date.now() + TIMEOUT_MS;
  while (!create(file, own)) {
    const holder = readHolder(file);
    if (holder === "dead") {
      takeAway(file);
    } else if (Date.now() > deadline) {
      throw new Error(
        `Another process (${holder}) has been starting or stopping the database for two minutes: end it, or remove ${file}.`,
      );
    } else {
      await delay(25);
    }
  }
  try {
    return await work();
  } finally {
    release(file, own);
  }
}

/** Removes the lock, unless another process holds it now. */
function release(file: string, own: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === own) {
    rmSync(file, { force: true });
  }
}

function create(file: string, content: string): boolean {
  try {
    writePrivate(file, content);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      return false;
    }
    if (code === "ENOSPC") {
      throw error;
    }
    throw new Error(
      `The settings are not valid. MATCHBOOK_DATA_DIR: nothing can be written in ${dirname(file)} (${code})`,
    );
  }
}

function readHolder(file: string): "dead" | "being written" | "released" | `pid ${number}` {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const holder = parseHolder(readFileSync(file, "utf8"));
    if (holder === undefined) {
      return age > HALF_WRITTEN_MS ? "dead" : "being written";
    }
    return isStillRunning(holder) ? `pid ${holder.pid}` : "dead";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return "released";
    }
    throw error;
  }
}

/** Moves a dead holder's lock aside, and puts it back when a living process had meanwhile replaced it. */
function takeAway(file: string): void {
  const aside = `${file}.stale`;
  try {
    renameSync(file, aside);
    if (readHolder(aside) !== "dead") {
      create(file, readFileSync(aside, "utf8"));
    }
    rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw error;
    }
  }
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "pid" in value && "born" in value) {
      return { pid: Number(value.pid), born: String(value.born) };
    }
  } catch {
    // A process that was killed while it wrote leaves half a line.
  }
  return undefined;
}
