/**
 * Reports whether background work is paused: the scheduler, deliveries, intents and all mail. A restore pauses the restored copy,
 * by a row in the copy's database, so that all processes on that database know, and no others. A single process can also be
 * started without background work. Requests of people and keys are answered as usual.
 */

import type pg from "pg";
import { withClient } from "../database/client.ts";
import type { Reads } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface Background {
  /** Returns whether background work is paused, read from the database: on its own connection, or with other reads. */
  isPaused(reads?: Reads): Promise<boolean>;
  /** Returns the database's state a moment ago, for callers that do not wait. */
  seems_paused(): boolean;
}

/** The maximum age, in milliseconds, of the state that is returned without waiting. */
const MOMENT_MS = 1_000;

/** Opens the pause. `runs` is false for a process without background work, whatever the database says. */
export function openBackground(db: Reads, runs: boolean): Background {
  let known = !runs;
  let asked_at = Number.NEGATIVE_INFINITY;
  const isPaused = async (reads = db): Promise<boolean> => {
    if (!runs) return true;
    asked_at = performance.now();
    known = (await reads.row(sql`select from background_pause`)) !== undefined;
    return known;
  };
  return {
    isPaused,
    seems_paused() {
      // While the database is away, its last state applies.
      if (performance.now() - asked_at > MOMENT_MS) isPaused().catch(() => {});
      return known;
    },
  };
}

/** The table as `migrations/0022` creates it, for an older database. */
const TABLE = `create table if not exists background_pause (
  is_paused boolean primary key check (is_paused), since timestamptz not null)`;

/** Pauses the restored database in the transaction that fills it: no process ever sees its data without the pause. */
export async function pauseRestored(client: pg.Client): Promise<void> {
  await client.query(TABLE);
  await client.query(
    `insert into background_pause (is_paused, since) values (true, clock_timestamp())
     on conflict (is_paused) do update set since = excluded.since`,
  );
}

/** Resumes background work in all processes on the database; returns whether it was paused. */
export async function resumeBackground(url: string): Promise<boolean> {
  return withClient({ connectionString: url }, async (client) => {
    await client.query("begin");
    const { rows } = await client.query<{ since: string }>(
      "delete from background_pause returning since::text",
    );
    // The original may have handed these over since the backup was made: they are looked up before anything leaves.
    await client.query(
      `update deliveries set is_copied = true where channel = 'einvoice' and updated_at < $1::timestamptz
         and state in ('queued', 'sending', 'failed_temporary', 'unknown')`,
      [rows[0]?.since ?? null],
    );
    await client.query("commit");
    return rows.length > 0;
  });
}
