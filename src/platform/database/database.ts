/**
 * The door to PostgreSQL. Every statement with parameters is a named prepared statement. Values
 * arrive as the rest of the program wants them: int8 as bigint, days as text, moments as ISO text.
 */
import pg from "pg";
import type { Timestamp } from "../../domain/base/brand.ts";
import { FairPool, type Runner } from "../fairness/fair-pool.ts";
import type { Holder } from "../fairness/turns.ts";
import { arrayText } from "./array-text.ts";
import { PreparingClient } from "./preparing-client.ts";
import { raw, Sql, sql } from "./sql.ts";
import type { Tables } from "./tables.ts";
import { WatchedPool } from "./watched-pool.ts";

export { REPLANNED } from "./preparing-client.ts";

/** Where something is read: a pool, a snapshot or a transaction. What is asked is awaited. */
export interface Reads {
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** The first row; undefined when there is none. */
  row<Row>(statement: Sql): Promise<Row | undefined>;
}

/** A pool: each statement is a transaction of its own. What must happen together is a `transaction`. */
export interface Database extends Reads {
  readonly runner: Runner;
  /** The same connections as they are handed out to an account, which holds its share of them at most. */
  for(account_id: string): Database;
  readonly pool: WatchedPool;
  readonly limits: PoolLimits;
}

/** How long things may take on the connections of a pool, in milliseconds. */
export interface PoolLimits {
  /** Until a connection is free. */
  readonly wait_ms: number;
  /** Until a lock is free. */
  readonly lock_ms: number;
  /** One statement. */
  readonly statement_ms: number;
}

/** Somebody waits for the answer, and for at most ten seconds. */
export const REQUEST_LIMITS: PoolLimits = { wait_ms: 8_000, lock_ms: 8_000, statement_ms: 60_000 };
/** Nobody waits for background work; a long report or a batch under way holds it up, and is not held up by it. */
export const BACKGROUND_LIMITS: PoolLimits = {
  wait_ms: 60_000,
  lock_ms: 30_000,
  statement_ms: 60_000,
};
/** Everybody waits for what is looked up at the gate, and all of it is short. */
export const GATE_LIMITS: PoolLimits = { wait_ms: 5_000, lock_ms: 5_000, statement_ms: 5_000 };

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, BigInt],
  [DATE, (text) => text],
  [TIMESTAMPTZ, timestampFromText],
]);

/** Opens a pool; connections begin when they are needed. The caller ends it with `closeDatabase`. */
export function openDatabase(
  url: string,
  connections: number,
  onIdleError: (error: Error) => void,
  limits: PoolLimits = REQUEST_LIMITS,
): Database {
  const options: pg.PoolConfig = {
    connectionString: url,
    max: connections,
    Client: PreparingClient,
    pipeline: true,
    // A peer that is gone without a word is noticed by the system as well.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text"),
    } as pg.CustomTypesConfig,
    options: optionsOf({
      timezone: "UTC",
      datestyle: "ISO",
      statement_timeout: limits.statement_ms,
      lock_timeout: limits.lock_ms,
      // The server lets go of the locks of a process whose machine is gone.
      tcp_keepalives_idle: KEEP_ALIVE_SECONDS,
      tcp_keepalives_interval: KEEP_ALIVE_SECONDS,
      tcp_keepalives_count: 3,
    }),
  };
  const pool = new WatchedPool(options, limits.statement_ms);
  // A broken idle connection is replaced at the next use; without a listener it would end the process.
  pool.on("error", onIdleError);
  // So is one that breaks while it is in use: its next statement fails, and the caller learns of it there.
  pool.on("connect", (client) => client.on("error", () => {}));
  const fair = new FairPool(pool, connections, limits.wait_ms);
  return databaseOf(fair, null, limits);
}

const KEEP_ALIVE_SECONDS = 10;

/** Settings of a session as the server takes them at its start. */
function optionsOf(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

function databaseOf(fair: FairPool, holder: Holder, limits: PoolLimits): Database {
  const runner = fair.runnerOf(holder);
  return {
    runner,
    pool: fair.pool,
    limits,
    for: (account_id) => databaseOf(fair, account_id, limits),
    ...readsOf((statement) => query({ runner }, statement)),
  };
}

/** Ends every connection of a pool. */
export async function closeDatabase({ pool }: Database): Promise<void> {
  if (!pool.ended) await pool.end();
}

/** What reads with the help of something that answers statements. */
export function readsOf(ask: (statement: Sql) => Promise<unknown[]>): Reads {
  return {
    rows: <Row>(statement: Sql) => ask(statement) as Promise<Row[]>,
    row: async <Row>(statement: Sql) => (await ask(statement))[0] as Row | undefined,
  };
}

/** Runs a statement on a pool or a connection and returns its rows: one of the `sql` tag, or a text with its values. */
export async function query<Row>(
  { runner }: { readonly runner: Pick<Runner, "query"> },
  statement: Sql | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { text, sent: given } =
    statement instanceof Sql ? statement : { text: statement, sent: values };
  const { rows } = await runner.query(text, given.map(parameterOf));
  return rows as Row[];
}

function parameterOf(value: unknown): unknown {
  return Array.isArray(value) ? (arrayText(value) ?? value) : value;
}

/**
 * Tells the planner how large those tables have become that are now at least twice as large as it knows.
 * Every index begins with the account, so that without statistics they all look alike, and a plan made
 * then is kept: a bulk run calls this as it goes, because autovacuum comes only after a minute.
 */
export async function refreshStatistics(
  db: Database,
  tables: readonly (keyof Tables)[],
): Promise<void> {
  const grown = await db.rows<{ name: string }>(
    sql`select relname as name from pg_class where oid = any(${tables}::regclass[])
       and pg_relation_size(oid) >= 2 * relpages::bigint * current_setting('block_size')::bigint`,
  );
  if (grown.length === 0) return;
  await db.rows(sql`analyze ${raw(grown.map(({ name }) => name).join(", "))}`);
}

/** The SQLSTATE of an error that PostgreSQL raised. */
export function databaseErrorCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The violated constraint or index, when that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** `2026-03-31 22:30:00.123456+00` as `2026-03-31T22:30:00.123Z`. */
function timestampFromText(text: string): Timestamp {
  const [day = "", time = ""] = text.split(" ");
  const clock = time.replace(/\+00$/, "");
  const [seconds = "", fraction = ""] = clock.split(".");
  return `${day}T${seconds}.${fraction.padEnd(3, "0").slice(0, 3)}Z` as Timestamp;
}
