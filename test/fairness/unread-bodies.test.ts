/**
 * Requests of unknown clients cost almost nothing: the head of a request suffices to refuse it, and its body is neither read nor
 * parsed.
 */
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { processorSeconds, useAccounts } from "./two-accounts.ts";

/** A busy machine can only increase the measured time, so the cheapest of some portions counts. */
const PORTIONS = 20;
const TIMES = 5;
const MOST_MS = 10;
/** Within the limits of a body: 940 kB of arrays, forty levels deep. */
const NEST = `${"[".repeat(40)}${"]".repeat(40)}`;
const BODY = Buffer.from(`[${Array.from({ length: 11_600 }, () => NEST).join(",")}]`);
/** A cookie without a session. */
const WITHOUT_SESSION = `matchbook=${"x".repeat(43)}`;

const accounts = useAccounts();

/** Sends a request with the body to the program; returns the status. */
function send(call: string, cookie: string | null): Promise<number> {
  const [method = "", path = ""] = call.split(" ");
  return new Promise((resolve, reject) => {
    const asked = request(
      accounts.program.origin + path,
      {
        method,
        headers: {
          "content-type": "application/json",
          "content-length": BODY.length,
          "sec-fetch-site": "same-origin",
          ...(cookie === null ? {} : { cookie }),
        },
      },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
      },
    );
    asked.once("error", reject);
    asked.end(BODY);
  });
}

/** Milliseconds of the service's processor time for one request of a kind. */
async function costOf(ask: () => Promise<unknown>): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let portion = 0; portion < PORTIONS && cheapest >= MOST_MS; portion += 1) {
    const before = await processorSeconds(accounts);
    for (let n = 0; n < TIMES; n += 1) await ask();
    const each = (((await processorSeconds(accounts)) - before) * 1000) / TIMES;
    cheapest = Math.min(cheapest, each);
  }
  return cheapest;
}

describe("940 kB of arrays from an unknown client", () => {
  beforeAll(async () => {
    // Work of the first requests, such as compilation, is done before the measurement.
    for (const call of ["POST /app/drafts/save", "POST /nowhere", "POST /sign-in"]) {
      for (let n = 0; n < 5; n += 1) await send(call, WITHOUT_SESSION);
    }
  });

  it.each([
    ["POST /app/drafts/save", 401],
    ["POST /app/hours/save", 401],
    ["POST /app/nothing", 404],
    ["PUT /app/drafts/save", 404],
    ["POST /healthz", 404],
    ["GET /healthz", 200],
    ["DELETE /healthz", 404],
    ["POST /readyz", 404],
    ["POST /metrics", 404],
    ["POST /", 404],
    ["POST /nowhere", 404],
    ["PATCH /nowhere", 404],
    ["OPTIONS /nowhere", 404],
    ["GET /nowhere", 404],
    ["POST /assets/nothing", 404],
    ["POST /.well-known/nothing", 404],
    ["POST /api/nothing", 404],
    ["POST /api/docs", 404],
    ["POST /api/oauth/nothing", 404],
    ["OPTIONS /api/oauth/token", 204],
    ["POST /api/v1/nothing", 401],
    ["POST /api/v1/customers", 401],
    ["PUT /api/mcp", 401],
    ["POST /sign-in", 400],
    ["POST /customers/new", 400],
  ])("is refused at %s with %i before the body is read", async (call, status) => {
    for (const cookie of [null, WITHOUT_SESSION]) {
      expect(await send(call, cookie)).toBe(status);
      expect(await costOf(() => send(call, cookie))).toBeLessThan(MOST_MS);
    }
  });
});
