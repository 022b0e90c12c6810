/** The facts of a plan: a change of any of them makes it stale, and no other change does. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useWork } from "../support/world/work.ts";
import type { Json } from "../support/world/world.ts";

const { world, at, hours, line, active, eva, newUser } = useWork();

let admin: Agent;
let customer: Json;
beforeAll(async () => {
  at("2027-03-20");
  admin = await agentOf(world, { role: "admin" });
});

const call = (text: string, body?: unknown): Promise<Json> => world.done(text, body);
const configure = (changes: Json): Promise<Json> => call("PATCH /configuration", changes);

/** The resources to change: an invoice and a series in euro, and the invoice of a credit note. */
interface Things {
  readonly invoice: Json;
  readonly issued: Json;
  readonly series: Json;
}

async function things(): Promise<Things> {
  await call("PUT /exchange-rates/EUR/2027-01-01", { rate: 7.46 });
  await configure({ period_lock_date: null, default_auto_send: false });
  customer = await call("POST /customers", { name: "Euro", email: "euro@e.example" });
  const bill = { customer_id: customer.id, currency: "EUR", lines: [line(), hours()] };
  const invoice = await call("POST /invoices", bill);
  const { id } = await call("POST /invoices", { ...bill, lines: [line()], auto_send: true });
  const issued = await call(`POST /invoices/${id}/issue`);
  const series = await active({ ...bill, lines: [line()], start_date: "2027-03-01" });
  return { invoice, issued, series };
}

const plans: Readonly<Record<string, (all: Things) => [tool: string, args: Json]>> = {
  invoice: ({ invoice }) => ["plan_issue_invoice", { invoice: invoice.id }],
  occurrence: ({ series }) => ["plan_issue_occurrence", { series: series.id, period: "2027-03" }],
  credit: ({ issued }) => ["plan_create_credit_note", { invoice: issued.id, kind: "full" }],
};

type Case = readonly [what: string, plan: string, change: (all: Things) => Promise<unknown>];

const decisive: readonly Case[] = [
  ["the exchange rate", "invoice", () => call("PUT /exchange-rates/EUR/2027-01-01", { rate: 7.5 })],
  [
    "a nearer exchange rate",
    "invoice",
    () => call("PUT /exchange-rates/EUR/2027-03-19", { rate: 7.5 }),
  ],
  ["the rate of VAT", "invoice", () => configure({ vat: { domestic_rate: 24 } })],
  ["the seller", "invoice", () => configure({ seller: { name: `Seller ${Date.now()}` } })],
  [
    "the terms of payment",
    "invoice",
    () => configure({ default_payment_terms: { type: "Netto", days: 30 } }),
  ],
  [
    "the VAT number of the customer",
    "invoice",
    () => patch({ country_key: "SE", vat_number: "SE556677889901" }),
  ],
  ["the e-mailing", "invoice", ({ invoice }) => edit(invoice, { auto_send: true })],
  [
    "whether the customer is active",
    "invoice",
    () => call(`POST /customers/${customer.id}/deactivate`),
  ],
  ["a lock date before it", "invoice", () => configure({ period_lock_date: "2026-12-31" })],
  [
    "the exchange rate",
    "occurrence",
    () => call("PUT /exchange-rates/EUR/2027-03-20", { rate: 7.6 }),
  ],
  ["whether it is e-mailed", "occurrence", () => configure({ default_auto_send: true })],
  ["its timing", "occurrence", ({ series }) => timing(series)],
  ["its end", "occurrence", ({ series }) => change(series, { end_date: "2027-03-25" })],
  ["the e-mail address", "credit", () => patch({ email: "new@e.example" })],
  ["the send method", "credit", () => patch({ send_method: "einvoice" })],
  ["the credited amount", "credit", ({ issued }) => credit(issued)],
  ["a lock date before it", "credit", () => configure({ period_lock_date: "2026-11-30" })],
];

