/**
 * Customers and products in a connected ledger: sent in the request when the ledger answers, otherwise later, and rolled back
 * when it refuses. The ledger is a simulator; everything else is real.
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  fails,
  isAway,
  keepsSilent,
  openPeopleLedger,
  refuses,
} from "../../../../test/support/ledger/people-ledger.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { builtinLedger } from "../../../ledger/connectors/builtin/connector.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { queueUnlinked } from "../../catalogue/links/queries.ts";
import { syncStep } from "./run-sync.ts";

const ledger = openPeopleLedger();
const ledgers = new Map([ledger.connection, builtinLedger].map((one) => [one.kind, one]));
const world = useWorld({ overrides: { ledgers } });

beforeAll(async () => {
  const { account_id } = world.account;
  await world.sql("update accounts set ledger_kind = 'people' where id = $1", [account_id]);
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets, next_pull_at)
     values ($1, $2, 'people', '{}', 'none', '', clock_timestamp() + interval '1 day')`,
    [account_id, newId()],
  );
});
afterEach(async () => {
  ledger.forget();
  await world.sql("update ledger_links set state = 'synced'");
});

const context = () => schedulerContext(world.services, world.account.account_id);
/** Makes waiting work due, as if time had passed, and executes it. */
async function work(): Promise<boolean> {
  await world.sql(
    `update ledger_links set next_attempt_at = clock_timestamp() - interval '1 s',
       unsure_until = unsure_until - interval '1 minute'`,
  );
  return syncStep(await context());
}
async function pull(): Promise<void> {
  await world.sql("update ledger_connections set next_pull_at = clock_timestamp()");
  expect(await syncStep(await context())).toBe(true);
}
const customer = (fields: Json = {}): Promise<Json> =>
  world.done("POST /customers", { name: "Acme A/S", ...fields });
const linkOf = (id: string, kind = "customers"): Promise<Json> =>
  world.done(`GET /${kind}/${id}/ledger`);
const waiting = async (query = ""): Promise<Json[]> =>
  (await world.done(`GET /ledger/sync${query}`)).data.map((one: Json) => [one.id, one.state]);

