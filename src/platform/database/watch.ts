/**
 * Watches whether the database responds. Requests do not ask the watch before they work. The watch detects within seconds that
 * the database is gone or does not respond; connections are then refused until it is back, our own server is started again, and
 * each change is logged in one line. Long statements are not cut: the watch closes only connections whose server process does not
 * work on the sent statement. The connection that the watch keeps holds the lock of the process.
 */
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../runtime/log.ts";
import type { Database } from "./database.ts";
import type { PreparingClient } from "./preparing-client.ts";
import { ProcessLock } from "./process-lock.ts";
import { isUnavailable } from "./unavailable.ts";
import type { WatchedPool } from "./watched-pool.ts";

export interface DatabaseWatch {
  /**
   * Returns the names of the database's migrations, read on a new connection; undefined when the new connection or the kept one
   * does not respond within the given milliseconds. Simultaneous callers share the result.
   */
  migrations(within_ms: number): Promise<readonly string[] | undefined>;
  /** Returns for how many milliseconds the database has been away; 0 while it responds, or while the watch is not running. */
  away_ms(): number;
  /** Returns the id of this process while its lock shows other processes that it lives; null while it does not. */
  process(): string | null;
  /** Begins to watch; resolves after the first check. `revive` restarts our own database and returns its address. */
  start(revive?: () => Promise<string>): Promise<void>;
  /** Resolves when no part of the watch is running any more. */
  stop(): Promise<void>;
}

/** In milliseconds: the interval of checks, the time for an answer, the wait after which a connection is checked. */
const ROUND_MS = 1_000;
const ANSWER_MS = 2_500;
const SUSPICIOUS_MS = 2_000;
const DOUBT_MS = 1_500;
/** The pauses between attempts to restart the server. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const AWAY_ROUND_MS = 250;

/** Connection settings with which the server releases a lost machine's lock in less than a minute. */
const keptAlive = {
  keepAlive: true,
  options: "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3",
};

/** SQLSTATE of a server whose connections are all in use. */
const TOO_MANY = "53300";

/** Watches the database of the given pools after `start`. `now` returns milliseconds that never go backwards. */
export function watchDatabase(
  databases: readonly Database[],
  log: Log,
  now: () => number = () => performance.now(),
): DatabaseWatch {
  return new Watch(
    databases.map((db) => db.pool),
    log,
    now,
  );
}

class Watch implements DatabaseWatch {
  readonly #pools: readonly WatchedPool[];
  readonly #log: Log;
  readonly #now: () => number;
  #stopped = false;
  #wake: () => void = () => {};
  readonly #lock = new ProcessLock();
  #kept: pg.Client | undefined;
  #away_since: number | undefined;
  #under_way: Promise<void> = Promise.resolve();
  #reviving: Promise<void> = Promise.resolve();
  #asked: Promise<readonly string[] | undefined> | undefined;

  constructor(pools: readonly WatchedPool[], log: Log, now: () => number) {
    this.#pools = pools;
    this.#log = log;
    this.#now = now;
  }

