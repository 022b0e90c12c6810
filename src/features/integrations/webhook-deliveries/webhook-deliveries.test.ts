/** Deliveries of webhooks as people and keys see them, and how they are sent again (spec 15.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { removeExpired } from "../../access/sign-in/clean.ts";

const world = useWorld();
let endpoint: Json;
let path: string;
let customers: Json[];
beforeAll(async () => {
  customers = [];
  for (const name of ["Acme", "Nord", "Syd"]) {
    customers.push(await world.done("POST /customers", { name }));
  }
  const [{ id }] = customers;
  const product = await world.done("POST /products", { name: "Work", default_price: 10 });
  const lines = [{ product_id: product.id, recognition_method: "milestone" }];
  const draft = { customer_id: id, auto_send: false, lines };
  const invoice = await world.done("POST /invoices", draft);
  await world.done(`POST /invoices/${invoice.id}/issue`);
  await world.done(`POST /invoices/${invoice.id}/lines/${invoice.lines[0].id}/complete`, {});
  await world.done(`POST /invoices/${invoice.id}/send`);
  endpoint = await world.done("POST /webhook-endpoints", {
    url: "https://hooks.example/",
    event_types: ["*"],
  });
  path = `/webhook-endpoints/${endpoint.id}`;
});

const listed = async (filter = ""): Promise<Json[]> =>
  (await world.done(`GET ${path}/deliveries?limit=100${filter}`)).data;
const replay = (body: Json = {}): Promise<Json> => world.done(`POST ${path}/replay`, body);
const settle = (status: string, where = "true") =>
  world.sql(`update webhook_deliveries set status = $1, settled_at = now() where ${where}`, [
    status,
  ]);

describe("POST …/replay", () => {
  it("with all makes a delivery of each event of the feed for the endpoint, and none twice", async () => {
    const { data: events } = await world.done("GET /events?limit=100");
    const fitting = events.filter(
      ({ type, resource_id }: Json) =>
        !/^(user|plan|oauth_grant|api_key|test_clock)\./.test(type) && resource_id !== endpoint.id,
    );
    expect(fitting.length).toBeLessThan(events.length);
    const reply = await world.rest(`POST ${path}/replay`, { only: "all" });
    expect([reply.status, reply.body]).toEqual([
      202,
      { object: "webhook_replay", queued: fitting.length },
    ]);
    const made = (await listed()).reverse();
    expect(
      made.map(({ event_id, sequence, event_type }) => [event_id, sequence, event_type]),
    ).toEqual(fitting.map(({ id, sequence, type }: Json) => [id, sequence, type]));
    expect(await replay({ only: "all" })).toMatchObject({ queued: fitting.length });
    expect(await listed()).toHaveLength(fitting.length);
    const rows = await world.sql(
      "select sequence, previous_sequence, event_type, root from webhook_deliveries order by sequence",
    );
    expect(rows.map(({ previous_sequence }) => previous_sequence)).toEqual([
      null,
      ...rows.slice(0, -1).map(({ sequence }) => sequence),
    ]);
    const roots = rows.filter(({ event_type }) =>
      /^(invoice|invoice_line|delivery)\./.test(event_type),
    );
    expect(roots.length).toBeGreaterThan(3);
    expect(new Set(roots.map(({ root }) => root)).size).toBe(1);
  });

  it("sends what was given up or skipped again, in a range", async () => {
    await settle("delivered");
    const [first, second, third] = (await listed()).reverse();
    await settle("dead", `sequence in (${first.sequence}, ${third.sequence})`);
    await settle("skipped", `sequence = ${second.sequence}`);
    expect(await replay({ after: first.sequence })).toMatchObject({ queued: 2 });
    expect(await replay({ through: second.sequence })).toMatchObject({ queued: 1 });
    expect(await replay()).toMatchObject({ queued: 0 });
    expect((await listed("&status=pending")).map(({ id }) => id).sort()).toEqual(
      [first.id, second.id, third.id].sort(),
    );
    expect((await world.done(`GET ${path}`)).through).toBe(first.sequence - 1);
  });

  it("refuses more than 100,000 events", async () => {
    await world.sql(
      `insert into webhook_deliveries (account_id, endpoint_id, id, event_id, sequence, event_type, root, status, attempts, created_at)
       select account_id, id, gen_random_uuid(), 'e', n, 'customer.created', 'c', 'dead', '[]', now()
       from webhook_endpoints, generate_series(1000000, 1100000) as n`,
    );
    await world.sql("update webhook_endpoints set read_through = 2000000");
    const refused = await world.rest(`POST ${path}/replay`);
    expect(refusal(refused)).toBe("422 VALIDATION_FAILED after too_many");
    await world.sql("delete from webhook_deliveries where sequence >= 1000000");
    expect(await listed("&status=dead")).toEqual([]);
  });
});

describe("deliveries", () => {
  it("are filtered by state, type and time", async () => {
    await settle("delivered");
    const all = await listed();
    const day = all[0].created_at.slice(0, 10);
    expect(await listed(`&from=${day}&to=${day}`)).toEqual(all);
    expect(await listed(`&to=${all[0].created_at}`)).toEqual(all);
    expect(await listed("&to=2020-01")).toEqual([]);
    expect(await listed("&status=pending")).toEqual([]);
    const created = await listed("&event_type=customer.created");
    expect(created).toHaveLength(customers.length);
    const unknown = await world.rest(`GET ${path}/deliveries?status=lost`);
    expect(refusal(unknown)).toBe("422 VALIDATION_FAILED status invalid_value");
  });

  it("show the request and each answer", async () => {
    const [{ id }] = await listed();
    const attempt = {
      ...{ at: "2026-11-28T01:00:00.000Z", duration_ms: 12, status: 503, error: null },
      ...{ response_headers: { "retry-after": "5" }, response_body: "later" },
    };
    await world.sql(
      "update webhook_deliveries set body = $2, request_headers = $3, attempts = $4, attempt_count = 1 where id = $1",
      [id, '{"a":1}', '{"webhook-id":"x","x-token":null}', JSON.stringify([attempt])],
    );
    const shown = await world.done(`GET /webhook-deliveries/${id}`);
    expect(shown).toMatchObject({
      ...{ object: "webhook_delivery", endpoint_id: endpoint.id, attempts: [attempt] },
      request: { headers: { "webhook-id": "x", "x-token": null }, body: '{"a":1}' },
    });
    expect((await listed())[0]).toEqual(shown);
  });

  it("are sent again one by one, with what was sent", async () => {
    const [{ id }] = await listed();
    await settle("dead");
    const again = await world.done(`POST /webhook-deliveries/${id}/redeliver`);
    expect(again).toMatchObject({ status: "pending", attempt_count: 0, next_attempt_at: null });
    expect(again.attempts).toHaveLength(1);
    expect(again.request.body).toBe('{"a":1}');
    const absent = "0190a000-0000-7000-8000-000000000000";
    expect(refusal(await world.rest(`GET /webhook-deliveries/${absent}`))).toBe("404 NOT_FOUND");
    expect(refusal(await world.rest(`POST /webhook-deliveries/${absent}/redeliver`))).toBe(
      "404 NOT_FOUND",
    );
  });

  it("are kept for 30 days, and longer while they wait", async () => {
    const [pending, settled, young] = await listed();
    await world.sql(
      "update webhook_deliveries set created_at = now() - interval '29 days 23 hours'",
    );
    await world.sql(
      "update webhook_deliveries set created_at = now() - interval '31 days' where id = any($1)",
      [[pending.id, settled.id]],
    );
    await removeExpired(world.services);
    const left = (await listed()).map(({ id }) => id);
    expect(left).toContain(pending.id);
    expect(left).toContain(young.id);
    expect(left).not.toContain(settled.id);
  });

  it("end with their endpoint", async () => {
    const other = await world.done("POST /webhook-endpoints", {
      url: "https://hooks.example/",
      event_types: ["customer.*"],
    });
    const { queued } = await world.done(`POST /webhook-endpoints/${other.id}/replay`, {
      only: "all",
    });
    expect(queued).toBe(customers.length);
    await world.done(`DELETE /webhook-endpoints/${other.id}`);
    const rows = await world.sql("select from webhook_deliveries where endpoint_id = $1", [
      other.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("while background work is paused", () => {
  it("nothing is sent again", async () => {
    const [{ id }] = await listed();
    await world.sql("insert into background_pause values (true, now())");
    for (const call of [`${path}/replay`, `/webhook-deliveries/${id}/redeliver`]) {
      expect(refusal(await world.rest(`POST ${call}`))).toBe("409 BACKGROUND_PAUSED");
    }
    await world.sql("delete from background_pause");
  });
});
