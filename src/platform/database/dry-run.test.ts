/** A dry run is checked as a transaction is, and leaves nothing. */
import { beforeAll, describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { type Database, databaseErrorCode, query } from "./database.ts";
import { dryRun, transaction, withCommit } from "./transaction.ts";

const world = useWorld();
beforeAll(async () => {
  await world.sql("create table marks (n int primary key)");
  await world.sql("create table later (n int unique deferrable initially deferred)");
});

const mark = (tx: Database, n: number) => query(tx, "insert into marks values ($1)", [n]);
const count = async (): Promise<number> =>
  (await world.sql("select (select count(*) from marks) + (select count(*) from later) as n"))[0].n;
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(() => "no error", databaseErrorCode);

describe("a dry run", () => {
  it("answers what the work answers, and leaves nothing", async () => {
    const seen = await dryRun(world.db, async (tx) => {
      await mark(tx, 1);
      return query(tx, "select n from marks");
    });
    expect(seen).toEqual([{ n: 1 }]);
    expect(await count()).toBe(0n);
  });

  it("fails by what travels with the commit, and by what only a commit checks", async () => {
    const twice = dryRun(world.db, async (tx) => {
      await mark(tx, 1);
      await withCommit(tx, mark(tx, 1));
    });
    expect(await codeOf(twice)).toBe("23505");
    const deferred = dryRun(world.db, (tx) => query(tx, "insert into later values (1), (1)"));
    expect(await codeOf(deferred)).toBe("23505");
    expect(await count()).toBe(0n);
  });

  it("leaves nothing of work that throws", async () => {
    const thrown = dryRun(world.db, async (tx) => {
      await mark(tx, 1);
      throw new Error("on purpose");
    });
    await expect(thrown).rejects.toThrow("on purpose");
    expect(await count()).toBe(0n);
  });

  it("releases its locks and its connection", async () => {
    await query(world.db, "insert into marks values (7)");
    for (let round = 0; round < 30; round += 1) {
      await dryRun(world.db, (tx) => query(tx, "select from marks where n = 7 for update"));
    }
    await query(world.db, "delete from marks where n = 7");
  });

  it("is none inside of a transaction, which it would roll back", async () => {
    const inner = transaction(world.db, (tx) => dryRun(tx, async () => 1));
    await expect(inner).rejects.toThrow("rolls back all");
  });
});
