/**
 * A database restored from the backup by the command line, as an operator does it, and a copy for each play. Data that
 * expires by the real clock has the same remaining lifetime as at the backup.
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
  /** The output of `matchbook restore`. */
  readonly reported: Ended;
  matchbook(...args: string[]): Promise<Ended>;
  /** Rows of plain SQL. */
  sql(text: string): Promise<Json[]>;
  /** A copy for the caller alone; `remove` also removes it. */
  copy(): Promise<string>;
  remove(): Promise<void>;
}

const BIN = fileURLToPath(new URL("../../bin/matchbook", import.meta.url));

/** Restores into a new database on the server of a template, and resumes its background work. */
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

/** Plans, grants and idempotency keys live for minutes or days: restores the lifetime that they had at the backup. */
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