describe("a stored customer", () => {
  it("is in the ledger when the call is answered", async () => {
    const { id } = await customer({ city: "Aarhus", external_id: "a-1" });

    expect(ledger.customers.get(id)).toMatchObject({
      guid: id,
      ledger_id: null,
      name: "Acme A/S",
      city: "Aarhus",
      external_id: "a-1",
      active: true,
    });
    expect(await linkOf(id)).toMatchObject({ ledger_id: `L-${id}`, state: "synced", reason: null });

    await world.done(`PATCH /customers/${id}`, { city: "Odense" });
    await world.done(`POST /customers/${id}/deactivate`);
    expect(ledger.calls).toEqual([id, id, id]);
    expect(ledger.customers.get(id)).toMatchObject({
      ledger_id: `L-${id}`,
      city: "Odense",
      active: false,
    });
  });

  it("is not sent for fields that the ledger does not keep", async () => {
    const { id } = await customer();
    await world.done(`PATCH /customers/${id}`, { order_reference: "PO 7" });
    await world.done(`PATCH /customers/${id}`, { name: "Acme A/S" });
    expect(ledger.calls).toEqual([id]);
  });

  it.each([
    ["that is away", isAway],
    ["that does not answer", keepsSilent],
    ["whose connector fails", fails],
  ])("waits for a ledger %s, and is sent later automatically", async (_what, step) => {
    ledger.onPut(step);
    const { id } = await customer();

    expect(await linkOf(id)).toMatchObject({ state: "queued", ledger_id: null });
    expect(await waiting()).toEqual([[id, "queued"]]);
    expect(await work()).toBe(true);
    expect(await linkOf(id)).toMatchObject({ state: "synced", ledger_id: `L-${id}`, reason: null });
    expect(ledger.calls).toEqual([id, id]);
    expect(await waiting()).toEqual([]);
  });

  it("is not sent while the ledger is down", async () => {
    await world.sql("update ledger_connections set down_since = clock_timestamp()");
    const { id } = await customer();
    expect(ledger.calls).toEqual([]);
    await world.sql("update ledger_connections set down_since = null");
    ledger.onPut(refuses);
    await work();
    expect(await linkOf(id)).toMatchObject({ state: "failed", reason: "VALIDATION" });
  });

  it("is refused with the ledger's refusal, and is not stored", async () => {
    ledger.onPut(refuses);
    const reply = await world.rest("POST /customers", { name: "Gone", external_id: "gone" });

    expect(refusal(reply)).toBe("409 LEDGER_REJECTED");
    expect(reply.body.error.details).toEqual({
      reason: "VALIDATION",
      fields: { VatNumber: "is not known" },
    });
    expect(refusal(await world.rest("GET /customers/ext:gone"))).toBe("404 NOT_FOUND");
    const { data } = await world.done("GET /audit-events?resource_type=customer&limit=2");
    expect(data.map((event: Json) => [event.action, event.reason, event.after])).toEqual([
      ["refused_by_ledger", "VALIDATION", null],
      ["created", null, expect.objectContaining({ name: "Gone" })],
    ]);
    expect(await customer({ external_id: "gone" })).toMatchObject({ external_id: "gone" });
  });

  it("remains unchanged when the ledger refuses the change", async () => {
    const before = await customer({ city: "Aarhus", external_id: "kept", payment_mean: "FIK" });
    ledger.onPut(refuses);
    const fields = { city: "Odense", vat_number: "DK10150817", payment_mean: "Domestic" };

    const reply = await world.rest(`PATCH /customers/${before.id}`, fields);

    expect(refusal(reply)).toBe("409 LEDGER_REJECTED");
    expect(await world.done(`GET /customers/${before.id}`)).toEqual(before);
    expect(await work()).toBe(true);
    expect(await linkOf(before.id)).toMatchObject({ state: "synced" });
    expect(ledger.customers.get(before.id)).toMatchObject({ city: "Aarhus" });
  });

  it("remains, with the state failed, when the ledger refuses it after the answer", async () => {
    ledger.onPut(isAway, refuses);
    const { id } = await customer();
    await work();

    expect(await linkOf(id)).toMatchObject({ state: "failed", reason: "VALIDATION" });
    expect(await waiting("?state=failed&kind=customer")).toEqual([[id, "failed"]]);
    expect(await waiting("?state=queued")).toEqual([]);
    expect(await work()).toBe(false);
    expect(refusal(await world.rest(`PATCH /customers/${id}`, { city: "Vejle" }))).toBe("200");
    expect(await linkOf(id)).toMatchObject({ state: "synced" });
  });

  it("remains when another document uses it before the ledger refuses it", async () => {
    ledger.onPut(async () => {
      const [{ id }] = (await world.done("GET /customers?search=Used")).data;
      await world.done("POST /invoices", { customer_id: id, lines: [] });
      return refuses(() => ({ state: "unknown" }));
    });
    const { id } = await customer({ name: "Used" });
    expect(await linkOf(id)).toMatchObject({ state: "failed" });
  });

  it("is sent in order, whichever process calls the ledger", async () => {
    const { id } = await customer({ city: "first" });
    ledger.onPut(async (keep) => {
      // While the second change is being sent, the third is stored: it waits for the next call.
      await world.done(`PATCH /customers/${id}`, { city: "third" });
      return keep();
    });
    await world.done(`PATCH /customers/${id}`, { city: "second" });

    expect(ledger.customers.get(id)?.city).toBe("second");
    expect(await linkOf(id)).toMatchObject({ state: "queued" });
    await work();
    expect(ledger.customers.get(id)?.city).toBe("third");
    expect(await linkOf(id)).toMatchObject({ state: "synced" });
  });

  it("is sent when it was stored before the account was connected", async () => {
    const { id } = await customer();
    await world.sql("delete from ledger_links where local_id = $1", [id]);
    expect(await linkOf(id)).toMatchObject({ state: "not_connected", ledger_id: null });
    await queueUnlinked(await context(), "customer");
    await work();
    expect(await linkOf(id)).toMatchObject({ state: "synced", ledger_id: `L-${id}` });
  });

  it("shows its state in the ledger only to its own account", async () => {
    const { id } = await customer();
    const other = await world.openAnother();
    const reply = await world.rest(`GET /customers/${id}/ledger`, undefined, other.keys.read_write);
    expect(refusal(reply)).toBe("404 NOT_FOUND");
    const { data } = await world.done("GET /ledger/sync", undefined, other.keys.read_write);
    expect(data).toEqual([]);
  });
});

