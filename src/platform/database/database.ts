/**
 * The door to PostgreSQL. Every statement with parameters is a named prepared statement. Values
 * arrive as the rest of the program wants them: int8 as bigint, days as text, moments as ISO text.
 */
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Timestamp } from "../../domain/base/brand.ts";
import { arrayText } from "./array-text.ts";
import { PreparingClient } from "./preparing-client.ts";
import type { Tables } from "./tables.ts";
import { WatchedPool } from "./watched-pool.ts";

export { REPLANNED } from "./preparing-client.ts";

/** The pool, or one open transaction: queries do not care which. */
export type Database = Kysely<Tables>;

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, BigInt],
  [DATE, (text) => text],
  [TIMESTAMPTZ, timestampFromText],
]);

/** Opens a pool. The caller ends it with `closeDatabase`. */
export function openDatabase(
  url: string,
  connections: number,
  onIdleError: (error: Error) => void,
): Database {
  const pool = new WatchedPool({
    connectionString: url,
    max: connections,
    Client: PreparingClient,
    pipeline: true,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text"),
    } as pg.CustomTypesConfig,
    options: "-c timezone=UTC -c datestyle=ISO -c statement_timeout=60000 -c lock_timeout=20000",
  });
  // A broken idle connection is replaced at the next use; without a listener it would end the process.
  pool.on("error", onIdleError);
  // So is one that breaks while it is in use: its next statement fails, and the caller learns of it there.
  pool.on("connect", (client) => client.on("error", () => {}));
  return boundTo(pool, new PostgresDialect({ pool }));
}

/** What runs the statements of a database: its pool, or the one connection of a transaction. */
type Runner = pg.Pool | pg.PoolClient;

const runners = new WeakMap<Database, Runner>();

/** The database whose statements a pool or a connection runs. */
export function boundTo(runner: Runner, dialect: PostgresDialect): Database {
  const db = new Kysely<Tables>({ dialect });
  runners.set(db, runner);
  return db;
}

/** The pool or connection behind a database; undefined for a transaction that Kysely itself has begun. */
export function runnerOf(db: Database): Runner | undefined {
  return runners.get(db);
}

/** Ends every connection of a pool. Kysely's own `destroy` knows of none that it has not opened. */
export async function closeDatabase(db: Database): Promise<void> {
  const runner = runnerOf(db);
  if (runner instanceof pg.Pool && !runner.ended) await runner.end();
}

/** Runs plain SQL with `$1` parameters and returns its rows. */
export async function query<Row>(
  db: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const runner = runnerOf(db);
  const { rows } = runner
    ? await runner.query(text, values.map(parameterOf))
    : await db.executeQuery(CompiledQuery.raw(text, [...values]));
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
  const grown = await query<{ name: string }>(
    db,
    `select relname as name from pg_class where oid = any($1::regclass[])
       and pg_relation_size(oid) >= 2 * relpages::bigint * current_setting('block_size')::bigint`,
    [tables],
  );
  if (grown.length > 0) await query(db, `analyze ${grown.map(({ name }) => name).join(", ")}`);
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
