/** Invalid credentials, and what a caller with and without one learns about paths without a route (spec 11.6). */
import { describe, expect, it } from "vitest";
import { callPlainly } from "../support/http/plain-call.ts";
import { useWorld } from "../support/world/world.ts";

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

const world = useWorld();

describe("a path or method without a route", () => {
  it.each([
    ["GET", "/nothing"],
    ["GET", "/"],
    ["GET", ""],
    ["GET", "/Customers"],
    ["DELETE", "/customers"],
    ["PUT", `/customers/${UNKNOWN_ID}`],
    ["POST", `/customers/${UNKNOWN_ID}/delete`],
    ["OPTIONS", "/customers"],
  ])("%s %s is 404 with a valid key and 401 without one", async (method, path) => {
    const known = await callPlainly(world, method, path, world.account.keys.read);
    expect(known.status).toBe(404);
    expect(JSON.parse(known.text)).toEqual({
      error: {
        code: "NOT_FOUND",
        message: `There is no endpoint ${method} /api/v1${path}.`,
        request_id: known.headers.get("x-request-id"),
        details: { resource: "endpoint", ref: `${method} /api/v1${path}` },
      },
    });
    expect((await callPlainly(world, method, path, null)).status).toBe(401);
  });

  it("is 404 outside of the API, with and without a key", async () => {
    const response = await fetch(`${world.origin}/nothing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  });
});

describe("a credential", () => {
  it.each([
    ["in another scheme", (key: string) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`],
    ["without a scheme", (key: string) => key],
    ["with something behind it", (key: string) => `Bearer ${key} x`],
    ["twice", (key: string) => `Bearer ${key}, Bearer ${key}`],
    ["in another case", (key: string) => `Bearer ${key.toUpperCase()}`],
    ["cut off", (key: string) => `Bearer ${key.slice(0, -1)}`],
    [
      "with a letter changed",
      (key: string) => `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
    ],
  ])("%s is refused", async (_what, header) => {
    const response = await fetch(`${world.origin}/api/v1/customers`, {
      headers: { authorization: header(world.account.keys.read) },
    });
    expect(response.status).toBe(401);
  });

  it("in the address is ignored", async () => {
    const path = `/customers?access_token=${world.account.keys.read}&api_key=${world.account.keys.read}`;
    expect((await callPlainly(world, "GET", path, null)).status).toBe(401);
  });
});
