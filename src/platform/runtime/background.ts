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
  await beginNewFeeds(client);
  await client.query(
    `insert into background_pause (is_paused, since) values (true, clock_timestamp())
     on conflict (is_paused) do update set since = excluded.since`,
  );
}

/**
 * Begins a new feed of events in each account of a copy, which gives the numbers after the backup to other events. A backup from
 * before there were feeds gets its own when it is migrated.
 */
async function beginNewFeeds(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select from pg_class where relname = 'ended_feeds'");
  if (rows.length === 0) return;
  await client.query(`insert into ended_feeds (account_id, feed_id, shared_through, ended_at)
    select account_id, feed_id, seq, now() from audit_heads`);
  // A cluster takes no random function in an update of all accounts.
  await client.query("update audit_heads set feed_id = md5(feed_id::text || $1)::uuid", [
    crypto.randomUUID(),
  ]);
}

/** Begins a new feed of events in each account, for a copy that was not made by a restore. */
export function renewFeeds(url: string): Promise<void> {
  return withClient({ connectionString: url }, async (client) => {
    await client.query("begin");
    await beginNewFeeds(client);
    await client.query("commit");
  });
}

/**
 * Resumes background work in all processes on the database; returns whether it was paused. Webhooks then begin with the next event,
 * unless they continue: the original has sent, or still sends, what waits.
 */
export async function resumeBackground(
  url: string,
  { webhooks }: { readonly webhooks: "skip" | "continue" } = { webhooks: "skip" },
): Promise<boolean> {
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
    if (rows.length > 0 && webhooks === "skip") await skipWaitingWebhooks(client);
    await client.query("commit");
    return rows.length > 0;
  });
}

async function skipWaitingWebhooks(client: pg.Client): Promise<void> {
  await client.query(`update webhook_endpoints e set read_through = h.seq, work_version = e.work_version + 1
    from audit_heads h where h.account_id = e.account_id`);
  await client.query(`update webhook_deliveries set status = 'skipped', next_attempt_at = null, settled_at = now()
    where status = 'pending'`);
}
