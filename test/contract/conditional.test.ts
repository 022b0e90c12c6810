/**
 * Conditional requests over every kind of resource that has a tag (spec 15.7): 304 for what the client has, 412 for a change of
 * what it has not seen, and of two changes with one tag exactly one. The resources are read from the routes.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { routes } from "../../src/routes.ts";
import { callPlainly, type PlainReply } from "../support/http/plain-call.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld();

/** A resource of each kind, and two changes of it that differ. */
interface Kind {
  readonly path: string;
  readonly changes: readonly [Json, Json];
}
const kinds: Record<string, Kind> = {};

beforeAll(async () => {
  const { done } = world;
  const customer = await done("POST /customers", { name: "Acme", external_id: "acme" });
  const product = await done("POST /products", { name: "Work", default_price: 100 });
  const user = await done("POST /users", {
    name: "Bo",
    email: "bo@studio.example",
    role: "standard",
  });
  const line = { product_id: product.id, recognition_method: "hours", hourly_rate: 900 };
  const draft = await done("POST /invoices", {
    customer_id: customer.id,
    external_id: "d",
    lines: [line],
  });
  const series = await done("POST /recurring-series", {
    customer_id: customer.id,
    external_id: "s",
    frequency: "monthly",
    start_date: "2026-01-01",
    issue_timing: { mode: "end-of-period" },
    lines: [line],
  });
  const work = await done("POST /work-registrations", {
    line_id: draft.lines[0].id,
    user_id: user.id,
    hours: 2,
    date: "2026-03-02",
  });
  const bank = (await done("GET /bank-accounts")).data[0];
  const names: Kind["changes"] = [{ name: "One" }, { name: "Two" }];
  kinds["/customers/:ref"] = { path: `/customers/${customer.id}`, changes: names };
  kinds["/products/:ref"] = { path: `/products/${product.id}`, changes: names };
  kinds["/users/:ref"] = { path: `/users/${user.id}`, changes: names };
  kinds["/invoices/:ref"] = {
    path: `/invoices/${draft.id}`,
    changes: [{ title: "One" }, { title: "Two" }],
  };
  kinds["/recurring-series/:ref"] = {
    path: `/recurring-series/${series.id}`,
    changes: [{ end_date: "2026-12-31" }, { end_date: "2027-12-31" }],
  };
  kinds["/work-registrations/:ref"] = {
    path: `/work-registrations/${work.id}`,
    changes: [{ hours: 3 }, { hours: 4 }],
  };
  kinds["/configuration"] = {
    path: "/configuration",
    changes: [{ default_auto_send: true }, { default_auto_send: false }],
  };
  const endpoint = await done("POST /webhook-endpoints", {
    url: "https://hooks.example/",
    event_types: ["test_clock.updated"],
  });
  kinds["/webhook-endpoints/:ref"] = {
    path: `/webhook-endpoints/${endpoint.id}`,
    changes: [{ description: "One" }, { description: "Two" }],
  };
  if (bank) kinds["/bank-accounts/:ref"] = { path: `/bank-accounts/${bank.id}`, changes: names };
});

