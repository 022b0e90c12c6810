/** Series and previews that are too large are refused before anything is computed from them (spec 4.1 and 4.5). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { agentOf } from "../../../../test/support/mcp/mcp.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, body, draft, add, edit, remove, change, lineIds, rest, at } =
  useSeries();
const TOO_MANY = "422 VALIDATION_FAILED";
const many = (count: number): Json[] => Array.from({ length: count }, () => line());
/** Weekly, of 500 lines in the 500 weeks through a year from the world's day. */
const largest = (fields: Json = {}): Json => ({
  frequency: "weekly",
  start_date: "2017-08-14",
  lines: many(500),
  ...fields,
});

describe("a series of more than 250,000 lines in its periods through a year from today", () => {
  it("is not created", async () => {
    at("2026-03-10");
    const create = (fields: Json) => world.rest("POST /recurring-series", body(largest(fields)));

    expect(refusal(await create({ start_date: "2017-08-07" }))).toBe(`${TOO_MANY} lines too_many`);
    const before = await world.sql("select count(*)::int as n from recurring_series");
    expect(before[0]?.n).toBe(0);
    expect((await create({})).status).toBe(201);
  });

  it("is not created by a change of the header", async () => {
    at("2026-03-10");
    const { id } = await draft(largest());
    const changed = async (changes: Json) => refusal(await change(id, changes));

    expect(await changed({ start_date: "2017-08-07" })).toBe(`${TOO_MANY} start_date too_many`);
    expect(await changed({ frequency: "monthly", start_date: "1980-01-01" })).toBe(
      `${TOO_MANY} start_date too_many`,
    );
    expect((await change(id, { frequency: "monthly" })).status).toBe(200);
    expect((await change(id, { start_date: "1990-01-01" })).status).toBe(200);
    expect(await changed({ frequency: "weekly" })).toBe(`${TOO_MANY} frequency too_many`);
    const ends = { frequency: "weekly", end_date: "1999-07-26" };
    expect((await change(id, ends)).status).toBe(200);
    expect(await changed({ end_date: null })).toBe(`${TOO_MANY} end_date too_many`);
  });

  it("is not created by a new line, whatever its scope", async () => {
    at("2026-03-10");
    const { id } = await draft(largest({ lines: many(499), start_date: "2017-08-07" }));
    for (const scope of ["all", "this_and_following"]) {
      expect(refusal(await add(id, scope, 1))).toBe(`${TOO_MANY} line too_many`);
    }
    expect((await add(id, "this_only", 1)).status).toBe(201);
  });

  it("is not activated when it has become too large over time", async () => {
    at("2026-03-10");
    const { id } = await draft(largest());
    at("2026-03-18");
    expect(refusal(await rest("POST", id, "/activate"))).toBe(`${TOO_MANY} lines too_many`);
    expect((await change(id, { start_date: "2017-08-28" })).status).toBe(200);
    expect((await rest("POST", id, "/activate")).status).toBe(200);
  });

  it("remains usable when it existed before, and may be edited as long as it does not grow", async () => {
    at("2026-03-10");
    const { id } = await draft(largest({ lines: many(400), start_date: "2015-03-23" }));
    const { id: active } = await draft(largest({ start_date: "2017-08-14" }));
    await rest("POST", active, "/activate");
    at("2026-05-10");
    for (const one of [id, active]) {
      const [line_id = "", other = ""] = await lineIds(one);
      expect((await edit(one, line_id, "all", { agreed_value: 5 })).status).toBe(200);
      expect((await change(one, { auto_send: false })).status).toBe(200);
      expect((await remove(one, other, "all")).status).toBe(200);
    }
    expect((await change(active, { end_date: "2030-01-01" })).status).toBe(200);
  });

  it("is refused in an assistant's plan as well", async () => {
    at("2026-03-10");
    const admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
    const { customer_id: _, ...fields } = body(largest({ start_date: "1990-01-01" }));
    const planned = await admin.call("plan_create_series", { customer: customer.id, ...fields });
    expect([planned.is_error, planned.text]).toEqual([
      true,
      expect.stringContaining("this one would have 970,500 in 1,941 periods"),
    ]);
    const { id } = await draft(largest());
    const moved = await admin.call("plan_update_series", { series: id, start_date: "2017-08-07" });
    expect([moved.is_error, moved.text]).toEqual([
      true,
      expect.stringContaining("start_date: A series has at most"),
    ]);
  });
});

describe("a preview of more than 1,000 periods or 50,000 lines in them", () => {
  const preview = (id: string, until: string) => rest("GET", id, `/preview?until=${until}`);

  it("is refused with the last day that would be accepted", async () => {
    const { id } = await draft({ frequency: "weekly", start_date: "2026-01-05" });
    const reply = await preview(id, "2199-12-31");

    expect(refusal(reply)).toBe(`${TOO_MANY} until too_large`);
    const last = /Ask for (\S+) at the latest/.exec(JSON.stringify(reply.body))?.[1] ?? "";
    expect((await preview(id, last)).body.occurrences).toHaveLength(1_000);
  });

  it("counts lines, and leaves out settled periods", async () => {
    const { id } = await draft({ frequency: "weekly", start_date: "2026-01-05", lines: many(500) });
    expect(refusal(await preview(id, "2027-12-06"))).toBe(`${TOO_MANY} until too_large`);
    await rest("POST", id, "/occurrences/2026-01-05/skip");
    expect((await preview(id, "2027-12-06")).body.occurrences).toHaveLength(100);
  });

  it("is empty for a discarded series, up to any day", async () => {
    const { id } = await draft({ frequency: "weekly", start_date: "2026-01-05" });
    await rest("POST", id, "/cancel", {});
    expect((await preview(id, "2199-12-31")).body.occurrences).toEqual([]);
  });
});
