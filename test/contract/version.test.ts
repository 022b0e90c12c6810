/** Every answer below /api/v1 names the version of the API, and a request may name one that the service knows (spec 15.5). */
import { describe, expect, it } from "vitest";
import { addDays, calendarDate } from "../../src/domain/base/calendar.ts";
import { API_VERSION } from "../../src/platform/http/version.ts";
import { callPlainly, type PlainReply } from "../support/http/plain-call.ts";
import { sendRaw } from "../support/http/raw.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld();
const customer = world.made("POST /customers", { name: "Acme", external_id: "acme" });

interface Asked {
  readonly version?: string;
  readonly key?: string | null;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function asked(call: string, { version, key, body, headers }: Asked = {}) {
  const [method = "", path = ""] = call.split(" ");
  const sent_key = key === undefined ? world.account.keys.read_write : key;
  const all = { ...headers, ...(version !== undefined && { "matchbook-version": version }) };
  const reply = await callPlainly(world, method, path, sent_key, { body, headers: all });
  return { ...reply, code: codeOf(reply) };
}

const codeOf = ({ text }: PlainReply): string | undefined => /"code":"([A-Z_]+)"/.exec(text)?.[1];

const day = calendarDate(API_VERSION);
if (day === undefined) throw new Error(`${API_VERSION} is no day`);
const LATER = addDays(day, 1);

describe("the header Matchbook-Version", () => {
  const json = { "content-type": "application/json" };
  it.each<[what: string, call: string, asked: Asked, status: number]>([
    ["a list", "GET /customers", {}, 200],
    ["one resource", "GET /customers/ext:acme", {}, 200],
    ["a list with a filter", "GET /customers?limit=1", { headers: { "content-length": "0" } }, 200],
    ["a list as CSV", "GET /customers", { headers: { accept: "text/csv" } }, 200],
    ["a file as a stream", "GET /invoices.csv", {}, 200],
    ["a report", "GET /recognition?from=2026-01&to=2026-01", {}, 200],
    ["a creation", "POST /customers", { body: '{"name":"B"}' }, 201],
    ["the document of the API", "GET /openapi.json", { key: null }, 200],
    ["an unreadable body", "POST /customers", { body: "{" }, 400],
    [
      "another content type",
      "POST /customers",
      { body: "a", headers: { "content-type": "text/plain" } },
      400,
    ],
    ["an unreadable address", "GET /customers/%zz", {}, 400],
    ["no key", "GET /customers", { key: null }, 401],
    ["no key at an unknown address", "GET /nowhere", { key: null }, 401],
    ["a missing resource", "GET /customers/ext:gone", {}, 404],
    ["an unknown address", "GET /nowhere", {}, 404],
    ["the address of the API itself", "GET ", {}, 404],
    ["another method", "HEAD /customers", {}, 404],
    ["an invalid filter", "GET /customers?limit=0", {}, 422],
    ["an invalid body", "POST /customers", { body: "{}", headers: json }, 422],
  ])("stands on the answer to %s", async (_what, call, fields, status) => {
    const reply = await asked(call, fields);
    expect([reply.status, reply.headers.get("matchbook-version")]).toEqual([status, API_VERSION]);
  });

  it("stands on the refusal of a scope, and on an answer without content", async () => {
    const refused = await asked("POST /customers", { key: world.account.keys.read, body: "{}" });
    expect([refused.status, refused.headers.get("matchbook-version")]).toEqual([403, API_VERSION]);

    const product = await world.done("POST /products", { name: "Work" });
    const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 1 }];
    await world.done("POST /invoices", { customer_id: customer.id, external_id: "gone", lines });
    const removed = await asked("DELETE /invoices/ext:gone");
    expect([removed.status, removed.headers.get("matchbook-version")]).toEqual([204, API_VERSION]);
  });

  it.each([
    ["without a host", "GET /api/v1/customers HTTP/1.1\r\n\r\n"],
    ["that is no HTTP", "nonsense\r\n\r\n"],
    ["with an absolute address", "GET http://x/api/v1/customers/%zz HTTP/1.1\r\nhost: x\r\n\r\n"],
  ])("stands on the refusal of a request %s", async (_what, bytes) => {
    const { status, headers } = await sendRaw(world.origin, bytes);
    expect([status, headers["matchbook-version"]]).toEqual([400, API_VERSION]);
  });

  it("finds the API where a part of its path is encoded", async () => {
    const { status, headers } = await sendRaw(
      world.origin,
      "GET /api/v%31/customers HTTP/1.1\r\nhost: x\r\n\r\n",
    );
    expect([status, headers["matchbook-version"]]).toEqual([401, API_VERSION]);
  });

  it.each(["/", "/api/docs", "/api/v10", "/healthz"])("is not sent for %s", async (path) => {
    const { headers } = await fetch(`${world.origin}${path}`, { redirect: "manual" });
    expect(headers.has("matchbook-version")).toBe(false);
  });
});

describe("a request that names a version", () => {
  it.each([API_VERSION, "2026-03-01", "1999-12-31"])("gets its answer for %s", async (version) => {
    const plain = await asked("GET /customers/ext:acme");
    const named = await asked("GET /customers/ext:acme", { version });
    expect([named.status, named.text]).toEqual([200, plain.text]);
    expect(named.headers.get("matchbook-version")).toBe(API_VERSION);
  });

  it.each([
    LATER,
    "2199-01-01",
    "2026-02-30",
    "2026-13-01",
    "latest",
    "1",
    `${API_VERSION}, ${API_VERSION}`,
  ])("is refused for %s, on every path", async (version) => {
    for (const call of [
      "GET /customers",
      "GET /customers/ext:acme",
      "GET /invoices.csv",
      "GET /nowhere",
    ]) {
      const reply = await asked(call, { version });
      expect([call, reply.status, reply.code]).toEqual([call, 400, "VERSION_UNKNOWN"]);
      expect(JSON.parse(reply.text).error.details).toEqual({
        requested: version,
        known: API_VERSION,
      });
      expect(reply.headers.get("matchbook-version")).toBe(API_VERSION);
    }
    const open = await asked("GET /openapi.json", { version, key: null });
    expect([open.status, open.code]).toEqual([400, "VERSION_UNKNOWN"]);
  });

  it("changes nothing when it is refused, and leaves the idempotency key free", async () => {
    const name = { body: '{"name":"Later"}', headers: { "idempotency-key": "later" } };
    const refused = await asked("POST /customers", { ...name, version: LATER });
    expect([refused.status, refused.code]).toEqual([400, "VERSION_UNKNOWN"]);
    const made = await asked("POST /customers", { ...name, version: API_VERSION });
    expect(made.status).toBe(201);
  });

  it("is refused for it after the key and the scope, and before anything else", async () => {
    const version = LATER;
    const { read } = world.account.keys;
    expect((await asked("GET /customers", { version, key: null })).status).toBe(401);
    expect(
      (await asked("PATCH /customers/ext:acme", { version, key: read, body: "{}" })).status,
    ).toBe(403);
    expect((await asked("POST /customers", { version, body: "{" })).code).toBe("VERSION_UNKNOWN");
    expect((await asked("GET /customers/17", { version })).code).toBe("VERSION_UNKNOWN");
    expect((await asked("GET /customers?limit=0", { version })).code).toBe("VERSION_UNKNOWN");
  });

  it("sees a long text shortened", async () => {
    const reply = await asked(`GET /customers/${customer.id}`, { version: "9".repeat(5_000) });
    expect(JSON.parse(reply.text).error.details.requested).toBe(`${"9".repeat(39)}…`);
  });
});
