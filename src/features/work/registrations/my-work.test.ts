/** The answers of get_my_work, over real drafts and retainers. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { personContext, type ToolAnswer, toolAnswer } from "../../../../test/support/mcp/tools.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, hours, active, at, bo, eva, registered, skip, issued, cancel } =
  useWork();

let other: Json;

beforeAll(async () => {
  other = await world.done("POST /customers", { name: "Beta ApS" });
});
beforeEach(() => at("2027-03-20"));

const to = (user_id: string): Json => ({ assignees: [{ user_id }] });
const draft = (lines: Json[], fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", { customer_id: customer.id, lines, ...fields });
const end_of_period = { issue_timing: { mode: "end-of-period" } };
const myWork = async (user_id = bo()): Promise<ToolAnswer> =>
  toolAnswer(await personContext(world, user_id), "get_my_work");
/** `retainer care: 2027-02 overdue`, one for each line. */
const summary = ({ structured }: ToolAnswer): string[] =>
  structured.data.flatMap((group: Json) =>
    group.lines.map(
      (one: Json) =>
        `${group.kind} ${group.customer_name}: ${one.period ?? "draft"} ${one.attention.join(" ") || "-"}`,
    ),
  );

describe("get_my_work", () => {
  it("shows the person's lines on drafts and on begun, unissued occurrences, the most urgent first", async () => {
    const soon = await draft([hours(to(bo())), line(to(eva()))], { issue_date: "2027-03-25" });
    await registered(soon.lines[0].id, { date: "2027-03-19" });
    const service = { service_from: "2027-03-10", service_to: "2027-03-31" };
    await draft([line({ ...to(bo()), ...service })], { customer_id: other.id });
    await active({ lines: [hours(to(bo()))], start_date: "2027-02-01", ...end_of_period });
    const reported = await myWork();
    expect(summary(reported)).toEqual([
      // February fell due on 1 March.
      "retainer Acme A/S: 2027-02 overdue stale",
      "retainer Acme A/S: 2027-03 stale",
      "customer Acme A/S: draft due_soon",
      "customer Beta ApS: draft -",
    ]);
    expect(reported.structured).toMatchObject({ view: "mine", in_scope: 4, has_more: false });
  });

  it("states the registered hours of a line, and returns the line id for registering", async () => {
    const { lines } = await draft([
      hours({ assignees: [{ user_id: bo(), hourly_rate_override: 1200 }], agreed_value: 2000 }),
    ]);
    await registered(lines[0].id, { date: "2027-03-18", hours: 1.5 });
    await registered(lines[0].id, { user_id: eva(), hours: 1, date: "2027-03-19" });
    const reported = await myWork();
    const [group] = reported.structured.data;
    expect(group).toMatchObject({ kind: "customer", customer_id: customer.id, series_id: null });
    expect(group.lines).toMatchObject([
      {
        line_id: lines[0].id,
        line_kind: "invoice",
        name: "Retainer",
        hourly_rate: 1200,
        agreed_value: 2000,
        unbilled: 2800,
        own_hours: 1.5,
        total_hours: 2.5,
        last_worked_on: "2027-03-18",
        attention: ["over_budget"],
        rank: 4,
      },
    ]);
    expect(reported.text).toContain('Customer "Acme A/S" (1 line):');
    expect(reported.text).toContain("1.50 h of 2.50 h");
    expect(reported.text).toContain("2,800.00 DKK");
    expect(reported.text).toContain(lines[0].id);
    const again = await registered(group.lines[0].line_id, { hours: 0.5 });
    expect(again.line_id).toBe(lines[0].id);
  });

  it("names a retainer by its external id, with line ids for registering", async () => {
    const external_id = `care-${bo()}`;
    const { id } = await active({
      external_id,
      lines: [hours(to(bo()))],
      start_date: "2027-03-01",
      ...end_of_period,
    });
    const reported = await myWork();
    const [group] = reported.structured.data;
    expect(group).toMatchObject({ kind: "retainer", series_id: id, series_name: external_id });
    expect(group.lines[0]).toMatchObject({ period: "2027-03", due_on: "2027-04-01" });
    expect(reported.text).toContain(`Retainer "${external_id}" of "Acme A/S"`);
    const work = await registered(group.lines[0].line_id);
    expect(work).toMatchObject({ series_id: id, period: "2027-03" });
  });

  it("shows a period whose issue failed", async () => {
    const { id } = await active({
      lines: [hours(to(bo()))],
      start_date: "2027-03-15",
      ...end_of_period,
    });
    const [{ line_id }] = (await myWork()).structured.data[0].lines;
    await registered(line_id, { date: "2027-03-16" });
    at("2027-04-16");
    await world.done("PATCH /configuration", { period_lock_date: "2027-05-31" });
    const run = await world.done("POST /scheduler-runs");
    expect(run.failed.some(({ series_id }: Json) => series_id === id)).toBe(true);
    await world.done("PATCH /configuration", { period_lock_date: null });
    const [shown] = (await myWork()).structured.data[0].lines;
    expect(shown.attention).toEqual(["overdue", "failed", "stale"]);
  });

  it("leaves out periods that are issued, skipped, dropped or not begun, and draft series", async () => {
    const start = { lines: [line(to(bo()))], start_date: "2027-02-01", ...end_of_period };
    const { id } = await active(start);
    await issued(id, "2027-02");
    const { id: skipped } = await active(start);
    await skip(skipped, "2027-02");
    await skip(skipped, "2027-03");
    const { id: cancelled } = await active(start);
    await cancel(cancelled, { end_date: "2027-02-28" });
    await active({ ...start, start_date: "2027-03-21" });
    await world.done("POST /recurring-series", {
      customer_id: customer.id,
      frequency: "monthly",
      ...start,
    });
    const reported = await myWork();
    expect(
      reported.structured.data.map(({ series_id, lines }: Json) => [
        series_id,
        lines.map(({ period }: Json) => period),
      ]),
    ).toEqual(
      expect.arrayContaining([
        [id, ["2027-03"]],
        [cancelled, ["2027-02"]],
      ]),
    );
    expect(reported.structured.in_scope).toBe(2);
  });

  it("counts the waiting lines of all other users in the same way", async () => {
    const before = (await myWork()).structured;
    expect(before.in_scope).toBe(0);
    await draft([line(), line(to(eva())), line(to(bo()))]);
    const { id } = await active({
      lines: [line(to(eva())), line()],
      start_date: "2027-02-01",
      ...end_of_period,
    });
    // Two lines in February and March each.
    expect((await myWork()).structured).toMatchObject({
      in_scope: 1,
      beyond_scope: before.beyond_scope + 2 + 4,
    });
    // February stays open, so that March has to be excluded by its own skip.
    await skip(id, "2027-03");
    expect((await myWork()).structured.beyond_scope).toBe(before.beyond_scope + 2 + 2);
    const [line_id] = (await world.done(`GET /recurring-series/${id}/lines`)).data.map(
      (one: Json) => one.line_id,
    );
    const path = `DELETE /recurring-series/${id}/lines/${line_id}?scope=this_only&period=2027-02`;
    await world.done(path);
    expect((await myWork()).structured.beyond_scope).toBe(before.beyond_scope + 2 + 1);
    const { id: ahead } = await active({ start_date: "2027-02-01", ...end_of_period });
    expect((await myWork()).structured.beyond_scope).toBe(before.beyond_scope + 2 + 1 + 2);
    await issued(ahead, "2027-03");
    expect((await myWork()).structured.beyond_scope).toBe(before.beyond_scope + 2 + 1 + 1);
    await issued(ahead, "2027-02");
    const of_eva = (await myWork(eva())).structured;
    expect(of_eva.in_scope + of_eva.beyond_scope).toBe(1 + before.beyond_scope + 2 + 1);
  });

  it("shows up to 200 lines, and of more the first 20 of each group with the call for the rest", async () => {
    const many = (count: number, fields: Json = {}): Json[] =>
      Array.from({ length: count }, (_, n) =>
        line({ ...to(bo()), agreed_value: 100 + n, ...fields }),
      );
    const { id: draft_id } = await draft(many(170));
    await active({ lines: many(3), start_date: "2026-06-01", ...end_of_period });
    const all = await myWork();
    expect(all.structured).toMatchObject({ in_scope: 200, shown: 200 });
    expect(all.structured.data.map(({ waiting, rest }: Json) => [waiting, rest])).toEqual([
      [30, null],
      [170, null],
    ]);
    await draft(many(4), { customer_id: other.id });
    await draft(many(18), { customer_id: other.id });
    const reported = await myWork();
    expect(reported.structured).toMatchObject({ in_scope: 222, shown: 60 });
    const [series, of_one, of_other] = reported.structured.data;
    const shown = ({ lines, waiting, rest }: Json) => [lines.length, waiting, rest];
    expect(shown(series)).toEqual([
      20,
      30,
      expect.stringContaining(`get_series with series ${series.series_id}`),
    ]);
    expect(shown(of_other)).toEqual([
      20,
      22,
      expect.stringContaining(`list_invoices with customer ${other.id}`),
    ]);
    expect(shown(of_one)).toEqual([20, 170, `get_invoice with invoice ${draft_id}`]);
    // The same lines in the same order as among all lines.
    expect(series.lines).toEqual(all.structured.data[0].lines.slice(0, 20));
    expect(of_one.lines).toEqual(all.structured.data[1].lines.slice(0, 20));
    expect(reported.text).toContain("Shown: 60");
    expect(reported.text).toContain(`(170 lines, the first 20 shown; the others: ${of_one.rest}):`);
  });

  it("finds lines with registered work among many lines", async () => {
    const lines = Array.from({ length: 60 }, (_, n) =>
      n === 50
        ? hours({ ...to(bo()), agreed_value: 100 })
        : line({ ...to(bo()), agreed_value: 100 + (n % 7) }),
    );
    const { id } = await active({
      lines,
      start_date: "2026-12-15",
      issue_timing: { mode: "manual" },
    });
    const before = (await myWork()).structured;
    expect(before).toMatchObject({ in_scope: 240, shown: 20 });
    // Positions order lines with the same amount.
    const [{ lines: first }] = before.data;
    expect(first.map(({ unbilled }: Json) => unbilled)).toEqual(Array(20).fill(106));
    const line_id = (await world.done(`GET /recurring-series/${id}/lines`)).data[50].line_id;
    await registered(line_id, { date: "2027-01-20", hours: 2 });
    await registered(line_id, { user_id: eva(), date: "2027-01-21", hours: 1 });
    const [{ lines: after }] = (await myWork()).structured.data;
    expect(after[0]).toMatchObject({
      period: "2027-01",
      attention: ["over_budget", "stale"],
      own_hours: 2,
      total_hours: 3,
      last_worked_on: "2027-01-20",
    });
    expect(after.slice(1)).toEqual(first.slice(0, 19));
  });

  it("ranks the lines of long drafts like those of short ones", async () => {
    const lines = Array.from({ length: 230 }, (_, n) =>
      line({
        ...to(bo()),
        service_from: "2027-03-10",
        service_to: "2027-03-31",
        agreed_value: 100 + (n % 90) / 100,
        discount: (n % 3) * 7.5,
      }),
    );
    const old = { service_from: "2027-01-01", service_to: "2027-12-31" };
    const { lines: made } = await draft([...lines, line({ ...to(bo()), ...old, agreed_value: 1 })]);
    await registered(made[5].id, { date: "2027-03-10" });
    const [{ lines: shown }] = (await myWork()).structured.data;
    const value = ({ agreed_value, discount }: Json): number =>
      Math.round(agreed_value * 100 * (1 - discount / 100) + 1e-6);
    const ordered = made
      .slice(0, -1)
      .toSorted((a: Json, b: Json) => value(b) - value(a) || a.position - b.position);
    expect(shown.map(({ line_id }: Json) => line_id)).toEqual(
      [made.at(-1), ...ordered].slice(0, 20).map(({ id }: Json) => id),
    );
    expect(shown[0].attention).toEqual(["stale"]);
  });

  it("states that nothing waits", async () => {
    const reported = await myWork();
    expect(reported.lines[0]).toMatch(/^View: mine\. In scope: 0\. Beyond scope: \d+\.$/);
    expect(reported.lines[1]).toMatch(
      /^Today is [A-Z][a-z]+day \d{4}-\d\d-\d\d, Europe\/Copenhagen\.$/,
    );
    expect(reported.lines[3]).toBe("No lines are open for work.");
  });
});
