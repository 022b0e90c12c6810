/**
 * Whether the views of revenue agree (spec 3.9) over books with many kinds of changes: lines add up
 * to months, the months to the contracts, and the bookings to the ledger.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { sum } from "../../../../test/support/world/report.ts";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();
const RANGE = "from=2026-01&to=2026-09";
let one: Studio;
let beta: string;

/** Half a year in which drafts move, disappear and change, and invoices are credited, cancelled and completed. */
beforeAll(async () => {
  one = await studio("2026-06-10");
  const { at, bo, done, draft, issued, work, booked, hours, value, service, closed } = one;
  beta = await one.newCustomer("Beta ApS");
  const eva = await one.newUser();
  const support = await done("POST /products", { name: "Support", account_number: 1020 });
  const both = { assignees: [{ user_id: bo }, { user_id: eva }] };

  const gone = await draft();
  const { id: gone_work } = await work(gone, "2026-01-12", 3);
  const moved = await draft([hours(), service(700, "2026-01-10", "2026-03-09")]);
  await work(moved, "2026-01-13", 2, { user_id: eva });
  const changed = await draft([hours({ hourly_rate: 333.33 })]);
  await work(changed, "2026-01-14", 1.37);
  await closed("2026-01");

  const prepaid = await issued([{ ...service(1000.01, "2026-02-11", "2026-07-05"), ...both }], {
    issue_date: "2026-02-01",
  });
  const stone = { ...value(5000), recognition_method: "milestone" };
  const milestone = await issued([stone, value(77)], { issue_date: "2026-03-03" });
  const budget = { ...value(999.99), recognition_method: "progress", budget_hours: 7 };
  const progress = await draft([budget], { issue_date: "2026-05-04" });
  await work(progress, "2026-02-16", 1.5);
  await work(progress, "2026-04-16", 3, { user_id: eva });
  const { id } = await done("POST /recurring-series", {
    customer_id: beta,
    frequency: "monthly",
    start_date: "2026-02-01",
    lines: [{ ...value(310), ...both }, hours()],
    issue_timing: { mode: "manual" },
  });
  await done(`POST /recurring-series/${id}/activate`);
  await done(`POST /recurring-series/${id}/occurrences/2026-03/issue`);
  await done(`DELETE /work-registrations/${gone_work}`);
  await done(`DELETE /invoices/${gone.id}`);
  await closed("2026-02");
  await done(`PATCH /invoices/${moved.id}`, { customer_id: beta });
  await done(`PATCH /invoices/${changed.id}`, {
    lines: [{ ...changed.lines[0], product_id: support.id, hourly_rate: 350 }],
  });
  await closed("2026-03", { lock: false });
  await work(moved, "2026-03-20", 2);
  await done(`POST /invoices/${progress.id}/issue`);
  await done(`POST /invoices/${milestone.id}/lines/${milestone.lines[0].id}/complete`, {
    completed_on: "2026-05-20",
  });
  await done("POST /credit-notes", {
    external_id: "less",
    invoice: prepaid.id,
    kind: "partial",
    credit_date: "2026-04-20",
    lines: [{ invoice_line_id: prepaid.lines[0].id, amount: 123.45 }],
  });
  await closed("2026-04", { lock: false });
  await done(`POST /recurring-series/${id}/cancel`, { end_date: "2026-05-17" });
  await done(`PATCH /invoices/${moved.id}`, { issue_date: "2026-05-30" });
  await done(`POST /invoices/${moved.id}/issue`);
  const may = await booked("2026-05");
  await one.reopen(may.id);
  await booked("2026-05");
  at("2026-06-11");
});

const list = async (query: string): Promise<Json[]> => {
  const seen: Json[] = [];
  for (let cursor = ""; ; ) {
    const page = await one.done(`GET /recognition?${query}&limit=100${cursor}`);
    seen.push(...page.data);
    if (!page.has_more) return seen;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
};
const net = (rows: readonly Json[]): number =>
  Math.round((sum(rows, "contract_asset") - sum(rows, "contract_liability")) * 100) / 100;

describe("the views of revenue", () => {
  it.each(["work_month", "booking_month"])("add up from lines to months by %s", async (basis) => {
    const lines = await list(`${RANGE}&basis=${basis}`);
    const months = await list(`${RANGE}&basis=${basis}&group_by=month`);
    expect(lines.length).toBeGreaterThan(40);

    for (const month of months) {
      const parts = lines.filter((row) => row.month === month.month);
      for (const field of ["earned", "invoiced", "hours"]) {
        expect([month.month, field, sum(parts, field)]).toEqual([month.month, field, month[field]]);
      }
      expect([month.month, net(parts)]).toEqual([month.month, net([month])]);
    }
    const reported = new Set(months.map(({ month }) => month));
    expect(lines.filter((row) => !reported.has(row.month))).toEqual([]);
  });

  it.each(["work_month", "booking_month"])(
    "have the balance of earned less invoiced, by %s",
    async (basis) => {
      for (const customer of [one.customer, beta]) {
        let balance = 0;
        for (const month of await list(
          `${RANGE}&basis=${basis}&group_by=month&customer=${customer}`,
        )) {
          balance += month.earned - month.invoiced;
          expect([month.month, net([month])]).toEqual([
            month.month,
            Math.round(balance * 100) / 100,
          ]);
        }
      }
    },
  );

  it("agree in their totals of booked and open months", async () => {
    const work = await list(`${RANGE}&group_by=customer`);
    const booking = await list(`${RANGE}&group_by=customer&basis=booking_month`);

    for (const customer of [one.customer, beta]) {
      const of = (rows: readonly Json[]) => rows.filter((row) => row.customer_id === customer);
      expect(sum(of(booking), "earned")).toBe(sum(of(work), "earned"));
      expect(sum(of(booking), "invoiced")).toBe(sum(of(work), "invoiced"));
    }
  });

  it("agree with the accruals and the ledger", async () => {
    for (const month of ["2026-01", "2026-02", "2026-03", "2026-04"]) {
      const { roles } = await one.done(`GET /accruals/reconciliation?month=${month}`);
      for (const role of roles) expect([month, role.difference]).toEqual([month, 0]);
      const [total] = await list(`from=${month}&to=${month}&group_by=month&basis=booking_month`);
      expect([total.contract_asset, total.contract_liability]).toEqual([
        roles[0].sub_ledger,
        roles[1].sub_ledger,
      ]);
      let earned = 0;
      for (const customer of [one.customer, beta]) {
        const { status, body } = await one.find(month, customer);
        if (status === 404 || body.accrual_month !== month) continue;
        earned += (await one.done(`GET /accruals/${body.id}`)).totals.earned;
      }
      expect([month, Math.round(earned * 100) / 100]).toEqual([month, total.earned]);
    }
  });

  it("agree with the revenue accounts through the last booked month", async () => {
    const rows = await one.world.sql(
      `select sum(-p.amount)::float8 / 100 as sum from ledger_postings p
       join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
       where p.account_id = $1 and p.account_number in (1010, 1020) and e.entry_date <= '2026-04-30'`,
      [one.account.account_id],
    );
    const booked = await list("from=2026-01&to=2026-04&group_by=month&basis=booking_month");

    expect(Math.round(rows[0].sum * 100) / 100).toBe(sum(booked, "earned"));
  });
});
