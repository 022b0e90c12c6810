/**
 * Whether background work stands still: the scheduler, deliveries, intents and all mail. A restore pauses the copy
 * that it makes, by a row in its database, so that every process on it knows, and no other one; one process alone
 * may be started without background work. What people and keys ask for is done all the same.
 */

import type pg from "pg";
import { withClient } from "../database/client.ts";
import type { Reads } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface Background {
  /** Asks the database. */
  isPaused(): Promise<boolean>;
  /** As the database said a moment ago; for what does not wait. */
  seems_paused(): boolean;
}

/** How old the answer may be that is given without waiting. */
const MOMENT_MS = 1_000;

/** `runs` is false for a process without background work, whatever the database says. */
export function openBackground(db: Reads, runs: boolean): Background {
  let known = !runs;
  let asked_at = Number.NEGATIVE_INFINITY;
  const isPaused = async (): Promise<boolean> => {
    if (!runs) return true;
    asked_at = performance.now();
    known = (await db.row(sql`select from background_pause`)) !== undefined;
    return known;
  };
  return {
    isPaused,
    seems_paused() {
      // While the database is away, what it said last holds.
      if (performance.now() - asked_at > MOMENT_MS) isPaused().catch(() => {});
      return known;
    },
  };
}

/** As `migrations/0022` makes it, for a database that is older. */
const TABLE = `create table if not exists background_pause (
  is_paused boolean primary key check (is_paused), since timestamptz not null)`;

/** Pauses what is being restored, in the transaction that fills it: no process ever sees one without the other. */
export async function pauseRestored(client: pg.Client): Promise<void> {
  await client.query(TABLE);
  await client.query(
    `insert into background_pause (is_paused, since) values (true, clock_timestamp())
     on conflict (is_paused) do update set since = excluded.since`,
  );
}

/** Lets background work go on, in every process on the database; answers whether it stood still. */
export async function resumeBackground(url: string): Promise<boolean> {
  return withClient({ connectionString: url }, async (client) => {
    const { rowCount } = await client.query("delete from background_pause");
    return (rowCount ?? 0) > 0;
  });
}
