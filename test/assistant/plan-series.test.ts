/** Plans of series and their periods: their texts, and that only commit carries them out. */
import { beforeAll, describe, expect, it } from "vitest";
import { completeSeller } from "../support/documents/seller.ts";
import { type Agent, agentOf, digestOf } from "../support/mcp/mcp.ts";
import { useSeries } from "../support/world/series.ts";
import type { Json } from "../support/world/world.ts";

const series = useSeries();
const { world, customer, line, draft, active, retainer, lineIds, show, at, issued } = series;

let admin: Agent;
let bo: Agent;
beforeAll(async () => {
  await world.done("PATCH /configuration", { seller: completeSeller });
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
  bo = await agentOf(world, { name: "Bo Berg" });
});

const planned = async (tool: string, args: Json, agent = admin): Promise<string[]> => {
  const before = await digestOf(world);
  const { is_error, text } = await agent.call(tool, args);
  expect(is_error, text).toBe(false);
  expect(await digestOf(world)).toBe(before);
  return text.split("\n").slice(0, -1);
};

describe("plan_create_series", () => {
  const body = (fields: Json = {}): Json => ({
    customer: customer.id,
    frequency: "monthly",
    start_date: "2027-01-01",
    lines: [line()],
    ...fields,
  });

  it("describes the series, and the commit creates a draft", async () => {
    const text = await planned("plan_create_series", body());
    expect(text[0]).toBe(
      'Creates a draft of a monthly series for "Acme A/S" from 2027-01-01 with 1 line.',
    );
    expect(text.at(-1)).toBe("Books nothing and sends nothing.");
    const made = await admin.carried("plan_create_series", body());
    expect(made).toEqual(await show(made.id));
    expect(made.status).toBe("draft");
  });

  it("activates it in the same plan on request", async () => {
    const text = await planned("plan_create_series", body({ activate: true }));
    expect(text[0]).toBe(
      'Creates an active monthly series for "Acme A/S" from 2027-01-01 with 1 line.',
    );
    expect(text.at(-1)).toMatch(/^Books nothing now\. From then on each period is booked/);
    expect(await admin.carried("plan_create_series", body({ activate: true }))).toMatchObject({
      status: "active",
    });
  });

  it("warns about periods that were due before today, because they are not issued automatically", async () => {
    const late = body({ start_date: "2026-01-01", activate: true });
    const text = await planned("plan_create_series", late);
    expect(text.at(-1)).toBe(
      "Note: Periods that fell due before today are not issued automatically, the first being 2026-01: plan_issue_occurrence issues one.",
    );
    const manual = { ...late, issue_timing: { mode: "manual" } };
    expect((await planned("plan_create_series", manual)).join()).not.toContain("Note:");
  });

  it("refuses what REST refuses for the series or its activation", async () => {
    expect(await admin.refused("plan_create_series", body({ activate: true, lines: [] }))).toBe(
      "SERIES_INCOMPLETE",
    );
    expect(await admin.refused("plan_create_series", body({ lines: [series.hours()] }))).toBe(
      "SERIES_TIMING_CONFLICT",
    );
    expect(await admin.refused("plan_create_series", body({ end_date: "2026-01-01" }))).toBe(
      "VALIDATION_FAILED",
    );
  });
});

describe("plan_update_series", () => {
  it("describes the changed header fields and the activation", async () => {
    const { id } = await draft();
    const args = { series: id, end_date: "2027-12-31", activate: true };
    const text = await planned("plan_update_series", args);
    expect(text.slice(0, 3)).toEqual([
      'Changes and activates the monthly series for "Acme A/S".',
      "- end date: 2027-12-31",
      '- status: "draft" becomes "active"',
    ]);
    expect(await admin.carried("plan_update_series", args)).toMatchObject({
      end_date: "2027-12-31",
      status: "active",
    });
    expect(await admin.refused("plan_update_series", args)).toBe("SERIES_ALREADY_ACTIVE");
  });

  it("states that an active series bills this way from now on, and which periods become due", async () => {
    const { id } = await active({ start_date: "2026-04-01", issue_timing: { mode: "manual" } });
    at("2026-06-10");
    const timing = { mode: "start-of-period" };
    const text = await planned("plan_update_series", { series: id, issue_timing: timing });
    expect(text.slice(-2)).toEqual([
      "Books nothing now. The series is active: its periods are billed this way when they fall due.",
      "Note: Due periods are issued at the scheduler's next run, the first being 2026-04.",
    ]);
    at("2026-03-10");
  });

  it("is stale if the series has changed", async () => {
    const { id } = await draft();
    const { plan_id } = await admin.done("plan_update_series", { series: id, auto_send: false });
    await series.change(id, { end_date: "2028-01-31" });
    expect(await admin.refused("commit", { plan_id })).toBe("PLAN_STALE");
  });

  it("accepts a series in which the caller appears only in a later version", async () => {
    const { id, line_id } = await retainer();
    const args = { series: id, end_date: "2028-12-31" };
    expect(await bo.refused("plan_update_series", args)).toBe("OUT_OF_SCOPE");
    const assignees = [{ user_id: bo.user_id }];
    await series.edit(id, line_id, "this_and_following", { assignees }, "2027-06");
    await bo.done("plan_update_series", args);
  });
});

