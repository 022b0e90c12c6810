/**
 * What will be invoiced this month, and who earned most: `get_revenue` of a month that is not over, and summed over months. The
 * retainer is due on the 15th, and the questions are asked on the 9th.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useSeries } from "../support/world/series.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, line, hours, active, at, run, linesOf } = useSeries();

let admin: Agent;
let bo: Agent;
let beta: Json;
let retainer: Json;

/** A line that earns only when it is invoiced, so that a report of earnings alone has no row for it. */
const onIssue = (agreed_value: number): Json =>
  line({ recognition_method: "on_issue", agreed_value });

beforeAll(async () => {
  at("2026-10-20");
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
  bo = await agentOf(world, { name: "Bo Berg" });
  beta = await world.done("POST /customers", { name: "Beta ApS" });
  const lines = [onIssue(3000), hours({ assignees: [{ user_id: bo.user_id }] })];
  const issue_timing = { mode: "end-of-period", offset_days: 1 };
  retainer = await active({ start_date: "2026-10-15", lines, issue_timing });
  await active({
    customer_id: beta.id,
    start_date: "2026-11-01",
    lines: [line({ agreed_value: 700, assignees: [{ user_id: bo.user_id }] })],
    issue_timing: { mode: "end-of-period" },
  });
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    issue_date: "2026-11-02",
    lines: [onIssue(500)],
  });
  at("2026-11-09");
  await world.done(`POST /invoices/${id}/issue`);
  const worked = (await linesOf(retainer.id, "2026-10"))[1];
  expect(worked?.recognition_method).toBe("hours");
});

const november = { from: "2026-11", to: "2026-11" };
const revenue = (args: Json, agent = admin): Promise<Json> => agent.done("get_revenue", args);

