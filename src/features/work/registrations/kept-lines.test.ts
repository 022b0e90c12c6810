/** Lines and periods that may not be removed or moved while they have registered work (spec 4.5, 4.8, 4.9 and 5.2). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  line,
  hours,
  at,
  rest,
  change,
  cancel,
  issued,
  skip,
  occurrence,
  lineIds,
  remove,
  invoice,
  hourly,
  lineIn,
  registered,
  removed,
  showWork,
  list,
  statusOf,
} = useWork();

const HAS_WORK = "409 LINE_HAS_REGISTRATIONS";
const PERIOD_HAS_WORK = "409 OCCURRENCE_HAS_REGISTRATIONS";

describe("a draft with work", () => {
  it("keeps lines that have work, and the work of those lines", async () => {
    const draft = await invoice([hours(), line()]);
    const [first, second] = draft.lines.map(({ id }: Json) => id);
    const work = await registered(second);
    const path = `PATCH /invoices/${draft.id}`;

    const reply = await world.rest(path, { lines: [hours()] });
    expect(refusal(reply)).toBe(HAS_WORK);
    expect(reply.body.error.details).toEqual({ line_ids: [second] });
    const moved = { lines: [line({ id: second, position: 1 })] };
    expect((await world.done(path, moved)).lines[0].id).toBe(second);
    expect((await showWork(work.id)).line_id).toBe(second);
    expect(await list(`line=${first}`)).toEqual([]);
  });

  it("is not deleted before its work is deleted", async () => {
    const draft = await invoice([hours()]);
    const { id } = await registered(draft.lines[0].id);
    const call = `DELETE /invoices/${draft.id}`;

    expect(refusal(await world.rest(call))).toBe(HAS_WORK);
    expect(await removed(id)).toBe("204");
    expect(refusal(await world.rest(call))).toBe("204");
  });
});

describe("the line of a series with work", () => {
  it.each<[string, string, string]>([
    ["this_only", "2027-02", HAS_WORK],
    ["this_only", "2027-03", "200"],
    ["this_and_following", "2027-01", HAS_WORK],
    ["this_and_following", "2027-02", HAS_WORK],
    ["this_and_following", "2027-03", "200"],
    ["all", "2027-01", HAS_WORK],
  ])("can be removed by %s from %s: %s", async (scope, period, code) => {
    at("2027-02-10");
    const { id } = await hourly();
    await registered(await lineIn(id, "2027-02"));
    const [line_id = ""] = await lineIds(id);

    const reply = await remove(id, line_id, scope, period);
    expect(refusal(reply)).toBe(code);
    if (code === HAS_WORK) expect(reply.body.error.details).toEqual({ periods: ["2027-02"] });
  });

  it("can be removed where an override keeps it in the period with work", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const [line_id = ""] = await lineIds(id);
    const override = { scope: "this_only", period: "2027-02", line: { hourly_rate: 1500 } };
    await rest("PATCH", id, `/lines/${line_id}`, override);
    const { id: work } = await registered(await lineIn(id, "2027-02"));

    expect(refusal(await remove(id, line_id, "this_and_following", "2027-01"))).toBe("200");
    expect((await showWork(work)).hourly_rate).toBe(1500);
    expect(refusal(await remove(id, line_id, "all"))).toBe(HAS_WORK);
  });

  it("can be removed after its period is issued", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    await registered(await lineIn(id, "2027-02"));
    await issued(id, "2027-02");
    const [line_id = ""] = await lineIds(id);
    expect(refusal(await remove(id, line_id, "all"))).toBe("200");
    expect((await list(`series=${id}`))[0]).toMatchObject({ status: "invoiced", amount: 2000 });
  });
});

describe("an occurrence with work", () => {
  it("is not skipped before its work is deleted", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const work = await registered(await lineIn(id, "2027-02"));

    const reply = await skip(id, "2027-02");
    expect(refusal(reply)).toBe(PERIOD_HAS_WORK);
    expect(reply.body.error.details).toEqual({ work_registrations: 1 });
    expect((await skip(id, "2027-03")).status).toBe(200);
    await removed(work.id);
    expect((await skip(id, "2027-02")).status).toBe(200);
  });

  it.each<[string, () => Json | Promise<Json>, string]>([
    ["another currency", () => ({ currency: "EUR" }), PERIOD_HAS_WORK],
    ["another frequency", () => ({ frequency: "weekly" }), PERIOD_HAS_WORK],
    ["another start", () => ({ start_date: "2026-12-01" }), PERIOD_HAS_WORK],
    ["another alignment", () => ({ alignment: "calendar" }), PERIOD_HAS_WORK],
    [
      "another customer",
      async () => ({
        customer_id: (await world.done("POST /customers", { name: "Beta" })).id,
      }),
      PERIOD_HAS_WORK,
    ],
    ["an end before the period", () => ({ end_date: "2027-01-31" }), PERIOD_HAS_WORK],
    ["an end within the period", () => ({ end_date: "2027-02-05" }), "200"],
    ["the present values", () => ({ currency: "DKK", start_date: "2027-01-01" }), "200"],
    ["other timing", () => ({ issue_timing: { mode: "manual" } }), "200"],
  ])("allows or refuses a header with %s: %3$s", async (_, changes, code) => {
    at("2027-02-10");
    const { id } = await hourly();
    await registered(await lineIn(id, "2027-02"));
    expect(refusal(await change(id, await changes()))).toBe(code);
  });

  it("allows changes of the header again after its work is deleted", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const work = await registered(await lineIn(id, "2027-02"));
    await removed(work.id);
    expect((await change(id, { frequency: "quarterly", end_date: "2027-01-31" })).status).toBe(200);
  });
});

describe("a cancellation", () => {
  it("drops work with its occurrence, counts it, and keeps other work", async () => {
    at("2027-04-20");
    const { id } = await hourly();
    const kept = await registered(await lineIn(id, "2027-03"), { date: "2027-03-31" });
    const cut = await registered(await lineIn(id, "2027-04"), { date: "2027-04-15" });
    await registered(await lineIn(id, "2027-04"));
    const first = await cancel(id, { end_date: "2027-04-10" });
    expect(first.dropped_occurrences[0]).toMatchObject({
      period: "2027-05",
      work_registrations: 0,
    });
    expect(await statusOf(cut.id)).toBe("open");

    const sharper = await cancel(id, { end_date: "2027-03-31" });
    expect(sharper.dropped_occurrences).toEqual([
      {
        period: "2027-04",
        period_from: "2027-04-01",
        period_to: "2027-04-10",
        work_registrations: 2,
      },
    ]);
    expect(await showWork(cut.id)).toMatchObject({ status: "dropped", amount: 2000 });
    expect(await statusOf(kept.id)).toBe("open");
    expect(await list(`series=${id}&status=dropped`)).toHaveLength(2);
    expect((await occurrence(id, "2027-04")).status).toBe("dropped");
  });

  it("names occurrences beyond a year that have work", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const far = await lineIn(id, "2028-03");
    await registered(far, { date: "2026-12-31" });
    const { dropped_occurrences } = await cancel(id, { end_date: "2027-02-28" });

    expect(dropped_occurrences).toHaveLength(13);
    expect(dropped_occurrences.at(-2).period).toBe("2028-02");
    expect(dropped_occurrences.at(-1)).toMatchObject({ period: "2028-03", work_registrations: 1 });
    expect((await list(`series=${id}`))[0].status).toBe("dropped");
  });

  it("updates the stamps of dropped work, so that a poll finds it", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const work = await registered(await lineIn(id, "2027-02"));
    await cancel(id, { end_date: "2027-01-31" });
    const since = encodeURIComponent(work.updated_at);
    expect(await list(`series=${id}&updated_since=${since}`)).toMatchObject([
      { id: work.id, status: "dropped" },
    ]);
  });
});
