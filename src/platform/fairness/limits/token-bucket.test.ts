/** The token bucket of a key, alone and over HTTP (spec 11.8). */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { RateLimiter } from "./token-bucket.ts";

describe("a bucket", () => {
  it("permits its burst and then its rate a second", () => {
    const limiter = new RateLimiter({ per_second: 2, burst: 3 });
    const allowedAt = (now: number) => limiter.take("key", now).allowed;

    expect([0, 0, 0, 0].map(allowedAt)).toEqual([true, true, true, false]);
    expect([499, 500, 501].map(allowedAt)).toEqual([false, true, false]);
    expect([60_000, 60_000, 60_000, 60_000].map(allowedAt)).toEqual([true, true, true, false]);
  });

  it("reports the remaining requests and the time to wait in whole seconds", () => {
    const limiter = new RateLimiter({ per_second: 1, burst: 2 });

    expect(limiter.take("key", 0)).toEqual({ allowed: true, remaining: 1, retry_after_seconds: 0 });
    expect(limiter.take("key", 0)).toEqual({ allowed: true, remaining: 0, retry_after_seconds: 0 });
    expect(limiter.take("key", 0)).toEqual({
      allowed: false,
      remaining: 0,
      retry_after_seconds: 1,
    });
    expect(limiter.take("key", 900)).toMatchObject({ allowed: false, retry_after_seconds: 1 });
    expect(limiter.take("key", 1000).allowed).toBe(true);
    expect(limiter.policy).toBe('"default";q=2;w=2');
  });

  it("is separate for each key", () => {
    const limiter = new RateLimiter({ per_second: 1, burst: 1 });

    expect(["a", "a", "b", "b"].map((key) => limiter.take(key, 0).allowed)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("permits nothing more if the clock goes backwards", () => {
    const limiter = new RateLimiter({ per_second: 1, burst: 1 });
    limiter.take("key", 10_000);

    expect(limiter.take("key", 5_000).allowed).toBe(false);
  });

  it("permits everything if it is switched off", () => {
    const limiter = new RateLimiter(null);

    expect(limiter.policy).toBeNull();
    expect(Array.from({ length: 1000 }, () => limiter.take("key", 0).allowed)).not.toContain(false);
  });

  it("never permits more than burst and rate together, and always permits a request after the stated wait", () => {
    const limits = fc.record({
      per_second: fc.integer({ min: 1, max: 50 }),
      burst: fc.integer({ min: 1, max: 100 }),
    });
    const pauses = fc.array(fc.nat(400), { maxLength: 300 });
    fc.assert(
      fc.property(limits, pauses, (limit, waits) => {
        const limiter = new RateLimiter(limit);
        let now = 0;
        let allowed = 0;
        for (const wait of waits) {
          now += wait;
          const { allowed: is_allowed, retry_after_seconds } = limiter.take("key", now);
          if (is_allowed) allowed += 1;
          else {
            now += retry_after_seconds * 1000;
            expect(limiter.take("key", now).allowed).toBe(true);
            allowed += 1;
          }
        }
        expect(allowed).toBeLessThanOrEqual(limit.burst + (now / 1000) * limit.per_second + 1e-6);
      }),
    );
  });
});

describe("over HTTP", () => {
  const world = useWorld({ environment: { MATCHBOOK_RATE_LIMIT: "1:3" } });

  it("an account above its limit receives 429 with the wait for all its keys; other accounts do not", async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => world.rest("GET /customers?limit=0")),
    );

    const limited = replies.filter((reply) => reply.status === 429);
    expect(limited.length).toBeGreaterThan(0);
    for (const reply of limited) {
      expect(refusal(reply)).toBe("429 RATE_LIMITED");
      expect(reply.headers.get("retry-after")).toBe("1");
      expect(reply.headers.get("ratelimit-policy")).toBe('"default";q=3;w=3');
      expect(reply.headers.get("ratelimit")).toBe('"default";r=0;t=1');
    }
    const others = replies.filter((reply) => reply.status !== 429);
    expect(others.length).toBeGreaterThanOrEqual(3);
    expect(new Set(others.map((reply) => reply.status))).toEqual(new Set([422]));

    const other_keys = Array.from({ length: 20 }, () =>
      world.rest("GET /customers", undefined, world.account.keys.read),
    );
    expect((await Promise.all(other_keys)).map(({ status }) => status)).toContain(429);
    const { keys } = await world.openAnother();
    const reader = await world.rest("GET /customers", undefined, keys.read);
    expect(reader.status).toBe(200);
    expect(reader.headers.get("ratelimit")).toBe('"default";r=2;t=0');
  });

  it("the limit is checked after the credential and before scope and body", async () => {
    const { keys } = await world.openAnother();
    const attempts = (key: string) =>
      Promise.all(Array.from({ length: 40 }, () => world.rest("POST /customers", "{", key)));

    const codes = new Set((await attempts(keys.read)).map(refusal));
    expect(codes).toEqual(new Set(["403 INSUFFICIENT_SCOPE", "429 RATE_LIMITED"]));
    const unknown = await attempts("mbk_unknown");
    expect(new Set(unknown.map(refusal))).toEqual(new Set(["401 UNAUTHORIZED"]));
  });
});
