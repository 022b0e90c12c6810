/** Access to PostgreSQL: the types of values read, and repeated transactions. */
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import {
  type Database,
  databaseErrorCode,
  REPLANNED,
  type Reads,
  violatedConstraint,
} from "./database.ts";
import { raw, sql, unsynced } from "./sql.ts";
import { transaction } from "./transaction.ts";

let db: Database;
const world = useWorld();
beforeAll(async () => {
  db = world.db;
  await world.sql("create table counters (id int primary key, count int not null)");
  await world.sql("insert into counters values (1, 0), (2, 0)");
});

const add = (tx: Reads, id: number) =>
  tx.rows(sql`update counters set count = count + 1 where id = ${id}`);

const counts = async () =>
  (await world.sql("select count from counters order by id")).map((row) => row.count);

describe("a value read from the database", () => {
  it.each<[string, string, unknown]>([
    ["an amount above 2^53", "9007199254740993::bigint", 9_007_199_254_740_993n],
    [
      "an amount of the domain of money",
      "(-9007199254740993)::money_minor",
      -9_007_199_254_740_993n,
    ],
    ["a day", "date '2026-03-31'", "2026-03-31"],
    ["a day of another century", "date '1900-01-01'", "1900-01-01"],
    ["a time", "timestamptz '2026-03-31 22:30:00.123456+00'", "2026-03-31T22:30:00.123Z"],
    ["a time of another zone", "timestamptz '2026-04-01 00:30:00+02'", "2026-03-31T22:30:00.000Z"],
    [
      "a time with one decimal",
      "timestamptz '2026-01-01 00:00:00.5+00'",
      "2026-01-01T00:00:00.500Z",
    ],
    [
      "a time just before a second",
      "timestamptz '2026-01-01 00:00:00.9999+00'",
      "2026-01-01T00:00:00.999Z",
    ],
    ["an integer", "42", 42],
    ["null", "null::bigint", null],
    ["bytes", "'\\x00ff'::bytea", Buffer.from([0, 255])],
  ])("keeps its value: %s", async (_what, expression, expected) => {
    const [plain] = await db.rows<{ value: unknown }>(sql`select ${raw(expression)} as value`);
    const [replanned] = await db.rows<{ value: unknown }>(
      sql`${raw(REPLANNED)}select ${raw(expression)} as value where ${true}`,
    );

    expect([plain?.value, replanned?.value]).toEqual([expected, expected]);
  });

  it("equals the written value, for amounts and days as parameters", async () => {
    const [row] = await db.rows(
      sql`select ${-9_223_372_036_854_775_808n}::bigint as amount, ${"2028-02-29"}::date as day`,
    );

    expect(row).toEqual({ amount: -9_223_372_036_854_775_808n, day: "2028-02-29" });
  });
});

describe("a transaction", () => {
  it("commits all its changes or none", async () => {
    const before = await counts();
    const failed = transaction(db, async (tx) => {
      await add(tx, 1);
      throw new Error("refused");
    });

    await expect(failed).rejects.toThrow("refused");
    expect(await counts()).toEqual(before);
    await transaction(db, (tx) => add(tx, 1));
    expect(await counts()).toEqual([before[0] + 1, before[1]]);
  });

  it("is repeated after a deadlock", async () => {
    const [one = 0, two = 0] = await counts();
    let attempts = 0;
    let arrived = 0;
    let open: () => void = () => {};
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    const crossing = (first: number, second: number) => {
      let own = 0;
      return transaction(db, async (tx) => {
        own += 1;
        attempts += 1;
        // The repetition uses the order of the other transaction; otherwise the two might deadlock again.
        const [one_row, other_row] = own === 1 ? [first, second] : [second, first];
        await add(tx, one_row);
        arrived += 1;
        if (arrived === 2) open();
        await both;
        await add(tx, other_row);
      });
    };

    await Promise.all([crossing(1, 2), crossing(2, 1)]);

    expect(attempts).toBe(3);
    expect(await counts()).toEqual([one + 2, two + 2]);
  });

  it("fails with the database's error after four attempts", async () => {
    let attempts = 0;
    const failed = transaction(db, async (tx) => {
      attempts += 1;
      await tx.rows(sql`do $$ begin raise exception using errcode = '40001'; end $$`);
    });

    await expect(failed).rejects.toSatisfy((error) => databaseErrorCode(error) === "40001");
    expect(attempts).toBe(4);
  });

  it("is not repeated after any other error", async () => {
    let attempts = 0;
    const failed = transaction(db, async (tx) => {
      attempts += 1;
      await tx.rows(sql`insert into counters values (${1}, 0)`);
    });

    await expect(failed).rejects.toSatisfy(
      (error) =>
        databaseErrorCode(error) === "23505" && violatedConstraint(error) === "counters_pkey",
    );
    expect(attempts).toBe(1);
  });

  it("leaves its connection usable after a failure", async () => {
    await Promise.allSettled(
      Array.from({ length: 30 }, () => transaction(db, (tx) => tx.rows(sql`select 1 / 0`))),
    );

    expect(await db.rows(sql`select txid_current_if_assigned() as id`)).toEqual([{ id: null }]);
  });
});

describe("an error", () => {
  it.each([
    ["23505", 'duplicate key value violates unique constraint "KEY_102169"'],
    ["23505", 'duplicate key value violates unique constraint "KEY"'],
    ["XX000", 'duplicate key value violates unique constraint "KEY_102169"'],
    [
      "23503",
      'insert or update on table "invoices_102042" violates foreign key constraint "KEY_102042"',
    ],
    ["23514", 'new row for relation "users_102003" violates check constraint "KEY_102003"'],
  ])("names its constraint where only the message does: %s %s", (code, text) => {
    const name = "products_account_id_product_number_key";
    const error = new pg.DatabaseError(text.replace("KEY", name), 0, "error");
    error.code = code;
    expect(violatedConstraint(error)).toBe(name);
  });

  it("without a constraint in its message has none", () => {
    expect(
      violatedConstraint(new pg.DatabaseError("division by zero", 0, "error")),
    ).toBeUndefined();
  });

  it("of another source than the database has neither code nor constraint", () => {
    expect(databaseErrorCode(new Error("x"))).toBeUndefined();
    expect(violatedConstraint(undefined)).toBeUndefined();
  });
});

describe("unsynced", () => {
  it("is true, and applies to the commit of its own statement alone", async () => {
    const client = new pg.Client({ connectionString: world.serving_url });
    await client.connect();
    try {
      await client.query("set synchronous_commit = on");
      const { text } =
        sql`select set_config('test.seen', current_setting('synchronous_commit'), false)
        from (select where ${unsynced} offset 0) as first`;
      const setting =
        "select current_setting('test.seen') as seen, current_setting('synchronous_commit') as now";
      await client.query(text);
      expect((await client.query(setting)).rows).toEqual([{ seen: "off", now: "on" }]);
    } finally {
      await client.end();
    }
  });
});
