/**
 * An idle service costs its database little, so that many installations can share one: it sends few statements, leaves no
 * transaction open, and keeps little memory, with all of its threads loaded.
 */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CountingProxy, openCountingProxy } from "../support/database/counting-proxy.ts";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startOnWorld,
} from "../support/run/program.ts";
import { useWorld } from "../support/world/world.ts";
import { is_counted } from "./processor.ts";

const STATEMENTS_A_SECOND = 10;
const MEMORY_MB = 400;
/** An even number of the pauses of the background work and of the watch. */
const WINDOW_MS = 4_000;

const LOADED = "the other threads are loaded";

const world = useWorld();
let built: BuiltProgram;
let proxy: CountingProxy;
let program: RunningProgram;

const start = () => startOnWorld(built, world, { DATABASE_URL: proxy.url, LOG_LEVEL: "info" });

beforeAll(async () => {
  built = await buildProgram();
  proxy = await openCountingProxy(world.serving_url);
  program = await start();
});
afterAll(async () => {
  await built.end();
  await proxy.close();
});

/** The transactions that wait for their client, each with the time of its begin. */
async function openTransactions(): Promise<string[]> {
  const rows = await world.sql(
    `select pid || ' since ' || xact_start as open from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );
  return rows.map(({ open }) => open);
}

it("loads all threads without being asked", async () => {
  await expect.poll(() => program.output(), { timeout: 120_000 }).toContain(LOADED);
});

it("sends few statements and leaves no transaction open", async () => {
  const window = async () => {
    const open = await openTransactions();
    const [before, began] = [proxy.statements(), performance.now()];
    await delay(WINDOW_MS);
    const seconds = (performance.now() - began) / 1000;
    const still_open = (await openTransactions()).filter((one) => open.includes(one));
    return { a_second: (proxy.statements() - before) / seconds, still_open };
  };
  // What a start does once may not be over in the first window.
  let seen = await window();
  for (let more = 0; more < 5 && seen.a_second > STATEMENTS_A_SECOND; more += 1) {
    seen = await window();
  }
  expect(seen.still_open).toEqual([]);
  expect(seen.a_second).toBeLessThanOrEqual(STATEMENTS_A_SECOND);
  // The background looks for work meanwhile.
  expect(seen.a_second).toBeGreaterThan(0);
});

it.runIf(is_counted)("keeps little memory (needs /proc)", async () => {
  const memory = () => {
    const status = readFileSync(`/proc/${program.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1000;
  };
  // A thread gives back what loading has used some seconds later.
  await expect.poll(memory, { timeout: 60_000 }).toBeLessThan(MEMORY_MB);
});

it("stops cleanly while its threads are still loading", async () => {
  const other = await start();
  expect(other.output()).not.toContain(LOADED);
  expect(await other.terminate()).toBe(0);
  expect(other.output()).not.toMatch(/"level":[56]0/);
  expect(other.output()).not.toContain(LOADED);
});
