/** The dispatcher: events reach their endpoints, in order, signed, retried, and beside endpoints that fail. */
import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startDispatcher, until } from "../../../../test/support/webhooks/dispatch.ts";
import {
  openReceiver,
  type Received,
  type Receiver,
} from "../../../../test/support/webhooks/receivers.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { resumeBackground } from "../../../platform/runtime/background.ts";
import { secretPlace } from "../webhooks/mint-secret.ts";

const world = useWorld({ environment: { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" } });
const closing: (() => Promise<unknown>)[] = [];
let dispatching: { stop(): Promise<void> } | undefined;

afterEach(async () => {
  await dispatching?.stop();
  dispatching = undefined;
  for (const { id } of (await world.done("GET /webhook-endpoints?limit=100")).data) {
    await world.done(`DELETE /webhook-endpoints/${id}`);
  }
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

const start = (options: Parameters<typeof startDispatcher>[1] = {}): void => {
  dispatching = startDispatcher(world.services, { chance: () => 0.5, ...options });
};
type Answer = NonNullable<Parameters<typeof openReceiver>[0]>["answer"];

/** A receiver with its endpoint. */
async function receiving(
  fields: Json = {},
  answer?: Answer,
): Promise<Receiver & { endpoint: Json }> {
  const receiver = await openReceiver(answer === undefined ? {} : { answer });
  closing.push(receiver.close);
  const body = { url: receiver.url, event_types: ["customer.*"], ...fields };
  return { ...receiver, endpoint: await world.done("POST /webhook-endpoints", body) };
}

let made = 0;
const customer = (): Promise<Json> => {
  made += 1;
  return world.done("POST /customers", { name: `Customer ${made}` });
};
const rename = ({ id }: Json, city: string): Promise<Json> =>
  world.done(`PATCH /customers/${id}`, { city });
const bodyOf = ({ body }: Received): Json => JSON.parse(body);
const names = (requests: readonly Received[]) =>
  requests.map((request) => bodyOf(request).data.resource.name);
const shown = ({ id }: Json): Promise<Json> => world.done(`GET /webhook-endpoints/${id}`);
const rows = ({ id }: Json): Promise<Json[]> =>
  world.sql("select * from webhook_deliveries where endpoint_id = $1 order by sequence", [id]);
const at = (moment: string): void => world.clock.set(moment);
const later = (seconds: number): void => {
  at(new Date(Date.parse(world.clock.now()) + seconds * 1_000).toISOString());
};

describe("an event", () => {
  it("arrives signed, with the sequence of the one before it, and its delivery is kept", async () => {
    const receiver = await receiving({ headers: { "X-Key": "very secret" } });
    start();
    const first = await customer();
    const second = await customer();
    await until("two requests", () => receiver.requests.length === 2);
    const [one, two] = receiver.requests;
    if (one === undefined || two === undefined) throw new Error("no requests");
    const { data } = await world.done("GET /events?types=customer.created&limit=100");
    const events = data.slice(-2);
    const before = data.at(-3)?.sequence ?? null;
    expect(events.map((event: Json) => event.resource_id)).toEqual([first.id, second.id]);
    expect(bodyOf(one)).toEqual({ ...events[0], previous_sequence: null });
    expect(bodyOf(two)).toEqual({ ...events[1], previous_sequence: events[0].sequence });
    expect(before === null || before < events[0].sequence).toBe(true);
    expect(one.headers).toMatchObject({ "webhook-id": events[0].id, "x-key": "very secret" });
    expect(one.headers["webhook-timestamp"]).toBe(
      String(Math.floor(Date.parse(world.clock.now()) / 1000)),
    );
    await until("delivered", async () => (await shown(receiver.endpoint)).backlog === 0);
    const [kept] = await rows(receiver.endpoint);
    expect(kept).toMatchObject({ status: "delivered", attempt_count: 1, body: one.body });
    expect(kept.request_headers).toMatchObject({ "x-key": null, "webhook-id": events[0].id });
    expect(kept.attempts).toMatchObject([{ status: 204, error: null, response_body: "" }]);
    expect(JSON.stringify([kept.request_headers, kept.attempts])).not.toContain("very secret");
    expect((await shown(receiver.endpoint)).through).toBe(events[1].sequence);
  });

  it("is verified by the library for receivers, also while a secret is replaced, and not after", async () => {
    at(new Date().toISOString());
    const receiver = await receiving();
    const { id, secret: fresh } = receiver.endpoint;
    const old = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const { content } = world.services.sealing.seal(old, secretPlace(world.account.account_id, id));
    const until_s = Math.floor(Date.now() / 1_000) + 3_600;
    await world.sql(
      "update webhook_endpoints set previous_secret_sealed = $2, secret_expires_at = to_timestamp($3) where id = $1",
      [id, content, until_s],
    );
    start();
    await customer();
    await until("a request", () => receiver.requests.length === 1);
    const verified = (request: Received | undefined, secret: string): boolean => {
      try {
        new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    const [both] = receiver.requests;
    expect([old, fresh].map((secret) => verified(both, secret))).toEqual([true, true]);
    expect(verified(both && { ...both, body: `${both.body} ` }, old)).toBe(false);
    expect(verified(both, `whsec_${Buffer.alloc(32).toString("base64")}`)).toBe(false);
    at(new Date(until_s * 1_000 - 1).toISOString());
    await customer();
    await until("another", () => receiver.requests.length === 2);
    at(new Date(until_s * 1_000).toISOString());
    await customer();
    await until("a third", () => receiver.requests.length === 3);
    const signatures = receiver.requests.map((one) => String(one.headers["webhook-signature"]));
    expect(signatures.map((text) => text.split(" ").length)).toEqual([2, 2, 1]);
  });

  it("goes to the endpoints that named it, thin or as a sentence where they want that", async () => {
    const thin = await receiving({ payload: "thin" });
    const text = await receiving({ format: "text" });
    const other = await receiving({ event_types: ["invoice.*"] });
    start();
    const { id } = await customer();
    await until("both", () => thin.requests.length === 1 && text.requests.length === 1);
    const [request] = thin.requests;
    expect(request && bodyOf(request)).toMatchObject({ type: "customer.created", resource_id: id });
    expect(request && bodyOf(request)).not.toHaveProperty("data");
    expect(text.requests.map(bodyOf)).toEqual([{ text: "customer.created" }]);
    await until("passed over", async () => {
      const { through } = await shown(other.endpoint);
      return through === (await shown(thin.endpoint)).through;
    });
    expect(other.requests).toEqual([]);
  });

  it("of a large resource comes without its data, and names what to read", async () => {
    const receiver = await receiving({ event_types: ["invoice.created"] });
    const { id: customer_id } = await customer();
    const product = await world.done("POST /products", { name: "Large", default_price: 1 });
    const line = { product_id: product.id, recognition_method: "on_issue" };
    const drafted = (count: number): Promise<Json> =>
      world.done("POST /invoices", {
        customer_id,
        // Two bytes each.
        lines: Array.from({ length: count }, () => ({
          ...line,
          description_override: "ø".repeat(1_000),
        })),
      });
    start();
    const small = await drafted(100);
    const large = await drafted(140);
    await until("two requests", () => receiver.requests.length === 2);
    const [whole, cut] = receiver.requests.map(bodyOf);
    expect(whole.data.resource.lines).toHaveLength(100);
    expect(whole).not.toHaveProperty("truncated");
    expect(whole.resource_id).toBe(small.id);
    expect(cut).toMatchObject({
      ...{ type: "invoice.created", resource_id: large.id, customer_id },
      ...{ data: null, truncated: true, previous_sequence: whole.sequence },
    });
    expect(cut.related.invoice_id).toBe(large.id);
    const [before, after] = await rows(receiver.endpoint);
    expect(Buffer.byteLength(before.body)).toBeLessThanOrEqual(256 * 1024);
    expect(after.body).toBe(receiver.requests[1]?.body);
  });
});

describe("a failure", () => {
  it("is repeated by the plan with the same bytes and id, and delays the same resource alone", async () => {
    let fails = true;
    const receiver = await receiving({}, (request, response) => {
      const is_first = bodyOf(request).resource_id === held;
      response.writeHead(is_first && fails ? 500 : 200).end("answer");
    });
    const first = await customer();
    const held = first.id;
    start();
    await rename(first, "Ribe");
    const second = await customer();
    await until("the other", () =>
      receiver.requests.some((one) => bodyOf(one).resource_id === second.id),
    );
    expect(receiver.requests).toHaveLength(2);
    later(4);
    await delay(300);
    expect(receiver.requests).toHaveLength(2);
    later(1);
    await until("the retry", () => receiver.requests.length === 3);
    const [one, , two] = receiver.requests;
    expect([two?.body, two?.headers["webhook-id"]]).toEqual([
      one?.body,
      one?.headers["webhook-id"],
    ]);
    expect(
      Number(two?.headers["webhook-timestamp"]) - Number(one?.headers["webhook-timestamp"]),
    ).toBe(5);
    fails = false;
    later(60);
    await until("the rest", () => receiver.requests.length === 5);
    const types = receiver.requests.slice(3).map((request) => bodyOf(request).type);
    expect(types).toEqual(["customer.created", "customer.updated"]);
    await until("stored", async () => (await shown(receiver.endpoint)).backlog === 0);
    const [kept] = await rows(receiver.endpoint);
    expect(kept.attempts.map(({ status }: Json) => status)).toEqual([500, 500, 200]);
    expect(kept.attempts[0].response_body).toBe("answer");
  });

  it("delays everything where an endpoint wants one order for the account", async () => {
    let fails = true;
    const receiver = await receiving({ ordering: "account" }, (_request, response) => {
      response.writeHead(fails ? 500 : 200).end();
    });
    start();
    const created = [await customer(), await customer(), await customer()];
    await until("one", () => receiver.requests.length === 1);
    await delay(300);
    expect(receiver.requests).toHaveLength(1);
    fails = false;
    later(6);
    await until("all", () => receiver.requests.length === 4);
    expect(names(receiver.requests.slice(1))).toEqual(created.map(({ name }) => name));
  });

  it.each([
    ["as seconds", "120", 119, 1],
    ["as a date", "Tue, 10 Mar 2026 09:02:00 GMT", 119, 1],
    ["as nonsense", "soon 2099", 4, 1],
  ])("waits as long as the receiver asks: %s", async (_case, header, before_s, more_s) => {
    at("2026-03-10T09:00:00.000Z");
    const receiver = await receiving({}, (_request, response) => {
      response.writeHead(429, { "retry-after": header }).end();
    });
    start();
    await customer();
    await until("one", async () => (await rows(receiver.endpoint))[0]?.attempt_count === 1);
    later(before_s);
    await delay(300);
    expect(receiver.requests).toHaveLength(1);
    later(more_s);
    await until("two", () => receiver.requests.length === 2);
  });

  it("is given up after the plan, and the next event of the resource follows", async () => {
    const receiver = await receiving({}, (request, response) => {
      response.writeHead(bodyOf(request).type === "customer.created" ? 500 : 200).end();
    });
    start();
    const one = await customer();
    await rename(one, "Ribe");
    // Other events succeed, so that the endpoint does not fail as a whole.
    for (let attempt = 1; attempt < 11; attempt += 1) {
      await until(
        `attempt ${attempt}`,
        async () => (await rows(receiver.endpoint))[0]?.attempt_count === attempt,
      );
      await world.sql(
        "update webhook_endpoints set failures_in_row = 0, updated_at = updated_at + interval '1 ms'",
      );
      await delay(450);
      later(26 * 3600);
    }
    await until("dead", async () => (await rows(receiver.endpoint))[0]?.status === "dead");
    await until("the next", async () => (await rows(receiver.endpoint))[1]?.status === "delivered");
    expect((await shown(receiver.endpoint)).status).toBe("enabled");
  });
});

describe("an endpoint that fails", () => {
  const FAILS: Answer = (_request, response) => void response.writeHead(503).end();
  const failing = async (endpoint: Json): Promise<void> =>
    until("failing", async () => (await shown(endpoint)).status === "failing");
  const eventsOf = async ({ id }: Json): Promise<string[]> =>
    (await world.done(`GET /events?limit=100&resource_id=${id}`)).data.map(
      ({ type }: Json) => type,
    );

  it("is probed by one event, and recovers slowly and in order", async () => {
    at("2026-03-10T09:00:00.000Z");
    let fails = true;
    const receiver = await receiving({}, (_request, response) => {
      response.writeHead(fails ? 503 : 200).end();
    });
    start();
    const created: Json[] = [];
    for (let n = 0; n < 12; n += 1) created.push(await customer());
    await failing(receiver.endpoint);
    await delay(400);
    const before = receiver.requests.length;
    later(59);
    await delay(400);
    expect(receiver.requests).toHaveLength(before);
    later(1);
    await until("a probe", () => receiver.requests.length === before + 1);
    await delay(400);
    expect(receiver.requests).toHaveLength(before + 1);
    expect(names(receiver.requests.slice(before))).toEqual([created[0].name]);
    fails = false;
    later(120);
    const began = performance.now();
    await until("the rest", () => receiver.requests.length === before + 1 + 12);
    // The first success is followed by five a second.
    expect(performance.now() - began).toBeGreaterThan(2_000);
    expect(names(receiver.requests.slice(before + 1))).toEqual(created.map(({ name }) => name));
    expect(await eventsOf(receiver.endpoint)).toEqual([
      "webhook_endpoint.created",
      "webhook_endpoint.failing",
      "webhook_endpoint.recovered",
    ]);
    expect(await shown(receiver.endpoint)).toMatchObject({
      status: "enabled",
      failing_since: null,
    });
  });

  it("is mailed about after a day, and disabled after five", async () => {
    at("2026-03-10T09:00:00.000Z");
    const receiver = await receiving({}, FAILS);
    start();
    for (let n = 0; n < 6; n += 1) await customer();
    await failing(receiver.endpoint);
    const mailed = async () =>
      (await world.mails()).filter(({ subject }) => subject?.includes("127.0.0.1"));
    const earlier = (await mailed()).length;
    later(25 * 3600);
    await until("a mail", async () => (await mailed()).length === earlier + 1);
    later(5 * 24 * 3600);
    await until("disabled", async () => (await shown(receiver.endpoint)).status === "disabled");
    await until("another mail", async () => (await mailed()).length === earlier + 2);
    expect((await shown(receiver.endpoint)).disabled_reason).toBe("failing");
    const sent = receiver.requests.length;
    await customer();
    later(24 * 3600);
    await delay(500);
    expect(receiver.requests).toHaveLength(sent);
    expect((await shown(receiver.endpoint)).backlog).toBe(7);
  });

  it("with 410 is disabled at once", async () => {
    const receiver = await receiving(
      {},
      (_request, response) => void response.writeHead(410).end(),
    );
    start();
    await customer();
    await until("disabled", async () => (await shown(receiver.endpoint)).status === "disabled");
    expect(await shown(receiver.endpoint)).toMatchObject({ disabled_reason: "gone", backlog: 1 });
    expect(await eventsOf(receiver.endpoint)).toContain("webhook_endpoint.disabled");
  });

  it("does not delay others, and what waits for it costs nothing", async () => {
    const hanging = await receiving({ event_types: ["*"] }, () => {});
    const healthy = await receiving();
    start();
    await customer();
    await until("one", () => hanging.requests.length > 0 && healthy.requests.length === 1);
    await world.sql("update webhook_endpoints set read_through = 0 where id = $1", [
      hanging.endpoint.id,
    ]);
    const began = performance.now();
    const created = await Promise.all(Array.from({ length: 20 }, customer));
    await until("all", () => healthy.requests.length === 21);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(new Set(names(healthy.requests)).size).toBe(21);
    expect(created).toHaveLength(20);
    expect(hanging.requests.length).toBeLessThanOrEqual(5);
  });
});

describe("what people do", () => {
  it("a paused endpoint gets nothing, and a deleted one ends its request at once", async () => {
    let closed = 0;
    const receiver = await receiving({}, (_request, response) => {
      response.on("close", () => (closed += 1));
    });
    start();
    await customer();
    await until("a request", () => receiver.requests.length === 1);
    await world.done(`DELETE /webhook-endpoints/${receiver.endpoint.id}`);
    await until("closed", () => closed === 1);
    await customer();
    await delay(400);
    expect(receiver.requests).toHaveLength(1);
  });

  it("a pause and a deletion apply at once, whatever is read meanwhile", async () => {
    const paused = await receiving({}, (_request, response) => {
      setTimeout(() => response.writeHead(200).end(), 10);
    });
    let closed = 0;
    const deleted = await receiving({}, (_request, response) => {
      response.on("close", () => (closed += 1));
    });
    // Reading takes so long for this one that the others would not be looked at.
    await receiving({ format: "text", event_types: ["product.created"] });
    for (let n = 0; n < 120; n += 1) await customer();
    let is_reading = false;
    start({
      async writeSentences(_cx, events) {
        is_reading = true;
        await delay(4_000);
        return events.map(() => "A product was created.");
      },
    });
    await until("requests", () => paused.requests.length > 5 && deleted.requests.length > 0);
    await world.done("POST /products", { name: "Slow", default_price: 1 });
    await until("a slow reading", () => is_reading);
    await world.done(`POST /webhook-endpoints/${paused.endpoint.id}/pause`);
    await world.done(`DELETE /webhook-endpoints/${deleted.endpoint.id}`);
    await delay(1_000);
    const counts = [paused.requests.length, deleted.requests.length];
    expect(counts[0]).toBeLessThan(100);
    expect(closed).toBe(counts[1]);
    await delay(1_500);
    expect([paused.requests.length, deleted.requests.length]).toEqual(counts);
    await world.done(`POST /webhook-endpoints/${paused.endpoint.id}/enable`);
    await until("the rest", () => paused.requests.length >= 120);
    await delay(300);
    expect(new Set(names(paused.requests)).size).toBe(paused.requests.length);
  });

  it("a dispatcher ends although a paused endpoint does not answer", async () => {
    const receiver = await receiving({}, () => {});
    start();
    await customer();
    await until("a request", () => receiver.requests.length === 1);
    await world.done(`POST /webhook-endpoints/${receiver.endpoint.id}/pause`);
    await delay(500);
    const began = performance.now();
    await dispatching?.stop();
    // Below the 15 seconds of an attempt.
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("what is in progress is not sent twice where a pause ends meanwhile", async () => {
    const waiting: (() => void)[] = [];
    const receiver = await receiving({}, (_request, response) => {
      waiting.push(() => response.writeHead(200).end());
    });
    start();
    for (let n = 0; n < 3; n += 1) await customer();
    await until("three requests", () => receiver.requests.length === 3);
    await world.done(`POST /webhook-endpoints/${receiver.endpoint.id}/pause`);
    await delay(600);
    await world.done(`POST /webhook-endpoints/${receiver.endpoint.id}/enable`);
    await customer();
    await delay(600);
    for (const answer of waiting.splice(0)) answer();
    await until("the next", () => receiver.requests.length >= 4);
    for (const answer of waiting.splice(0)) answer();
    await until("delivered", async () => (await shown(receiver.endpoint)).backlog === 0);
    expect(receiver.requests).toHaveLength(4);
    expect(new Set(names(receiver.requests)).size).toBe(4);
  });

  it("a changed address applies to what is not begun", async () => {
    const old = await receiving({}, (_request, response) => void response.writeHead(500).end());
    const other = await openReceiver();
    closing.push(other.close);
    start();
    await customer();
    await until("one", async () => (await rows(old.endpoint))[0]?.attempt_count === 1);
    await world.done(`PATCH /webhook-endpoints/${old.endpoint.id}`, { url: other.url });
    later(6);
    await until("moved", () => other.requests.length === 1);
    expect(old.requests).toHaveLength(1);
    expect(other.requests[0]?.body).toBe(old.requests[0]?.body);
  });

  it("events that have waited 30 days are skipped", async () => {
    at("2026-03-10T09:00:00.000Z");
    const receiver = await receiving(
      {},
      (_request, response) => void response.writeHead(500).end(),
    );
    start();
    await customer();
    await until("one", async () => (await rows(receiver.endpoint))[0]?.attempt_count === 1);
    await dispatching?.stop();
    later(31 * 24 * 3600);
    start();
    await until("skipped", async () => (await rows(receiver.endpoint))[0]?.status === "skipped");
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("processes", () => {
  it("two share the endpoints: each event arrives once, in order, and the other takes over", async () => {
    const receiver = await receiving();
    const first = startDispatcher(world.services);
    dispatching = startDispatcher(world.services);
    const created: Json[] = [];
    for (let n = 0; n < 10; n += 1) created.push(await customer());
    await until("ten", () => receiver.requests.length === 10);
    await first.stop();
    for (let n = 0; n < 10; n += 1) created.push(await customer());
    await until("twenty", () => receiver.requests.length >= 20);
    await delay(300);
    expect(names(receiver.requests)).toEqual(created.map(({ name }) => name));
  });

  it("a clock that is set back delays nothing for long, and keeps the order", async () => {
    at("2026-03-10T09:00:00.000Z");
    let fails = true;
    const receiver = await receiving({}, (_request, response) => {
      response.writeHead(fails ? 500 : 200).end();
    });
    start();
    await customer();
    await until("one", async () => (await rows(receiver.endpoint))[0]?.attempt_count === 1);
    const held = bodyOf(receiver.requests[0] as Received).resource_id;
    await rename({ id: held }, "Ribe");
    fails = false;
    at("2025-03-10T09:00:00.000Z");
    await until("again", () => receiver.requests.length === 3);
    await dispatching?.stop();
    start();
    at("2024-03-10T09:00:00.000Z");
    await rename({ id: held }, "Tønder");
    await until("the next", () => receiver.requests.length === 4);
    await delay(300);
    const events = receiver.requests.slice(1).map(bodyOf);
    expect(events.map(({ type }) => type)).toEqual([
      "customer.created",
      "customer.updated",
      "customer.updated",
    ]);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  });

  it("nothing is sent while the database is paused", async () => {
    const receiver = await receiving();
    await world.sql("insert into background_pause (is_paused, since) values (true, now())");
    start();
    await customer();
    await delay(500);
    expect(receiver.requests).toEqual([]);
    await world.sql("delete from background_pause");
    await until("sent", () => receiver.requests.length === 1);
  });
});

describe("a paused database that is resumed", () => {
  const pause = () =>
    world.sql("insert into background_pause (is_paused, since) values (true, now())");

  it("begins with the next event, and skips what waits", async () => {
    const receiver = await receiving(
      {},
      (_request, response) => void response.writeHead(500).end(),
    );
    start();
    await customer();
    await until("one", async () => (await rows(receiver.endpoint))[0]?.attempt_count === 1);
    await pause();
    await delay(500);
    await customer();
    expect(await resumeBackground(world.database_url)).toBe(true);
    const last = await customer();
    await until("the last", () => receiver.requests.length === 2);
    later(6);
    await until("again", () => receiver.requests.length === 3);
    expect(names(receiver.requests.slice(1))).toEqual([last.name, last.name]);
    expect((await rows(receiver.endpoint)).map(({ status }) => status)).toEqual([
      "skipped",
      "pending",
    ]);
    expect(await resumeBackground(world.database_url)).toBe(false);
    expect((await rows(receiver.endpoint)).map(({ status }) => status)).toEqual([
      "skipped",
      "pending",
    ]);
  });

  it("continues where it stood if that is asked", async () => {
    const receiver = await receiving();
    await pause();
    start();
    const created = [await customer(), await customer()];
    await delay(300);
    await resumeBackground(world.database_url, { webhooks: "continue" });
    await until("both", () => receiver.requests.length === 2);
    expect(names(receiver.requests)).toEqual(created.map(({ name }) => name));
  });
});

it("no request of a webhook follows a proxy of the environment", async () => {
  const proxy = await openReceiver();
  closing.push(proxy.close);
  const receiver = await receiving();
  const proxied = `http://127.0.0.1:${proxy.port}`;
  Object.assign(process.env, { http_proxy: proxied, HTTP_PROXY: proxied, NODE_USE_ENV_PROXY: "1" });
  try {
    start();
    await customer();
    await until("sent", () => receiver.requests.length === 1);
    expect(proxy.requests).toEqual([]);
    expect(http.globalAgent).toBeDefined();
  } finally {
    for (const name of ["http_proxy", "HTTP_PROXY", "NODE_USE_ENV_PROXY"]) delete process.env[name];
  }
});
