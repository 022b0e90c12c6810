/** Documents that a connected ledger prints and sends itself. The ledger is a simulator; everything else is real. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { openPrintingLedger } from "../../../../test/support/ledger/printing-ledger.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { builtinLedger } from "../../../ledger/connectors/builtin/connector.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { sendDueDeliveries, settleAbandonedDeliveries } from "../deliveries/run-due.ts";
import { fetchWaiting } from "../issued/issued-documents.ts";
import { waitingRenderer } from "../issued/render-waiting.ts";
import { settleSend } from "./check-sends.ts";

const ledger = openPrintingLedger();
const ledgers = new Map([ledger.connection, builtinLedger].map((one) => [one.kind, one]));
const world = useWorld({ overrides: { ledgers } });
const product = world.made("POST /products", { name: "Advice", default_price: 1000 });

beforeAll(() => world.sql("update accounts set ledger_kind = 'printing'"));
afterEach(async () => {
  ledger.forget();
  await world.sql("update deliveries set next_look_at = null");
  await world.sql("update intents set lease_until = clock_timestamp()");
});

async function issued(customer: Json = { email: "ap@acme.example" }): Promise<Json> {
  const { id } = await world.done("POST /customers", { name: "Acme A/S", ...customer });
  const invoice = await world.done("POST /invoices", {
    customer_id: id,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }],
  });
  return world.done(`POST /invoices/${invoice.id}/issue`);
}
const deliveries = async ({ id }: Json): Promise<Json[]> =>
  (await world.done(`GET /invoices/${id}/deliveries`)).data.map((one: Json) => [
    one.state,
    one.send_error,
  ]);
/** Makes the next look due, as if time had passed. */
async function look(): Promise<boolean> {
  await world.sql(
    "update deliveries set next_look_at = clock_timestamp() where next_look_at is not null",
  );
  return settleSend(await schedulerContext(world.services, world.account.account_id));
}

describe("the PDF of a document that the ledger prints", () => {
  it("is the ledger's, and is fetched once", async () => {
    const { id } = await issued();
    const first = await world.rest(`GET /invoices/${id}/pdf`);
    const second = await world.rest(`GET /invoices/${id}/pdf`);

    expect(first.headers.get("content-type")).toBe("application/pdf");
    expect(String(first.body)).toBe(`%PDF-1.4 invoice ${id} no. 1`);
    expect(second.body).toEqual(first.body);
    expect(ledger.printed).toEqual([id]);
    const codes = "select 1 from issued_documents where snapshot like '%payment_codes%'";
    expect(await world.sql(codes)).toEqual([]);
  });

  it("is fetched in advance when no booking needs the requests that the ledger allows", async () => {
    const { id } = await issued();
    await world.sql("update waiting_documents set not_before = clock_timestamp()");
    const cx = await schedulerContext(world.services, world.account.account_id);
    // Settled in the future, so that the quiet time has not passed even on a slow machine.
    await world.sql("update intents set settled_at = clock_timestamp() + interval '1 hour'");
    expect(await fetchWaiting(cx)).toBe(false);
    await world.sql("update intents set settled_at = clock_timestamp() - interval '15 seconds'");
    await world.sql(
      "update intents set state = 'unknown', lease_until = clock_timestamp() + interval '1 hour' where document_id = $1",
      [id],
    );
    expect(await fetchWaiting(cx)).toBe(false);
    await world.sql("update waiting_documents set not_before = not_before - interval '61 minutes'");
    expect(await fetchWaiting(cx)).toBe(true);
    expect(ledger.printed).toEqual([id]);
  });

  it("is fetched in advance although a booking is open for which no caller waits", async () => {
    const { id } = await issued();
    await world.sql("update waiting_documents set not_before = clock_timestamp()");
    const cx = await schedulerContext(world.services, world.account.account_id);
    await world.sql(
      "update intents set state = 'unknown', settled_at = null, lease_until = clock_timestamp() where document_id = $1",
      [id],
    );
    await world.sql("update intents set settled_at = settled_at - interval '15 seconds'");

    expect(await fetchWaiting(cx)).toBe(true);

    expect(ledger.printed).toEqual([id]);
    await world.rest(`GET /invoices/${id}/pdf`);
    expect(ledger.printed).toEqual([id]);
    expect(await fetchWaiting(cx)).toBe(false);
  });

  it("is refused temporarily while the ledger is away, and is never rendered here", async () => {
    const { id } = await issued();
    await world.sql("update waiting_documents set not_before = clock_timestamp()");
    expect(await waitingRenderer(world.services)()).toBe(false);
    ledger.away.is = true;
    expect(refusal(await world.rest(`GET /invoices/${id}/pdf`))).toBe("500 LEDGER_UNAVAILABLE");
    expect(await world.sql("select from document_files where document_id = $1", [id])).toEqual([]);
  });

  it("is our marked preview while the document is a draft", async () => {
    const { id } = await world.done("POST /customers", { name: "Acme A/S" });
    const draft = await world.done("POST /invoices", { customer_id: id, lines: [] });
    expect((await world.rest(`GET /invoices/${draft.id}/pdf`)).status).toBe(200);
    expect(ledger.printed).toEqual([]);
  });
});

