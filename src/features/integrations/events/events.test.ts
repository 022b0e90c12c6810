/** The feed of events (spec 15.1): the audit trail in the order of commits, by sequence, by cursor and by filters. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { renewFeeds } from "../../../platform/runtime/background.ts";

const world = useWorld();
let customer: Json;
let other: Json;
let invoice: Json;
beforeAll(async () => {
  customer = await world.done("POST /customers", { name: "Acme", external_id: "acme" });
  other = await world.done("POST /customers", { name: 'Quotes " {[ and \\ \u2028' });
  const product = await world.done("POST /products", { name: "Consulting", default_price: 10 });
  const lines = [{ product_id: product.id, recognition_method: "milestone" }];
  const draft = { customer_id: customer.id, auto_send: false, lines };
  invoice = await world.done("POST /invoices", draft);
  await world.done("POST /invoices", { ...draft, customer_id: other.id });
  const [line] = invoice.lines;
  await world.done(`POST /invoices/${invoice.id}/issue`);
  await world.done(`POST /invoices/${invoice.id}/lines/${line.id}/complete`, {});
  await world.done(`POST /invoices/${invoice.id}/send`);
  const deleted = await world.done("POST /invoices", draft);
  await world.done(`DELETE /invoices/${deleted.id}`);
});

const feed = (parameters = ""): Promise<Json> => world.done(`GET /events?limit=100${parameters}`);
const types = ({ data }: Json): string[] => data.map(({ type }: Json) => type);

/** All events of the trail, the oldest first. */
async function trail(): Promise<Json[]> {
  const { data } = await world.done("GET /audit-events?limit=100");
  return data.reverse();
}