const irrelevant: readonly Case[] = [
  ["the price of its product", "invoice", ({ invoice }) => reprice(invoice)],
  ["the next invoice number", "invoice", ({ issued }) => credit(issued)],
  [
    "a later exchange rate",
    "invoice",
    () => call("PUT /exchange-rates/EUR/2027-03-21", { rate: 9 }),
  ],
  [
    "another currency's exchange rate",
    "invoice",
    () => call("PUT /exchange-rates/SEK/2027-01-01", { rate: 0.66 }),
  ],
  ["the lock date of work", "invoice", () => configure({ work_lock_date: "2026-12-31" })],
  ["the default of e-mailing", "invoice", () => configure({ default_auto_send: true })],
  ["another user", "invoice", () => newUser()],
  ["the customer's other invoices", "invoice", ({ issued }) => credit(issued)],
  ["a series that begins later", "occurrence", async () => active({ start_date: "2027-04-01" })],
  ["the customer's phone", "credit", () => patch({ phone: "1" })],
  [
    "the exchange rate, which is that of the invoice",
    "credit",
    () => call("PUT /exchange-rates/EUR/2027-03-20", { rate: 7.7 }),
  ],
];

const patch = (changes: Json): Promise<Json> => call(`PATCH /customers/${customer.id}`, changes);
const edit = ({ id }: Json, changes: Json): Promise<Json> => call(`PATCH /invoices/${id}`, changes);
const change = ({ id }: Json, changes: Json): Promise<Json> =>
  call(`PATCH /recurring-series/${id}`, changes);
const timing = (series: Json): Promise<Json> =>
  change(series, { issue_timing: { mode: "end-of-period" } });
const reprice = ({ lines }: Json): Promise<Json> =>
  call(`PATCH /products/${lines[0].product_id}`, { default_price: 1, name: "Otherwise" });
const credit = ({ id, lines }: Json): Promise<Json> =>
  call("POST /credit-notes", {
    external_id: `between-${id}`,
    invoice: id,
    kind: "partial",
    credit_date: "2027-03-20",
    lines: [{ invoice_line_id: lines[0].id, amount: 1 }],
  });

async function outcome(plan: string, change_it: Case[2]): Promise<string> {
  const all = await things();
  const [tool, args] = plans[plan]?.(all) ?? ["", {}];
  const { plan_id } = await admin.done(tool, args);
  await change_it(all);
  const { is_error, data } = await admin.call("commit", { plan_id });
  return is_error ? data.code : "done";
}

describe("a plan is stale", () => {
  it.each(decisive)(
    "when %s has changed, in the case of the %s",
    async (_what, plan, change_it) => {
      expect(await outcome(plan, change_it)).toBe("PLAN_STALE");
    },
  );

  it("when the person is no longer assigned to the line, in the case of work", async () => {
    const own = await agentOf(world);
    const mine = [hours({ assignees: [{ user_id: own.user_id }] })];
    const { invoice } = await things();
    const { lines } = await edit(invoice, { lines: mine });
    const { plan_id } = await own.done("plan_register_work", { line_id: lines[0].id, hours: 1 });
    await edit(invoice, { lines: [{ ...lines[0], assignees: [{ user_id: eva() }] }] });
    const { data } = await own.call("commit", { plan_id });
    expect(data).toMatchObject({
      code: "PLAN_STALE",
      details: { now: { code: "USER_NOT_ASSIGNED" } },
    });
  });

  it("when the hourly rate of the line has changed, in the case of work", async () => {
    const { invoice } = await things();
    const { plan_id } = await admin.done("plan_register_work", {
      line_id: invoice.lines[1].id,
      hours: 1,
    });
    await edit(invoice, { lines: [invoice.lines[0], { ...invoice.lines[1], hourly_rate: 2000 }] });
    expect(await admin.refused("commit", { plan_id })).toBe("PLAN_STALE");
  });
});

describe("a plan can be committed", () => {
  it.each(irrelevant)(
    "after a change of %s, in the case of the %s",
    async (_what, plan, change_it) => {
      expect(await outcome(plan, change_it)).toBe("done");
    },
  );
});