const call = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Json,
): Promise<PlainReply> =>
  callPlainly(world, method, path, world.account.keys.read_write, {
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const read = (path: string, headers: Record<string, string> = {}) => call("GET", path, headers);
const tagOf = ({ headers }: PlainReply): string => headers.get("etag") ?? "(none)";
const codeOf = ({ status, text }: PlainReply): string =>
  status < 400 ? String(status) : `${status} ${JSON.parse(text).error.code}`;
const STALE = "412 PRECONDITION_FAILED";

const conditional = routes.filter(({ shown }) => shown !== undefined);
const patched = conditional.filter(({ method }) => method === "PATCH").map(({ path }) => path);

describe("the conditional routes", () => {
  it("are the reads of single resources, with their changes and deletions", () => {
    const named = conditional.map(({ method, path }) => `${method} ${path}`);
    for (const path of [
      "customers",
      "products",
      "users",
      "invoices",
      "recurring-series",
      "work-registrations",
    ]) {
      expect(named).toContain(`GET /${path}/:ref`);
      expect(named).toContain(`PATCH /${path}/:ref`);
    }
    for (const one of [
      "GET /credit-notes/:ref",
      "GET /configuration",
      "PATCH /configuration",
      "DELETE /invoices/:ref",
      "DELETE /work-registrations/:ref",
    ]) {
      expect(named).toContain(one);
    }
    const reads = new Set(
      conditional.filter(({ method }) => method === "GET").map(({ path }) => path),
    );
    const whole = routes.filter(
      ({ method, path }) => reads.has(path) && /PATCH|DELETE/.test(method),
    );
    expect(whole.filter(({ shown }) => shown === undefined)).toEqual([]);
  });

  it("state their headers and answers in the document of the API", async () => {
    const { paths } = JSON.parse((await read("/openapi.json")).text);
    const { get, patch } = paths["/customers/{ref}"];
    expect(get.parameters.map(({ name }: Json) => name)).toContain("If-None-Match");
    expect(patch.parameters.map(({ name }: Json) => name)).toContain("If-Match");
    expect(Object.keys(get.responses)).toContain("304");
    expect(patch.responses[412].description).toContain("PRECONDITION_FAILED");
    expect(paths["/customers"].get.responses[412]).toBeUndefined();
  });
});

describe.each(patched)("PATCH %s", (kind) => {
  // Its tag has two parts.
  const has_progress = kind === "/webhook-endpoints/:ref";
  const one = (): Kind => {
    const found = kinds[kind];
    if (found === undefined) throw new Error(`no resource of ${kind}: make one above`);
    return found;
  };

  it("and its GET answer one tag, which stays while nothing changes", async () => {
    const { path, changes } = one();
    const made = await call("PATCH", path, {}, changes[0]);
    const first = await read(path);
    expect(tagOf(first)).toMatch(has_progress ? /^"[\w-]{22}\.[\w-]{22}"$/ : /^"[\w-]{22}"$/);
    expect([made.status, made.text, tagOf(made)]).toEqual([200, first.text, tagOf(first)]);
    // The ordinary path of the request answers the same.
    const ordinary = await read(path, { "matchbook-version": "2026-01-01" });
    expect(tagOf(ordinary)).toBe(tagOf(first));
    const again = await call("PATCH", path, { "if-match": tagOf(first) }, changes[0]);
    expect([again.status, tagOf(again)]).toEqual([200, tagOf(first)]);
    expect(tagOf(await read(path))).toBe(tagOf(first));
  });

  it("makes the earlier tag stale: a read answers all of it, and a change with it is refused", async () => {
    const { path, changes } = one();
    await call("PATCH", path, {}, changes[0]);
    const seen = await read(path);
    const unchanged = await read(path, { "if-none-match": tagOf(seen) });
    expect([unchanged.status, unchanged.text, tagOf(unchanged)]).toEqual([304, "", tagOf(seen)]);
    expect(unchanged.headers.has("matchbook-version")).toBe(true);

    const changed = await call("PATCH", path, { "if-match": tagOf(seen) }, changes[1]);
    expect(changed.status).toBe(200);
    expect((await read(path, { "if-none-match": tagOf(seen) })).status).toBe(200);
    expect(codeOf(await call("PATCH", path, { "if-match": tagOf(seen) }, changes[0]))).toBe(STALE);
    expect((await read(path)).text).toBe(changed.text);
    expect(codeOf(await call("PATCH", path, { "if-match": tagOf(changed) }, changes[0]))).toBe(
      "200",
    );
  });

  it("lets exactly one of several changes with the same tag succeed, each time", async () => {
    const { path, changes } = one();
    for (let round = 0; round < 3; round += 1) {
      await call("PATCH", path, {}, changes[0]);
      const headers = { "if-match": tagOf(await read(path)) };
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => call("PATCH", path, headers, changes[1])),
      );
      expect(replies.map(codeOf).sort()).toEqual(["200", STALE, STALE, STALE]);
    }
  });
});