describe("a product", () => {
  it("is sent, rolled back and shown in the same way", async () => {
    const fields = { name: "Advice", default_price: 1234.5, quantity: 1.5, external_id: "p-1" };
    const before = await world.done("POST /products", fields);
    expect(ledger.products.get(before.id)).toMatchObject({
      name: "Advice",
      price_scaled: 12_345_000n,
      quantity: 150,
      ledger_account: null,
    });
    ledger.onPut(refuses, refuses);
    const changed = await world.rest(`PATCH /products/${before.id}`, { default_price: 2 });
    expect(refusal(changed)).toBe("409 LEDGER_REJECTED");
    expect(await world.done(`GET /products/${before.id}`)).toEqual(before);
    const made = await world.rest("POST /products", { name: "Never", external_id: "p-2" });
    expect(refusal(made)).toBe("409 LEDGER_REJECTED");
    expect(refusal(await world.rest("GET /products/ext:p-2"))).toBe("404 NOT_FOUND");
    await work();
    expect(await linkOf(before.id, "products")).toMatchObject({
      kind: "product",
      state: "synced",
      ledger_id: `L-${before.id}`,
    });
  });
});

describe("a change in the ledger", () => {
  const changed = (id: string, fields: Json, active = true) => ({
    ledger_id: `L-${id}`,
    guid: null,
    active,
    fields,
  });

  it("is taken over with an event, and is not sent back", async () => {
    const { id } = await customer({ city: "Aarhus", external_id: "own-number" });
    const product = await world.done("POST /products", { name: "Advice" });
    ledger.forget();
    ledger.reports({
      customers: [changed(id, { city: "Odense", external_id: "other" }), changed("stranger", {})],
      products: [changed(product.id, { name: "Counsel", price_scaled: 5_000_000n, quantity: 200 })],
    });
    await pull();

    expect(await world.done(`GET /customers/${id}`)).toMatchObject({
      city: "Odense",
      external_id: "own-number",
    });
    expect(await world.done(`GET /products/${product.id}`)).toMatchObject({
      name: "Counsel",
      default_price: 500,
      quantity: 2,
    });
    const { data } = await world.done(`GET /audit-events?resource_id=${id}&limit=1`);
    expect(data[0]).toMatchObject({ action: "updated", actor: { kind: "scheduler" } });
    expect(await waiting()).toEqual([]);
    await pull();
    expect(ledger.calls).toEqual(["changes null", "changes after-1"]);
  });

  it("deactivates a customer that is inactive in the ledger", async () => {
    const { id } = await customer();
    ledger.reports({ customers: [changed(id, {}, false)] });
    await pull();
    const { data } = await world.done("GET /customers?active=false");
    expect(data.map((one: Json) => one.id)).toContain(id);
  });

  it("yields to a change here that came before or in the meantime", async () => {
    const [early, late] = [await customer({ city: "1" }), await customer({ city: "1" })];
    ledger.onPut(isAway);
    await world.done(`PATCH /customers/${early.id}`, { city: "2" });
    ledger.reports(
      { customers: [changed(early.id, { city: "there" }), changed(late.id, { city: "there" })] },
      () => world.done(`PATCH /customers/${late.id}`, { city: "2" }),
    );
    await world.sql("update ledger_links set next_attempt_at = clock_timestamp() + interval '1 h'");
    await pull();

    for (const { id } of [early, late]) {
      expect(await world.done(`GET /customers/${id}`)).toMatchObject({ city: "2" });
    }
  });

  it("is shown as failed and not applied where the rules here refuse it", async () => {
    const { id } = await customer({ email: "ap@acme.example" });
    ledger.reports({ customers: [changed(id, { email: "no address" })] });
    await pull();
    expect(await linkOf(id)).toMatchObject({ state: "failed", reason: "REMOTE_INVALID" });
    expect(await world.done(`GET /customers/${id}`)).toMatchObject({ email: "ap@acme.example" });
    ledger.reports({ customers: [changed(id, { email: "new@acme.example" })] });
    await pull();
    expect(await linkOf(id)).toMatchObject({ state: "synced", reason: null });
    expect(await world.done(`GET /customers/${id}`)).toMatchObject({ email: "new@acme.example" });
  });
});
