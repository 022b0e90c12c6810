/** The headers of a deprecated operation (RFC 9745) stand on each of its answers, and the OpenAPI document marks it. */
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import type { CalendarDate } from "../../src/domain/base/calendar.ts";
import { keyAuthentication } from "../../src/features/access/api-keys/authenticate.ts";
import { openApiOf } from "../../src/platform/http/openapi.ts";
import { defineRoute, routesOf } from "../../src/platform/http/route.ts";
import { openServer } from "../../src/platform/http/server.ts";
import { routes } from "../../src/routes.ts";
import type { Json } from "../support/world/world.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld();
const LINK = "https://matchbook.example/instead";
const old = defineRoute("GET /old-things", {
  operation: "old_things.list",
  summary: "List old things",
  access: "read",
  query: z.object({ limit: z.string().regex(/^\d$/).optional() }),
  deprecated: { since: "2026-11-27" as CalendarDate, link: LINK },
  replies: { 200: z.object({ object: z.literal("old") }) },
  handle: async () => ({ status: 200, json: { object: "old" } }),
});
const [route] = routesOf("Search", [old]);
let server: FastifyInstance;

beforeAll(async () => {
  const { services } = world;
  const all = route === undefined ? [] : [...routes, route];
  server = openServer(services, all, keyAuthentication(services.gate, services.log));
  await server.ready();
});
afterAll(() => server.close());

it.each([
  ["an answer", "/old-things", true, 200],
  ["a refusal", "/old-things?limit=x", true, 422],
  ["the refusal of a key", "/old-things", false, 401],
])("says it on %s", async (_what, path, has_key, status) => {
  const authorization = `Bearer ${world.account.keys.read}`;
  const headers = { host: "x", ...(has_key && { authorization }) };
  const reply = await server.inject({ method: "GET", url: `/api/v1${path}`, headers });
  expect(reply.statusCode).toBe(status);
  expect(reply.headers.deprecation).toBe(`@${Date.parse("2026-11-27") / 1000}`);
  expect(reply.headers.link).toBe(`<${LINK}>; rel="deprecation"`);
});

it("says nothing on other operations", async () => {
  const { headers } = await world.rest("GET /customers");
  expect([headers.has("deprecation"), headers.has("link")]).toEqual([false, false]);
});

it("is marked in the OpenAPI document", () => {
  const { paths } = openApiOf(route === undefined ? [] : [route], "http://x") as Json;
  expect(paths["/old-things"].get.deprecated).toBe(true);
});