describe("the feed", () => {
  it("is the audit trail, in its order and without gaps", async () => {
    const { data, has_more } = await feed();
    const recorded = await trail();
    expect(has_more).toBe(false);
    expect(data.map(({ sequence }: Json) => sequence)).toEqual(recorded.map((_, at) => at + 1));
    expect(
      data.map((event: Json) => ({
        ...{ object: "audit_event", id: event.id, at: event.timestamp, actor: event.actor },
        ...{ action: event.type.split(".")[1], resource_type: event.resource_type },
        ...{ resource_id: event.resource_id, before: event.data.previous },
        ...{ after: event.data.resource, reason: event.reason },
      })),
    ).toEqual(recorded);
    const [first] = data;
    expect(await world.done(`GET /events/${first.id}`)).toEqual(first);
  });

  it("is read by page, and a cursor continues where the page ended", async () => {
    const all = await feed();
    const read: Json[] = [];
    let page = await world.rest("GET /events?limit=3");
    for (;;) {
      read.push(...page.body.data);
      if (!page.body.has_more) break;
      page = await world.rest(`GET /events?limit=3&cursor=${page.body.next_cursor}`);
    }
    expect(read).toEqual(all.data);
    const last = all.data.at(-1).sequence;
    expect(page.headers.get("matchbook-sequence")).toBe(String(last));
    const cursor = page.headers.get("matchbook-cursor");
    expect(await feed(`&cursor=${cursor}`)).toMatchObject({ data: [], has_more: false });
    await world.done("PATCH /customers/ext:acme", { city: "Ribe" });
    expect(types(await feed(`&cursor=${cursor}`))).toEqual(["customer.updated"]);
    expect(types(await feed(`&after=${last}`))).toEqual(["customer.updated"]);
  });

  it.each<[string, (event: Json) => boolean]>([
    [
      "types=invoice.created,product.*",
      ({ type }) => /^(invoice\.created|product\..*)$/.test(type),
    ],
    ["resource_type=delivery", ({ resource_type }) => resource_type === "delivery"],
    ["customer=ext:acme", ({ customer_id }) => customer_id === customer.id],
  ])("is filtered by %s", async (parameters, fits) => {
    const expected = (await feed()).data.filter(fits);
    expect(expected.length).toBeGreaterThan(0);
    expect((await feed(`&${parameters}`)).data).toEqual(expected);
  });

  it("tells whom an event concerns and what the resource belongs to", async () => {
    const { data } = await feed();
    const of = (type: string): Json => data.find((event: Json) => event.type === type);
    const nothing = { series_id: null, period: null, invoice_id: null };
    const of_invoice = { ...nothing, invoice_id: invoice.id };
    expect(of("customer.created")).toMatchObject({ customer_id: customer.id, related: nothing });
    expect(of("product.created")).toMatchObject({ customer_id: null, related: nothing });
    for (const type of ["invoice_line.completed", "delivery.queued"]) {
      expect(of(type)).toMatchObject({ customer_id: customer.id, related: of_invoice });
    }
    expect(of("invoice.deleted")).toMatchObject({
      customer_id: customer.id,
      data: { resource: null, previous: { customer_id: customer.id } },
    });
  });

  it("is of the account alone", async () => {
    const { keys } = await world.openAnother();
    const foreign_feed = await world.done("GET /events?limit=100", undefined, keys.read);
    const own = (await feed()).data.map(({ id }: Json) => id);
    expect(foreign_feed.data.filter(({ id }: Json) => own.includes(id))).toEqual([]);
    const foreign = await world.rest(`GET /events/${own[0]}`, undefined, keys.read);
    expect(refusal(foreign)).toBe("404 NOT_FOUND");
    const cursor = (await feed()).next_cursor;
    const asked = await world.rest(`GET /events?cursor=${cursor}`, undefined, keys.read);
    expect(asked.body.error).toMatchObject({
      code: "FEED_RESET",
      details: { sequence: 0, restored_at: null },
    });
  });

  it.each([
    ["cursor=x", "422 VALIDATION_FAILED cursor invalid_value"],
    ["after=999999", "422 VALIDATION_FAILED after too_large"],
    ["after=-1", "422 VALIDATION_FAILED after too_small"],
    ["types=invoice", "422 VALIDATION_FAILED types invalid_value"],
    ["customer=ext:absent", "404 NOT_FOUND"],
    ["customer=17", "422 VALIDATION_FAILED customer invalid_format"],
  ])("refuses %s", async (parameters, expected) => {
    expect(refusal(await world.rest(`GET /events?${parameters}`))).toBe(expected);
  });

  it("takes either a cursor or a sequence", async () => {
    const { next_cursor } = await feed();
    const both = await world.rest(`GET /events?after=1&cursor=${next_cursor}`);
    expect(refusal(both)).toBe("422 VALIDATION_FAILED after not_allowed");
  });
});

describe("after a restore", () => {
  it("there is a new feed, and a cursor of an earlier one is refused with what both have", async () => {
    const first = await feed();
    const shared = first.data.length;
    const behind = (await world.done("GET /events?limit=2")).next_cursor;
    const restored = () => renewFeeds(world.database_url);
    await restored();
    await world.done("PATCH /customers/ext:acme", { city: "Skive" });
    const second = await feed();
    expect(second.data[0].feed_id).not.toBe(first.data[0].feed_id);
    expect(second.data.map(({ id }: Json) => id).slice(0, shared)).toEqual(
      first.data.map(({ id }: Json) => id),
    );
    const refused = await world.rest(`GET /events?cursor=${first.next_cursor}`);
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      {
        code: "FEED_RESET",
        details: {
          feed_id: second.data[0].feed_id,
          sequence: shared,
          restored_at: expect.stringMatching(/Z$/),
        },
      },
    ]);
    const early = await world.rest(`GET /events?cursor=${behind}`);
    expect(early.body.error.details.sequence).toBe(2);
    await restored();
    const { body } = await world.rest(`GET /events?cursor=${second.next_cursor}`);
    expect(body.error.details.sequence).toBe(shared + 1);
    const oldest = await world.rest(`GET /events?cursor=${first.next_cursor}`);
    expect(oldest.body.error.details.sequence).toBe(shared);
  });
});