describe("the lists of tags", () => {
  const path = "/customers/ext:acme";
  const other = '"0000000000000000000000"';

  it.each<[list: (tag: string) => string, status: number]>([
    [(tag) => tag, 304],
    [(tag) => `W/${tag}`, 304],
    [(tag) => `${other}, ${tag}`, 304],
    [(tag) => `${other},W/${tag},${other}`, 304],
    [() => "*", 304],
    [() => other, 200],
    [(tag) => tag.replaceAll('"', ""), 200],
    [() => "nonsense", 200],
  ])("of If-None-Match compare weakly: %s answers %s", async (list, status) => {
    const tag = tagOf(await read(path));
    for (const more of [{}, { "matchbook-version": "2026-01-01" }]) {
      expect((await read(path, { "if-none-match": list(tag), ...more })).status).toBe(status);
    }
  });

  it.each<[list: (tag: string) => string, code: string]>([
    [(tag) => tag, "200"],
    [(tag) => `${other}, ${tag}`, "200"],
    [() => "*", "200"],
    [(tag) => `W/${tag}`, STALE],
    [() => other, STALE],
    [() => "nonsense", STALE],
  ])("of If-Match compare strictly: %s answers %s", async (list, code) => {
    const tag = tagOf(await read(path));
    const headers = { "if-match": list(tag) };
    expect(codeOf(await read(path, headers))).toBe(code);
    expect(codeOf(await call("PATCH", path, headers, { phone: "12345678" }))).toBe(code);
    await call("PATCH", path, {}, { phone: null });
  });

  it("are judged together: If-Match first, then If-None-Match (RFC 9110, 13.2.2)", async () => {
    const tag = tagOf(await read(path));
    const both = (match: string, none: string) => ({ "if-match": match, "if-none-match": none });
    expect((await read(path, both(tag, tag))).status).toBe(304);
    expect((await read(path, both(tag, other))).status).toBe(200);
    expect(codeOf(await read(path, both(other, tag)))).toBe(STALE);
    expect(codeOf(await call("PATCH", path, both(tag, tag), { phone: "1" }))).toBe(STALE);
    expect(codeOf(await call("PATCH", path, both(tag, other), { phone: "2" }))).toBe("200");
  });

  it("refuse a change whose If-None-Match lists the resource", async () => {
    const tag = tagOf(await read(path));
    expect(codeOf(await call("PATCH", path, { "if-none-match": tag }, { phone: "1" }))).toBe(STALE);
    expect(codeOf(await call("PATCH", path, { "if-none-match": "*" }, { phone: "1" }))).toBe(STALE);
    expect(codeOf(await call("PATCH", path, { "if-none-match": other }, { phone: "1" }))).toBe(
      "200",
    );
  });
});

describe("the tag of a resource with progress", () => {
  const path = "/webhook-endpoints/ext:moving";
  const codes = async (...calls: readonly Promise<PlainReply>[]) =>
    (await Promise.all(calls)).map(codeOf);
  beforeAll(() =>
    world.done("POST /webhook-endpoints", {
      url: "https://hooks.example/",
      event_types: ["customer.updated"],
      external_id: "moving",
    }),
  );
  /** Makes an event that waits for the endpoint. */
  const progress = () => call("PATCH", "/customers/ext:acme", {}, { phone: `${Math.random()}` });

  it("has two parts: events that wait change the second alone", async () => {
    const seen = await read(path);
    await progress();
    const now = await read(path, { "if-none-match": tagOf(seen) });
    expect(now.status).toBe(200);
    expect(JSON.parse(now.text).backlog).toBe(JSON.parse(seen.text).backlog + 1);
    expect(tagOf(now)).not.toBe(tagOf(seen));
    const [of_seen, of_now] = [seen, now].map((one) => tagOf(one).split("."));
    expect(of_now?.[0]).toBe(of_seen?.[0]);
    expect((await read(path, { "if-none-match": tagOf(now) })).status).toBe(304);
  });

  it("lets a change and a read with If-Match succeed beside new events", async () => {
    const seen = { "if-match": tagOf(await read(path)) };
    await progress();
    expect((await read(path, seen)).status).toBe(200);
    const changed = await call("PATCH", path, seen, { description: `${Math.random()}` });
    expect(changed.status).toBe(200);
    expect(
      await codes(call("PATCH", path, seen, { description: "lost" }), read(path, seen)),
    ).toEqual([STALE, STALE]);
  });

  it.each<[what: string, change: () => Promise<unknown>]>([
    ["its URL", () => world.done(`PATCH ${path}`, { url: "https://hooks.example/2" })],
    ["the value of a header", () => world.done(`PATCH ${path}`, { headers: { "X-A": "1" } })],
    ["its secret", () => world.done(`POST ${path}/rotate-secret`)],
    ["its status", () => world.done(`POST ${path}/pause`)],
  ])("is stale for If-Match after a change of %s", async (_, change) => {
    const seen = { "if-match": tagOf(await read(path)) };
    await change();
    expect(codeOf(await call("PATCH", path, seen, { description: "lost" }))).toBe(STALE);
    expect(codeOf(await call("DELETE", path, seen))).toBe(STALE);
  });

  it("fits no tag of one part, no weak one, and no other first part", async () => {
    const tag = tagOf(await read(path));
    const [first = "", second = ""] = tag.split(".");
    const change = (list: string) =>
      call("PATCH", path, { "if-match": list }, { description: null });
    for (const list of [
      `${first}"`,
      `"${second}`,
      `W/${tag}`,
      `"0000000000000000000000.${second}`,
    ]) {
      expect(codeOf(await change(list)), list).toBe(STALE);
    }
    expect(codeOf(await call("PATCH", path, { "if-none-match": tag }, {}))).toBe(STALE);
    expect(codeOf(await change(`"x", ${tag}`))).toBe("200");
  });

  it("is followed by a deletion under If-Match beside new events", async () => {
    const seen = tagOf(await read(path));
    await progress();
    expect(codeOf(await call("DELETE", path, { "if-match": seen }))).toBe("204");
  });
});

