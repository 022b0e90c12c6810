/** Access to PostgreSQL by named prepared statements. int8 arrives as bigint, dates as text, timestamps as ISO text. */
import pg from "pg";
import type { Timestamp } from "../../domain/base/brand.ts";
import { FairPool, type Runner } from "../fairness/fair-pool.ts";
import type { Holder } from "../fairness/fair-queue.ts";
import { arrayText } from "./array-text.ts";
import { PreparingClient } from "./preparing-client.ts";
import { raw, Sql, sql } from "./sql.ts";
import type { Tables } from "./tables.ts";
import { WatchedPool } from "./watched-pool.ts";
import { reportStatement } from "./watched-statements.ts";

export { REPLANNED } from "./preparing-client.ts";

/** A source for reads: a pool, a snapshot or a transaction. Reads are awaited. */
export interface Reads {
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** Returns the first row; undefined when there is none. */
  row<Row>(statement: Sql): Promise<Row | undefined>;
}

/** A pool: each statement is a separate transaction. Statements that belong together need a `transaction`. */
export interface Database extends Reads {
  readonly runner: Runner;
  /** Returns the same connections for one account, which can hold at most its share of them. */
  for(account_id: string): Database;
  readonly pool: WatchedPool;
  readonly limits: PoolLimits;
  /** Set where all reads see one snapshot already, and no transaction can be opened (`replica.ts`). */
  readonly is_snapshot?: true;
}

/** Time limits on the connections of a pool, in milliseconds. */
export interface PoolLimits {
  /** The wait for a free connection. */
  readonly wait_ms: number;
  /** The wait for a lock. */
  readonly lock_ms: number;
  /** The time of one statement. */
  readonly statement_ms: number;
}

/** The limits for requests: a client waits at most ten seconds for the response. */
export const REQUEST_LIMITS: PoolLimits = { wait_ms: 8_000, lock_ms: 8_000, statement_ms: 60_000 };
/** The limits for background work, for which no client waits. It may wait for a long report, but delays no client. */
export const BACKGROUND_LIMITS: PoolLimits = {
  wait_ms: 60_000,
  lock_ms: 30_000,
  statement_ms: 60_000,
};
/** The limits for look-ups at the gate, which all requests wait for, and which are all short. */
export const GATE_LIMITS: PoolLimits = { wait_ms: 5_000, lock_ms: 5_000, statement_ms: 5_000 };

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, BigInt],
  [DATE, (text) => text],
  [TIMESTAMPTZ, timestampFromText],
]);

/** Returns the function that converts PostgreSQL's text of a type, by the type's object id. */
export function parserOf(oid: number, format = "text"): (text: string) => unknown {
  return parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text");
}

/** Opens a pool; connections are opened when they are needed. The caller closes it with `closeDatabase`. */
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
    // The operating system also detects a peer that has disappeared.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
    types: { getTypeParser: parserOf } as pg.CustomTypesConfig,
    options: optionsOf({
      timezone: "UTC",
      datestyle: "ISO",
      statement_timeout: limits.statement_ms,
      lock_timeout: limits.lock_ms,
      // On a cluster, what a transaction sets for itself is also set on the machines that it uses.
      "citus.propagate_set_commands": "local",
      // The server releases the locks of a process whose machine has disappeared.
      tcp_keepalives_idle: KEEP_ALIVE_SECONDS,
      tcp_keepalives_interval: KEEP_ALIVE_SECONDS,
      tcp_keepalives_count: 3,
    }),
  };
  const pool = new WatchedPool(options, limits.statement_ms);
  // A broken idle connection is replaced at its next use; without a listener, it would end the process.
  pool.on("error", onIdleError);
  // The same applies to a connection that breaks in use: its next statement fails, and the caller gets the error there.
  pool.on("connect", (client) => client.on("error", () => {}));
  const fair = new FairPool(pool, connections, limits.wait_ms);
  return databaseOf(fair, null, limits);
}

const KEEP_ALIVE_SECONDS = 10;

/** Returns settings of a session in the form that the server accepts at its start. */
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

/** Closes every connection of a pool. */
export async function closeDatabase({ pool }: Database): Promise<void> {
  if (!pool.ended) await pool.end();
}

/** Returns the read functions on top of a function that runs statements. */
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
  reportStatement(text);
  const { rows, fields } = await runner.query(text, given.map(parameterOf));
  if (columns.get(text) === null) columns.set(text, fields);
  return rows as Row[];
}

/** The columns of statements by their texts; null for a text that has not been sent since its columns are wanted. */
const columns = new Map<string, readonly pg.FieldDef[] | null>();

/** Returns the columns of a statement's rows; undefined until the statement has been sent once after this call. */
export function columnsOf(text: string): readonly pg.FieldDef[] | undefined {
  const known = columns.get(text);
  if (known === undefined) columns.set(text, null);
  return known ?? undefined;
}

function parameterOf(value: unknown): unknown {
  return Array.isArray(value) ? (arrayText(value) ?? value) : value;
}

/**
 * Updates the planner's statistics of those tables that have at least doubled in size since their last analysis. Every index
 * begins with the account, so without statistics all indexes look alike, and PostgreSQL keeps the plan that it makes then. A bulk
 * run calls this while it runs, because autovacuum comes only after a minute.
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

/** Returns the SQLSTATE of an error that PostgreSQL raised. */
export function databaseErrorCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Returns the violated constraint or index, if the error reports one. A cluster has it in the message alone, and with the number
 * of a shard: `products_account_id_product_number_key_102169`.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const name = error.constraint ?? VIOLATED.exec(error.message)?.[1];
  return name?.replace(/_\d{6,}$/, "");
}

const VIOLATED = /violates .*constraint "([^"]+)"/;

/** Converts `2026-03-31 22:30:00.123456+00` to `2026-03-31T22:30:00.123Z`. */
function timestampFromText(text: string): Timestamp {
  const [day = "", time = ""] = text.split(" ");
  const clock = time.replace(/\+00$/, "");
  const [seconds = "", fraction = ""] = clock.split(".");
  return `${day}T${seconds}.${fraction.padEnd(3, "0").slice(0, 3)}Z` as Timestamp;
}
