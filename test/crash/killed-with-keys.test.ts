/**
 * Idempotency keys of two real programs on one database, one of which is killed while it creates an invoice: its keys are free as
 * soon as the server has noticed its end, and those of a living program are not. The lease of a key is 60 s, longer than any test
 * here waits.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startOnWorld,
} from "../support/run/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

/** The session that holds the lock of the process that a key names. */
const HOLDER = `select l.pid from pg_locks l join idempotency_keys k
    on (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('process ' || k.process::text, 2)
  where l.locktype = 'advisory' and l.objsubid = 1 and l.mode = 'ExclusiveLock' and k.key = $1
    and l.database = (select oid from pg_database where datname = current_database())`;

let built: BuiltProgram;
let other: RunningProgram;
const world = useWorld();
const customer = world.made("POST /customers", { name: "Acme" });
const product = world.made("POST /products", { name: "Work" });
beforeAll(async () => {
  // A request that creates an invoice waits at the closed gate for longer than a request may wait for a lock.
  await world.sql("create table gate (is_open boolean)");
  await world.sql("insert into gate values (false)");
  await world.sql(`create function wait_at_gate() returns trigger language plpgsql as $$ begin
    while not (select is_open from gate) loop perform pg_sleep(0.02); end loop; return new; end $$`);
  await world.sql(
    "create trigger gate before insert on invoices for each row execute function wait_at_gate()",
  );
  built = await buildProgram();
  other = await startOnWorld(built, world);
});
afterEach(() => openGate(true));
afterAll(() => built.end());

const openGate = (is_open: boolean) => world.sql("update gate set is_open = $1", [is_open]);
/** Resolves when a request is at the gate. */
async function waitedFor(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  while ((await world.sql(waiting)).length === 0) await delay(20);
}

/** Creates an invoice with the given number of lines under a key; another thread of the program creates large ones. */
async function create(
  { origin }: RunningProgram,
  key: string,
  count: number,
): Promise<{ readonly status: number; readonly body: Json; readonly is_replayed: boolean }> {
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 100 };
  const response = await fetch(`${origin}/api/v1/invoices`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.account.keys.read_write}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({
      customer_id: customer.id,
      title: key,
      lines: Array.from({ length: count }, () => line),
    }),
  });
  const is_replayed = response.headers.has("idempotent-replayed");
  return { status: response.status, body: await response.json(), is_replayed };
}

const claimsOf = (key: string) =>
  world.sql("select claim, process from idempotency_keys where key = $1", [key]);
const made = (key: string) => world.sql("select id from invoices where title = $1", [key]);
const inProgress = { status: 409, body: { error: { code: "REQUEST_IN_PROGRESS" } } };

/** Repeats until the server has noticed the end of the killed program. */
async function repeated(key: string, count: number) {
  for (;;) {
    const answer = await create(other, key, count);
    if (answer.status !== 409) return answer;
    await delay(50);
  }
}

it.each([
  ["during work of the serving thread", "one line", 1],
  ["during work of another thread", "many lines", 500],
])("are free after their program was killed %s, and not before", async (_where, key, count) => {
  const program = await startOnWorld(built, world);
  await openGate(false);
  const ended = Promise.allSettled([create(program, key, count)]);
  await waitedFor();
  for (const living of [program, other])
    expect(await create(living, key, count)).toMatchObject(inProgress);

  const claims = await claimsOf(key);
  await program.kill();
  await ended;
  const repeating = repeated(key, count);
  // The repetition runs while the gate is closed, so only the end of the program can have freed the key.
  await expect.poll(() => claimsOf(key)).not.toEqual(claims);
  await openGate(true);

  const { status, body, is_replayed } = await repeating;
  expect([status, is_replayed]).toEqual([201, false]);
  expect(await made(key)).toEqual([{ id: body.id }]);
  expect(await world.sql(HOLDER, [key])).toHaveLength(1);
});

it("are not free when a living program has lost the session of its lock, which it takes again", async () => {
  const key = "lost session";
  const program = await startOnWorld(built, world);
  await openGate(false);
  const first = create(program, key, 1);
  await waitedFor();
  const holders = await world.sql(HOLDER, [key]);
  expect(holders).toHaveLength(1);
  await world.sql("select pg_terminate_backend($1)", [holders[0].pid]);
  await expect
    .poll(async () => (await world.sql(HOLDER, [key])).map(({ pid }) => pid !== holders[0].pid))
    .toEqual([true]);
  expect(await create(other, key, 1)).toMatchObject(inProgress);

  await openGate(true);
  expect((await first).status).toBe(201);
  expect(await create(other, key, 1)).toMatchObject({ status: 201, is_replayed: true });
  expect(await made(key)).toHaveLength(1);
  await program.kill();
});