  async migrations(within_ms: number): Promise<readonly string[] | undefined> {
    if (this.#away_since !== undefined) return undefined;
    this.#asked ??= this.#ask(within_ms).finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  away_ms(): number {
    return this.#away_since === undefined ? 0 : this.#now() - this.#away_since;
  }

  process(): string | null {
    return this.#lock.process;
  }

  start(revive?: () => Promise<string>): Promise<void> {
    return new Promise((resolve) => {
      this.#under_way = this.#watch(revive, resolve);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#under_way;
    await this.#reviving;
    if (this.#kept) cut(this.#kept);
  }

  /** Returns the connections that have waited for a response for a suspiciously long time. */
  #waiting(): PreparingClient[] {
    return this.#pools.flatMap((pool) => pool.waiting(SUSPICIOUS_MS));
  }

  #setAway(is_away: boolean): void {
    for (const pool of this.#pools) pool.is_away = is_away;
  }

  /** Opens a new connection; `full` when the server reports that it has no more, undefined when there is no response in time. */
  async #connected(within_ms: number): Promise<pg.Client | "full" | undefined> {
    // Pipelining: other queries on the kept connection are sent without waiting for the one in progress.
    const client = new pg.Client({
      connectionString: this.#pools[0]?.url,
      pipeline: true,
      ...keptAlive,
    });
    client.on("error", () => {});
    const opened = client.connect().then(
      () => client,
      (error: unknown) =>
        error instanceof pg.DatabaseError && error.code === TOO_MANY ? "full" : undefined,
    );
    const answer = await within(within_ms, opened);
    if (answer === undefined) cut(client);
    return answer;
  }

  /** Replaces the kept connection with a new one; returns whether the server answers. */
  async #connect(): Promise<boolean> {
    const answer = await this.#connected(ANSWER_MS);
    if (this.#kept) cut(this.#kept);
    this.#kept = answer === "full" ? undefined : answer;
    this.#kept?.once("end", () => this.#wake());
    return answer !== undefined;
  }

  /** Checks the database once. While the response is late, the pools report to waiting requests that the database may be away. */
  async #isAnswering(): Promise<boolean> {
    const doubt = setTimeout(() => this.#doubt(true), DOUBT_MS);
    try {
      return await this.#answersOnce();
    } finally {
      clearTimeout(doubt);
      this.#doubt(false);
    }
  }

  #doubt(is_doubted: boolean): void {
    for (const pool of this.#pools) pool.is_doubted = is_doubted;
  }

  /** Checks once a database that responded before. */
  async #answersOnce(): Promise<boolean> {
    const suspicious = this.#waiting();
    const pids = suspicious.flatMap(({ server_pid }) => server_pid ?? []);
    const working = this.#kept && (await workingOf(this.#kept, pids));
    if (working === undefined) {
      const was_kept = this.#kept !== undefined;
      if (!(await this.#connect())) return false;
      // New connections get answers while the old one got none, so the connections that still wait are dead too.
      if (was_kept && this.#kept) for (const client of this.#waiting()) client.cut();
      return true;
    }
    for (const client of suspicious) {
      const { server_pid, waiting_ms } = client;
      if (waiting_ms < SUSPICIOUS_MS || server_pid === null) continue;
      if (!working.has(server_pid)) client.cut();
    }
    // Requests that wait for a connection get an error within seconds when the server accepts none.
    if (!suspicious.some(({ server_pid }) => server_pid === null)) return true;
    const answer = await this.#connected(ANSWER_MS);
    leave(answer);
    return answer !== undefined;
  }

  async #watch(revive: (() => Promise<string>) | undefined, looked: () => void): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    let revive_at = 0;
    let is_reviving = false;
    let is_reported = false;
    const tryToRevive = async (again: () => Promise<string>): Promise<void> => {
      try {
        const url = await again();
        for (const pool of this.#pools) pool.url = url;
      } catch (error) {
        if (!is_reported)
          this.#log.error({ err: error }, "the database could not be started again yet");
        is_reported = true;
      } finally {
        is_reviving = false;
        revive_at = performance.now() + pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    };
    while (!this.#stopped) {
      if (this.#away_since === undefined) {
        if (await this.#isAnswering()) {
          if (this.#kept) await within(ANSWER_MS, this.#lock.take(this.#kept));
          looked();
          await this.#rested(ROUND_MS);
          continue;
        }
        looked();
        if (this.#stopped) return;
        this.#away_since = this.#now();
        this.#setAway(true);
        pause = FIRST_PAUSE_MS;
        is_reported = false;
        this.#log.error("the database does not answer; requests are refused until it does");
      }
      for (const client of this.#waiting()) client.cut();
      if (revive && !is_reviving && performance.now() >= revive_at) {
        is_reviving = true;
        this.#reviving = tryToRevive(revive);
      }
      const [is_back] = await Promise.all([this.#connect(), delay(AWAY_ROUND_MS)]);
      if (!is_back) continue;
      const seconds = Math.round((this.#now() - this.#away_since) / 1000);
      this.#away_since = undefined;
      this.#setAway(false);
      this.#log.info({ seconds }, "the database answers again");
    }
  }

  /** Waits until the time is over, the kept connection breaks, or the watch is stopped. */
  async #rested(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  async #ask(within_ms: number): Promise<readonly string[] | undefined> {
    const names = async (): Promise<readonly string[] | undefined> => {
      const client = await this.#connected(within_ms);
      if (!(client instanceof pg.Client)) return undefined;
      try {
        const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
        return rows.map((row) => row.name);
      } catch {
        return undefined;
      } finally {
        leave(client);
      }
    };
    const before = this.#kept;
    const [found, is_monitor_held] = await Promise.all([
      within(within_ms, names()),
      before === undefined || within(within_ms, isAnswering(before)),
    ]);
    return is_monitor_held ? found : undefined;
  }
}

/**
 * Returns which of the server's processes work on a statement; undefined when there is no response in time. Behind a pooler that
 * reports its own process ids, this is unknown, and all count as working.
 */
async function workingOf(
  client: pg.Client,
  pids: readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  const asked =
    pids.length === 0
      ? client.query("select pg_backend_pid() as own, '{}'::int[] as working")
      : client.query(
          `select pg_backend_pid() as own, array(select pid from pg_stat_activity
             where pid = any($1) and state in ('active', 'fastpath function call')) as working`,
          [pids],
        );
  const answer = await within(
    ANSWER_MS,
    asked
      .then(({ rows }) => rows[0] as { readonly own: number; readonly working: number[] })
      .catch(() => undefined),
  );
  if (answer === undefined) return undefined;
  const { processID: reported } = client as unknown as { processID: number | null };
  return new Set(answer.own === reported ? answer.working : pids);
}

function isAnswering(client: pg.Client): Promise<boolean> {
  return client.query("select 1").then(
    () => true,
    (error: unknown) => !isUnavailable(error),
  );
}

/** Returns the result, or undefined if late. After the timer it reads once: a busy thread's timer fires first. */
async function within<Result>(
  milliseconds: number,
  result: Promise<Result>,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(async () => {
      for (let look = 0; look < 3; look += 1) await turn();
      resolve(undefined);
    }, milliseconds);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

function leave(client: pg.Client | "full" | undefined): void {
  if (client instanceof pg.Client) client.end().catch(() => {});
}

function cut(client: pg.Client): void {
  (
    client as unknown as { connection: { stream: { destroy(): void } } }
  ).connection.stream.destroy();
}
