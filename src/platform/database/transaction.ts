/**
 * Transactions. Each uses one connection: its statements run in the order in which they are sent. Reads are awaited; writes are
 * sent without waiting. If any statement fails, the transaction fails.
 */
import type pg from "pg";
import { isOnCluster } from "./cluster.ts";
import { type Database, databaseErrorCode, query, type Reads, readsOf } from "./database.ts";
import { type LockOrder, watchLockOrder } from "./lock-order.ts";
import { holdingOne } from "./one-connection.ts";
import type { Sql } from "./sql.ts";

const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";
/** The code that every statement gets after one that failed. */
const TRANSACTION_ABORTED = "25P02";
const MOST_ATTEMPTS = 4;

/** An open transaction. A statement whose result matters is awaited like a read, even if it writes. */
export interface Transaction extends Reads {
  /** Sends a statement that changes something; if it fails, the transaction fails with its error. */
  write(statement: Sql): void;
  /** Sends a statement that only locks: later reads run under its locks. */
  lock(statement: Sql): void;
  /** Resolves when all sent statements have been answered. Throws the first error. */
  settled(): Promise<void>;
  /** Calls `send` after all other statements, just before the end: for the lock that is taken last. */
  last(send: () => Promise<void>): void;
}

/**
 * Runs the work in a separate transaction, and again when PostgreSQL aborted it to resolve a deadlock. The result of the work
 * is committed, also when it is a refusal; an exception rolls everything back.
 */
export function transaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return attempted(db, work, "commit");
}

/** Does the work like `transaction`, with every check of the database, then rolls it back and returns its result. */
export function rolledBack<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return attempted(db, work, "rollback");
}

type End = "commit" | "rollback";

async function attempted<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
  end: End,
): Promise<Result> {
  const asked_at = performance.now();
  const is_cluster = await isOnCluster(db);
  const client = await db.runner.connect();
  const lock_ms = lockTimeAfter(performance.now() - asked_at, db, is_cluster);
  let broken: Error | undefined;
  const giveUp = (error: Error): void => {
    broken = error;
  };
  const inside = (tx: Transaction) => holdingOne(db.pool, () => work(tx));
  try {
    // Always on the same connection: another one may become free only after this work is done.
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await onConnection(client, inside, { end, lock_ms, giveUp });
      } catch (error) {
        const code = databaseErrorCode(error);
        const may_repeat = code === DEADLOCK || code === SERIALIZATION_FAILURE;
        if (!may_repeat || broken !== undefined || attempt === MOST_ATTEMPTS) throw error;
        // A random delay, so that two transactions that deadlocked do not meet again.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
      }
    }
  } finally {
    client.release(broken);
  }
}

/** Waits longer than this for a connection leave less time for locks. */
const NOTABLE_MS = 1_000;

/**
 * Returns the milliseconds left for locks, in whole seconds, at least one; undefined for the connection's setting. The machines of
 * a cluster do not have that setting, so each transaction says it.
 */
function lockTimeAfter(
  waited_ms: number,
  { limits }: Database,
  is_cluster: boolean,
): number | undefined {
  if (waited_ms < NOTABLE_MS) return is_cluster ? limits.lock_ms : undefined;
  return Math.max(1, Math.floor((limits.lock_ms - waited_ms) / 1000)) * 1000;
}

interface Ending {
  readonly end: End;
  /** Milliseconds to wait for each lock, when it is less than usual. */
  readonly lock_ms: number | undefined;
  /** Called when the connection can no longer be used. */
  readonly giveUp: (error: Error) => void;
}

async function onConnection<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  { end, lock_ms, giveUp }: Ending,
): Promise<Result> {
  const { tx, lasts, failures, stop } = openTransaction(client);
  try {
    await client.query("begin", []);
    if (lock_ms !== undefined) await client.query(`set local lock_timeout = ${lock_ms}`, []);
    const result = await work(tx);
    for (const send of lasts) await send();
    stop();
    // A rollback also runs the checks that a COMMIT would run.
    const closing = client.query(end === "commit" ? "commit" : "set constraints all immediate", []);
    const [closed] = await Promise.allSettled([closing]);
    // Answers come in order: each statement has had its own by now.
    if (failures.length > 0) throw causeOf(failures);
    if (closed.status === "rejected") throw closed.reason;
    if (end === "rollback") await client.query("rollback", []);
    else if (closed.value.command !== "COMMIT") throw new Error("the transaction was rolled back");
    return result;
  } catch (error) {
    stop();
    await client.query("rollback", []).catch(giveUp);
    throw causeOf([error, ...failures]);
  }
}

/** Returns the cause: the first failure. Later statements fail because the transaction has failed. */
function causeOf(failures: readonly unknown[]): unknown {
  const cause = failures.find((failure) => databaseErrorCode(failure) !== TRANSACTION_ABORTED);
  return cause ?? failures[0];
}

interface Opened {
  readonly tx: Transaction;
  readonly lasts: readonly (() => Promise<void>)[];
  /** The failures of statements, in the order of their answers. */
  readonly failures: readonly unknown[];
  /** Forbids further statements: after the end, they would run outside of the transaction and stay. */
  readonly stop: () => void;
}

function openTransaction(client: pg.PoolClient): Opened {
  const failures: unknown[] = [];
  const lasts: (() => Promise<void>)[] = [];
  const order: LockOrder = watchLockOrder();
  let is_over = false;
  let latest: Promise<unknown> = Promise.resolve();
  const ask = async (statement: Sql): Promise<unknown[]> => {
    if (is_over) throw new Error("a statement was sent after the end of its transaction");
    order.look(statement.text);
    const answer = query({ runner: client }, statement);
    latest = answer;
    // Failures are examined when the transaction ends; until then a rejection must not count as unhandled.
    answer.catch((failure: unknown) => failures.push(failure));
    return answer;
  };
  const send = (statement: Sql): void => {
    ask(statement).catch((error: unknown) => {
      if (!failures.includes(error)) failures.push(error);
    });
  };
  return {
    tx: {
      ...readsOf(ask),
      write: send,
      lock: send,
      last: (listener) => lasts.push(listener),
      async settled() {
        await Promise.allSettled([latest]);
        if (failures.length > 0) throw causeOf(failures);
      },
    },
    lasts,
    failures,
    stop: () => {
      is_over = true;
    },
  };
}

/** Runs reads that must agree with each other on one snapshot of the database. */
export async function readTogether<Result>(
  db: Database,
  work: (reads: Reads) => Promise<Result>,
): Promise<Result> {
  if (db.is_snapshot) return work({ rows: db.rows, row: db.row });
  const client = await db.runner.connect();
  let failed: Error | undefined;
  try {
    const begun = client.query("begin isolation level repeatable read read only", []);
    const reads = readsOf((statement) => query({ runner: client }, statement));
    const read = holdingOne(db.pool, () => work(reads));
    return (await Promise.all([read, begun]))[0];
  } finally {
    await client.query("commit", []).catch((error: Error) => {
      failed = error;
    });
    client.release(failed);
  }
}

/** A snapshot of the database that remains until it is ended. */
interface Snapshot extends Reads {
  end(): Promise<void>;
}

/** Opens a snapshot for reads that are handed out in portions. Holds one connection of the pool. */
export async function openSnapshot({ runner }: Database): Promise<Snapshot> {
  const client = await runner.connect();
  const end = async (): Promise<void> => {
    const failed = await client.query("rollback", []).then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failed);
  };
  try {
    await client.query("begin isolation level repeatable read read only", []);
  } catch (error) {
    await end();
    throw error;
  }
  return { ...readsOf((statement) => query({ runner: client }, statement)), end };
}
