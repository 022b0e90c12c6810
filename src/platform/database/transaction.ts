/**
 * Transactions, and statements that travel together. A transaction is one connection: its statements
 * run in the order in which they are sent, without waiting for one another's answers unless the
 * program does.
 */
import pg from "pg";
import type { SqlTransaction } from "../../ledger/ledger.ts";
import { type Database, databaseErrorCode, query } from "./database.ts";

const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";
/** What every statement after the one that failed is told. */
const TRANSACTION_ABORTED = "25P02";
const MOST_ATTEMPTS = 4;

/**
 * Runs the work in one transaction, and again when PostgreSQL broke a deadlock at its expense. Inside
 * of a transaction it is simply part of that one.
 */
export async function transaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const { runner } = db;
  if (!(runner instanceof pg.Pool)) return work(db);
  return attempted(runner, work, "commit");
}

/**
 * Does the work as `transaction` would, with every check of the database, and takes all of it back: what
 * it answers is what it would do. For the pool only.
 */
export async function dryRun<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const { runner } = db;
  if (!(runner instanceof pg.Pool)) throw new Error("a dry run rolls back all of its transaction");
  return attempted(runner, work, "rollback");
}

type End = "commit" | "rollback";

async function attempted<Result>(
  pool: pg.Pool,
  work: (tx: Database) => Promise<Result>,
  end: End,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const giveUp = (error: Error): void => {
    broken = error;
  };
  try {
    // Always on the same connection: another one may be free only when somebody who waits for this work is done.
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await onConnection(client, work, end, giveUp);
      } catch (error) {
        const code = databaseErrorCode(error);
        const may_repeat = code === DEADLOCK || code === SERIALIZATION_FAILURE;
        if (!may_repeat || broken !== undefined || attempt === MOST_ATTEMPTS) throw error;
        // By chance, so that two that met do not meet again.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
      }
    }
  } finally {
    client.release(broken);
  }
}

/**
 * Several statements at once. On one transaction they run one after the other, in the order given,
 * but travel together; the one that failed first is the error. For statements that need nothing of
 * each other's results.
 */
export async function together<const Results extends readonly unknown[]>(
  statements: {
    readonly [Index in keyof Results]: Promise<Results[Index]>;
  },
): Promise<Results> {
  // None may be left behind: sent after the ROLLBACK that a failure brings, it would stand alone and stay.
  const settled = await Promise.allSettled(statements as readonly Promise<unknown>[]);
  const failures = failuresOf(settled);
  if (failures.length > 0) throw causeOf(failures);
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

function failuresOf(settled: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return settled.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
}

/** What failed first is the reason; after it, every statement fails because the transaction has. */
function causeOf(failures: readonly unknown[]): unknown {
  const cause = failures.find((failure) => databaseErrorCode(failure) !== TRANSACTION_ABORTED);
  return cause ?? failures[0];
}

/**
 * Runs reads that must agree with each other on one snapshot of the database; inside of a transaction they
 * see what that sees.
 */
export function reading<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  if (!(db.runner instanceof pg.Pool)) return work(db);
  return transaction(db, async (tx) => {
    const set = "set transaction isolation level repeatable read, read only";
    const [, result] = await together([query(tx, set), work(tx)]);
    return result;
  });
}

/** A snapshot of the database that stands until it is ended. */
interface Snapshot {
  readonly db: Database;
  end(): Promise<void>;
}

/** For reads that are handed out piece by piece. Holds one connection of the pool; for the pool only. */
export async function openSnapshot({ runner }: Database): Promise<Snapshot> {
  if (!(runner instanceof pg.Pool)) throw new Error("a snapshot has a connection of its own");
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
  return { db: { runner: client, tail: null }, end };
}

/**
 * Lets a statement whose result nobody needs travel with the COMMIT. Should it fail, PostgreSQL turns
 * the COMMIT into a ROLLBACK, and the transaction throws the statement's error. Outside of a
 * transaction the statement is waited for.
 */
export async function withCommit(db: Database, statement: Promise<unknown>): Promise<void> {
  if (db.tail === null) {
    await statement;
    return;
  }
  // The transaction looks at it; until then a failure is nobody's surprise.
  statement.catch(() => {});
  db.tail.push(statement);
}

/** A transaction as a ledger in our own database is given it. */
export function sqlOf(db: Database): SqlTransaction {
  return {
    sql: (text, values) => query(db, text, values),
    send: (text, values) => withCommit(db, query(db, text, values)),
  };
}

/** `giveUp` is told when the connection can be used no more. */
async function onConnection<Result>(
  client: pg.PoolClient,
  work: (tx: Database) => Promise<Result>,
  end: End,
  giveUp: (error: Error) => void,
): Promise<Result> {
  const tail: Promise<unknown>[] = [];
  try {
    await client.query("begin", []);
    const result = await work({ runner: client, tail });
    // What a COMMIT would check is checked, too, where there is none.
    const closing = client.query(end === "commit" ? "commit" : "set constraints all immediate", []);
    const [closed] = (await together([closing, ...tail])) as [pg.QueryResult];
    if (end === "rollback") await client.query("rollback", []);
    else if (closed.command !== "COMMIT") throw new Error("the transaction was rolled back");
    return result;
  } catch (error) {
    const failures = [error, ...failuresOf(await Promise.allSettled(tail))];
    await client.query("rollback", []).catch(giveUp);
    throw causeOf(failures);
  }
}
