/** The request log of keys: what is written and when, how many are kept, and what happens without a database. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { removeExpired } from "../../features/access/sign-in/clean.ts";
import type { Reads } from "../database/database.ts";
import type { Log } from "../runtime/log.ts";
import { type KeyRequest, MOST_KEPT, openRequestLog } from "./request-log.ts";

const world = useWorld();
let key_id: string;
beforeEach(() => {
  key_id = randomUUID();
});

const asked = (n: number, more: Partial<KeyRequest> = {}): KeyRequest => ({
  account_id: world.account.account_id,
  key_id,
  method: "GET",
  path: `/api/v1/customers?limit=${n}`,
  status: 200,
  milliseconds: n,
  refusal: null,
  request_id: `request-${n}`,
  ...more,
});
const stored = (of = key_id) =>
  world.sql("select * from api_key_requests where key_id = $1 order by id", [of]);
const opened = (db: Reads = world.services.pools.background) =>
  openRequestLog(db, world.services.log);

describe("the request log", () => {
  it("writes a request about a second after its answer", async () => {
    const log = opened();
    log.keep(asked(7, { status: 409, refusal: "PERIOD_LOCKED", method: "POST" }));
    expect(await stored()).toEqual([]);
    await expect.poll(stored).toMatchObject([
      {
        account_id: world.account.account_id,
        method: "POST",
        path: "/api/v1/customers?limit=7",
        status: 409,
        milliseconds: 7,
        refusal: "PERIOD_LOCKED",
        request_id: "request-7",
      },
    ]);
  });

  it("writes what is in memory when it closes, in the order of the requests", async () => {
    const log = opened();
    for (let n = 0; n < 1_200; n += 1) log.keep(asked(n, { key_id }));
    await log.close();
    // A machine under load may need longer than a process waits when it stops.
    await expect.poll(async () => (await stored()).at(-1)?.milliseconds).toBe(1_199);
    const rows = await stored();
    expect(rows.map((row) => row.milliseconds)).toEqual(
      rows.map((_, at) => rows[0].milliseconds + at),
    );
  });

  it("keeps the last thousand requests of a key, and those of other keys", async () => {
    const other = randomUUID();
    const log = opened();
    log.keep(asked(1, { key_id: other }));
    for (let n = 0; n < 2_600; n += 1) log.keep(asked(n));
    await log.close();
    await expect.poll(async () => (await stored()).at(-1)?.milliseconds).toBe(2_599);
    await expect.poll(async () => (await stored()).length).toBeLessThan(MOST_KEPT + 500);
    expect((await stored()).length).toBeGreaterThanOrEqual(MOST_KEPT);
    expect(await stored(other)).toHaveLength(1);
    // A process that has just started deletes the older ones at its first write.
    const next = opened();
    next.keep(asked(3_000));
    await next.close();
    await expect.poll(stored).toHaveLength(MOST_KEPT);
  });

  it("drops requests while the database is away, without an error and without growing", async () => {
    const warned: unknown[] = [];
    const silent = { warn: (line: unknown) => warned.push(line) } as unknown as Log;
    const away = Object.assign(new Error("connection terminated"), {
      code: "ECONNREFUSED",
      syscall: "connect",
    });
    const db: Reads = { rows: () => Promise.reject(away), row: () => Promise.reject(away) };
    const log = openRequestLog(db, silent);
    for (let n = 0; n < 20_000; n += 1) log.keep(asked(n));
    await log.close();
    expect(warned).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it("holds a bounded number of requests while the database is silent, and closes nevertheless", async () => {
    let sent = 0;
    let is_silent = true;
    let answer: (() => void) | undefined;
    const db: Reads = {
      rows: () => {
        sent += 1;
        if (!is_silent) return Promise.resolve([]);
        return new Promise<never[]>((resolve) => {
          answer = () => resolve([]);
        });
      },
      row: async () => undefined,
    };
    const log = opened(db);
    for (let n = 0; n < 20_000; n += 1) log.keep(asked(n));
    await log.close();
    expect(sent).toBe(1);
    is_silent = false;
    answer?.();
    await log.close();
    // Eleven batches of 500 at most, and each may be followed by one statement that deletes.
    await expect.poll(() => sent).toBeGreaterThan(10);
    expect(sent).toBeLessThanOrEqual(22);
  });

  it("keeps requests for seven days", async () => {
    const [key] = await world.sql("select id from api_keys where account_id = $1 limit 1", [
      world.account.account_id,
    ]);
    const at = (days: number) =>
      world.sql(
        `insert into api_key_requests select account_id, $1, (lpad(to_hex((extract(epoch from now() - make_interval(hours => $2::int)) * 1000)::bigint), 12, '0') || '70008000000000000001')::uuid,
           now() - make_interval(hours => $2::int), method, path, status, $2::int, refusal, request_id
         from api_key_requests where milliseconds = 7 limit 1`,
        [key.id, days * 24 + (days === 7 ? 1 : 0)],
      );
    await at(6);
    await at(7);
    await removeExpired(world.services);
    const left = (await stored(key.id)).map(({ milliseconds }) => milliseconds);
    expect(left).toContain(144);
    expect(left).not.toContain(169);
  });
});
