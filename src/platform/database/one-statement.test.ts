/** Reads that travel as one statement: their rows equal those of statements that are sent alone. */
import { expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { asOneStatement } from "./one-statement.ts";
import { type Sql, sql } from "./sql.ts";
import { rolledBack } from "./transaction.ts";

const world = useWorld();

const EVERY_TYPE = sql`select 9007199254740993::bigint as big, 7 as number, true as yes, false as no, null::text as nothing,
    'quote " and \\ and ø' as text, date '2026-03-31' as day, timestamptz '2026-03-31 22:30:00.123456+02' as at,
    '{"a":[1,"2"]}'::json as json, array['a', null, 'b,c'] as texts, '\\x00ff'::bytea as bytes, 1.5::float8 as float,
    12.50::numeric as numeric, 'name'::name as name, '01990000-0000-7000-8000-000000000001'::uuid as id`;
const NO_ROWS = sql`select 1 as one where false`;
const NO_COLUMNS = sql`select from generate_series(1, 2)`;
const ORDERED = sql`select n from generate_series(1, 20) as n order by n desc`;

/** The statements that a connection is sent during the work. */
async function sentDuring(work: (reads: typeof world.db) => Promise<unknown>): Promise<number> {
  let sent = 0;
  const counting = (statement: Sql): Promise<unknown[]> => {
    sent += 1;
    return world.db.rows(statement);
  };
  await work({
    ...world.db,
    rows: counting as typeof world.db.rows,
    row: (async (statement: Sql) => (await counting(statement))[0]) as typeof world.db.row,
  });
  return sent;
}

it("answers the same rows, the first time and later", async () => {
  const statements = [EVERY_TYPE, NO_ROWS, NO_COLUMNS, ORDERED];
  const alone = await Promise.all(statements.map((statement) => world.db.rows(statement)));
  for (let time = 0; time < 2; time += 1) {
    const reads = asOneStatement(world.db);
    const together = await Promise.all(statements.map((statement) => reads.rows(statement)));
    expect(together).toEqual(alone);
  }
});

it("sends reads of one turn as one statement, once their columns are known", async () => {
  const all = (reads: typeof world.db) => {
    const one = asOneStatement(reads);
    return Promise.all([one.row(sql`select 'a' as a`), one.rows(sql`select 'b' as b`)]);
  };
  expect(await sentDuring(all)).toBe(2);
  expect(await sentDuring(all)).toBe(1);
  const later = async (reads: typeof world.db) => {
    const one = asOneStatement(reads);
    await one.row(sql`select 'a' as a`);
    await one.rows(sql`select 'b' as b`);
  };
  expect(await sentDuring(later)).toBe(2);
});

it("fails each read when one of them fails, and the transaction with them", async () => {
  const divided = (by: number) => sql`select 1 / ${by}::int as one`;
  const both = (reads: typeof world.db, by: number) => {
    const one = asOneStatement(reads);
    return Promise.allSettled([one.rows(divided(by)), one.rows(sql`select 2 as two`)]);
  };
  await both(world.db, 1);
  const results = await both(world.db, 0);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const failing = rolledBack(world.db, async (tx) => {
    const one = asOneStatement(tx);
    await Promise.allSettled([one.rows(divided(0)), one.rows(sql`select 2 as two`)]);
  });
  await expect(failing).rejects.toThrow("division by zero");
});
