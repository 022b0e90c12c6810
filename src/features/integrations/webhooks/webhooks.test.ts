/** Webhook endpoints (spec 15.2): what is stored, shown and refused, and where their secrets are not. */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { send } from "../../../../test/support/http/send.ts";
import { type Json, type Reply, useWorld } from "../../../../test/support/world/world.ts";
import { transaction } from "../../../platform/database/transaction.ts";
import { headersPlace, secretPlace } from "./mint-secret.ts";
import { rollWebhookSecrets } from "./roll-secrets.ts";

const world = useWorld();
beforeEach(async () => {
  await world.sql("delete from webhook_endpoints");
});

const URL = "https://hooks.example/matchbook";
const create = (fields: Json = {}, headers: Record<string, string> = {}) =>
  call("POST /webhook-endpoints", { url: URL, event_types: ["*"], ...fields }, headers);

/** As `world.rest`, with further headers. */
async function call(what: string, sent: Json, more: Record<string, string>): Promise<Reply> {
  const [method = "", path = ""] = what.split(" ");
  const { read_write } = world.account.keys;
  const typed = sent === undefined ? {} : { "content-type": "application/json" };
  const headers = { authorization: `Bearer ${read_write}`, ...typed, ...more };
  const body = sent === undefined ? undefined : JSON.stringify(sent);
  const reply = await send(`${world.origin}/api/v1${path}`, { method, headers, body });
  const text = reply.body.toString();
  return { ...reply, body: text === "" ? "" : JSON.parse(text) };
}
const created = async (fields: Json = {}): Promise<Json> => (await create(fields)).body;

