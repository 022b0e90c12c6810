/** The rate limit of an account (spec 11.8). The bucket's arithmetic is in src/platform/limits/token-bucket.ts. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../support/world/world.ts";

describe("a rate limit of 5 requests a second in bursts of 5", () => {
  const hasty = useWorld({ environment: { MATCHBOOK_RATE_LIMIT: "5:5" } });

  it("refuses what is too much with 429, and says when to come again", async () => {
    const { keys } = hasty.account;
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => hasty.rest("GET /customers", undefined, keys.read)),
    );
    const [refused, allowed] = [429, 200].map((s) => replies.filter((r) => r.status === s));

    expect(allowed?.length).toBeGreaterThanOrEqual(5);
    expect((refused?.length ?? 0) + (allowed?.length ?? 0)).toBe(40);
    expect(refused?.length).toBeGreaterThan(0);
    for (const { body, headers } of refused ?? []) {
      expect(body.error.code).toBe("RATE_LIMITED");
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
    for (const { headers } of replies) {
      expect(headers.get("ratelimit-policy")).toBe('"default";q=5;w=1');
      expect(headers.get("ratelimit")).toMatch(/^"default";r=[0-4];t=\d+$/);
    }
  });

  it("counts the keys of an account together, and leaves every other account alone", async () => {
    const { keys } = await hasty.openAnother();
    const asked = (key: string) =>
      Promise.all(Array.from({ length: 20 }, () => hasty.rest("GET /customers", undefined, key)));
    const [reading] = await Promise.all([asked(keys.read), asked(keys.read_write)]);
    const allowed = reading.filter(({ status }) => status === 200);
    expect(allowed.length).toBeLessThan(20);
    const other = await hasty.openAnother();
    expect((await hasty.rest("GET /customers", undefined, other.keys.read)).status).toBe(200);
  });

  it("does not count who has no key", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => hasty.rest("GET /customers", undefined, null)),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]));
  });
});
