/**
 * The door to PostgreSQL. Every statement with parameters is a named prepared statement. Values
 * arrive as the rest of the program wants them: int8 as bigint, days as text, moments as ISO text.
 */
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Timestamp } from "../../domain/brand.ts";
import type { Tables } from "./tables.ts";

/** Statements that begin so are planned with their values at each call instead of being prepared. */
export const REPLANNED = "/* replanned */ ";

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

/** Opens a pool. The caller ends it with `db.destroy()`. */
export function openDatabase(
  url: string,
  connections: number,
  onIdleError: (error: Error) => void,
): Database {
  const pool = new pg.Pool({
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
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs plain SQL with `$1` parameters and returns its rows. */
export async function query<Row>(
  db: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return result.rows;
}

/**
 * Several statements at once. On one transaction they run one after the other, in the order given,
 * but travel together; the first that fails is the error. For statements that need nothing of each
 * other's results.
 */
export async function together<const Results extends readonly unknown[]>(
  statements: {
    readonly [Index in keyof Results]: Promise<Results[Index]>;
  },
): Promise<Results> {
  // None may be left behind: sent after the ROLLBACK that a failure brings, it would stand alone and stay.
  const settled = await Promise.allSettled(statements as readonly Promise<unknown>[]);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }) as unknown as Results;
}

const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";
const MOST_ATTEMPTS = 4;

/** Runs the work in one transaction, and again when PostgreSQL broke a deadlock at its expense. */
export async function transaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute((tx: Transaction<Tables>) => work(tx));
    } catch (error) {
      const code = databaseErrorCode(error);
      const may_repeat = code === DEADLOCK || code === SERIALIZATION_FAILURE;
      if (!may_repeat || attempt === MOST_ATTEMPTS) throw error;
      // By chance, so that two that met do not meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
    }
  }
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

const MOST_NAMES = 2000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}

/**
 * Names each statement by its text, so that PostgreSQL parses and plans it once per connection, and
 * sends statements that are given together in one packet: round trips are most of a short write.
 */
class PreparingClient extends pg.Client {
  #corked = false;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.Client.query cannot be restated without it.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args;
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const pass = super.query.bind(this) as (...passed: any[]) => any;
    if (typeof text !== "string" || !Array.isArray(values)) return pass(...args);
    this.#gather();
    if (text === "begin") return this.#begin(pass);
    if (text.startsWith(REPLANNED)) return pass(text, values, ...rest);
    return pass({ name: nameOf(text), text, values }, ...rest);
  }

  /** Whatever is asked before the event loop turns leaves in one packet. */
  #gather(): void {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
    if (this.#corked) return;
    this.#corked = true;
    stream.cork();
    process.nextTick(() => {
      this.#corked = false;
      stream.uncork();
    });
  }

  /**
   * The first statement of a transaction travels with its BEGIN. Should BEGIN itself fail, the
   * connection ends, so that nothing after it can take effect outside of a transaction.
   */
  #begin(pass: (text: string) => Promise<unknown>): Promise<unknown> {
    pass("begin").catch(() => {
      (this as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
    });
    return Promise.resolve({ command: "BEGIN", rowCount: 0, rows: [], fields: [], oid: 0 });
  }
}
