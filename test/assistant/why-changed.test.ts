/** Why a month is not what was booked: `get_revenue` with `compared_to`, compared with the figures of REST. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useWork } from "../support/world/work.ts";
import { invoiceOf, type Json } from "../support/world/world.ts";

const { world, customer, at, line, hours } = useWork();

let admin: Agent;
let bo: Agent;
let beta: Json;
let project: Json;
let invoice: Json;

const onIssue = (agreed_value: number): Json =>
  line({ recognition_method: "on_issue", agreed_value });
const made = (fields: Json): Promise<Json> =>
  world.done("POST /invoices", { customer_id: customer.id, ...fields });
const issuedOf = async (fields: Json): Promise<Json> =>
  invoiceOf(await world.done(`POST /invoices/${(await made(fields)).id}/issue`));
const register = (date: string, count: number): Promise<Json> =>
  world.done("POST /work-registrations", {
    line_id: project.lines[0].id,
    user_id: bo.user_id,
    date,
    hours: count,
  });
const close = (month: string): Promise<Json> =>
  world.done("POST /period-closes", { month, lock: false });

beforeAll(async () => {
  at("2026-10-05");
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
  bo = await agentOf(world, { name: "Bo Berg" });
  beta = await world.done("POST /customers", { name: "Beta ApS" });
  project = await made({ lines: [hours()] });
  invoice = await issuedOf({ lines: [onIssue(14_500)], issue_date: "2026-10-05" });
  await issuedOf({ customer_id: beta.id, lines: [onIssue(2000)], issue_date: "2026-10-05" });
  await register("2026-10-05", 3);
  at("2026-11-02");
  expect(await close("2026-10")).toMatchObject({ status: "completed", errors: [] });
});

async function compared(month: string, compared_to: string, more: Json = {}): Promise<Json> {
  const args = { from: month, to: month, group_by: "month", compared_to, ...more };
  const { is_error, text, data } = await admin.call("get_revenue", args);
  expect(is_error, text).toBe(false);
  const { difference } = data;
  const sum = difference.causes.reduce((all: number, one: Json) => all + one.amount, 0);
  expect(sum).toBeCloseTo(difference.difference, 2);
  expect(difference.now - difference.than).toBeCloseTo(difference.difference, 2);
  const path = `GET /recognition?from=${month}&to=${month}&group_by=month`;
  const customer_id = more.customer === undefined ? "" : `&customer=${more.customer}`;
  const now = (await world.done(`${path}${customer_id}`)).data[0]?.earned ?? 0;
  expect(difference.now).toBe(now);
  return { ...difference, text: text.split("\n")[0] };
}
const bookedIn = async (month: string): Promise<number> => {
  const query = `from=${month}&to=${month}&group_by=month&basis=booking_month`;
  return (await world.done(`GET /recognition?${query}`)).data[0]?.earned ?? 0;
};

describe("a month compared with what is booked", () => {
  it("is the same right after its close", async () => {
    const { text, than, causes } = await compared("2026-10", "booked");
    expect(than).toBe(await bookedIn("2026-10"));
    expect(causes).toEqual([]);
    expect(text).toBe("2026-10 is exactly what its vouchers have booked, 19,500.00 DKK.");
  });

  it("names the late credit note and the late hours", async () => {
    const note = await world.done("POST /credit-notes", {
      external_id: "503",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-10-20",
    });
    await register("2026-10-30", 2.5);
    const { text, than, causes } = await compared("2026-10", "booked");
    expect(than).toBe(await bookedIn("2026-10"));
    const name = `credit note ${note.ledger_credit_note_number}`;
    expect(causes).toEqual([
      { cause: name, customer_name: "Acme A/S", amount: -14_500 },
      { cause: "hours registered late", customer_name: "Acme A/S", amount: 2500 },
    ]);
    expect(text).toBe(
      `2026-10 is 12,000.00 DKK lower than what its vouchers have booked, 19,500.00 DKK: −14,500.00 DKK ${name}, +2,500.00 DKK hours registered late. It earns 7,500.00 DKK.`,
    );
    expect(await compared("2026-10", "booked", { customer: customer.id })).toMatchObject({
      difference: -12_000,
    });
    expect((await compared("2026-10", "booked", { customer: beta.id })).causes).toEqual([]);
  });

  it("names changed and deleted hours, and an invoice that was made later", async () => {
    const { id } = (
      await world.done(`GET /work-registrations?line=${project.lines[0].id}`)
    ).data.find((one: Json) => one.date === "2026-10-05");
    await world.done(`PATCH /work-registrations/${id}`, { hours: 1 });
    const later = await issuedOf({ lines: [onIssue(70)], issue_date: "2026-10-31" });
    const { causes } = await compared("2026-10", "booked");
    expect(causes.map(({ cause, amount }: Json) => [cause, amount])).toEqual([
      [expect.stringMatching(/^credit note \d+$/), -14_500],
      ["hours registered late", 2500],
      ["hours changed, moved or deleted", -2000],
      [`invoice ${later.ledger_invoice_number} made later`, 70],
    ]);
  });

  it("explains a month after its corrections are booked, and the month that books them", async () => {
    const open = await compared("2026-11", "booked");
    expect(open).toMatchObject({ than: 0 });
    const preview = await compared("2026-11", "preview");
    expect(preview.causes).toEqual([
      {
        cause: "corrections of earlier months booked with it",
        customer_name: "Acme A/S",
        amount: 13_930,
      },
    ]);
    at("2026-12-01");
    await close("2026-11");
    const november = await compared("2026-11", "booked");
    expect(november.than).toBe(await bookedIn("2026-11"));
    expect(november.causes).toEqual(preview.causes);
    expect((await compared("2026-10", "booked")).difference).toBe(-13_930);
    const again = await compared("2026-10", "preview");
    expect(again.than).toBe(0);
    expect(new Set(again.causes.map(({ cause }: Json) => cause))).toEqual(
      new Set(["booked already"]),
    );
  });
});

describe("compared_to", () => {
  it("is for admins, one month, all users, and the two words", async () => {
    const october = { from: "2026-10", to: "2026-10" };
    const refused = (args: Json, agent = admin): Promise<string> =>
      agent.refused("get_revenue", { ...october, ...args });
    expect(await refused({ compared_to: "budget" })).toBe("VALIDATION_FAILED");
    expect(await refused({ compared_to: "booked", to: "2026-11" })).toBe("VALIDATION_FAILED");
    expect(await refused({ compared_to: "booked", user: "me" })).toBe("VALIDATION_FAILED");
    expect(await refused({ compared_to: "booked" }, bo)).toBe("VALIDATION_FAILED");
  });
});

describe("get_accrual without a customer", () => {
  it("has one row for each customer with the sum, and when they were booked", async () => {
    const args = { month: "2026-11", history: true };
    const { text, data } = await admin.call("get_accrual", args);
    expect(data.sum.earned).toBe(await bookedIn("2026-11"));
    const row = data.accruals.find((one: Json) => one.customer_name === "Acme A/S");
    const accrual = await world.done(`GET /accruals?customer=${customer.id}&month=2026-11`);
    expect(row).toMatchObject({ status: "booked", voucher_number: accrual.ledger_voucher_number });
    const { totals } = await world.done(`GET /accruals/${accrual.id}`);
    expect([row.earned, row.invoiced]).toEqual([totals.earned, totals.invoiced]);
    expect(data.history).toContainEqual({
      customer_name: "Acme A/S",
      action: "booked",
      at: accrual.booked_at,
      voucher_number: accrual.ledger_voucher_number,
      reason: null,
    });
    expect(text).toContain("Sum: earned ");
    await world.done(`POST /accruals/${accrual.id}/reopen`, { reason: "A mistake" });
    const reopened = await admin.done("get_accrual", { ...args, customer: customer.id });
    expect(reopened.data.status).toBe("draft");
    expect(reopened.history.map((one: Json) => [one.action, one.reason])).toEqual([
      ["booked", null],
      ["reopened", "A mistake"],
    ]);
    const again = await admin.done("get_accrual", { month: "2026-11" });
    const draft = again.accruals.find((one: Json) => one.customer_name === "Acme A/S");
    expect(draft).toEqual({ ...row, status: "draft", voucher_number: null });
    expect(again.sum).toEqual(data.sum);
    expect(await bo.refused("get_accrual", args)).toBe("ROLE_FORBIDDEN");
  });
});
