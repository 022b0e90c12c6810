/**
 * The whole way from a request of a caller to the books of the simulation of Dinero: the service's own line, tokens, secrets
 * and intents, with nothing of ours replaced.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AccountId } from "../../src/domain/base/brand.ts";
import { openDineroSimulation, simulatedAccess } from "../support/ledger/dinero/simulation.ts";
import { useWorld } from "../support/world/world.ts";

const CONNECTION = "01990000-0000-7000-8000-000000000001";
const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let customer_id: string;
let product_id: string;

beforeAll(async () => {
  simulation = await openDineroSimulation();
  const account_id = world.account.account_id as AccountId;
  const { settings, secrets } = simulatedAccess(simulation.origin);
  const setup = world.services.setups.get("dinero");
  const sealed = (await setup?.trial(account_id, CONNECTION, { settings, secrets }))?.sealed();
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, $2, 'dinero', $3, $4, $5)`,
    [
      account_id,
      CONNECTION,
      JSON.stringify({ ...settings, requests_per_minute: "60000" }),
      sealed?.key_id,
      sealed?.sealed_secrets,
    ],
  );
  await world.sql(
    `insert into ledger_mappings (account_id, connection_id, account_number, vat_code, ledger_account)
     values ($1, $2, 1000, 'DK25', '1000'), ($1, $2, 6240, '', '57000'), ($1, $2, 8070, '', '63000')`,
    [account_id, CONNECTION],
  );
  await world.sql("update accounts set ledger_kind = 'dinero'");
  customer_id = (await world.done("POST /customers", { name: "Acme", email: "ap@acme.example" }))
    .id;
  product_id = (await world.done("POST /products", { name: "Consulting" })).id;
});
afterAll(async () => {
  await simulation?.close();
});

const draft = async (agreed_value: number): Promise<string> => {
  const lines = [{ product_id, recognition_method: "value", agreed_value }];
  return (await world.done("POST /invoices", { customer_id, lines, auto_send: false })).id;
};
const there = async (guid: string) => {
  const { invoices, credit_notes } = await simulation.books();
  return [...invoices, ...credit_notes].filter(({ Guid }) => Guid === guid);
};

it("books an invoice and its credit note under the numbers that Dinero gives", async () => {
  const id = await draft(1000.5);
  const issued = await world.done(`POST /invoices/${id}/issue`);
  expect(await there(id)).toMatchObject([
    { Status: "Booked", net: "100050", vat: "25013", ContactGuid: customer_id },
  ]);
  const [booked] = await there(id);
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

it("sends and prints what Dinero makes of it", async () => {
  const lines = [{ product_id, recognition_method: "value", agreed_value: 80 }];
  const { id } = await world.done("POST /invoices", { customer_id, lines, auto_send: true });
  const issued = await world.done(`POST /invoices/${id}/issue`);
  const [booked] = await there(id);
  expect(booked?.mailouts).toMatchObject([{ Type: "Email", Receiver: "ap@acme.example" }]);
  expect(await world.mails()).toEqual([]);
  const printed = await fetch(`${world.origin}/api/v1/invoices/${id}/pdf`, {
    headers: { authorization: `Bearer ${world.account.keys.read_write}` },
  });
  expect(await printed.text()).toContain(`a simulation of Dinero: invoice ${booked?.Number}`);
  expect(issued.send_error ?? null).toBeNull();
});

it("leaves a draft that Dinero refuses as it was", async () => {
  await simulation.control("organisation", { locked_through: "2099-12-31" });
  const id = await draft(80);
  const refused = await world.rest(`POST /invoices/${id}/issue`);
  expect([refused.status, refused.body.error.code]).toEqual([409, "PERIOD_LOCKED"]);
  expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ status: "draft" });
  await simulation.control("organisation", { locked_through: null });
  expect(await world.done(`POST /invoices/${id}/issue`)).toMatchObject({ status: "issued" });
  expect(await there(id)).toMatchObject([{ Status: "Booked" }]);
});