describe("POST /webhook-endpoints", () => {
  it("begins with the next event, and answers the secret once", async () => {
    const { status, body } = await create({ external_id: "crm" });
    const { secret, ...shown } = body;
    const head = Number(
      (await world.rest("GET /events?limit=1")).headers.get("matchbook-sequence"),
    );

    expect(status).toBe(201);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      ...{ object: "webhook_endpoint", external_id: "crm", url: URL, event_types: ["*"] },
      ...{ description: null, format: "standard", payload: "full", ordering: "resource" },
      ...{ headers: {}, max_per_second: 50, status: "enabled", disabled_reason: null },
      ...{ failing_since: null, backlog: 0, through: head - 1, last_success_at: null },
      ...{ secret_expires_at: null },
    });
    expect(await world.done("GET /webhook-endpoints/ext:crm")).toEqual(shown);
    expect((await world.done("GET /webhook-endpoints?external_id=crm")).data).toEqual([shown]);
  });

  it("answers a repeat with the same content 200 without the secret, and refuses other content", async () => {
    const fields = { external_id: "crm", headers: { "X-Token": "t-1" } };
    const { secret: _, ...shown } = await created(fields);
    const again = await create({ ...fields, format: "standard", description: null });

    expect([again.status, again.body]).toEqual([200, shown]);
    const other = await create({ ...fields, headers: { "X-Token": "t-2" } });
    expect(refusal(other)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("keeps its answer for an idempotency key without the secret", async () => {
    const key = { "idempotency-key": "endpoint-1" };
    const first = await create({}, key);
    const again = await create({}, key);

    const { secret, ...shown } = first.body;
    expect(secret).toMatch(/^whsec_/);
    expect([again.status, again.body]).toEqual([201, shown]);
    const stored = await world.sql("select answer, committed from idempotency_keys");
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it("resumes without a secret when the first answer was lost", async () => {
    const key = { "idempotency-key": "endpoint-2" };
    const { secret: _, ...shown } = (await create({}, key)).body;
    // As a crash between the commit and the answer leaves it.
    const result = { created: true, document: JSON.stringify(shown) };
    await world.sql(
      "update idempotency_keys set status = null, answer = null, committed = $1, lease_until = now() - interval '1 second' where key = 'endpoint-2'",
      [JSON.stringify({ result })],
    );
    const again = await create({}, key);
    expect([again.status, again.body]).toEqual([201, shown]);
  });

  it("begins after a sequence, and counts what waits for it", async () => {
    await world.done("POST /customers", { name: "Acme" });
    const head = Number(
      (await world.rest("GET /events?limit=1")).headers.get("matchbook-sequence"),
    );
    const all = await created({ after: 0 });
    const customers = await created({ after: 0, event_types: ["customer.*"] });
    const users = await created({ after: 0, event_types: ["*", "user.created"] });

    const count = async (types: string) =>
      (await world.done(`GET /events?limit=100&types=${types}`)).data.length;
    expect(all.through).toBe(0);
    expect(customers.backlog).toBe(await count("customer.*"));
    expect(users.backlog - all.backlog).toBe((await count("user.created")) + 2);
    expect(refusal(await create({ after: head + 100 }))).toBe(
      "422 VALIDATION_FAILED after too_large",
    );
  });

  it("refuses the 21st endpoint", async () => {
    const all = await Promise.all(Array.from({ length: 24 }, () => create()));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(refusal(await create())).toBe("409 TOO_MANY_ENDPOINTS");
  });

  it.each<[what: string, fields: Json, refused: string]>([
    ["no URL", { url: "hooks.example" }, "422 url invalid_format"],
    ["http", { url: "http://hooks.example/" }, "422 url not_allowed"],
    ["another scheme", { url: "ftp://hooks.example/" }, "422 url not_allowed"],
    ["a user in the URL", { url: "https://a:b@hooks.example/" }, "422 url not_allowed"],
    ["a URL that is too long", { url: `${URL}/${"x".repeat(2048)}` }, "422 url too_long"],
    ["no types", { event_types: [] }, "422 event_types too_short"],
    ["a type of no form", { event_types: ["Invoice"] }, "422 event_types[0] invalid_value"],
    ["an unknown type", { event_types: ["invoice.paid"] }, "422 event_types[0] invalid_value"],
    ["an unknown resource", { event_types: ["letter.*"] }, "422 event_types[0] invalid_value"],
    ["all types of keys", { event_types: ["*", "api_key.*"] }, "422 event_types[1] not_allowed"],
    ["a type twice", { event_types: ["*", "*"] }, "422 event_types duplicate"],
    ["another format", { format: "slack" }, "422 format invalid_value"],
    ["a rate of 0", { max_per_second: 0 }, "422 max_per_second too_small"],
    ["a rate of 101", { max_per_second: 101 }, "422 max_per_second too_large"],
    ["a header without a value", { headers: { A: null } }, "422 headers.A required"],
    ["a header twice", { headers: { A: "1", a: "2" } }, "422 headers.a duplicate"],
    ["a header with a line break", { headers: { A: "1\r\nB: 2" } }, "422 headers.A invalid_format"],
    ["a header of no form", { headers: { "A B": "1" } }, "422 headers.A B invalid_format"],
    [
      "six headers",
      { headers: { A: "1", B: "1", C: "1", D: "1", E: "1", F: "1" } },
      "422 headers too_many",
    ],
    ...["Host", "Content-Type", "WEBHOOK-id", "connection", "transfer-encoding"].map(
      (name) =>
        [name, { headers: { [name]: "x" } }, `422 headers.${name} not_allowed`] satisfies [
          string,
          Json,
          string,
        ],
    ),
  ])("refuses %s", async (_what, fields, refused) => {
    expect(refusal(await create(fields))).toContain(
      refused.replace("422", "422 VALIDATION_FAILED"),
    );
  });
});

describe("PATCH /webhook-endpoints/{ref}", () => {
  it("changes the fields sent, and keeps the values of headers that are sent back", async () => {
    const { secret: _, ...shown } = await created({
      headers: { "X-Token": "t-1", "X-Other": "o" },
    });
    const path = `PATCH /webhook-endpoints/${shown.id}`;
    expect(await world.done(path, shown)).toEqual(shown);

    const headers = { "X-Token": null, "X-New": "n" };
    const changed = await world.done(path, {
      headers,
      event_types: ["invoice.*"],
      max_per_second: 5,
    });
    expect(changed).toEqual({
      ...shown,
      ...{ headers: { "X-Token": null, "X-New": null }, event_types: ["invoice.*"] },
      ...{ max_per_second: 5, updated_at: changed.updated_at },
    });
    const [row] = await world.sql("select headers_sealed from webhook_endpoints");
    const place = headersPlace(world.account.account_id, shown.id);
    expect(JSON.parse(world.services.sealing.open(row.headers_sealed, place))).toEqual({
      "X-Token": "t-1",
      "X-New": "n",
    });
    expect((await world.done(path, { headers: {} })).headers).toEqual({});
  });

  it("refuses what a creation refuses, another's external id, and an endpoint that is gone", async () => {
    const { id } = await created();
    await created({ external_id: "taken" });
    const patch = async (changes: Json, ref = id) =>
      refusal(await world.rest(`PATCH /webhook-endpoints/${ref}`, changes));
    expect(await patch({ url: "http://hooks.example" })).toBe(
      "422 VALIDATION_FAILED url not_allowed",
    );
    expect(await patch({ headers: { "X-New": null } })).toBe(
      "422 VALIDATION_FAILED headers.X-New required",
    );
    expect(await patch({ external_id: "taken" })).toBe("409 EXTERNAL_ID_CONFLICT");
    expect(await patch({}, "ext:gone")).toBe("404 NOT_FOUND");
  });

  it("refuses a stale change", async () => {
    const { id } = await created();
    const path = `/webhook-endpoints/${id}`;
    const etag = (await world.rest(`GET ${path}`)).headers.get("etag") ?? "";
    const headers = { "if-match": etag };
    const first = await call(`PATCH ${path}`, { max_per_second: 7 }, headers);
    expect(first.status).toBe(200);
    const second = await call(`PATCH ${path}`, { max_per_second: 8 }, headers);
    expect(refusal(second)).toBe("412 PRECONDITION_FAILED");
    expect(refusal(await call(`DELETE ${path}`, undefined, headers))).toBe(
      "412 PRECONDITION_FAILED",
    );
  });
});

it("DELETE ends an endpoint and frees its external id", async () => {
  const { id } = await created({ external_id: "crm" });
  expect((await world.rest("DELETE /webhook-endpoints/ext:crm")).status).toBe(204);
  expect(refusal(await world.rest(`GET /webhook-endpoints/${id}`))).toBe("404 NOT_FOUND");
  expect((await create({ external_id: "crm", url: `${URL}/2` })).status).toBe(201);
});

it("secrets and values of headers stand in no answer, event or column in the clear", async () => {
  const value = "Bearer header-value-3f9a";
  const { secret, id } = await created({ external_id: "crm", headers: { Authorization: value } });
  await world.done(`PATCH /webhook-endpoints/${id}`, { headers: { Authorization: "other-77b1" } });
  const shown = [
    await world.done("GET /webhook-endpoints"),
    await world.done(`GET /webhook-endpoints/${id}`),
    await world.done("GET /audit-events?limit=100"),
    await world.done("GET /events?limit=100"),
    await world.sql("select * from webhook_endpoints"),
    await world.sql("select * from audit_events"),
    await world.sql("select * from idempotency_keys"),
    await world.sql("select * from api_key_requests"),
  ];
  const texts = shown.map((one) =>
    JSON.stringify(one, (_, held) => {
      if (typeof held === "bigint") return String(held);
      return held?.type === "Buffer" ? Buffer.from(held.data).toString("latin1") : held;
    }),
  );
  for (const text of texts) {
    for (const secret_text of [secret, secret.slice(6), "header-value-3f9a", "other-77b1"]) {
      expect(text).not.toContain(secret_text);
    }
  }
  const trail = (await world.done("GET /audit-events?limit=2")).data;
  expect(trail.map(({ action }: Json) => action)).toEqual(["updated", "created"]);
  expect(trail[0].after.headers).toEqual({ Authorization: null });
});

it("another sealing key opens what was sealed before", async () => {
  const { secret, id } = await created({ headers: { Authorization: "value" } });
  const { sealing, db } = world.services;
  sealing.rotate();
  expect(await transaction(db, (tx) => rollWebhookSecrets(tx, sealing))).toBe(1);
  sealing.rotate();
  sealing.dropOld();
  const [row] = await world.sql("select * from webhook_endpoints");
  const { account_id } = world.account;
  expect(sealing.open(row.secret_sealed, secretPlace(account_id, id))).toBe(secret);
});
