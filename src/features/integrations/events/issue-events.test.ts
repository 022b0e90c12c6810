/** The events of an issue beside those of the document: of the delivery that it queues and of the period that it bills. */
import { expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, at, active, draft, line } = useSeries();

/** Does the work and returns the events that it has made. */
async function eventsOf(work: () => Promise<unknown>): Promise<Json[]> {
  const headers = await world.done("GET /events?limit=1");
  const after = (await head()) ?? headers.data.length;
  await work();
  const { data } = await world.done(`GET /events?limit=100&after=${after}`);
  return data;
}

async function head(): Promise<number> {
  const [row] = await world.sql("select seq::int from audit_heads where account_id = $1", [
    world.account.account_id,
  ]);
  return row?.seq;
}

const types = (events: readonly Json[]): string[] => events.map(({ type }) => type);

it("queues the delivery of an invoice in the commit that issues it", async () => {
  const body = { customer_id: customer.id, auto_send: true, lines: [line()] };
  const { id } = await world.done("POST /invoices", body);
  const events = await eventsOf(() => world.done(`POST /invoices/${id}/issue`));
  expect(types(events).slice(0, 2)).toEqual(["invoice.issued", "delivery.queued"]);
  const [, queued] = events;
  expect(queued).toMatchObject({
    customer_id: customer.id,
    related: { invoice_id: id, series_id: null, period: null },
    data: { resource: { document_id: id, state: "queued", channel: "email" }, previous: null },
  });
  const stored = await world.done(`GET /deliveries/${queued?.resource_id}`);
  expect(queued?.data.resource).toEqual({ ...stored, state: "queued", at: stored.at });
});

it("has no delivery where nothing is sent", async () => {
  const body = { customer_id: customer.id, auto_send: false, lines: [line()] };
  const { id } = await world.done("POST /invoices", body);
  expect(types(await eventsOf(() => world.done(`POST /invoices/${id}/issue`)))).toEqual([
    "invoice.issued",
  ]);
});

it("queues the delivery of a credit note after its issue", async () => {
  const body = { customer_id: customer.id, auto_send: true, lines: [line()] };
  const { id } = await world.done("POST /invoices", body);
  await world.done(`POST /invoices/${id}/issue`);
  const events = await eventsOf(() =>
    world.done("POST /credit-notes", {
      external_id: "all",
      invoice: id,
      kind: "full",
      credit_date: "2027-01-05",
    }),
  );
  expect(types(events).slice(0, 4)).toEqual([
    "credit_note.created",
    "allocation.created",
    "credit_note.issued",
    "delivery.queued",
  ]);
  const queued = events.find(({ type }) => type === "delivery.queued");
  expect(queued).toMatchObject({
    customer_id: customer.id,
    related: { invoice_id: id },
    data: { resource: { document_id: events[0]?.resource_id, address: "ap@acme.example" } },
  });
});

it("has the invoice of a period, when a person issues it and when the scheduler does", async () => {
  at("2027-01-01");
  const series = await active({ auto_send: true });
  const path = `/recurring-series/${series.id}/occurrences/2027-02`;
  const scheduled = await eventsOf(() => world.done("POST /scheduler-runs"));
  const issued = scheduled.filter(({ type }) => type === "occurrence.issued");
  expect(issued).toHaveLength(1);
  expect(issued[0]).toMatchObject({
    customer_id: customer.id,
    resource_id: `${series.id}/2027-01`,
    related: { series_id: series.id, period: "2027-01" },
    data: { previous: { status: "scheduled", invoice_id: null }, resource: { status: "issued" } },
  });
  const invoice_id = issued[0]?.data.resource.invoice_id;
  expect(issued[0]?.related.invoice_id).toBe(invoice_id);
  expect(types(scheduled)).toContain("delivery.queued");
  const of_series = await world.done(`GET /recurring-series/${series.id}/occurrences?limit=1`);
  expect(of_series.data[0]).toEqual(issued[0]?.data.resource);

  const events = await eventsOf(() => world.done(`POST ${path}/issue`));
  expect(types(events).slice(0, 3)).toEqual([
    "invoice.issued",
    "delivery.queued",
    "occurrence.issued",
  ]);
  expect(events[2]?.data.resource).toMatchObject({
    period: "2027-02",
    invoice_id: events[0]?.resource_id,
  });
});

it("activates a draft series before its period is issued", async () => {
  at("2027-01-01");
  const { id } = await draft({ auto_send: true });
  const events = await eventsOf(() =>
    world.done(`POST /recurring-series/${id}/occurrences/2027-01/issue`),
  );
  expect(types(events).slice(0, 4)).toEqual([
    "invoice.issued",
    "delivery.queued",
    "recurring_series.activated",
    "occurrence.issued",
  ]);
});
