/**
 * Several accounts request connections of one pool: an account that holds its share leaves the rest to the others.
 */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import {
  closeDatabase,
  type Database,
  openDatabase,
  REQUEST_LIMITS,
} from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { readTogether, type Transaction, transaction } from "../database/transaction.ts";
import { NoConnection } from "../database/unavailable.ts";
import { shareOf } from "./fair-pool.ts";

const world = useWorld();

describe("the share of one account", () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 2],
    [5, 2],
    [6, 3],
    [8, 4],
    [10, 6],
    [20, 12],
    [200, 120],
  ])("of %i connections is %i", (connections, share) => {
    expect(shareOf(connections)).toBe(share);
  });
});

/** A transaction that stays open until `end` is called. */
function held(db: Database): { readonly begun: Promise<void>; end(): Promise<unknown> } {
  let end = (): void => {};
  let begin = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const over = transaction(db, async (tx: Transaction) => {
    await tx.rows(sql`select 1`);
    begin();
    await ended;
  });
  return {
    begun,
    end: () => {
      end();
      return over;
    },
  };
}

const long_wait = { ...REQUEST_LIMITS, wait_ms: 60_000 };

it("serves another account while one account requests more connections than its share", async () => {
  const db = openDatabase(world.serving_url, 5, () => {}, long_wait);
  const [one, other] = [db.for("one"), db.for("other")];
  const transactions = Array.from({ length: 40 }, () => held(one));
  try {
    await Promise.all(transactions.slice(0, 2).map(({ begun }) => begun));
    // If both were served after those transactions, they would wait forever.
    expect(await other.rows(sql`select 1 as n`)).toEqual([{ n: 1 }]);
    await transaction(other, (tx) => tx.rows(sql`select 1`));
    await readTogether(other, (reads) => reads.rows(sql`select 1`));
    expect(db.pool.totalCount).toBeLessThanOrEqual(3);
  } finally {
    for (const { end } of transactions) await end();
    await closeDatabase(db);
  }
});

it("refuses a caller after the pool's wait limit, and serves later callers", async () => {
  const db = openDatabase(world.serving_url, 1, () => {}, { ...REQUEST_LIMITS, wait_ms: 50 });
  const first = held(db);
  await first.begun;
  await expect(db.rows(sql`select 1`)).rejects.toThrow(NoConnection);
  await expect(transaction(db, (tx) => tx.rows(sql`select 1`))).rejects.toThrow(NoConnection);
  await first.end();
  expect(await db.rows(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  await closeDatabase(db);
});

it("reduces the lock timeout by the time waited for the connection", async () => {
  const db = openDatabase(world.serving_url, 1, () => {}, { ...long_wait, lock_ms: 5_000 });
  const first = held(db);
  await first.begun;
  const second = transaction(db, (tx) =>
    tx.row<{ lock_timeout: string }>(sql`select current_setting('lock_timeout') as lock_timeout`),
  );
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await first.end();
  expect(["1s", "2s", "3s"]).toContain((await second)?.lock_timeout);
  const [after] = await db.rows(sql`select current_setting('lock_timeout') as lock_timeout`);
  expect(after).toEqual({ lock_timeout: "5s" });
  await closeDatabase(db);
});

it("releases a connection after a failed statement, a lost connection and a refusal", async () => {
  const db = openDatabase(world.serving_url, 1, () => {}, long_wait);
  await expect(db.rows(sql`select 1 / 0`)).rejects.toThrow("division by zero");
  await expect(
    transaction(db, async (tx) => {
      await tx.rows(sql`select pg_terminate_backend(pg_backend_pid())`);
    }),
  ).rejects.toThrow();
  db.pool.is_away = true;
  await expect(db.rows(sql`select 1`)).rejects.toThrow("does not answer");
  db.pool.is_away = false;
  expect(await db.rows(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  await closeDatabase(db);
});

it("refuses in tests a second connection for a caller that holds one, which could wait for itself", async () => {
  const db = openDatabase(world.serving_url, 2, () => {}, long_wait);
  const other = openDatabase(world.serving_url, 1, () => {}, long_wait);
  const second = "requests a second one";
  await expect(transaction(db, () => db.rows(sql`select 1`))).rejects.toThrow(second);
  await expect(readTogether(db, () => db.for("a").rows(sql`select 1`))).rejects.toThrow(second);
  await expect(transaction(db, () => transaction(db, async () => undefined))).rejects.toThrow(
    second,
  );
  // Neither another pool nor work after the end of the transaction violates the rule.
  await transaction(db, () => other.rows(sql`select 1`));
  await transaction(db, async () => undefined).then(() => db.rows(sql`select 1`));
  await Promise.all([closeDatabase(db), closeDatabase(other)]);
});
