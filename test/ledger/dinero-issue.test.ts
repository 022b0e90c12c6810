/**
 * The whole path from a caller's request to the books of the simulation of Dinero, without replacing any of our code: documents
 * are booked, printed and sent there, customers and products are created before they are needed, and a month is compared
 * with its books.
 */
import { expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { changeMapping } from "../../src/features/ledger/connections/change-mapping.ts";
import { run } from "../../src/platform/commands/command.ts";
import { refusal } from "../support/http/refusal.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import type { Json } from "../support/world/world.ts";

const { world, simulation, wire, work } = useDineroWorld();
const product = world.made("POST /products", { name: "Advice", default_price: 1000 });

const customer = (fields: Json = {}): Promise<Json> =>
  world.done("POST /customers", { name: "Acme A/S", email: "ap@acme.example", ...fields });
const draft = (customer_id: string, agreed_value = 100, auto_send = false): Promise<Json> =>
  world.done("POST /invoices", {
    customer_id,
    auto_send,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value }],
  });
const issue = async ({ id }: Json): Promise<Json> => world.done(`POST /invoices/${id}/issue`);
const there = async (guid: string) => {
  const { invoices, credit_notes } = await simulation().books();
  return [...invoices, ...credit_notes].filter(({ Guid }) => Guid === guid);
};
const reconciled = (month = "2026-11"): Promise<Json> =>
  world.done(`GET /ledger/reconciliation?month=${month}`);

it("books an invoice and its credit note under the numbers from Dinero", async () => {
  const { id: customer_id } = await customer();
  const { id } = await draft(customer_id, 1000.5);
  const issued = await issue({ id });
  const [booked, ...others] = await there(id);
  expect(others).toEqual([]);
  expect(booked).toMatchObject({ Status: "Booked", net: "100050", vat: "25013" });
  expect(booked?.ContactGuid).toBe(customer_id);
  expect(issued).toMatchObject({ status: "issued", ledger_invoice_number: booked?.Number });

  const credit = await world.done("POST /credit-notes", {
    invoice: id,
    external_id: "credit-1",
    kind: "full",
    credit_date: issued.issue_date,
  });
  expect(await there(credit.id)).toMatchObject([
    { Status: "Booked", net: "100050", CreditNoteFor: id },
  ]);
});

it("leaves a draft unchanged if Dinero refuses it", async () => {
  await simulation().control("organisation", { locked_through: "2099-12-31" });
  const { id } = await draft((await customer()).id, 80);
  const refused = await world.rest(`POST /invoices/${id}/issue`);
  expect(refusal(refused)).toBe("409 PERIOD_LOCKED");
  expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ status: "draft" });
  await simulation().control("organisation", { locked_through: null });
  expect(await issue({ id })).toMatchObject({ status: "issued" });
  expect(await there(id)).toMatchObject([{ Status: "Booked" }]);
});

it("stores customers and products in Dinero before it answers", async () => {
  const { id } = await customer({ city: "Aarhus" });
  const { contacts, products } = await simulation().books();
  expect(contacts).toContainEqual(expect.objectContaining({ ContactGuid: id, City: "Aarhus" }));
  expect(products).toContainEqual(expect.objectContaining({ Name: "Advice" }));
});

it("stores a product with an unmapped account, and sends it once the account is mapped", async () => {
  const product = { name: "Goods abroad", default_price: 10, account_number: 1210 };
  const made = await world.rest("POST /products", product);
  expect(refusal(made)).toBe("201");
  const { id } = made.body;
  const waiting = async () => (await world.done("GET /ledger/sync?kind=product")).data;
  expect(await waiting()).toMatchObject([{ id, state: "failed", reason: "UNKNOWN_ACCOUNT" }]);
  const priced = await world.done(`PATCH /products/${id}`, { default_price: 12 });
  expect(priced).toMatchObject({ default_price: 12 });
  const known = async () => (await simulation().books()).products.map(({ Name }) => Name);
  expect(await known()).not.toContain(product.name);
  const other = await world.done("POST /products", { ...product, name: "Never there" });
  await world.done(`POST /products/${other.id}/deactivate`);
  expect(await waiting()).toMatchObject([{ id }]);

  await run(changeMapping, await operatorContext(world.services, world.account.account_id), {
    rows: [
      { account_number: 1210, vat_code: "DK25", ledger_account: "1000", ledger_vat_code: null },
    ],
  });
  await work();

  expect(await waiting()).toEqual([]);
  expect(await world.done(`GET /products/${id}/ledger`)).toMatchObject({ state: "synced" });
  expect(await known()).toContain(product.name);
});

