/** The additions that `include` makes to the rows of lists: the same figures that each document shows. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, hours, at, active, run } = useSeries();

let foreign: Json;
let credited: Json;
let draft: Json;
let note: Json;

beforeAll(async () => {
  at("2027-01-01");
  const { id } = await active({ start_date: "2027-01-01", external_id: "care" });
  expect(id).toEqual(expect.any(String));
  at("2027-01-31");
  await run();
  await world.done("PUT /exchange-rates/EUR/2027-01-01", { rate: 7.46 });
  await world.done("PATCH /configuration", { seller: { vat_number: "12345674" } });
  const make = (fields: Json): Promise<Json> =>
    world.done("POST /invoices", { customer_id: customer.id, lines: [line()], ...fields });
  const german = await world.done("POST /customers", {
    name: "Köhler GmbH",
    external_id: "koehler",
    street: "Hafenstr. 7",
    city: "Hamburg",
    country_key: "DE",
    vat_number: "DE129273398",
  });
  foreign = await make({ customer_id: german.id, currency: "EUR", lines: [line(), line()] });
  foreign = await world.done(`POST /invoices/${foreign.id}/issue`);
  credited = await make({ auto_send: true, lines: [line({ agreed_value: 100.4 })] });
  credited = await world.done(`POST /invoices/${credited.id}/issue`);
  note = await world.done("POST /credit-notes", {
    external_id: "n-1",
    invoice: credited.id,
    kind: "partial",
    credit_date: "2027-01-31",
    lines: [{ invoice_line_id: credited.lines[0].id, amount: 40.4 }],
  });
  draft = await make({ lines: [hours(), line({ agreed_value: 7 })] });
  const { user_id } = world.account.admin;
  const [{ id: line_id }] = draft.lines;
  await world.done("POST /work-registrations", { line_id, user_id, hours: 2.5 });
});

const list = async (query: string): Promise<Json[]> =>
  (await world.done(`GET ${query}`)).data as Json[];

describe("GET /invoices?include=", () => {
  it("shows the totals of each invoice, issued or not, in any currency", async () => {
    const rows = await list("/invoices?origin=all&include=totals");
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const totals = await world.done(`GET /invoices/${row.id}/totals`);
      const { currency, net, vat, gross, vat_breakdown } = totals;
      expect(row.totals).toMatchObject({ currency, net, vat, gross, vat_breakdown });
      expect(row.due_date).toMatch(/^2027-/);
      const plain = await world.done(`GET /invoices/${row.id}`);
      expect(row).toMatchObject(plain);
      const added = Object.keys(row).filter((name) => !(name in plain));
      expect(added.sort()).toEqual(["delivery_state", "due_date", "totals"]);
    }
  });

  it("shows the credited amounts, net and with VAT, and the state of the sending", async () => {
    const rows = await list("/invoices?origin=all&include=totals");
    const by_id = new Map(rows.map((row) => [row.id, row]));
    expect(by_id.get(credited.id)).toMatchObject({
      totals: { net: 100.4, vat: 25.1, gross: 125.5, credited: 40.4, credited_gross: 50.5 },
      delivery_state: "written_to_outbox",
    });
    expect(by_id.get(draft.id)).toMatchObject({
      totals: { net: 2507, credited: 0, credited_gross: 0 },
      delivery_state: null,
    });
  });

  it("shows the names of customers, and the period of an invoice of a series", async () => {
    const rows = await list("/invoices?origin=all&include=customer,series");
    const of_series = rows.find((row) => row.series);
    expect(of_series.series).toMatchObject({
      external_id: "care",
      period: "2027-01",
      period_from: "2027-01-01",
      period_to: "2027-01-31",
    });
    const german = rows.find((row) => row.id === foreign.id);
    expect(german.customer).toEqual({
      id: foreign.customer_id,
      external_id: "koehler",
      name: "Köhler GmbH",
    });
    expect(german).not.toHaveProperty("series");
    expect(german).not.toHaveProperty("totals");
  });

  it("works with pages, filters and polls", async () => {
    const first = await world.done(
      "GET /invoices?origin=all&include=totals&limit=3&updated_since=2020-01-01T00:00:00Z",
    );
    const rest = await world.done(
      `GET /invoices?origin=all&include=totals&limit=3&updated_since=2020-01-01T00:00:00Z&cursor=${first.next_cursor}`,
    );
    const ids = [...first.data, ...rest.data].map(({ id }) => id);
    expect(ids).toEqual((await list("/invoices?origin=all")).map(({ id }) => id));
    expect(rest.next_cursor).toBeNull();
  });

  it("adds nothing to rows without include", async () => {
    const [row] = await list("/invoices");
    expect(row).toEqual(draft);
  });

  it("accepts a row sent back as it was read", async () => {
    const row = (await list("/invoices?include=totals,customer")).find(({ id }) => id === draft.id);
    const reply = await world.rest(`PATCH /invoices/${draft.id}`, row);
    expect([reply.status, reply.body]).toEqual([200, draft]);
  });

  it.each(["totals,nothing", "", "totals,,customer", "Totals"])("refuses %j", async (include) => {
    const reply = await world.rest(`GET /invoices?include=${include}`);
    expect(refusal(reply)).toBe("422 VALIDATION_FAILED include invalid_value");
  });

  it("changes no column of a CSV list", async () => {
    const headers = {
      authorization: `Bearer ${world.account.keys.read}`,
      accept: "text/csv",
    };
    const get = async (query: string): Promise<string> =>
      (await fetch(`${world.origin}/api/v1/invoices${query}`, { headers })).text();
    const plain = await get("");
    expect(plain.split("\r\n")[0]).toBe(
      "id,external_id,customer_id,currency,issue_date,title,auto_send,status,ledger_invoice_guid,ledger_invoice_number,issued_at,lines,buyer_reference,order_reference,accounting_cost,hours_specification,footer",
    );
    expect(await get("?include=totals,customer")).toBe(plain);
  });
});

describe("include of the other lists", () => {
  it("shows credit notes with their totals and customers", async () => {
    const [row] = await list("/credit-notes?include=totals,customer");
    expect(row).toMatchObject({
      ...note,
      totals: { currency: "DKK", net: 40.4, vat: 10.1, gross: 50.5 },
      delivery_state: "written_to_outbox",
      customer: { name: "Acme A/S" },
    });
    expect(await list("/credit-notes")).toEqual([note]);
  });

  it("shows series with their customers", async () => {
    const [row] = await list("/recurring-series?include=customer");
    expect(row.customer).toMatchObject({ id: customer.id, name: "Acme A/S" });
    expect((await list("/recurring-series"))[0]).not.toHaveProperty("customer");
  });
});

describe("GET /invoices?include=delivery, and that of credit notes", () => {
  it("shows the last delivery as the list of deliveries does, and null without one", async () => {
    const rows = await list("/invoices?origin=all&include=delivery");
    expect(rows.length).toBeGreaterThanOrEqual(4);
    for (const row of rows) {
      const { data } = await world.done(`GET /invoices/${row.id}/deliveries`);
      const { channel, state, address, send_error } = data[0] ?? {};
      expect(row.delivery).toEqual(
        data.length === 0 ? null : { channel, state, address, send_error },
      );
      expect(row).not.toHaveProperty("totals");
    }
    expect(rows.some(({ delivery }) => delivery !== null)).toBe(true);
    expect(rows.some(({ delivery }) => delivery === null)).toBe(true);
    const [row] = await list("/credit-notes?include=customer,delivery");
    expect(row).toMatchObject({ id: note.id, customer: { id: customer.id } });
    expect(row).toHaveProperty("delivery");
    expect(row).not.toHaveProperty("totals");
  });
});

describe("GET /recurring-series?include=next", () => {
  it("shows the first period that waits, with the date of its invoice, and null without one", async () => {
    const [row] = await list("/recurring-series?external_id=care&include=next,customer");
    const { data } = await world.done(`GET /recurring-series/${row.id}/occurrences?limit=100`);
    const { period, period_from, period_to, issue_date } = data.find(
      ({ status }: Json) => status === "scheduled",
    );
    expect(row.next).toEqual({ period, period_from, period_to, issue_date });
    expect(row.customer.id).toBe(row.customer_id);

    const ended = await active({
      start_date: "2027-01-01",
      end_date: "2027-01-31",
      external_id: "short",
    });
    await world.done(`POST /recurring-series/${ended.id}/occurrences/2027-01/issue`);
    const [over] = await list("/recurring-series?external_id=short&include=next");
    expect(over.next).toBeNull();
    await world.done("POST /recurring-series/ext:care/cancel", { end_date: "2027-01-31" });
    const [cancelled] = await list("/recurring-series?external_id=care&include=next");
    expect(cancelled.next).toBeNull();
    const [plain] = await list("/recurring-series?external_id=care");
    expect(plain).not.toHaveProperty("next");
  });
});

describe("GET /work-registrations?include=line", () => {
  it("shows what the work was done on, and nothing of it without include", async () => {
    const [row] = await list(`/work-registrations?invoice=${draft.id}&include=line`);
    expect(row.line).toEqual({
      currency: "DKK",
      product_name: expect.stringMatching(/\S/),
      description_override: null,
      recognition_method: "hours",
    });
    const [plain] = await list(`/work-registrations?invoice=${draft.id}`);
    expect(row).toEqual({ ...plain, line: row.line });
    expect(refusal(await world.rest("GET /work-registrations?include=invoice"))).toBe(
      "422 VALIDATION_FAILED include invalid_value",
    );
    expect(refusal(await world.rest("GET /recurring-series?include=next,lines"))).toBe(
      "422 VALIDATION_FAILED include invalid_value",
    );
  });
});
