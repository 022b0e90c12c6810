/** A dry run is checked like a transaction and leaves no changes. */
import { beforeAll, describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { databaseErrorCode, type Reads } from "./database.ts";
import { sql } from "./sql.ts";
import { rolledBack } from "./transaction.ts";

const world = useWorld();
beforeAll(async () => {
  await world.sql("create table marks (n int primary key)");
  await world.sql("create table later (n int unique deferrable initially deferred)");
});

const mark = (tx: Reads, n: number) => tx.rows(sql`insert into marks values (${n})`);
const count = async (): Promise<number> =>
  (await world.sql("select (select count(*) from marks) + (select count(*) from later) as n"))[0].n;
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(() => "no error", databaseErrorCode);

describe("a dry run", () => {
  it("returns the result of the work and stores nothing", async () => {
    const seen = await rolledBack(world.db, async (tx) => {
      await mark(tx, 1);
      return tx.rows(sql`select n from marks`);
    });
    expect(seen).toEqual([{ n: 1 }]);
    expect(await count()).toBe(0n);
  });

  it("fails by statements sent with the commit and by constraints checked at the commit", async () => {
    const twice = rolledBack(world.db, async (tx) => {
      await mark(tx, 1);
      tx.write(sql`insert into marks values (1)`);
    });
    expect(await codeOf(twice)).toBe("23505");
    const deferred = rolledBack(world.db, (tx) => tx.rows(sql`insert into later values (1), (1)`));
    expect(await codeOf(deferred)).toBe("23505");
    expect(await count()).toBe(0n);
  });

  it("stores nothing if the work throws", async () => {
    const thrown = rolledBack(world.db, async (tx) => {
      await mark(tx, 1);
      throw new Error("on purpose");
    });
    await expect(thrown).rejects.toThrow("on purpose");
    expect(await count()).toBe(0n);
  });

  it("releases its locks and its connection", async () => {
    await world.db.rows(sql`insert into marks values (7)`);
    for (let round = 0; round < 30; round += 1) {
      await rolledBack(world.db, (tx) => tx.rows(sql`select from marks where n = 7 for update`));
    }
    await world.db.rows(sql`delete from marks where n = 7`);
  });
});