describe("a document that the ledger sends", () => {
  it("is sent with the issue, and its delivery reports the outcome", async () => {
    const invoice = await issued();
    expect(invoice.send_error).toBeUndefined();
    expect(ledger.sent.map(({ guid, how }) => [guid, how])).toEqual([
      [invoice.id, { type: "email", receiver: "ap@acme.example" }],
    ]);
    expect(await deliveries(invoice)).toEqual([["accepted", null]]);

    ledger.reports(0, "failed", "HardBounce");
    expect(await look()).toBe(true);
    expect(await deliveries(invoice)).toEqual([
      ["failed_permanent", "the ledger could not deliver the document: HardBounce"],
    ]);
    expect(await look()).toBe(false);
  });

  it("is sent as an e-invoice where the customer wants one", async () => {
    const invoice = await issued({ send_method: "einvoice", ean_number: "5790000123452" });
    expect(invoice.send_error).toBeUndefined();
    expect(ledger.sent.map(({ how }) => how.type)).toEqual(["einvoice"]);
  });

  it("is not sent to a customer without an address", async () => {
    expect(await issued({})).toMatchObject({
      status: "issued",
      send_error: "the customer has no e-mail address",
    });
    expect(ledger.sent).toEqual([]);
  });

  it("is sent once after the ledger was away", async () => {
    ledger.onSend(() => ({ state: "not_started", reason: "unavailable" }));
    const invoice = await issued();
    expect(invoice.send_error).toContain("gives no answer");
    await world.sql("update deliveries set next_attempt_at = clock_timestamp()");
    await sendDueDeliveries(world.services);
    expect(await deliveries(invoice)).toEqual([["accepted", null]]);
    expect(ledger.sent).toHaveLength(1);
  });

  it("fails permanently when the ledger refuses it", async () => {
    ledger.onSend(() => ({ state: "failed", code: "no_address" }));
    const invoice = await issued();
    expect(await deliveries(invoice)).toEqual([["failed_permanent", invoice.send_error]]);
    expect(await look()).toBe(false);
  });

  it("is looked up, and not sent again, when the outcome is unknown", async () => {
    ledger.onSend((send) => {
      send();
      return { state: "unknown", reason: "timeout" };
    });
    const invoice = await issued();
    expect(invoice.send_error).toContain("unconfirmed");
    expect(await deliveries(invoice)).toEqual([["unknown", invoice.send_error]]);
    expect(await look()).toBe(true);
    expect(await deliveries(invoice)).toEqual([["accepted", null]]);
    expect(ledger.sent).toHaveLength(1);
  });

  it("is sent again after two looks that found nothing", async () => {
    ledger.onSend(() => ({ state: "unknown", reason: "connection_lost" }));
    const invoice = await issued();
    ledger.away.is = true;
    await look();
    ledger.away.is = false;
    await look();
    expect((await deliveries(invoice))[0]?.[0]).toBe("unknown");
    await look();
    expect((await deliveries(invoice))[0]?.[0]).toBe("failed_temporary");
    await sendDueDeliveries(world.services);
    expect(await deliveries(invoice)).toEqual([["accepted", null]]);
    expect(ledger.sent).toHaveLength(1);
  });

  it("is looked up when the process ended while it was sending", async () => {
    const invoice = await issued();
    await world.sql(
      `update deliveries set state = 'sending', lease_until = clock_timestamp() - interval '1 s',
         next_look_at = null where document_id = $1`,
      [invoice.id],
    );
    await settleAbandonedDeliveries(world.services);
    expect((await deliveries(invoice))[0]?.[0]).toBe("unknown");
    await look();
    expect(await deliveries(invoice)).toEqual([["accepted", null]]);
  });

  it("is sent again on each request", async () => {
    const invoice = await issued();
    // The ledger's first sending is matched to the first delivery before there is another one.
    await look();
    await world.done(`POST /invoices/${invoice.id}/send`, { address: "cfo@acme.example" });
    ledger.reports(1, "failed", "Spam");
    while (await look());
    expect((await deliveries(invoice)).map(([state]) => state)).toEqual([
      "failed_permanent",
      "accepted",
    ]);
  });
});

describe("POST /invoices/{ref}/send", () => {
  it("leaves e-invoices to the ledger, which takes no other receiver and no references", async () => {
    const { id } = await issued({ send_method: "einvoice", ean_number: "5798009811578" });
    for (const body of [{ channel: "einvoice" }, { channel: "einvoice", again: true }, {}]) {
      expect(await world.done(`POST /invoices/${id}/send`, body)).toMatchObject({
        channel: "einvoice",
        state: "accepted",
      });
    }
    expect(ledger.sent).toHaveLength(4);
    for (const body of [{ receiver: "0088:5798009811578" }, { order_reference: "PO-2" }]) {
      const reply = await world.rest(`POST /invoices/${id}/send`, body);
      expect(refusal(reply)).toBe("409 EINVOICE_BY_LEDGER");
    }
    expect(ledger.sent).toHaveLength(4);
  });
});
