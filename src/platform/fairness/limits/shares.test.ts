/** The number of requests that one account may have in progress (spec 11.8). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useWorld, type World } from "../../../../test/support/world/world.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { Shares } from "./shares.ts";

const LIMIT = { requests: 3, heavy: 1, queue: 2 };
const STAYS = new AbortController().signal;
const LIGHT = false;
const HEAVY = true;

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Requests places and logs each answer. */
function asker(shares: Shares, account = "a") {
  const log: string[] = [];
  const take = (name: string, is_heavy: boolean, left = STAYS) => {
    const place = shares.take(account, is_heavy, left).then(
      (release) => {
        log.push(name);
        return release;
      },
      (error: unknown) => {
        log.push(`${name} ${error instanceof Problem ? error.code : error}`);
        return () => {};
      },
    );
    return async () => (await place)();
  };
  return { log, take };
}

describe("the places of an account", () => {
  it("are limited, and other requests wait in their order of arrival", async () => {
    const { log, take } = asker(new Shares(LIMIT));
    const [first, second] = ["1", "2", "3", "4", "5"].map((name) => take(name, LIGHT));
    await settled();
    expect(log).toEqual(["1", "2", "3"]);
    await second?.();
    await settled();
    expect(log).toEqual(["1", "2", "3", "4"]);
    await first?.();
    await settled();
    expect(log).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("are fewer for heavy requests, and a light request overtakes waiting heavy ones", async () => {
    const { log, take } = asker(new Shares(LIMIT));
    const heavy = take("heavy 1", HEAVY);
    take("heavy 2", HEAVY);
    take("light", LIGHT);
    await settled();
    expect(log).toEqual(["heavy 1", "light"]);
    await heavy();
    await settled();
    expect(log).toEqual(["heavy 1", "light", "heavy 2"]);
  });

  it("are separate for each account", async () => {
    const shares = new Shares({ requests: 1, heavy: 1, queue: 0 });
    const one = asker(shares, "a");
    const other = asker(shares, "b");
    one.take("1", HEAVY);
    one.take("2", HEAVY);
    other.take("1", HEAVY);
    await settled();
    expect(one.log).toEqual(["1", "2 RATE_LIMITED"]);
    expect(other.log).toEqual(["1"]);
  });

  it("are released once, even by repeated calls", async () => {
    const { log, take } = asker(new Shares({ requests: 1, heavy: 1, queue: 2 }));
    const first = take("1", LIGHT);
    take("2", LIGHT);
    take("3", LIGHT);
    await first();
    await first();
    await settled();
    expect(log).toEqual(["1", "2"]);
  });
});

describe("a waiting request", () => {
  it("is refused with a time to wait if the queue is full", async () => {
    const shares = new Shares(LIMIT);
    const { log, take } = asker(shares);
    for (const name of ["1", "2", "3", "4", "5", "6"]) take(name, LIGHT);
    await settled();
    expect(log).toEqual(["1", "2", "3", "6 RATE_LIMITED"]);
    const refusal = await shares.take("a", LIGHT, STAYS).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect((refusal as Problem).extras.retry_after_seconds).toBeGreaterThanOrEqual(1);
  });

  it("is refused after the wait limit", async () => {
    const { log, take } = asker(new Shares(LIMIT, 20));
    take("1", HEAVY);
    await take("2", HEAVY)();
    expect(log).toEqual(["1", "2 RATE_LIMITED"]);
  });

  it("leaves its place in the queue when its caller disconnects", async () => {
    const { log, take } = asker(new Shares({ requests: 1, heavy: 1, queue: 1 }));
    const left = new AbortController();
    const first = take("1", LIGHT);
    const second = take("2", LIGHT, left.signal);
    left.abort();
    await second();
    take("3", LIGHT);
    await first();
    await settled();
    expect(log).toEqual(["1", "2 RATE_LIMITED", "3"]);
  });
});

it("has no limit if the limit is switched off", async () => {
  const { log, take } = asker(new Shares(null));
  for (let count = 0; count < 100; count += 1) take(String(count), HEAVY);
  await settled();
  expect(log).toHaveLength(100);
});

describe("a service with two places an account, one of them heavy, and one waiting request", () => {
  const world = useWorld({ environment: { MATCHBOOK_IN_FLIGHT: "2:1:1" } });
  const customer = world.made("POST /customers", { name: "Acme" });

  it("queues further requests, refuses with Retry-After, and serves other accounts", async () => {
    const other = await world.openAnother();
    const holder = await world.owner.runner.connect();
    const change = () => world.rest(`PATCH /customers/${customer.id}`, { city: "Aarhus" });
    await holder.query("begin");
    await holder.query("select from customers where id = $1 for update", [customer.id]);
    const [first, second] = [change(), change()];
    await lockWaiters(world, 2);
    const late = [change(), change()];
    // One waits; for the other the queue is full.
    const refused = await Promise.race(late);
    expect(refusal(refused)).toBe("429 RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await world.rest("GET /customers", undefined, other.keys.read)).status).toBe(200);
    await holder.query("rollback");
    holder.release();
    const replies = await Promise.all([first, second, ...late]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429]);
    expect((await world.rest(`GET /customers/${customer.id}`)).status).toBe(200);
  });
});

/** Waits until the given number of lock requests wait. */
async function lockWaiters(world: World, count: number): Promise<void> {
  for (;;) {
    const waiting = await world.sql("select from pg_locks where not granted");
    if (waiting.length >= count) return;
  }
}