describe("get_revenue of the month that is not over", () => {
  it("shows what is invoiced and what is scheduled, in one row marked as so far", async () => {
    const { text, data } = await admin.call("get_revenue", { ...november, group_by: "month" });
    const [row, ...others] = data.data;
    expect(others).toEqual([]);
    expect(row).toMatchObject({ month: "2026-11", invoiced: 500, scheduled: 3700 });
    expect(data.sum).toMatchObject({ invoiced: 500, scheduled: 3700 });
    expect(text).toMatch(/^2026-11 \(so far\)/m);
    expect(text).toContain("| scheduled");
    expect(text).toContain("invoiced 500.00 DKK, scheduled 3,700.00 DKK");
    const rest = await world.done("GET /recognition?from=2026-11&to=2026-11&group_by=month");
    const { scheduled: _, customer_name, user_name, product_name, ...shown } = row;
    expect(rest.data).toEqual([shown]);
    expect([customer_name, user_name, product_name]).toEqual([null, null, null]);
  });

  it("shows of later months what the forecast does not have: periods that have begun", async () => {
    const args = { from: "2026-10", to: "2026-12", group_by: "month" };
    const { data } = await revenue(args);
    expect(data.map(({ month, scheduled }: Json) => [month, scheduled])).toEqual([
      ["2026-11", 3700],
      ["2026-12", 3000],
    ]);
    const later = await admin.call("get_revenue", { from: "2026-12", to: "2026-12" });
    expect(later.data.sum).toMatchObject({ invoiced: 700, scheduled: 3000 });
    const beta_later = { from: "2026-12", to: "2026-12", customer: "Beta ApS" };
    expect((await admin.call("get_revenue", beta_later)).text).not.toContain("| scheduled");
    const past = await admin.call("get_revenue", { from: "2026-10", to: "2026-10" });
    expect(past.data.sum.scheduled).toBeNull();
  });

  it.each([
    [
      "customer",
      [
        ["Acme A/S", 500, 3000],
        ["Beta ApS", 0, 700],
      ],
    ],
    [
      "user",
      [
        ["Bo Berg", 0, 700],
        [null, 500, 3000],
      ],
    ],
    ["product", [["Retainer", 500, 3700]]],
  ])("adds up to the same by %s", async (group_by, expected) => {
    const { data } = await revenue({ ...november, group_by });
    const rows = data.map((row: Json) => [
      row[`${group_by}_name`] ?? null,
      row.invoiced,
      row.scheduled,
    ]);
    const byName = (a: unknown[], b: unknown[]) => (`${a[0]}` < `${b[0]}` ? -1 : 1);
    expect(rows.sort(byName)).toEqual([...expected].sort(byName));
  });

  it("has a row for a line that is scheduled alone, on one of its pages", async () => {
    const rows: Json[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await revenue({ ...november, limit: 1, ...(cursor && { cursor }) });
      rows.push(...page.data);
      cursor = page.next_cursor ?? undefined;
      more = page.has_more;
    }
    const { data } = await revenue({ ...november, limit: 100 });
    expect(rows).toEqual(data);
    const [first] = await linesOf(retainer.id, "2026-10");
    const own = data.filter(({ line_id }: Json) => line_id === first?.id);
    expect(own).toMatchObject([
      { earned: 0, invoiced: 0, scheduled: 3000, series_id: retainer.id, period: "2026-10" },
    ]);
    const { data: explained } = await revenue({ ...november, customer: "Acme A/S", explain: true });
    const same = explained.find(({ line_id }: Json) => line_id === first?.id);
    expect(same).not.toHaveProperty("explanation");
  });

  it("shows a standard user their own share, and one customer what is scheduled for it", async () => {
    expect((await revenue({ ...november, group_by: "month" }, bo)).data).toMatchObject([
      { scheduled: 700 },
    ]);
    const of_beta = await revenue({ ...november, group_by: "month", customer: "Beta ApS" });
    expect(of_beta.data).toMatchObject([{ invoiced: 0, scheduled: 700 }]);
  });

  it("counts nothing that a person skips, and hours as they are registered", async () => {
    const month = { ...november, group_by: "month" };
    const occurrence = `/recurring-series/${retainer.id}/occurrences/2026-10`;
    await world.done(`POST ${occurrence}/skip`);
    expect((await revenue(month)).data[0].scheduled).toBe(700);
    await world.done(`POST ${occurrence}/unskip`);
    expect((await revenue(month)).data[0].scheduled).toBe(3700);
    const [, worked] = await linesOf(retainer.id, "2026-10");
    await world.done("POST /work-registrations", {
      line_id: worked?.id,
      user_id: bo.user_id,
      hours: 2,
      date: "2026-11-09",
    });
    expect((await revenue(month)).data[0].scheduled).toBe(5700);
    expect((await revenue(month, bo)).data[0].scheduled).toBe(2700);
  });

  it("moves from scheduled to invoiced when the scheduler has run", async () => {
    at("2026-11-15");
    await run();
    const { data } = await revenue({ ...november, group_by: "month" });
    expect(data).toMatchObject([{ invoiced: 5500, scheduled: 700 }]);
  });
});

