/**
 * The processes that use the server, so that the last one stops it. The starter must not stop it for others, and a
 * killed service must not keep it running forever. Every function is called while holding the lock file.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync } from "node:fs";
import { z } from "zod";
import { writePrivate } from "../../runtime/private-file.ts";
import { identifyProcess, isStillRunning } from "./process-identity.ts";

const Holders = z.array(z.object({ id: z.string(), pid: z.int(), born: z.string() }));
type Holder = z.infer<typeof Holders>[number];

/** Adds this process to the list and returns the id of its entry. */
export function addHolder(file: string): string {
  const identity = identifyProcess(process.pid) ?? { pid: process.pid, born: "" };
  const id = randomUUID();
  write(file, [...living(file), { id, ...identity }]);
  return id;
}

/** Removes an entry from the list and returns how many living holders remain. */
export function removeHolder(file: string, id: string): number {
  const rest = living(file).filter((holder) => holder.id !== id);
  write(file, rest);
  return rest.length;
}

function living(file: string): Holder[] {
  try {
    return Holders.parse(JSON.parse(readFileSync(file, "utf8"))).filter(isStillRunning);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== undefined && code !== "ENOENT") {
      throw error;
    }
    return [];
  }
}

function write(file: string, holders: readonly Holder[]): void {
  if (holders.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  rmSync(`${file}.new`, { force: true });
  writePrivate(`${file}.new`, JSON.stringify(holders));
  renameSync(`${file}.new`, file);
}