it("sends a customer to Dinero before a document that refers to it", async () => {
  await wire().shut();
  const { id } = await customer({ name: "Stored while Dinero was away" });
  expect(await world.done(`GET /customers/${id}/ledger`)).toMatchObject({ state: "queued" });
  const invoice = await draft(id);
  await wire().reopen();
  await world.sql("update ledger_connections set down_since = null, failures = 0");
  expect(await issue(invoice)).toMatchObject({ status: "issued" });
  expect(await world.done(`GET /customers/${id}/ledger`)).toMatchObject({ state: "synced" });
});

it("imports changes made in Dinero", async () => {
  const { id } = await customer();
  await simulation().control("edit", {
    key: `contact/270001/${id}`,
    change: { City: "Odense" },
  });
  await world.sql("update ledger_connections set next_pull_at = clock_timestamp()");
  await work();
  expect(await world.done(`GET /customers/${id}`)).toMatchObject({ city: "Odense" });
});

it("prints and sends through Dinero, and reports the delivery", async () => {
  const invoice = await issue(await draft((await customer()).id, 80, true));
  expect(invoice.send_error ?? null).toBeNull();
  const [booked] = await there(invoice.id);
  expect(booked?.mailouts).toMatchObject([{ Type: "Email", Receiver: "ap@acme.example" }]);
  expect(await world.mails()).toEqual([]);
  const printed = await fetch(`${world.origin}/api/v1/invoices/${invoice.id}/pdf`, {
    headers: { authorization: `Bearer ${world.account.keys.read_write}` },
  });
  expect(await printed.text()).toContain(`a simulation of Dinero: invoice ${booked?.Number}`);
  await world.sql("update deliveries set next_look_at = clock_timestamp()");
  await work();
  const { data } = await world.done(`GET /invoices/${invoice.id}/deliveries`);
  expect(data).toMatchObject([{ state: "accepted", address: "ap@acme.example" }]);
});

it("agrees with Dinero on the month, and finds differences", async () => {
  const one = await issue(await draft((await customer()).id, 250));
  const agreeing = await reconciled();
  expect(agreeing.findings).toEqual([]);
  expect(agreeing.documents.here).toBe(agreeing.documents.there);
  expect(agreeing.documents.agreeing).toBe(agreeing.documents.here);
  expect(agreeing.accounts).toEqual([
    expect.objectContaining({ ledger_account: "1000", difference: 0 }),
  ]);
  expect(agreeing.accounts[0].moved_here).toBeLessThanOrEqual(-250);

  const key = `invoice/270001/${one.id}`;
  await simulation().control("edit", { key, change: { Number: 77 } });
  const { findings } = await reconciled();
  expect(findings).toMatchObject([
    { code: "number_gap", is_explained: true, number_there: one.ledger_invoice_number - 1 },
    { code: "number_differs", is_explained: false, document_id: one.id, number_there: 77 },
  ]);
});

it("refuses a comparison for the built-in ledger, or if Dinero does not answer", async () => {
  const other = await world.openAnother();
  const call = "GET /ledger/reconciliation?month=2026-11";
  const own = await world.rest(call, undefined, other.keys.read_write);
  expect(refusal(own)).toBe("409 LEDGER_NOT_CONNECTED");
  await wire().shut();
  expect(refusal(await world.rest(call))).toBe("500 LEDGER_UNAVAILABLE");
  await wire().reopen();
});
