/** Sending a document again (spec 14.6): by another channel, to another receiver, with other references, and never twice unasked. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectEinvoices } from "../../../../test/support/einvoice/connect-einvoices.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { run } from "../../../platform/commands/command.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { sendDueDeliveries } from "../../documents/deliveries/run-due.ts";
import { sendInvoice } from "./documents.ts";

/** 5 sendings of one document an hour, as by default. */
const world = useWorld({ environment: { MATCHBOOK_MAIL_LIMITS: "20:5:200" } });
const customer = world.made("POST /customers", {
  name: "Ringkøbing-Skjern Kommune",
  ean_number: "5798009811578",
  email: "ap@kommune.example",
  att_person: "Mette Krogh",
  send_method: "einvoice",
});
const product = world.made("POST /products", { name: "Rådgivning", default_price: 1000 });
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "matchbook-sendings-"));
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", city: "Aarhus" };
  const bank = { vat_number: "25313763", iban: "DK5000400440116243" };
  await world.done("PATCH /configuration", { seller: { ...seller, ...bank } });
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(() => world.sql("delete from mail_counters"));

async function connect(): Promise<void> {
  await connectEinvoices(world, { path: dir });
}

/** Issues an invoice with the given fields; returns its id. */
async function issued(fields: object = {}): Promise<string> {
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const body = { customer_id: customer.id, lines, auto_send: false, ...fields };
  const { id } = await world.done("POST /invoices", body);
  await world.done(`POST /invoices/${id}/issue`);
  return id;
}

const send = (id: string, body: object = {}) => world.rest(`POST /invoices/${id}/send`, body);
const sent = (id: string, body: object = {}): Promise<Json> =>
  world.done(`POST /invoices/${id}/send`, body);
const deliveriesOf = async (id: string): Promise<Json[]> =>
  (await world.done(`GET /invoices/${id}/deliveries`)).data;
const eventsOf = async (id: string): Promise<Json[]> =>
  (await world.done(`GET /deliveries/${id}/events`)).data;
const file = (id: string) => readFile(join(dir, "out", `${id}.xml`), "utf8");
const amountsIn = (xml: string) => xml.match(/currencyID="DKK">[^<]+/g);

describe("without a connection", () => {
  it("is a declared refusal where an e-invoice is asked for", async () => {
    const id = await issued();
    for (const body of [{ channel: "einvoice" }, { order_reference: "PO-2" }]) {
      expect(refusal(await send(id, body))).toBe("409 EINVOICE_NOT_CONNECTED");
    }
    expect(await deliveriesOf(id)).toEqual([]);
    expect(await sent(id)).toMatchObject({ channel: "einvoice", state: "failed_permanent" });
  });
});

