/**
 * A database that accepts and keeps connections but does not answer: readiness reports it within two seconds, requests fail
 * within ten, and all work resumes when it answers again.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import {
  closeDatabase,
  openDatabase,
  REQUEST_LIMITS,
} from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { DatabaseAway, isUnavailable } from "../../src/platform/database/unavailable.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database/proxy.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld();
let proxy: DatabaseProxy;
let app: App;
let origin: string;
beforeAll(async () => {
  proxy = await openDatabaseProxy(world.serving_url);
  const { config, clock } = world.services;
  app = openApp(config, proxy.url, openLog("silent"), { clock });
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  app.services.watch.start();
});
afterAll(async () => {
  proxy.speak();
  await app.close();
  await proxy.close();
});

async function ask(path: string, init: RequestInit = {}) {
  const began = performance.now();
  const headers = { authorization: `Bearer ${world.account.keys.read_write}`, ...init.headers };
  const response = await fetch(`${origin}${path}`, { ...init, headers });
  const text = await response.text();
  return { status: response.status, text, milliseconds: performance.now() - began };
}

const json = { "content-type": "application/json" };
const reads = () => ask("/api/v1/customers");
const writes = () =>
  ask("/api/v1/customers", { method: "POST", headers: json, body: '{"name":"Acme"}' });
const heavy = () => ask("/api/v1/recognition?from=2026-01&to=2026-02&group_by=customer");
const page = () => ask("/settings", { headers: { cookie: `matchbook=${"x".repeat(43)}` } });

it("is reported as away to more requests than there are connections, and as ready when it answers again", async () => {
  const before = await Promise.all([ask("/readyz"), reads(), writes(), heavy()]);
  expect(before.map(({ status }) => status)).toEqual([200, 200, 201, 200]);

  proxy.hush();
  const [ready, ...answers] = await Promise.all([
    ask("/readyz"),
    ...Array.from({ length: 15 }, () => [reads(), writes(), heavy(), page()]).flat(),
  ]);
  expect(ready.status).toBe(503);
  expect(ready.milliseconds).toBeLessThan(2_000);
  for (const { status, text, milliseconds } of answers) {
    expect(status).toBe(500);
    expect(text).toMatch(/SERVICE_UNAVAILABLE|cannot reach its database/);
    expect(milliseconds).toBeLessThan(10_000);
  }
  expect(app.services.watch.away_ms()).toBeGreaterThan(0);
  const again = await ask("/readyz");
  expect([again.status, again.milliseconds < 2_000]).toEqual([503, true]);

  proxy.speak();
  await expect.poll(async () => (await ask("/readyz")).status, { timeout: 30_000 }).toBe(200);
  await expect.poll(async () => (await writes()).status, { timeout: 30_000 }).toBe(201);
});

it("is reported as away, not as busy, to requests that wait for a connection while it is in doubt", async () => {
  const db = openDatabase(proxy.url, 1, () => {}, { ...REQUEST_LIMITS, wait_ms: 200 });
  try {
    await db.rows(sql`select 1`);
    proxy.hush();
    const first = db.rows(sql`select 1`);
    db.pool.is_doubted = true;
    await expect(db.rows(sql`select 1`)).rejects.toThrow(DatabaseAway);
    proxy.speak();
    await first;
  } finally {
    await closeDatabase(db);
  }
});

it("is given up without a watcher once a statement has exceeded its time limit", async () => {
  const db = openDatabase(proxy.url, 1, () => {}, { ...REQUEST_LIMITS, statement_ms: 100 });
  try {
    await db.rows(sql`select 1`);
    proxy.hush();
    const failure = await db.rows(sql`select 1`).catch((error: unknown) => error);
    expect(isUnavailable(failure)).toBe(true);
  } finally {
    proxy.speak();
    await closeDatabase(db);
  }
});
