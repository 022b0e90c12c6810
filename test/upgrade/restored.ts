/**
 * A database that is restored from the backup by the command line, as an operator does it, and copies of it: each play
 * has one of its own. Time has stood still between backup and restore for whatever ends by the real clock.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withClient } from "../../src/platform/database/client.ts";
import { copyDatabase, createDatabase, dropDatabase, type Json } from "../support/world/world.ts";

interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface Restored {
  readonly url: string;
  /** What `matchbook restore` said. */
  readonly reported: Ended;
  matchbook(...args: string[]): Promise<Ended>;
  /** Rows of plain SQL. */
  sql(text: string): Promise<Json[]>;
  /** A copy that is changed by nobody else; it goes with the rest. */
  copy(): Promise<string>;
  remove(): Promise<void>;
}

const BIN = fileURLToPath(new URL("../../bin/matchbook", import.meta.url));

/** Restores into a new database beside a template, and lets its background work go on. */
export async function restoreBooks(
  template_url: string,
  backup: string,
  made_at: string,
): Promise<Restored> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-upgrade-"));
  const url = await createDatabase(template_url);
  const databases = [url];
  const env = { PATH: process.env.PATH, HOME: folder, DATABASE_URL: url };
  const matchbook = (...args: string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
      execFile(process.execPath, [BIN, ...args], { cwd: folder, env }, (error, out, err) => {
        if (error !== null && typeof error.code !== "number") return reject(error);
        resolve({ exit: (error?.code as number | undefined) ?? 0, out, err });
      });
    });
  const reported = await matchbook("restore", "--input", backup);
  if (reported.exit !== 0)
    throw new Error(`the backup was not restored: ${reported.out}${reported.err}`);
  await matchbook("resume");
  await shiftTime(url, made_at);
  return {
    url,
    reported,
    matchbook,
    sql: (text) => withClient({ connectionString: url }, async (db) => (await db.query(text)).rows),
    async copy() {
      const copied = await copyDatabase(url);
      databases.push(copied);
      return copied;
    },
    async remove() {
      for (const database of databases) await dropDatabase(template_url, database);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Plans, grants and keys of requests live for minutes or days; they have as long to live as when they were backed up. */
async function shiftTime(url: string, made_at: string): Promise<void> {
  await withClient({ connectionString: url }, async (client) => {
    for (const table of ["plans", "oauth_grants", "idempotency_keys"]) {
      await client.query(
        `update ${table} set expires_at = expires_at + (clock_timestamp() - $1::timestamptz)`,
        [made_at],
      );
    }
  });
}