describe("with a connection", () => {
  beforeAll(connect);

  it("hands over a new file with the given receiver and references, and the same amounts", async () => {
    const id = await issued({ order_reference: "PO-1", auto_send: true });
    const [first] = await deliveriesOf(id);
    const corrected = { buyer_reference: "4711", order_reference: "PO-2", accounting_cost: "99" };
    const body = { channel: "einvoice", receiver: "0088:5798009811639", ...corrected, again: true };

    const second = await sent(id, body);

    expect(second).toMatchObject({ address: "0088:5798009811639", state: "written_to_outbox" });
    expect(second.id).not.toBe(first?.id);
    expect(second.file_sha256).not.toBe(first?.file_sha256);
    const [before, after] = [await file(first?.id), await file(second.id)];
    expect(before).toContain("<cbc:ID>PO-1</cbc:ID>");
    expect(after).toContain('<cbc:EndpointID schemeID="0088">5798009811639</cbc:EndpointID>');
    expect(after).toContain("<cbc:BuyerReference>4711</cbc:BuyerReference>");
    expect(after).toContain("<cbc:ID>PO-2</cbc:ID>");
    expect(after).toContain("<cbc:AccountingCost>99</cbc:AccountingCost>");
    expect(amountsIn(after)).toEqual(amountsIn(before));
    expect(await eventsOf(second.id)).toMatchObject([
      { kind: "queued" },
      {
        kind: "sent_again",
        source: "person",
        text: "receiver 0088:5798009811639; buyer_reference 4711; order_reference PO-2; accounting_cost 99",
      },
      { kind: "made" },
      { kind: "validated" },
      { kind: "handed_over" },
    ]);
  });

  it("shows the file that was sent last, and another format on request", async () => {
    const id = await issued({ order_reference: "PO-1" });
    const einvoice = async (query = "") => world.rest(`GET /invoices/${id}/einvoice${query}`);
    const unsent = await einvoice();
    const body = { order_reference: "PO-2", receiver: "0088:5798009811639" };
    const { id: sent_id, file_sha256 } = await sent(id, body);
    const shown = await einvoice();
    expect(unsent.body.toString()).toContain("<cbc:ID>PO-1</cbc:ID>");
    expect(shown.headers.get("etag")).toBe(`"${file_sha256}"`);
    expect(shown.body.toString()).toBe(await file(sent_id));
    const would_be = await einvoice("?format=peppol-bis-3");
    expect(would_be.body.equals(unsent.body)).toBe(true);
  });

  it("records in the audit trail what differs, and nothing else", async () => {
    const id = await issued({ order_reference: "PO-1", buyer_reference: "4711" });
    const same = { buyer_reference: " 4711 ", accounting_cost: null };
    const { id: delivery_id } = await sent(id, { order_reference: "PO-2", ...same });
    const { data } = await world.done(`GET /audit-events?resource_id=${delivery_id}`);
    const queued = data.find(({ action }: Json) => action === "queued");
    expect(queued.before).toEqual({ order_reference: "PO-1" });
    expect(queued.after).toMatchObject({ id: delivery_id, order_reference: "PO-2" });
    expect(queued.after).not.toHaveProperty("buyer_reference");
    expect(queued.after).not.toHaveProperty("receiver");
  });

  it("leaves out a reference that is null, and goes to the customer's address of now", async () => {
    const id = await issued({ order_reference: "PO-1" });
    const delivery = await sent(id, { order_reference: null });
    expect(delivery.address).toBe("0088:5798009811578");
    expect(await file(delivery.id)).not.toContain("OrderReference");
    expect(await eventsOf(delivery.id)).toMatchObject([
      { kind: "queued" },
      { kind: "made" },
      { kind: "validated" },
      { kind: "handed_over" },
    ]);
  });

  it.each(["queued", "sending", "written_to_outbox", "accepted", "delivered", "unknown"])(
    "is refused while an e-invoice is %s, unless `again` is true",
    async (state) => {
      const id = await issued();
      const { id: delivery_id } = await sent(id);
      await world.sql("update deliveries set state = $2, lease_until = null where id = $1", [
        delivery_id,
        state,
      ]);
      for (const body of [{}, { channel: "einvoice" }, { receiver: "0088:5798009811639" }]) {
        const reply = await send(id, body);
        expect(refusal(reply)).toBe("409 EINVOICE_UNDER_WAY");
        expect(reply.body.error.details).toEqual({ delivery_id, state });
      }
      expect(await deliveriesOf(id)).toHaveLength(1);
      expect(await sent(id, { again: true })).toMatchObject({ state: "written_to_outbox" });
      const [, former] = await deliveriesOf(id);
      expect(former).toMatchObject(
        state === "queued"
          ? { state: "failed_permanent", send_error: expect.stringContaining("later sending") }
          : { state },
      );
    },
  );

  it.each(["rejected", "failed_permanent"])("needs no `again` after one is %s", async (state) => {
    const id = await issued();
    const { id: delivery_id } = await sent(id);
    await world.sql("update deliveries set state = $2 where id = $1", [delivery_id, state]);
    expect((await send(id)).status).toBe(200);
  });

  it("hands over one file when it is called twice at once", async () => {
    const id = await issued();
    const replies = await Promise.all([send(id), send(id), send(id)]);
    const outcomes = replies.map((reply) => (reply.status === 200 ? "200" : refusal(reply)));
    expect(outcomes.sort()).toEqual(["200", "409 EINVOICE_UNDER_WAY", "409 EINVOICE_UNDER_WAY"]);
    const all = await deliveriesOf(id);
    expect(all).toHaveLength(1);
    expect((await readdir(join(dir, "out"))).filter((name) => name.includes(all[0]?.id))).toEqual([
      `${all[0]?.id}.xml`,
    ]);
  });

  it("sends only one more when a confirmation that has seen one sending is given twice", async () => {
    const id = await issued();
    const { id: seen } = await sent(id);
    const cx = await operatorContext(world.services, world.account.account_id);
    const confirm = () => run(sendInvoice, cx, { ref: id, again: true, seen });
    const outcomes = await Promise.allSettled([confirm(), confirm()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await deliveriesOf(id)).toHaveLength(2);
  });

  it("takes the place of an attempt that waits to be repeated", async () => {
    const id = await issued();
    const { id: waiting } = await sent(id);
    await rm(join(dir, "out", `${waiting}.xml`));
    await world.sql(
      "update deliveries set state = 'failed_temporary', next_attempt_at = clock_timestamp() where id = $1",
      [waiting],
    );
    const { id: next } = await sent(id, { order_reference: "PO-2" });
    await sendDueDeliveries(world.services);
    expect(await readdir(join(dir, "out"))).not.toContain(`${waiting}.xml`);
    expect(await deliveriesOf(id)).toMatchObject([
      { id: next, state: "written_to_outbox" },
      { id: waiting, state: "failed_permanent" },
    ]);
    expect((await eventsOf(waiting)).at(-1)).toMatchObject({
      kind: "failed",
      code: "einvoice_replaced",
      source: "person",
    });
  });

  it("is refused while a repeated attempt is in progress", async () => {
    const id = await issued();
    const { id: delivery_id } = await sent(id);
    await world.sql(
      "update deliveries set state = 'failed_temporary', lease_until = clock_timestamp() + interval '1 minute' where id = $1",
      [delivery_id],
    );
    const reply = await send(id);
    expect(refusal(reply)).toBe("409 EINVOICE_UNDER_WAY");
    expect(reply.body.error.details).toEqual({ delivery_id, state: "failed_temporary" });
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  it("is refused with the fields that the file lacks with these corrections", async () => {
    const { id: nameless } = await world.done("POST /customers", {
      name: "Køber ApS",
      ean_number: "5798009811578",
      send_method: "einvoice",
    });
    const id = await issued({ customer_id: nameless, order_reference: "PO-1" });
    const reply = await send(id, { order_reference: null });
    expect(refusal(reply)).toBe("409 EINVOICE_INCOMPLETE");
    expect(reply.body.error.details.missing).toEqual(["buyer_reference"]);
    expect(await deliveriesOf(id)).toEqual([]);
    expect((await send(id, { order_reference: null, buyer_reference: "7" })).status).toBe(200);
  });

  it("refuses a receiver that is no electronic address", async () => {
    const id = await issued();
    const faults = async (receiver: string) => {
      const { status, body } = await send(id, { receiver });
      return [status, ...body.error.field_errors.map((one: Json) => `${one.field} ${one.code}`)];
    };
    for (const receiver of ["5798009811578", "0088:5798009811570", "0001:1", "0184:1"]) {
      expect(await faults(receiver)).toEqual([422, "receiver invalid_format"]);
    }
  });

  it("refuses the arguments of the other channel", async () => {
    const id = await issued();
    const faults = async (body: object) => {
      const { status, body: answer } = await send(id, body);
      return [status, ...answer.error.field_errors.map((one: Json) => `${one.field} ${one.code}`)];
    };
    const address = "boss@acme.example";
    expect(await faults({ channel: "einvoice", address })).toEqual([422, "address not_allowed"]);
    const einvoice = { receiver: "0088:5798009811578", buyer_reference: "1", order_reference: "2" };
    const all = { ...einvoice, accounting_cost: "3", again: true };
    const refused = Object.keys(all).map((field) => `${field} not_allowed`);
    expect(await faults({ channel: "email", ...all })).toEqual([422, ...refused]);
    expect(await faults({ address, ...all })).toEqual([422, ...refused]);
    expect(await deliveriesOf(id)).toEqual([]);
  });

  it("goes by e-mail to the customer on request", async () => {
    const id = await issued();
    expect(await sent(id, { channel: "email" })).toMatchObject({
      channel: "email",
      address: "ap@kommune.example",
      state: "written_to_outbox",
    });
  });

  it("sends a document 5 times an hour, and counts no mail", async () => {
    const id = await issued();
    for (let count = 0; count < 5; count += 1) await sent(id, { again: true });
    expect(refusal(await send(id, { again: true }))).toBe("429 RATE_LIMITED");
    expect(await deliveriesOf(id)).toHaveLength(5);
    expect(await world.sql("select 1 from mail_counters where subject = 'all'")).toEqual([]);
  });

  it("sends a credit note again with corrected references, and clears its send_error", async () => {
    const invoice = await issued({ order_reference: "PO-1", auto_send: true });
    const credit = { external_id: "cn-1", invoice, kind: "full", credit_date: "2026-03-10" };
    const note = await world.done("POST /credit-notes", credit);
    const path = `/credit-notes/${note.id}`;
    const [first] = (await world.done(`GET ${path}/deliveries`)).data;
    await world.sql(
      "update deliveries set state = 'failed_temporary', send_error = 'away' where id = $1",
      [first.id],
    );
    await world.sql("update credit_notes set send_error = 'away' where id = $1", [note.id]);
    const second = await world.done(`POST ${path}/send`, { order_reference: "PO-2" });
    expect(await file(second.id)).toContain("<cbc:ID>PO-2</cbc:ID>");
    expect((await world.done(`GET ${path}`)).send_error).toBeNull();
    expect(refusal(await world.rest(`POST ${path}/send`))).toBe("409 EINVOICE_UNDER_WAY");
  });

  it("shows nothing of another account's document", async () => {
    const id = await issued();
    const { keys } = await world.openAnother();
    const reply = await world.rest(`POST /invoices/${id}/send`, { again: true }, keys.read_write);
    expect(refusal(reply)).toBe("404 NOT_FOUND");
    expect(await deliveriesOf(id)).toEqual([]);
  });
});