describe("an assistant without the scope mcp:issue", () => {
  it("activates no series, because an active one is booked and e-mailed automatically", async () => {
    const writer = await agentOf(world, { role: "admin", scope: "mcp:write" });
    const { id } = await draft();
    const activating = { series: id, activate: true };
    const { data, text } = await writer.call("plan_update_series", activating);
    expect(data).toMatchObject({ code: "INSUFFICIENT_SCOPE", details: { scope: "mcp:issue" } });
    expect(text).toContain("Without activate the series stays a draft.");
    const header = { frequency: "monthly", start_date: "2027-01-01", lines: [line()] };
    const creating = { customer: customer.id, ...header, activate: true };
    expect(await writer.refused("plan_create_series", creating)).toBe("INSUFFICIENT_SCOPE");

    await writer.carried("plan_update_series", { series: id, end_date: "2027-12-31" });
    await writer.carried("plan_create_series", { ...creating, activate: false });
    expect((await show(id)).status).toBe("draft");
  });

  it("changes no active series in a way that bills more, earlier or to another customer", async () => {
    const writer = await agentOf(world, { role: "admin", scope: "mcp:write" });
    const manual = { mode: "manual" };
    const waiting = await active({ issue_timing: manual, end_date: "2027-12-31" });
    const running = await active({ auto_send: false, end_date: "2027-12-31" });
    const other = await world.done("POST /customers", { name: "Other" });
    for (const [id, changes] of [
      [waiting.id, { issue_timing: { mode: "start-of-period" } }],
      [running.id, { issue_timing: { mode: "start-of-period", offset_days: -20 } }],
      [running.id, { start_date: "2026-03-01" }],
      [running.id, { frequency: "weekly" }],
      [running.id, { customer: other.id }],
      [running.id, { end_date: null }],
      [running.id, { end_date: "2028-12-31" }],
      [running.id, { auto_send: true }],
      [running.id, { auto_send: null }],
    ] as const) {
      const args = { series: id, ...changes };
      const { data, text } = await writer.call("plan_update_series", args);
      expect(data, text).toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    }
    const same = { series: running.id, end_date: "2027-12-31", auto_send: false };
    await writer.done("plan_update_series", same);
    await writer.carried("plan_update_series", { series: running.id, end_date: "2027-06-30" });
    await writer.carried("plan_update_series", { series: waiting.id, end_date: null });
    await writer.carried("plan_update_series", { series: running.id, issue_timing: manual });
  });

  it("commits no activation that it planned while it had the scope", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const { id } = await draft();
    const { plan_id } = await agent.done("plan_update_series", { series: id, activate: true });
    await world.sql("update oauth_grants set scopes = '{mcp:read,mcp:write}' where id = $1", [
      agent.grant_id,
    ]);

    expect(await agent.refused("commit", { plan_id })).toBe("INSUFFICIENT_SCOPE");
    expect((await show(id)).status).toBe("draft");
  });
});