describe("a deletion under If-Match", () => {
  const drafted = async (title: string): Promise<Json> => {
    const product = (await world.done("GET /products")).data[0];
    const customer_id = (await world.done("GET /customers/ext:acme")).id;
    const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 1 }];
    return world.done("POST /invoices", { customer_id, external_id: title, title, lines });
  };

  it("happens while the draft is as it was seen", async () => {
    const path = `/invoices/${(await drafted("kept")).id}`;
    const seen = await read(path);
    await call("PATCH", path, {}, { title: "changed" });
    expect(codeOf(await call("DELETE", path, { "if-match": tagOf(seen) }))).toBe(STALE);
    expect((await read(path)).status).toBe(200);
    const again = tagOf(await read(path));
    expect(codeOf(await call("DELETE", path, { "if-match": again }))).toBe("204");
    expect(codeOf(await call("DELETE", path, { "if-match": again }))).toBe("404 NOT_FOUND");
  });

  it("happens to registered hours as they were seen, and not to others", async () => {
    const path = kinds["/work-registrations/:ref"]?.path ?? "";
    const seen = tagOf(await read(path));
    await call("PATCH", path, {}, { hours: 5 });
    expect(codeOf(await call("DELETE", path, { "if-match": seen }))).toBe(STALE);
    const again = tagOf(await read(path));
    expect(codeOf(await call("DELETE", path, { "if-match": again }))).toBe("204");
  });

  it("and a change with the same tag never both happen", async () => {
    for (let round = 0; round < 4; round += 1) {
      const path = `/invoices/${(await drafted(`race-${round}`)).id}`;
      const headers = { "if-match": tagOf(await read(path)) };
      const replies = await Promise.all([
        call("DELETE", path, headers),
        call("PATCH", path, headers, { title: "changed" }),
      ]);
      const outcome = replies.map(codeOf);
      expect([
        ["204", "404 NOT_FOUND"],
        [STALE, "200"],
      ]).toContainEqual(outcome);
    }
  });
});

describe("what is refused anyway", () => {
  it("keeps its refusal: an absent resource, a key that only reads, an invalid body", async () => {
    const headers = { "if-match": '"x"' };
    expect(codeOf(await call("PATCH", "/customers/ext:gone", headers, {}))).toBe("404 NOT_FOUND");
    expect(codeOf(await call("PATCH", "/customers/ext:acme", headers, { name: 1 }))).toBe(
      "422 VALIDATION_FAILED",
    );
    const { read: key } = world.account.keys;
    const refused = await callPlainly(world, "PATCH", "/customers/ext:acme", key, {
      headers,
      body: "{}",
    });
    expect(codeOf(refused)).toBe("403 INSUFFICIENT_SCOPE");
  });

  it("leaves no event, and a list has no tag", async () => {
    const { id } = await world.done("GET /customers/ext:acme");
    const events = async () =>
      (await world.done(`GET /audit-events?resource_id=${id}&limit=100`)).data.length;
    const before = await events();
    await call("PATCH", "/customers/ext:acme", { "if-match": '"x"' }, { name: "Never" });
    expect(await events()).toBe(before);
    const list = await read("/customers", { "if-none-match": "*", "if-match": '"x"' });
    expect([list.status, list.headers.has("etag")]).toEqual([200, false]);
  });

  it("is not sent to another account: the tag of a resource opens nothing", async () => {
    const tag = tagOf(await read("/customers/ext:acme"));
    const other = await world.openAnother();
    const { id } = await world.done("GET /customers/ext:acme");
    const reply = await callPlainly(world, "GET", `/customers/${id}`, other.keys.read, {
      headers: { "if-none-match": tag },
    });
    expect(codeOf(reply)).toBe("404 NOT_FOUND");
  });
});
