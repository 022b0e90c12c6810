/** Requests that wait for the next event (spec 15.1). */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, openWorld, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_IN_FLIGHT: "3:1:4" } });

async function head(): Promise<number> {
  const { headers } = await world.rest("GET /events?limit=1");
  return Number(headers.get("matchbook-sequence"));
}

/** A request after the last event, and the seconds that it took. */
async function waited(
  parameters: string,
): Promise<{ page: Json; seconds: number; headers: Headers }> {
  const began = performance.now();
  const { body, headers, status } = await world.rest(`GET /events?${parameters}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { page: body, headers, seconds: (performance.now() - began) / 1_000 };
}

const create = (name: string): Promise<Json> => world.done("POST /customers", { name });

describe("a request that waits", () => {
  it("is answered with the next event, soon after its commit", async () => {
    const request = waited(`after=${await head()}&wait=30`);
    await delay(300);
    const { id } = await create("Acme");
    const committed = performance.now();
    const { page, headers } = await request;
    expect((performance.now() - committed) / 1_000).toBeLessThan(5);
    expect(page.data).toMatchObject([{ type: "customer.created", resource_id: id }]);
    expect(page.has_more).toBe(false);
    expect(headers.get("matchbook-sequence")).toBe(String(page.data[0].sequence));
  });

  it("waits on for an event that fits, and continues after what it has examined", async () => {
    const request = waited(`after=${await head()}&wait=30&types=product.created`);
    await create("Acme");
    await delay(400);
    await create("Beta");
    await world.done("POST /products", { name: "Advice" });
    const { page } = await request;
    expect(page.data).toMatchObject([{ type: "product.created" }]);
    const { data } = await world.done(`GET /events?cursor=${page.next_cursor}`);
    expect(data).toEqual([]);
  });

  it("waits from a cursor, too", async () => {
    const { next_cursor } = await world.done(`GET /events?after=${await head()}`);
    const request = waited(`cursor=${next_cursor}&wait=30`);
    await create("Gamma");
    expect((await request).page.data).toMatchObject([{ type: "customer.created" }]);
  });

  it("is answered with an empty page at the end of its time", async () => {
    const after = await head();
    const { page, seconds } = await waited(`after=${after}&wait=1`);
    expect([page.data, page.has_more]).toEqual([[], false]);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect((await world.done(`GET /events?cursor=${page.next_cursor}`)).data).toEqual([]);
  });

  it("does not wait where the page has an event", async () => {
    const { page, seconds } = await waited(`after=${(await head()) - 1}&wait=30`);
    expect(page.data).toHaveLength(1);
    expect(seconds).toBeLessThan(10);
  });

  it.each(["wait=31", "wait=-1", "wait=soon"])("refuses %s", async (parameter) => {
    expect(refusal(await world.rest(`GET /events?${parameter}`))).toMatch(/^422 .* wait /);
  });

  it("refuses to wait for lines", async () => {
    const response = await fetch(`${world.origin}/api/v1/events?wait=1`, {
      headers: {
        authorization: `Bearer ${world.account.keys.read}`,
        accept: "application/x-ndjson",
      },
    });
    expect(response.status).toBe(422);
  });
});

describe("four requests that wait", () => {
  it("take no place and no connection, and a fifth is answered at once", async () => {
    const parameters = `after=${await head()}&wait=30`;
    const requests = Array.from({ length: 4 }, () => waited(parameters));
    await delay(500);
    // The account has three places.
    expect((await waited(parameters)).page.data).toEqual([]);
    const others = await Promise.all([1, 2, 3].map(() => world.rest("GET /customers?limit=1")));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [{ busy }] = (await world.sql(`select count(*)::int as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)) as [
      Json,
    ];
    expect(busy).toBeLessThanOrEqual(1);
    await create("Delta");
    for (const { page } of await Promise.all(requests)) expect(page.data).toHaveLength(1);
  });

  it("are those of one account, and a client that leaves gives its place to another", async () => {
    const parameters = `after=${await head()}&wait=30`;
    const left = new AbortController();
    const { keys } = world.account;
    const gone = Array.from({ length: 4 }, () =>
      fetch(`${world.origin}/api/v1/events?${parameters}`, {
        headers: { authorization: `Bearer ${keys.read}` },
        signal: left.signal,
      }).catch(() => undefined),
    );
    await delay(500);
    left.abort();
    await Promise.all(gone);
    await delay(300);
    const request = waited(parameters);
    await delay(500);
    await create("Epsilon");
    expect((await request).page.data).toHaveLength(1);
  });
});

it("is answered when the service stops", async () => {
  const own = await openWorld();
  const { headers } = await own.rest("GET /events?limit=1");
  const request = own.rest(`GET /events?after=${headers.get("matchbook-sequence")}&wait=30`);
  await delay(500);
  const began = performance.now();
  const [{ status, body }] = await Promise.all([request, own.close()]);
  expect([status, body.data]).toEqual([200, []]);
  expect(performance.now() - began).toBeLessThan(4_000);
});