describe("plan_edit_series_line", () => {
  it("adds a line from a given period", async () => {
    const { id } = await retainer();
    const args = {
      series: id,
      action: "add",
      scope: "this_and_following",
      period: "2027-04",
      line: line({ agreed_value: 500 }),
    };
    const text = await planned("plan_edit_series_line", args);
    expect(text[0]).toBe(
      'Adds the line "Retainer" to the monthly series for "Acme A/S", from period 2027-04 on: from 1 April 2027; invoice of 2027-04-01: 8,000.00 DKK becomes 8,500.00 DKK.',
    );
    expect(text).toContain("- agreed value: 500");
    expect(await admin.carried("plan_edit_series_line", args)).toMatchObject({
      object: "series_line_edit",
      period: "2027-04",
    });
    expect(await series.amounts(id, "2027-04-30")).toEqual([8000, 8000, 8500]);
  });

  it("changes a line in one period", async () => {
    const { id, line_id } = await retainer();
    const args = {
      series: id,
      action: "change",
      scope: "this_only",
      line_id,
      period: "2027-03",
      line: { agreed_value: 9000 },
    };
    expect(await planned("plan_edit_series_line", args)).toEqual([
      'Changes the line "Retainer" of the monthly series for "Acme A/S", in period 2027-03 only: from 1 March 2027; invoice of 2027-03-01: 8,000.00 DKK becomes 9,000.00 DKK.',
      "- agreed value: 8000 becomes 9000",
      "Books nothing and sends nothing; issued periods do not change.",
    ]);
    const { plan_id } = await admin.done("plan_edit_series_line", args);
    const { text } = await admin.call("commit", { plan_id });
    expect(text).toMatch(
      /^Done: changed the line "Retainer" .*: 8,000\.00 DKK becomes 9,000\.00 DKK\.$/m,
    );
    expect(await series.amounts(id, "2027-04-30")).toEqual([8000, 9000, 8000]);
  });

  it("removes a line, and accepts the scope all from a standard user", async () => {
    const assignees = [{ user_id: bo.user_id }];
    const { id } = await draft({ lines: [line({ assignees }), line()] });
    const [line_id] = await lineIds(id);
    const args = { series: id, action: "remove", scope: "all", line_id };
    const text = await planned("plan_edit_series_line", args, bo);
    expect(text[0]).toBe(
      'Removes the line "Retainer" from the monthly series for "Acme A/S", in every period that is not issued, the first being 2027-01: from 1 January 2027; invoice of 2027-01-01: 6,200.00 DKK becomes 3,100.00 DKK.',
    );
    await bo.carried("plan_edit_series_line", args);
    expect(await lineIds(id)).toHaveLength(1);
    expect(await bo.refused("plan_edit_series_line", args)).toBe("OUT_OF_SCOPE");
  });

  it("names the missing argument", async () => {
    const { id } = await retainer();
    for (const [action, field] of [
      ["add", "line"],
      ["change", "line"],
      ["remove", "line_id"],
    ]) {
      const { data } = await admin.call("plan_edit_series_line", {
        series: id,
        action,
        scope: "all",
      });
      expect(data).toMatchObject({ code: "VALIDATION_FAILED", field_errors: [{ field }] });
    }
  });
});

describe("plan_issue_occurrence", () => {
  it("describes the period, net and date, and the commit issues it", async () => {
    at("2027-01-05");
    const { id } = await active({ start_date: "2027-02-01" });
    const args = { series: id, period: "2027-02" };
    const text = await planned("plan_issue_occurrence", args);
    expect(text).toEqual([
      expect.stringMatching(
        /^Issues period 2027-02 \(2027-02-01 to 2027-02-28\) for "Acme A\/S": net 3,100\.00 DKK, gross 3,875\.00 DKK, dated 2027-01-05, due/,
      ),
      '- status: "scheduled" becomes "issued"',
      "Books the invoice in the built-in ledger, dated 2027-01-05.",
      "Does not e-mail it.",
      "Note: Line 1 has no assignee: its revenue will be unassigned. (NOBODY_ASSIGNED)",
    ]);
    const invoice = await admin.carried("plan_issue_occurrence", args);
    expect(invoice).toMatchObject({ object: "invoice", status: "issued" });
    expect((await series.occurrence(id, "2027-02")).invoice_id).toBe(invoice.id);
    expect(await admin.refused("plan_issue_occurrence", args)).toBe("INVOICE_ALREADY_ISSUED");
  });

  it("states that it activates a draft", async () => {
    const { id } = await draft();
    expect(await planned("plan_issue_occurrence", { series: id, period: "2027-01" })).toContain(
      "Activates the series, which is a draft.",
    );
  });

  it("is stale if the period was issued, or its lines changed", async () => {
    const { id } = await active();
    const plan = () => admin.done("plan_issue_occurrence", { series: id, period: "2027-03" });
    const first = await plan();
    await series.add(id, "all", 10);
    expect(await admin.refused("commit", { plan_id: first.plan_id })).toBe("PLAN_STALE");
    const second = await plan();
    await issued(id, "2027-03");
    const { data } = await admin.call("commit", { plan_id: second.plan_id });
    expect(data).toMatchObject({
      code: "PLAN_STALE",
      details: { now: { code: "INVOICE_ALREADY_ISSUED" } },
    });
  });

  it("is refused outside of the view, and for an invalid period", async () => {
    const { id } = await active();
    const args = { series: id, period: "2027-04" };
    expect(await bo.refused("plan_issue_occurrence", args)).toBe("OUT_OF_SCOPE");
    expect(await admin.refused("plan_issue_occurrence", { ...args, period: "soon" })).toBe(
      "MALFORMED_REQUEST",
    );
  });
});
