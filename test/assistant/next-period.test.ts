/** The next invoice of a series: what the scheduler issues next, apart from periods that wait, failed or were skipped. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useSeries } from "../support/world/series.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, draft, active, at, run, skip, cancel } = useSeries();

let admin: Agent;
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin" });
});

/** What the three tools say of a series: they say the same. */
async function shownOf(id: string): Promise<Json> {
  const { data } = await admin.done("get_series", { series: id });
  const listed = await admin.done("list_series", { scope: "all", limit: 100 });
  const of_list = listed.data.find((one: Json) => one.id === id);
  const known = await admin.done("get_customer", { customer: customer.id });
  const of_customer = known.data.active_series.find((one: Json) => one.id === id);
  if (of_customer !== undefined) {
    expect([of_customer.next, of_customer.apart]).toEqual([data.next, data.apart]);
  }
  if (of_list !== undefined) {
    const { period, issue_date, net } = data.next ?? {};
    expect(of_list.next).toEqual(data.next === null ? undefined : { period, issue_date, net });
    expect(of_list.apart ?? []).toEqual(data.apart);
  }
  return { next: data.next?.period ?? null, on: data.next?.issue_date ?? null, apart: data.apart };
}

const textOf = async (id: string): Promise<string> =>
  (await admin.call("get_series", { series: id })).text;

describe("the next period", () => {
  it("is the first after the activation; kept periods wait for a person", async () => {
    at("2026-10-20");
    const { id } = await active({ start_date: "2026-08-15" });
    expect(await shownOf(id)).toEqual({
      next: "2026-11",
      on: "2026-11-15",
      apart: ["waits 2026-08", "waits 2026-09", "waits 2026-10"],
    });
    const text = await textOf(id);
    expect(text).toContain("2026-11 on 2026-11-15");
    expect(text).toContain("waits 2026-08, waits 2026-09, waits 2026-10");
  });

  it("is the one after a failed one, which stands apart", async () => {
    at("2026-10-20");
    const { id } = await active({ start_date: "2026-11-01" });
    at("2026-11-01");
    await world.done("PATCH /configuration", { period_lock_date: "2026-11-30" });
    await run();
    expect(await shownOf(id)).toEqual({
      next: "2026-12",
      on: "2026-12-01",
      apart: ["failed 2026-11"],
    });
    await world.done("PATCH /configuration", { period_lock_date: null });
  });

  it("is the one after a skipped one, which stands apart until its day is over", async () => {
    at("2026-10-20");
    const { id } = await active({ start_date: "2026-11-01" });
    await skip(id, "2026-11");
    const shown = { next: "2026-12", on: "2026-12-01" };
    expect(await shownOf(id)).toEqual({ ...shown, apart: ["skipped 2026-11"] });
    at("2026-11-02");
    expect(await shownOf(id)).toEqual({ ...shown, apart: [] });
  });

  it("is today's or a later one where a person issues them, and the first one of a draft", async () => {
    at("2026-10-20");
    const by_hand = await active({ start_date: "2026-08-01", issue_timing: { mode: "manual" } });
    expect(await shownOf(by_hand.id)).toEqual({
      next: "2026-10",
      on: "2026-10-31",
      apart: ["waits 2026-08", "waits 2026-09"],
    });
    expect(await textOf(by_hand.id)).toContain("2026-10 on 2026-10-31, by hand");
    const { id } = await draft({ start_date: "2026-08-01" });
    expect(await shownOf(id)).toEqual({ next: "2026-08", on: "2026-08-01", apart: [] });
  });

  it("is none after the end, and at most six that stand apart are named", async () => {
    at("2026-10-20");
    const { id } = await active({ start_date: "2026-01-01" });
    await cancel(id, { end_date: "2026-09-30", credit: "none" });
    expect(await shownOf(id)).toEqual({
      next: null,
      on: null,
      apart: [...[1, 2, 3, 4, 5, 6].map((month) => `waits 2026-0${month}`), "and 3 more"],
    });
    expect(await textOf(id)).toContain("nothing scheduled");
  });
});
