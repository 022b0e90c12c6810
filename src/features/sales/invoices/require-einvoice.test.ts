/** Invoices that would go out as e-invoices and cannot be made as such are not booked; everything else is booked as before. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectEinvoices } from "../../../../test/support/einvoice/connect-einvoices.ts";
import { agentOf } from "../../../../test/support/mcp/mcp.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, line, active, run, at } = useSeries();
let dir: string;
let ministry: Json;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "matchbook-einvoices-"));
  at("2027-01-01");
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", city: "Aarhus" };
  await world.done("PATCH /configuration", {
    seller: { ...seller, vat_number: "25313763", iban: "DK5000400440116243" },
  });
  ministry = await world.done("POST /customers", {
    name: "Ministeriet",
    send_method: "einvoice",
    ean_number: "5798009811578",
  });
});
afterAll(() => rm(dir, { recursive: true }));

const drafted = (fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", {
    customer_id: ministry.id,
    auto_send: true,
    lines: [line()],
    ...fields,
  });
const issue = (id: string) => world.rest(`POST /invoices/${id}/issue`);

const REFUSED = {
  code: "EINVOICE_INCOMPLETE",
  details: {
    missing: ["buyer_reference"],
    rules: [{ field: "buyer_reference", rule: "PEPPOL-EN16931-R003" }],
  },
};

const warned = ({ warnings }: Json) =>
  warnings.filter(({ code }: Json) => code === "EINVOICE_INCOMPLETE");
const WARNING = {
  code: "EINVOICE_INCOMPLETE",
  message: "The invoice cannot be sent as an e-invoice: it lacks buyer_reference.",
  field: "buyer_reference",
};
let sent_in_vain: string;

it("is booked without a connection, with a warning, and not sent", async () => {
  const { id } = await drafted();
  sent_in_vain = id;
  expect(warned(await world.done(`GET /invoices/${id}/totals`))).toEqual([WARNING]);
  const { status, body } = await issue(id);
  expect([status, body.send_error]).toEqual([200, "e-invoice sending is not configured"]);
  expect(warned(body)).toEqual([WARNING]);
});

it.each([
  ["by plain e-mail without a warning", { send_method: "email" }, {}, []],
  [
    "by e-mail with the data, which lacks the seller's country, with a warning",
    { send_method: "email", einvoice_by_mail: true },
    { seller: { country_key: "SE" } },
    ["seller.country_key"],
  ],
])("is booked %s", async (_how, customer, configuration, fields) => {
  await world.done("PATCH /configuration", configuration);
  const { id } = await world.done("POST /customers", { name: "Bryggeriet", ...customer });
  const invoice = await drafted({ customer_id: id });
  const { body } = await issue(invoice.id);
  await world.done("PATCH /configuration", { seller: { country_key: null } });
  expect(warned(body).map(({ field }: Json) => field)).toEqual(fields);
});

describe("with a connection, an invoice that no e-invoice can express", () => {
  beforeAll(() => connectEinvoices(world, { path: dir }));

  it("is refused with the fields and the rules, stays a draft, and is booked when they are there", async () => {
    const { id } = await drafted();
    const { status, body } = await issue(id);
    expect([status, body.error]).toMatchObject([409, REFUSED]);
    expect(await world.done(`GET /invoices/${id}`)).toMatchObject({
      status: "draft",
      ledger_invoice_number: null,
    });
    await world.done(`PATCH /invoices/${id}`, { order_reference: "PO 1" });
    expect((await issue(id)).status).toBe(200);
  });

  it("is refused in a list, where the others are issued", async () => {
    const [bad, good] = [await drafted(), await drafted({ buyer_reference: "Ida" })];
    const { outcomes } = await world.done("POST /invoices/issue", {
      references: [bad.id, good.id],
    });
    expect(outcomes).toMatchObject([{ outcome: "refused", ...REFUSED }, { outcome: "issued" }]);
  });

  it("is refused in a plan of an assistant", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const { id } = await drafted();
    const { data } = await agent.call("plan_issue_invoice", { invoice: id });
    expect(data).toMatchObject({ code: "EINVOICE_INCOMPLETE" });
  });

  it("fails a period of a series, whose own issue says why", async () => {
    const series = await active({ customer_id: ministry.id, auto_send: true });
    await run();
    const [first] = (await world.done(`GET /recurring-series/${series.id}/occurrences`)).data;
    expect(first.status).toBe("failed");
    const path = `/recurring-series/${series.id}/occurrences/${first.period}/issue`;
    expect((await world.rest(`POST ${path}`)).body.error).toMatchObject(REFUSED);
    await world.done(`POST /recurring-series/${series.id}/cancel`, { end_date: "2027-01-01" });
  });

  it("is booked where it is not sent when it is issued, and so is its credit note", async () => {
    const { id } = await drafted({ auto_send: false });
    const { status, body } = await issue(id);
    expect([status, warned(body)]).toEqual([200, [WARNING]]);
    const credit = { external_id: "c-1", invoice: id, kind: "full", credit_date: "2027-01-01" };
    expect((await world.rest("POST /credit-notes", credit)).status).toBe(201);
  });

  it("does not keep its credit note from being booked, which says what is missing", async () => {
    const note = await world.done("POST /credit-notes", {
      external_id: "c-2",
      invoice: sent_in_vain,
      kind: "full",
      credit_date: "2027-01-01",
    });
    expect([note.status, note.send_error]).toEqual([
      "issued",
      "the e-invoice lacks buyer_reference",
    ]);
  });

  it("is booked where it goes by e-mail", async () => {
    const { id } = await drafted();
    await world.done(`PATCH /customers/${ministry.id}`, { send_method: "email" });
    const { status } = await issue(id);
    await world.done(`PATCH /customers/${ministry.id}`, { send_method: "einvoice" });
    expect(status).toBe(200);
  });
});

describe("through a connection that carries Peppol BIS alone, an invoice to a customer who takes OIOUBL", () => {
  let brewery: Json;
  let id: string;
  beforeAll(async () => {
    brewery = await world.done("POST /customers", {
      name: "Bryggeriet",
      send_method: "einvoice",
      vat_number: "10150817",
      einvoice_format: "oioubl-2.1",
    });
    ({ id } = await drafted({ customer_id: brewery.id, buyer_reference: "Ida" }));
    await connectEinvoices(world, { path: dir, envelope: "sbd" });
  });

  it("is refused, and misses the format of the customer", async () => {
    const missing = ["customer.einvoice_format"];
    const rules = [{ field: missing[0], rule: "MB-FORMAT" }];
    expect((await issue(id)).body.error).toMatchObject({ ...REFUSED, details: { missing, rules } });
    const ready = await world.done(`GET /invoices/${id}/einvoice/readiness`);
    expect(ready).toMatchObject({ ready: false, format: "oioubl-2.1", missing: rules });
    const of_customer = await world.done(`GET /customers/${brewery.id}/einvoice/readiness`);
    expect(of_customer.missing).toMatchObject(rules);
  });

  it("is booked where it is not sent, has a file, and is not queued later", async () => {
    await world.done(`PATCH /invoices/${id}`, { auto_send: false });
    expect((await issue(id)).status).toBe(200);
    expect((await world.rest(`GET /invoices/${id}/einvoice`)).status).toBe(200);
    const sent = await world.rest(`POST /invoices/${id}/send`);
    expect(sent.body.error).toMatchObject({ details: { missing: ["customer.einvoice_format"] } });
    const { deliveries } = await world.done(`GET /invoices/${id}`);
    expect(deliveries ?? []).toEqual([]);
  });

  it("is sent when the connection carries the format", async () => {
    await connectEinvoices(world, { path: dir });
    expect(await world.done(`POST /invoices/${id}/send`)).toMatchObject({
      format: "oioubl-2.1",
      state: "written_to_outbox",
    });
  });
});
