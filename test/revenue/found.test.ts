/** Cases that random histories found, each in terms of the domain. */
import { beforeAll, describe, expect, it } from "vitest";
import { useWork } from "../support/world/work.ts";
import type { Json } from "../support/world/world.ts";
import { ROLES } from "./studio.ts";

const studio = useWork();
const { world, at, bo, hourly, lineIn, registered, hours, invoice } = studio;
const call = (text: string, body?: unknown): Promise<Json> => world.done(text, body);

/** A new customer for a test that checks the accruals of one customer. */
const newCustomer = async (): Promise<string> =>
  (await call("POST /customers", { name: "Own" })).id;
const draftsOf = async (customer: string): Promise<Json[]> =>
  (await call(`GET /customers/${customer}/accruals?limit=100`)).data;
const lock = (period_lock_date: string | null): Promise<Json> =>
  call("PATCH /configuration", { period_lock_date });

beforeAll(() => call("PATCH /configuration", { account_roles: ROLES }));

describe("the close of an open month", () => {
  it("books later additions when it is repeated", async () => {
    at("2027-03-05");
    const customer_id = await newCustomer();
    const first = await call("POST /period-closes", { month: "2027-01", lock: false });
    expect(first).toMatchObject({ status: "completed", booked_with_voucher: 0 });
    const { lines } = await invoice([hours()], { customer_id });
    await registered(lines[0].id, { date: "2027-01-20" });
    const again = await call("POST /period-closes", { month: "2027-01", lock: false });
    expect(again).toMatchObject({ status: "completed", booked_with_voucher: 1 });
    const later = await call("POST /period-closes", { month: "2027-02", lock: false });
    expect(later).toMatchObject({ status: "completed", failed: 0 });
  });

  it("books them after a reopening, and locks the month again", async () => {
    at("2027-05-05");
    const customer_id = await newCustomer();
    const reopenApril = () => call("POST /period-closes/2027-04/reopen", { reason: "Late" });
    await call("POST /period-closes", { month: "2027-04" });
    await reopenApril();
    const { lines } = await invoice([hours()], { customer_id });
    await registered(lines[0].id, { date: "2027-04-20" });
    const again = await call("POST /period-closes", { month: "2027-04" });
    expect(again).toMatchObject({ status: "completed", period_lock_date: "2027-04-30" });
    expect((await draftsOf(customer_id)).map((one) => [one.accrual_month, one.status])).toEqual([
      ["2027-05", "draft"],
      ["2027-04", "booked"],
    ]);
    await reopenApril();
  });
});

describe("work before its billing period", () => {
  it("is booked in the month of the work, and that month's draft and the next can be read and booked", async () => {
    at("2027-07-05");
    const customer_id = await newCustomer();
    const { id } = await hourly({ customer_id, start_date: "2027-07-01" });
    await registered(await lineIn(id, "2027-07"), { date: "2027-05-20", user_id: bo() });
    const drafts = (await draftsOf(customer_id)).reverse();
    expect(drafts.map((one) => one.accrual_month)).toEqual(["2027-05", "2027-06", "2027-07"]);
    const [may, june] = drafts;
    expect((await call(`GET /accruals/${may.id}`)).totals).toMatchObject({ earned: 2000 });
    expect(await call(`POST /accruals/${may.id}/book`)).toMatchObject({ status: "booked" });
    expect(await call(`POST /accruals/${june.id}/book`)).toMatchObject({ status: "booked" });
    const path = `/recognition?from=2027-05&to=2027-07&customer=${customer_id}`;
    const { data } = await call(`GET ${path}`);
    expect(data.map((one: Json) => [one.month, one.earned, one.contract_asset])).toEqual([
      ["2027-05", 2000, 2000],
      ["2027-06", 0, 2000],
      ["2027-07", 0, 2000],
    ]);
  });
});

describe("the draft accruals of a customer", () => {
  it("begin with the first row, not after the lock date", async () => {
    at("2027-07-06");
    const customer_id = await newCustomer();
    await lock("2027-04-30");
    const { lines } = await invoice([hours()], { customer_id });
    await registered(lines[0].id, { date: "2027-06-20" });
    const drafts = await draftsOf(customer_id);
    expect(drafts.map((one) => one.accrual_month)).toEqual(["2027-07", "2027-06"]);
    for (const { id } of drafts) expect((await call(`GET /accruals/${id}`)).id).toBe(id);
    await lock(null);
  });
});

describe("work that is moved to another line after a full credit", () => {
  it("leaves its earlier revenue in the list of revenue, also in months before the issue", async () => {
    at("2027-08-06");
    const customer_id = await newCustomer();
    const draft = await invoice([hours()], { customer_id, auto_send: false });
    const { id } = await registered(draft.lines[0].id, { date: "2027-06-20" });
    await call(`POST /invoices/${draft.id}/issue`);
    const credit_date = "2027-08-06";
    await call("POST /credit-notes", {
      external_id: "moved",
      invoice: draft.id,
      kind: "full",
      credit_date,
    });
    const other = await invoice([hours()], { customer_id });
    await call(`PATCH /work-registrations/${id}`, { line_id: other.lines[0].id });
    const { data } = await call(`GET /recognition?from=2027-06&to=2027-08&invoice=${draft.id}`);
    expect(data.map((one: Json) => [one.month, one.earned, one.contract_asset])).toEqual([
      ["2027-06", 2000, 2000],
      ["2027-07", 0, 2000],
      ["2027-08", -2000, 0],
    ]);
  });
});

describe("revenue of several users in a foreign currency", () => {
  it("totals correctly in functional currency if a minor unit of the line is worth many", async () => {
    at("2027-09-06");
    const customer_id = await newCustomer();
    await call("PUT /exchange-rates/JPY/2027-01-01", { rate: 7.1 });
    const assignees = [{ user_id: bo() }, { user_id: studio.eva() }];
    const line = { recognition_method: "value", agreed_value: 1, assignees };
    const service = { service_from: "2027-08-01", service_to: "2027-08-31" };
    const lines = [{ ...studio.line(), ...line, ...service }];
    await invoice(lines, { customer_id, currency: "JPY" });
    const earned = async (grouping: string): Promise<number[]> => {
      const path = `/recognition?from=2027-08&to=2027-08&customer=${customer_id}`;
      const { data } = await call(`GET ${path}&group_by=${grouping}`);
      return data.map((one: Json) => one.earned);
    };
    expect(await earned("month")).toEqual([7.1]);
    expect(await earned("user")).toEqual([3.55, 3.55]);
    expect(await earned("line")).toEqual([1]);
  });
});
