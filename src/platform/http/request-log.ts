/**
 * Keeps the last requests of each API key for the page of developers. A request only adds an entry in memory; the entries are
 * written in batches after the answers, by a pool that no request waits for. Bodies are never kept.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Reads } from "../database/database.ts";
import { sql, tableOf } from "../database/sql.ts";
import { isUnavailable } from "../database/unavailable.ts";
import { timestampOf } from "../runtime/clock.ts";
import { newId } from "../runtime/id.ts";
import type { Log } from "../runtime/log.ts";

/** A request of an API key that was answered. */
export interface KeyRequest {
  readonly account_id: string;
  readonly key_id: string;
  readonly method: string;
  /** Without secrets (`keptPath`). */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The code of the refusal; null for a request that was answered. */
  readonly refusal: string | null;
  readonly request_id: string;
}

export interface RequestLog {
  /** Adds a request. It never waits and never throws. */
  keep(request: KeyRequest): void;
  /** Writes what is in memory. */
  close(): Promise<void>;
}

/** The requests of a key that are kept. */
export const MOST_KEPT = 1_000;
/** How long a request may wait in memory, in milliseconds. */
const GATHERING_MS = 1_000;
/** How long a process that stops waits for a silent database, in milliseconds. */
const CLOSING_MS = 1_000;
/** As many are written at once. */
const BATCH = 500;
/** As many may wait; more are dropped until the database has caught up. */
const MOST_WAITING = 5_000;
/** After so many new requests the older ones of a key are deleted. */
const BETWEEN_TRIMS = 200;
const MOST_KEYS = 10_000;

type Entry = KeyRequest & { readonly id: string; readonly at: string };

/** Opens the log. `db` is a pool that no request waits for. */
export function openRequestLog(db: Reads, log: Log): RequestLog {
  const waiting: Entry[] = [];
  /** By key, how many requests were written since its older ones were deleted. */
  const written = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let under_way: Promise<void> | null = null;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await write(db, batch);
        for (const [account_id, key_id] of dueIn(batch, written)) {
          await trim(db, account_id, key_id);
        }
      } catch (err) {
        // The entries are lost: without a database nothing may pile up.
        if (isUnavailable(err)) continue;
        log.warn({ err, requests: batch.length }, "requests of keys not recorded");
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    under_way ??= writeAll().finally(() => {
      under_way = null;
    });
    return under_way;
  };
  return {
    keep(request) {
      if (waiting.length >= MOST_WAITING) return;
      waiting.push({ ...request, id: newId(), at: timestampOf(Date.now()) });
      if (waiting.length >= BATCH) void flush();
      else timer ??= setTimeout(() => void flush(), GATHERING_MS).unref();
    },
    async close() {
      const late = delay(CLOSING_MS, undefined, { ref: false });
      // What was added during a write waits for the next one.
      await Promise.race([flush().then(flush), late]);
    },
  };
}

async function write(db: Reads, batch: readonly Entry[]): Promise<void> {
  const { columns, table } = tableOf(batch, {
    account_id: ["uuid", (one) => one.account_id],
    key_id: ["uuid", (one) => one.key_id],
    id: ["uuid", (one) => one.id],
    at: ["timestamptz", (one) => one.at],
    method: ["text", (one) => one.method],
    path: ["text", (one) => one.path],
    status: ["integer", (one) => one.status],
    milliseconds: ["integer", (one) => one.milliseconds],
    refusal: ["text", (one) => one.refusal],
    request_id: ["text", (one) => one.request_id],
  });
  await db.rows(sql`insert into api_key_requests (${columns}) select * from ${table}`);
}

/** Counts the requests of a batch by key; returns the keys whose older requests are due to be deleted, with their accounts. */
function dueIn(
  batch: readonly Entry[],
  written: Map<string, number>,
): readonly (readonly [account_id: string, key_id: string])[] {
  const added = new Map<string, { readonly account_id: string; count: number }>();
  for (const { account_id, key_id } of batch) {
    const of_key = added.get(key_id);
    if (of_key === undefined) added.set(key_id, { account_id, count: 1 });
    else of_key.count += 1;
  }
  if (written.size > MOST_KEYS) written.clear();
  const due: (readonly [string, string])[] = [];
  for (const [key_id, { account_id, count }] of added) {
    // A process that has just started does not know when the last ones were deleted.
    const total = (written.get(key_id) ?? BETWEEN_TRIMS) + count;
    if (total >= BETWEEN_TRIMS) due.push([account_id, key_id]);
    written.set(key_id, total >= BETWEEN_TRIMS ? 0 : total);
  }
  return due;
}

async function trim(db: Reads, account_id: string, key_id: string): Promise<void> {
  await db.rows(sql`delete from api_key_requests
     where account_id = ${account_id} and key_id = ${key_id} and id <= (
       select id from api_key_requests where account_id = ${account_id} and key_id = ${key_id}
       order by id desc offset ${MOST_KEPT} limit 1)`);
}
