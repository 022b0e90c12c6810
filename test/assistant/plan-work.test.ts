/** Plans of work: whose it is, on which line, its value, and the effect of a closed month. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf, digestOf } from "../support/mcp/mcp.ts";
import { useWork } from "../support/world/work.ts";
import type { Json } from "../support/world/world.ts";

const work = useWork();
const { world, hours, invoice, draftLine } = work;
const TODAY = "2026-03-10";

let admin: Agent;
let bo: Agent;
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
  bo = await agentOf(world, { name: "Bo Berg" });
});

const planned = async (args: Json, agent = bo): Promise<string[]> => {
  const before = await digestOf(world);
  const { is_error, text } = await agent.call("plan_register_work", args);
  expect(is_error, text).toBe(false);
  expect(await digestOf(world)).toBe(before);
  return text.split("\n").slice(0, -1);
};
const carried = (args: Json, agent = bo) => agent.carried("plan_register_work", args);
const refused = (args: Json, agent = bo) => agent.refused("plan_register_work", args);

describe("plan_register_work", () => {
  it("describes the person, date, line, hours and value", async () => {
    const line_id = await draftLine();
    const args = { line_id, hours: 2.5, note: "Workshop" };
    expect(await planned(args)).toEqual([
      'Registers 2.5 hours of "Bo Berg" on 2026-03-10, "Retainer" for "Acme A/S", worth 2,500.00 DKK.',
      `- line id: ${line_id}`,
      '- user: "Bo Berg"',
      "- date: 2026-03-10",
      "- hours: 2.5",
      '- note: "Workshop"',
      "Books nothing and sends nothing.",
    ]);
    const made = await carried(args);
    expect(made).toMatchObject({ ...args, user_id: bo.user_id, date: TODAY, amount: 2500 });
    expect(await world.done(`GET /work-registrations/${made.id}`)).toEqual(made);
  });

  it("names the period of a retainer, and marks hours that are not billable", async () => {
    work.at("2027-02-10");
    const { id } = await work.hourly();
    const [line_id] = await work.lineIds(id);
    const [summary] = await planned({ line_id, hours: 1, date: "2027-02-03", billable: false });
    expect(summary).toBe(
      'Registers 1 hour of "Bo Berg" on 2027-02-03, "Retainer" for "Acme A/S" (period 2027-02), worth 0.00 DKK, not billable.',
    );
    expect(await carried({ line_id, hours: 1, date: "2027-02-03" })).toMatchObject({
      period: "2027-02",
    });
    work.at(TODAY);
  });

  it("accepts up to fifty entries in one plan, which are registered together or not at all", async () => {
    const line_id = await draftLine();
    const user = (await agentOf(world, { name: "Many" })) as Agent;
    const entries = [1, 2, 3].map((day) => ({ line_id, date: `2026-03-0${day}`, hours: 2 }));
    const [summary] = await planned({ entries }, user);
    expect(summary).toMatch(
      /^Registers 3 entries, 6 hours in total: 2 hours of "Many" on 2026-03-01/,
    );
    const list = await carried({ entries }, user);
    expect(list.data.map((one: Json) => one.date)).toEqual(entries.map(({ date }) => date));

    const over = [...entries, { line_id, date: "2026-03-01", hours: 23 }];
    const { data, text } = await user.call("plan_register_work", { entries: over });
    expect(data).toMatchObject({ code: "DAILY_HOURS_EXCEEDED", details: { entry: 4 } });
    expect(text).toContain("Entry 4 of 4:");
    const many = Array.from({ length: 51 }, () => entries[0]);
    const refused = await user.call("plan_register_work", { entries: many });
    expect(refused.data).toMatchObject({
      code: "VALIDATION_FAILED",
      field_errors: [{ field: "entries", code: "too_long" }],
    });
  });

  it("states that the revenue of a closed month is carried into the first open one", async () => {
    await world.done("PATCH /configuration", { period_lock_date: "2026-02-28" });
    const text = await planned({ line_id: await draftLine(), hours: 1, date: "2026-02-20" });
    expect(text.at(-1)).toBe("2026-02 is closed: the revenue is carried into 2026-03.");
    await world.done("PATCH /configuration", { period_lock_date: null });
  });

  it("refuses a standard user who registers for another, with the reason, and accepts an admin", async () => {
    const line_id = await draftLine();
    const args = { line_id, hours: 1, user: admin.user_id };
    const { data, text } = await bo.call("plan_register_work", args);
    expect(data.code).toBe("REGISTRATION_FOR_OTHERS_FORBIDDEN");
    expect(text).toContain("only their own work");
    await carried({ ...args, user: "me" });
    expect(await carried({ ...args, user: bo.user_id }, admin)).toMatchObject({
      user_id: bo.user_id,
    });
  });

  it("restricts a standard user to their own lines and to days after the work lock date", async () => {
    const of_bo = await draftLine({ assignees: [{ user_id: bo.user_id }] });
    const others = await draftLine({ assignees: [{ user_id: admin.user_id }] });
    await carried({ line_id: of_bo, hours: 1 });
    expect(await refused({ line_id: others, hours: 1 })).toBe("USER_NOT_ASSIGNED");
    await world.done("PATCH /configuration", { work_lock_date: "2026-02-28" });
    const locked = { line_id: of_bo, hours: 1, date: "2026-02-01" };
    expect(await refused(locked)).toBe("WORK_PERIOD_LOCKED");
    await carried({ ...locked, user: bo.user_id }, admin);
    await world.done("PATCH /configuration", { work_lock_date: null });
  });

  it("is stale if a lock date has moved", async () => {
    const { plan_id } = await bo.done("plan_register_work", {
      line_id: await draftLine(),
      hours: 1,
    });
    await world.done("PATCH /configuration", { work_lock_date: "2026-01-31" });
    expect(await bo.refused("commit", { plan_id })).toBe("PLAN_STALE");
    await world.done("PATCH /configuration", { work_lock_date: null });
  });

  it("changes a registration", async () => {
    const made = await carried({ line_id: await draftLine(), hours: 1 });
    const args = { action: "change", registration_id: made.id, hours: 3, note: "More" };
    expect(await planned(args)).toEqual([
      'Changes a registration; it is then 3 hours of "Bo Berg" on 2026-03-10, "Retainer" for "Acme A/S", worth 3,000.00 DKK.',
      "- hours: 1 becomes 3",
      '- note: "More"',
      "Books nothing and sends nothing.",
    ]);
    expect(await carried(args)).toMatchObject({ id: made.id, hours: 3, note: "More" });
  });

  it("deletes a person's own registration, and refuses another person's", async () => {
    const made = await carried({ line_id: await draftLine(), hours: 1 });
    const other = await agentOf(world, { name: "Other" });
    const args = { action: "delete", registration_id: made.id };
    expect(await refused(args, other)).toBe("REGISTRATION_FOR_OTHERS_FORBIDDEN");
    const [summary] = await planned(args);
    expect(summary).toMatch(/^Deletes the registration of 1 hour of "Bo Berg" on 2026-03-10/);
    expect(await carried(args)).toBeNull();
    expect((await world.rest(`GET /work-registrations/${made.id}`)).status).toBe(404);
  });

  it("names the arguments that are missing or exclude each other", async () => {
    const line_id = await draftLine();
    const field = async (args: Json) =>
      (await bo.call("plan_register_work", args)).data.field_errors[0].field;
    expect(await field({ hours: 1 })).toBe("line_id");
    expect(await field({ line_id })).toBe("hours");
    expect(await field({ line_id, hours: 1, entries: [{ line_id, hours: 1 }] })).toBe("entries");
    expect(await field({ action: "delete" })).toBe("registration_id");
  });

  it("carries out two plans in parallel without losing either", async () => {
    const one = await invoice([hours(), hours()]);
    const plans = [];
    for (const { id: line_id } of one.lines) {
      const entries = [4, 5].map((day) => ({ line_id, date: `2026-03-0${day}`, hours: 1 }));
      plans.push((await bo.done("plan_register_work", { entries })).plan_id);
    }
    const results = await Promise.all(plans.map((plan_id) => bo.call("commit", { plan_id })));
    // The second commit sees hours of the day that the first has registered; they are a fact of neither plan.
    for (const { text } of results) {
      const [first] = text.split("\n");
      expect(first).toMatch(
        /^Done: registered 2 entries, 2 hours in total: 1 hour of "Bo Berg" on 2026-03-04, .*, worth 1,000\.00 DKK; /,
      );
    }
  });
});

describe("several changes in one plan", () => {
  const register = async (line_id: string, date: string, agent = bo): Promise<string> =>
    (await carried({ line_id, date, hours: 2 }, agent)).id;
  const shown = async (id: string): Promise<Json> => world.done(`GET /work-registrations/${id}`);

  it("moves, changes and deletes registrations together", async () => {
    const [from, to] = (
      await invoice([
        hours({ description_override: "Campaign site" }),
        hours({ description_override: "Webshop", hourly_rate: 1500 }),
      ])
    ).lines;
    const ids = await Promise.all(
      ["01", "02", "03"].map((day) => register(from.id, `2026-03-${day}`)),
    );
    const [one, two, three] = ids;
    const changes = [
      { registration_id: one, line: to.id },
      { registration_id: two, line: to.id, hours: 3, date: "yesterday", note: "Moved" },
      { registration_id: three, delete: true },
    ];
    const [summary] = await planned({ changes });
    expect(summary).toMatch(
      /^Changes 3 registrations: 2 hours of "Bo Berg" on 2026-03-01, "Webshop" .*, worth 3,000\.00 DKK, moved from "Campaign site"; 3 hours of "Bo Berg" on 2026-03-09, .*, worth 4,500\.00 DKK, moved from "Campaign site"; 2 hours of "Bo Berg" on 2026-03-03, "Campaign site" .*, worth 2,000\.00 DKK, deleted\.$/,
    );
    const { plan_id } = await bo.done("plan_register_work", { changes });
    const { text, data } = await bo.call("commit", { plan_id });
    expect(text.split("\n")[0]).toBe(`Done: changed${summary?.slice("Changes".length)}`);
    expect(data.resource.data.map(({ id }: Json) => id)).toEqual([one, two]);
    expect(await shown(one ?? "")).toMatchObject({ line_id: to.id, hours: 2, amount: 3000 });
    expect(await shown(two ?? "")).toMatchObject({
      line_id: to.id,
      date: "2026-03-09",
      note: "Moved",
    });
    expect((await world.rest(`GET /work-registrations/${three}`)).status).toBe(404);
  });

  it("is refused for all if one cannot change, with the reason of each", async () => {
    const [from, to] = (await invoice([hours(), hours()])).lines;
    const own = await register(from.id, "2026-03-01");
    const other = await agentOf(world, { name: "Other" });
    const foreign = [
      await register(from.id, "2026-03-02", other),
      await register(from.id, "2026-03-03", other),
    ];
    const changes = [own, ...foreign].map((registration_id) => ({ registration_id, line: to.id }));
    const { is_error, data } = await bo.call("plan_register_work", { changes });
    expect(is_error).toBe(true);
    expect(data.code).toBe("REGISTRATION_FOR_OTHERS_FORBIDDEN");
    expect(data.message).toContain("2 of 3 cannot be changed, so none is");
    expect(data.details.registrations).toMatchObject(
      foreign.map((registration_id) => ({
        registration_id,
        code: "REGISTRATION_FOR_OTHERS_FORBIDDEN",
      })),
    );
    expect(await shown(own)).toMatchObject({ line_id: from.id });
    await admin.carried("plan_register_work", { changes });
    for (const id of [own, ...foreign]) expect(await shown(id)).toMatchObject({ line_id: to.id });
  });

  it("names the change that is not one", async () => {
    const [from] = (await invoice([hours()])).lines;
    const registration_id = await register(from.id, "2026-03-01");
    const field = async (args: Json) =>
      (await bo.call("plan_register_work", args)).data.field_errors[0].field;
    expect(await field({ changes: [{ registration_id }] })).toBe("changes[0]");
    expect(await field({ changes: [{ registration_id, delete: true, hours: 1 }] })).toBe(
      "changes[0]",
    );
    const twice = [
      { registration_id, hours: 1 },
      { registration_id, hours: 3 },
    ];
    expect(await field({ changes: twice })).toBe("changes[1].registration_id");
    expect(await field({ changes: [{ registration_id, hours: 1 }], hours: 2 })).toBe("changes");
    const many = Array.from({ length: 51 }, () => ({ registration_id, hours: 1 }));
    expect(await field({ changes: many })).toBe("changes");
  });

  it("becomes stale when one of the registrations changes meanwhile", async () => {
    const [from] = (await invoice([hours()])).lines;
    const ids = [await register(from.id, "2026-03-01"), await register(from.id, "2026-03-02")];
    const changes = ids.map((registration_id) => ({ registration_id, hours: 4 }));
    const { plan_id } = await bo.done("plan_register_work", { changes });
    await world.done(`PATCH /work-registrations/${ids[1]}`, { note: "Other" });
    expect(await bo.refused("commit", { plan_id })).toBe("PLAN_STALE");
    expect(await shown(ids[0] ?? "")).toMatchObject({ hours: 2 });
  });
});
