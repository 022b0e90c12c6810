/** The day of the account: where tools say it, where they take it in words, and what a plan makes of it. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PAGES } from "../../src/assistant/protocol/instructions.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useWork } from "../support/world/work.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, at, draftLine, list, line } = useWork({ knows_origin: true });

let admin: Agent;
let bo: Agent;
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
  bo = await agentOf(world, { name: "Bo Berg" });
});
// In Copenhagen it is already Monday the 9th.
beforeEach(() => at("2026-11-08T23:30:00Z"));

const MONDAY = "Today is Monday 2026-11-09, Europe/Copenhagen.";

async function instructionsOf(agent: Agent): Promise<string> {
  const { body } = await agent.rpc("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  return body.result.instructions;
}

describe("the day of the account", () => {
  it("opens the instructions, and follows the clock and the zone", async () => {
    expect((await instructionsOf(bo)).split("\n")[0]).toBe(MONDAY);
    at("2026-11-08T22:30:00Z");
    expect(await instructionsOf(bo)).toContain("Today is Sunday 2026-11-08, Europe/Copenhagen.");
  });

  it("is the second line of get_my_work, after the line that names the view", async () => {
    const { text } = await bo.call("get_my_work");
    const [view, today] = text.split("\n");
    expect(view).toMatch(/^View: mine\. In scope: \d+\. Beyond scope: \d+\.$/);
    expect(today).toBe(MONDAY);
  });
});

describe("today and yesterday", () => {
  it("are days of a plan, which says and stores the day that they became", async () => {
    const line_id = await draftLine();
    const args = { user: "me", line_id, date: "yesterday", hours: 6 };
    const { text, data } = await admin.call("plan_register_work", args);
    expect(text.split("\n")[0]).toContain("2026-11-08");
    const [stored] = await world.sql("select input from plans where id = $1", [data.plan_id]);
    expect(stored?.input).toContain("2026-11-08");
    expect(stored?.input).not.toContain("yesterday");
    // The plan keeps its day when the day of the account has changed meanwhile.
    at("2026-11-10T08:00:00Z");
    await admin.done("commit", { plan_id: data.plan_id });
    expect(await list(`line=${line_id}`)).toMatchObject([{ date: "2026-11-08", hours: 6 }]);
  });

  it("are taken in entries and lines too", async () => {
    const line_id = await draftLine();
    const days = ["today", "yesterday", "2026-11-06"];
    const entries = days.map((date) => ({ line_id, date, hours: 1 }));
    await admin.carried("plan_register_work", { entries });
    const dates = (await list(`line=${line_id}`)).map(({ date }) => date).sort();
    expect(dates).toEqual(["2026-11-06", "2026-11-08", "2026-11-09"]);
    const service = { service_from: "yesterday", service_to: "today" };
    const invoice = await admin.carried("plan_create_invoice", {
      customer: customer.id,
      lines: [line(service)],
    });
    expect(invoice.lines).toMatchObject([{ service_from: "2026-11-08", service_to: "2026-11-09" }]);
  });

  it("are filters", async () => {
    const line_id = await draftLine();
    const entries = ["today", "yesterday"].map((date) => ({ line_id, date, hours: 1 }));
    await admin.carried("plan_register_work", { entries });
    const of = async (filters: Json) =>
      (await admin.done("list_work_registrations", { line_id, ...filters })).data.map(
        ({ date }: Json) => date,
      );
    expect(await of({ from: "today" })).toEqual(["2026-11-09"]);
    expect(await of({ to: "yesterday" })).toEqual(["2026-11-08"]);
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      issue_date: "2026-11-09",
      lines: [line()],
    });
    const listed = async (filters: Json) =>
      (await admin.done("list_invoices", { scope: "all", ...filters })).data.map(
        (one: Json) => one.id,
      );
    expect(await listed({ from: "today", to: "today" })).toContain(id);
    expect(await listed({ to: "yesterday" })).not.toContain(id);
  });

  it.each([["tomorrow"], ["Today"], [["today"]], [7]])("%j is no day", async (from) => {
    expect(await admin.refused("list_work_registrations", { from })).toBe("VALIDATION_FAILED");
  });

  it("stay text where a text is meant", async () => {
    const made = await admin.carried("plan_save_customer", { name: "today", city: "yesterday" });
    expect(made).toMatchObject({ name: "today", city: "yesterday" });
  });
});

describe("what no tool does", () => {
  it("is named for admins with addresses that exist", async () => {
    const instructions = await instructionsOf(admin);
    const visitor = await openConsent(world).signedInAdmin();
    const addresses = instructions.match(/https?:\/\/[^\s),]+/g) ?? [];
    expect(addresses).toHaveLength(Object.keys(PAGES).length);
    expect(addresses).toContain(`${world.origin}/close/2026-10`);
    for (const address of addresses) {
      expect(address.startsWith(`${world.origin}/`), address).toBe(true);
      const { status } = await visitor.get(address.slice(world.origin.length));
      expect(status, address).toBe(200);
    }
  });

  it("is left to admins for all others, without addresses that are hidden from them", async () => {
    const instructions = await instructionsOf(bo);
    expect(instructions).toContain("admins do it on pages");
    expect(instructions).not.toContain("http");
  });
});