describe("get_revenue with the months summed", () => {
  const year = { from: "2026-10", to: "2026-12", months: "sum" };

  it("has one row for each customer, the highest earnings first, and adds up to the months", async () => {
    const { text, data } = await admin.call("get_revenue", { ...year, group_by: "customer" });
    const { data: each } = await revenue({ from: "2026-10", to: "2026-12", group_by: "customer" });
    const total = (id: string, field: string) =>
      each
        .filter((row: Json) => row.customer_id === id)
        .reduce((sum: number, row: Json) => sum + (row[field] ?? 0), 0);
    expect(data.data.map(({ customer_name }: Json) => customer_name)).toEqual([
      "Acme A/S",
      "Beta ApS",
    ]);
    expect(data.data[0].scheduled).toBeGreaterThan(0);
    for (const row of data.data) {
      for (const field of ["earned", "invoiced", "hours", "scheduled"]) {
        expect(row[field], `${row.customer_name} ${field}`).toBeCloseTo(
          total(row.customer_id, field),
          2,
        );
      }
      const last = each.find(
        (one: Json) => one.customer_id === row.customer_id && one.month === "2026-12",
      );
      expect(row.contract_liability).toBe(last?.contract_liability ?? 0);
    }
    expect(text).toMatch(
      /^Revenue from 2026-10 to 2026-12 \(2026-11 so far\), all months together, with the forecast of later months:/,
    );
    expect(text).not.toContain("| month");
  });

  it("has pages, and sums lines in the currency of the books", async () => {
    for (const group_by of ["line", "user", "product", "month"]) {
      const whole = await revenue({ ...year, group_by });
      const rows: Json[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await revenue({ ...year, group_by, limit: 1, ...(cursor && { cursor }) });
        rows.push(...page.data);
        cursor = page.next_cursor ?? undefined;
        more = page.has_more;
      }
      expect(rows, group_by).toEqual(whole.data);
      const earned = rows.map((row) => row.earned);
      expect(earned).toEqual([...earned].sort((a, b) => b - a));
    }
  });

  it("explains no sums, and refuses another word", async () => {
    expect(await admin.refused("get_revenue", { ...year, explain: true })).toBe(
      "VALIDATION_FAILED",
    );
    expect(await admin.refused("get_revenue", { ...year, months: "some" })).toBe(
      "VALIDATION_FAILED",
    );
  });
});

describe("an invoice in another month than its period", () => {
  const both = { from: "2026-11", to: "2026-12", group_by: "month" };
  const before = { november: 0, december: 0 };
  let end: Json;
  let ahead: Json;

  beforeAll(async () => {
    at("2026-11-20");
    const [november, december] = (await revenue(both)).data;
    Object.assign(before, {
      november: november.invoiced + november.scheduled,
      december: december.invoiced + december.scheduled,
    });
    // The period of November is invoiced on the 10th of December, and no report of revenue counts that invoice.
    end = await active({
      start_date: "2026-11-01",
      end_date: "2026-11-30",
      lines: [onIssue(400)],
      issue_timing: { mode: "end-of-period", offset_days: 10 },
    });
    // The period of December is invoiced on the 25th of November, and the forecast of December counts it too.
    ahead = await active({
      start_date: "2026-12-10",
      end_date: "2027-01-09",
      lines: [onIssue(90)],
      issue_timing: { mode: "start-of-period", offset_days: -15 },
    });
  });

  it("is scheduled in the month of its date, and in sums only once", async () => {
    const { text, data } = await admin.call("get_revenue", both);
    const [november, december] = data.data;
    expect(november.invoiced + november.scheduled).toBe(before.november + 90);
    expect(december.invoiced + december.scheduled).toBe(before.december + 400 + 90);
    expect(text).toContain(
      "Some of what is scheduled in 2026-11 is for periods that begin later: the forecast of 2026-12 has it as invoiced too, the total only once.",
    );
    const total = before.november + before.december + 400 + 90;
    expect(data.sum.invoiced + data.sum.scheduled).toBe(total);
    const { data: sums } = await revenue({ ...both, months: "sum" });
    expect(sums).toHaveLength(1);
    expect(sums[0].invoiced + sums[0].scheduled).toBe(total);
  });

  it("has the amount of the invoice that the scheduler issues", async () => {
    at("2026-11-25");
    await run();
    at("2026-12-10");
    await run();
    for (const [{ id }, month, period, net] of [
      [ahead, "2026-11", "2026-12", 90],
      [end, "2026-12", "2026-11", 400],
    ] as const) {
      const path = `/recurring-series/${id}/occurrences/${period}`;
      const { invoice_id, issue_date } = await world.done(`GET ${path}`);
      expect(issue_date.slice(0, 7)).toBe(month);
      expect(await world.done(`GET /invoices/${invoice_id}/totals`)).toMatchObject({ net });
    }
  });
});
