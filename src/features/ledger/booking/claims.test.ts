/** Two processes that look for the same due work take each piece once, though they look without a lock. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useWorld } from "../../../../test/support/world/world.ts";
import { takeDueCheck } from "../connections/run-checks.ts";
import { takeProbe } from "./circuit.ts";
import { takeSweep } from "./run-due.ts";

const world = useWorld();
const ROWS = 100;

beforeAll(async () => {
  await world.sql(
    `insert into accounts (id, name, sandbox, ledger_kind)
     select gen_random_uuid(), 'Claims ' || n, true, 'builtin' from generate_series(1, ${ROWS}) n`,
  );
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets, down_since, next_probe_at)
     select id, gen_random_uuid(), 'claimed', '{}', 'k', '', clock_timestamp(), clock_timestamp()
     from accounts where name like 'Claims %'`,
  );
  await world.sql(
    `insert into intents (account_id, id, document_id, kind, state, payload, payload_hash, actor_kind, actor_id, lease_until,
       next_attempt_at, settled_at, sweep_at)
     select id, gen_random_uuid(), gen_random_uuid(), 'invoice', 'released', '{}', '', 'operator', 'o', clock_timestamp(),
       clock_timestamp(), clock_timestamp(), clock_timestamp() from accounts where name like 'Claims %'`,
  );
});

// They have no books, which would be found when the world closes.
afterAll(async () => {
  const own = "in (select id from accounts where name like 'Claims %')";
  await world.sql(`delete from intents where account_id ${own}`);
  await world.sql(`delete from ledger_connections where account_id ${own}`);
  await world.sql("delete from accounts where name like 'Claims %'");
});

const keys = (table: string) =>
  world.sql(`select account_id, id from ${table} where account_id in (
  select id from accounts where name like 'Claims %')`);

describe("two processes", () => {
  it("take each due probe once", async () => {
    const due = await keys("ledger_connections");
    const tries = [world.db, world.owner].flatMap((db) => due.map((one) => takeProbe(db, one)));
    expect((await Promise.all(tries)).filter((taken) => taken)).toHaveLength(ROWS);
  });

  it("take each due sweep once", async () => {
    const due = await keys("intents");
    const tries = [world.db, world.owner].flatMap((db) => due.map((one) => takeSweep(db, one)));
    const taken = (await Promise.all(tries)).flatMap((one) => (one === undefined ? [] : [one.id]));
    expect(taken.sort()).toEqual(due.map(({ id }) => id).sort());
  });

  it("take each due check once", async () => {
    const taken: string[] = [];
    const takeAll = async (db: typeof world.db): Promise<void> => {
      while (taken.length < ROWS) {
        const one = await takeDueCheck(db, ["claimed"]);
        if (one !== undefined) taken.push(one.id);
      }
    };
    await Promise.all([takeAll(world.db), takeAll(world.owner)]);
    const due = await keys("ledger_connections");
    expect(taken.sort()).toEqual(due.map(({ id }) => id).sort());
    expect(await takeDueCheck(world.db, ["claimed"])).toBeUndefined();
  });
});
