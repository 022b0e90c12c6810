/** The limit of 1,000,000 waiting lines of an account: refused when a series grows, or when the clock of a sandbox is set. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { agentOf } from "../../../../test/support/mcp/mcp.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";

const { world, customer, line, body, draft, copies, add, change, rest, skip, issue, show, at } =
  useSeries();

const TOO_MANY = "422 VALIDATION_FAILED";
const many = (count: number): Json[] => Array.from({ length: count }, () => line());
/** Weekly for 444 weeks by the end of the world's month, issued manually. */
const long = (fields: Json = {}): Json => ({
  frequency: "weekly",
  start_date: "2017-10-02",
  issue_timing: { mode: "manual" },
  lines: many(500),
  ...fields,
});
const activate = (id: string, sent?: Json): Promise<Reply> => rest("POST", id, "/activate", sent);
const ended = async (reply: Promise<Reply>): Promise<string | number> => {
  const answered = await reply;
  return answered.status < 300 ? answered.status : refusal(answered);
};

describe("an account with four series of 222,000 waiting lines", () => {
  let first: string;
  let fifth: string;
  /** 247 lines in each period; with four large series and the current weeks of a fifth, room for 332 is left. */
  let grows: string;

  beforeAll(async () => {
    at("2026-03-10");
    const { id } = await draft(long());
    const large = [id, ...(await copies(id, 4)).map((copy) => copy.id)];
    const answered = await Promise.all(large.map((one) => activate(one)));
    const statuses = answered.map(({ status }) => status);
    expect(statuses.toSorted(), "all at once").toEqual([200, 200, 200, 200, 422]);
    first = large[statuses.indexOf(200)] ?? "";
    fifth = large[statuses.indexOf(422)] ?? "";
    grows = (await draft(long({ lines: many(247) }))).id;
  });

  it("does not get a fifth such series by any of the ways to activate one", async () => {
    const refused = await activate(fifth);

    expect(refusal(refused)).toBe(`${TOO_MANY} lines too_many`);
    expect(JSON.stringify(refused.body)).toContain(
      "An account has at most 1,000,000 lines in periods that have begun and have no invoice; with the 222,000 of this series it would have more.",
    );
    expect(await ended(issue(fifth, "2017-10-02"))).toBe(`${TOO_MANY} lines too_many`);
    const admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
    const { customer_id: _, ...fields } = body(long());
    const planned = await admin.call("plan_create_series", {
      customer: customer.id,
      ...fields,
      activate: true,
    });
    expect([planned.is_error, planned.text]).toEqual([
      true,
      expect.stringContaining("lines: An account has at most 1,000,000 lines"),
    ]);
    expect((await show(fifth)).status).toBe("draft");
    expect(await ended(activate(fifth, { past_periods: "skip" })), "none waits").toBe(200);
  });

  it("gets at most as many lines and periods in another series as there is room for", async () => {
    expect(await ended(activate(grows))).toBe(200);
    expect(await ended(add(grows, "all", 1))).toBe(`${TOO_MANY} line too_many`);
    expect(await ended(add(grows, "this_only", 1))).toBe(201);
    expect(await ended(change(grows, { start_date: "2017-09-25" }))).toBe(200);
    expect(await ended(change(grows, { start_date: "2017-09-18" }))).toBe(
      `${TOO_MANY} start_date too_many`,
    );
    expect(await ended(change(grows, { end_date: "2026-03-22" }))).toBe(200);
    expect(await ended(add(grows, "all", 1))).toBe(201);
    expect(await ended(change(grows, { end_date: null }))).toBe(`${TOO_MANY} end_date too_many`);
    expect(await ended(skip(grows, "2017-10-02"))).toBe(200);
    expect(await ended(skip(grows, "2017-10-02", "unskip"))).toBe(200);
  });

  it("accepts changes of its series that do not make them larger", async () => {
    at("2026-07-10");
    expect(await ended(change(first, { auto_send: false }))).toBe(200);
    expect(await ended(skip(first, "2017-10-02"))).toBe(200);
    expect(await ended(skip(first, "2017-10-02", "unskip"))).toBe(`${TOO_MANY} period too_many`);
    expect(await ended(change(first, { start_date: "2020-01-06" }))).toBe(200);
  });
});

describe("the clock of a sandbox", () => {
  async function openSandbox(now: string) {
    const { keys } = await world.openAnother({ sandbox: true });
    const done = (call: string, sent?: Json): Promise<Json> =>
      world.done(call, sent, keys.read_write);
    const put = (to: string | null): Promise<Reply> =>
      world.rest("PUT /test-clock", { now: to }, keys.read_write);
    await put(now);
    const { id: customer_id } = await done("POST /customers", { name: "A" });
    const product = await done("POST /products", { name: "P", default_price: 3100 });
    const series = async (external_id: string, start_date: string, count: number) => {
      const lines = many(count).map((one) => ({ ...one, product_id: product.id }));
      const { id } = await done("POST /recurring-series", {
        ...body(long({ lines, start_date })),
        customer_id,
        external_id,
      });
      await done(`POST /recurring-series/${id}/activate`);
    };
    return { put, done, series };
  }

  it("is not set to a time with too many waiting lines, and the refusal names the series that grows most", async () => {
    const { put, done, series } = await openSandbox("1990-01-01T00:00:00Z");
    await series("large", "1990-01-01", 500);
    await series("small", "1990-01-01", 20);
    const refused = await put("2100-01-01T00:00:00Z");

    expect(refusal(refused)).toBe(`${TOO_MANY} now too_many`);
    expect(refused.body.error.field_errors[0].message).toBe(
      "An account has at most 1,000,000 lines in periods that have begun and have no invoice; at this time it would have 2,986,880, 2,872,000 of them in the series large. Set an earlier time, or issue, skip or cancel waiting periods.",
    );
    expect((await done("GET /test-clock")).now).toBe("1990-01-01T00:00:00.000Z");
    expect(await ended(put("2020-01-01T00:00:00Z"))).toBe(200);
    const cancelled = await done("POST /recurring-series/ext:large/cancel", {
      end_date: "2020-01-01",
    });
    expect(cancelled.cancelled_at).not.toBeNull();
    expect(await ended(put("2100-01-01T00:00:00Z"))).toBe(200);
  });

  it("does not run again from a time with fewer waiting lines", async () => {
    const { put, series } = await openSandbox("1980-01-01T00:00:00Z");
    await series("large", "1980-01-01", 500);
    expect(await ended(put(null))).toBe(`${TOO_MANY} now too_many`);
  });
});
