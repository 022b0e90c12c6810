/** The endpoints for operators (spec 12.5): health, readiness and metrics; and the page of the API. */
import { fastify } from "fastify";
import { describe, expect, it } from "vitest";
import { openWorld, useWorld } from "../../../test/support/world/world.ts";
import { openDatabase } from "../database/database.ts";
import { watchDatabase } from "../database/watch.ts";
import { openLog } from "../runtime/log.ts";
import { mountOperations } from "./operations.ts";

const TOKEN = "a-token-of-some-length";

const world = useWorld({ environment: { MATCHBOOK_METRICS_TOKEN: TOKEN } });

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.origin}${path}`, { headers });

describe("/api/docs", () => {
  it("is a page without a key, refuses to be framed, and runs only its own scripts", async () => {
    const response = await get("/api/docs");
    const html = await response.text();

    expect(response.status).toBe(200);
    expect(html).not.toMatch(/<script(?! src="\/api\/docs\/)/);
    const policy = response.headers.get("content-security-policy") ?? "";
    const parts = ["default-src 'none'", "script-src 'self'", "connect-src 'self'"];
    for (const part of [...parts, "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy.split("; ")).toContain(part);
    }
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  it("serves only scripts with the digest of their content, which browsers may cache", async () => {
    const html = await (await get("/api/docs")).text();
    const paths = [...html.matchAll(/<script src="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const zipped = await get(path);
      const plain = await get(path, { "accept-encoding": "identity" });
      expect([zipped.status, zipped.headers.get("content-encoding")]).toEqual([200, "gzip"]);
      expect(zipped.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(zipped.headers.get("cache-control")).toContain("immutable");
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(await plain.text()).toBe(await zipped.text());
    }
    expect((await get("/api/docs/renderer.0000000000000000.js")).status).toBe(404);
    expect((await get("/api/docs/..%2f..%2fpackage.json")).status).toBe(404);
  });
});

describe("/healthz", () => {
  it("answers without a key while the process runs", async () => {
    const response = await get("/healthz");

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok" });
  });

  it("fails after more than a minute without a database", async () => {
    // No server listens on this port.
    const db = openDatabase("postgresql://unknown@127.0.0.1:1/nothing", 1, () => {});
    let now = 1_000;
    const watch = watchDatabase([db], openLog("silent"), () => now);
    const app = fastify();
    mountOperations(app, { ...world.services, watch });
    const healthAfter = async (milliseconds: number) => {
      now = 1_000 + milliseconds;
      const { statusCode, body } = await app.inject("/healthz");
      return [statusCode, JSON.parse(body).status];
    };
    try {
      expect(await healthAfter(90_000)).toEqual([200, "ok"]);
      now = 1_000;
      watch.start();
      await expect
        .poll(() => {
          now = 1_001;
          const milliseconds = watch.away_ms();
          now = 1_000;
          return milliseconds;
        })
        .toBe(1);
      expect(await healthAfter(60_000)).toEqual([200, "ok"]);
      expect(await healthAfter(60_001)).toEqual([503, "no_database"]);
    } finally {
      await watch.stop();
      await app.close();
    }
  });
});

describe("/readyz", () => {
  it("is ready with a migrated database", async () => {
    const response = await get("/readyz");

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ready", faults: [] });
  });

  it("is not ready while a migration is missing", async () => {
    const [migration] = await world.sql(
      "delete from schema_migrations where name = (select max(name) from schema_migrations) returning *",
    );

    const response = await get("/readyz");

    await world.sql("insert into schema_migrations (name, digest) values ($1, $2)", [
      migration.name,
      migration.digest,
    ]);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: "not_ready",
      faults: [`migration ${migration.name} is not applied`],
    });
    expect((await get("/readyz")).status).toBe(200);
  });

  it("is not ready, but healthy, without an answer of the database", async () => {
    await world.sql("alter table schema_migrations rename to hidden");

    const [ready, health] = [await get("/readyz"), await get("/healthz")];

    await world.sql("alter table hidden rename to schema_migrations");
    expect([ready.status, health.status]).toEqual([503, 200]);
    expect(await ready.json()).toEqual({
      status: "not_ready",
      faults: ["the database does not answer"],
    });
  });
});

describe("/metrics", () => {
  it("counts requests by route and status, without ids and keys", async () => {
    const { id } = await world.done("POST /customers", { name: "Acme" });
    await world.done(`GET /customers/${id}`);
    await world.rest("GET /customers/17");

    const response = await get("/metrics", { authorization: `Bearer ${TOKEN}` });

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toMatch(
      /matchbook_http_request_seconds_count\{method="POST",route="[^"]*\/customers",status="201"\} 1/,
    );
    expect(text).toMatch(
      /matchbook_http_request_seconds_count\{method="GET",route="[^"]*\/customers\/:ref",status="200"\} 1/,
    );
    expect(text).toMatch(
      /matchbook_http_request_seconds_count\{method="GET",route="[^"]*\/customers\/:ref",status="400"\} 1/,
    );
    expect(text).toContain("process_cpu_seconds_total");
    expect(text).not.toContain(id);
    expect(text).not.toContain(world.account.keys.read_write);
  });

  it.each<[string, Record<string, string>, number]>([
    ["from this machine, without the configured token", {}, 404],
    ["with the token", { authorization: `Bearer ${TOKEN}` }, 200],
    [
      "with the token, through a proxy",
      { authorization: `Bearer ${TOKEN}`, "x-forwarded-for": "192.0.2.1" },
      200,
    ],
    ["with another token", { authorization: "Bearer something-else" }, 404],
    ["through a proxy", { "x-forwarded-for": "127.0.0.1" }, 404],
    ["through another proxy", { forwarded: "for=127.0.0.1" }, 404],
    ["through a third proxy", { "x-real-ip": "127.0.0.1" }, 404],
  ])("answers a request %s", async (_who, headers, status) => {
    expect((await get("/metrics", headers)).status).toBe(status);
  });

  it("refuses API keys if no token is configured", async () => {
    const other = await openWorld();
    try {
      // Without a token, callers on this machine may read the metrics.
      expect((await fetch(`${other.origin}/metrics`)).status).toBe(200);
      const headers = {
        authorization: `Bearer ${other.account.keys.read_write}`,
        "x-forwarded-for": "192.0.2.1",
      };
      expect((await fetch(`${other.origin}/metrics`, { headers })).status).toBe(404);
    } finally {
      await other.close();
    }
  });
});
