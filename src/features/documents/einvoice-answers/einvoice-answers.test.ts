/** Answers to e-invoices: what they change, to which delivery they belong, and what is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type AnswerFields,
  handOver,
  inEnvelope,
  invoiceResponse,
  messageStatus,
  oioublResponse,
  status,
} from "../../../../test/support/einvoice/answers.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const GLN = "0088:5798009811578";
const world = useWorld();
const customer = world.made("POST /customers", { name: "Skatteforvaltningen" });
const product = world.made("POST /products", { name: "Advice" });
beforeAll(async () => {
  await world.done("PATCH /configuration", {
    seller: { name: "Studio", vat_number: "DK10150817" },
  });
});

/** An issued invoice whose e-invoice has the receiver's receipt. */
async function sent(address = GLN): Promise<{ id: string; number: string; delivery: string }> {
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1000 };
  const draft = { customer_id: customer.id, auto_send: false, lines: [line] };
  const { id } = await world.done("POST /invoices", draft);
  await world.done(`POST /invoices/${id}/issue`);
  const { ledger_invoice_number } = await world.done(`GET /invoices/${id}`);
  return { id, number: String(ledger_invoice_number), delivery: await deliveryOf(id, address) };
}

/** Stores a delivery as the sending of an e-invoice leaves it. */
async function deliveryOf(document_id: string, address: string, state = "delivered") {
  const [row] = await world.sql(
    `insert into deliveries (account_id, id, document_id, channel, address, state, at)
     values ($1, gen_random_uuid(), $2, 'einvoice', $3, $4, '2026-03-10T09:00:00Z') returning id`,
    [world.account.account_id, document_id, address, state],
  );
  return row.id as string;
}

async function shown(delivery: string): Promise<Json> {
  return world.done(`GET /deliveries/${delivery}`);
}
async function eventsOf(delivery: string): Promise<string[]> {
  const { data } = await world.done(`GET /deliveries/${delivery}/events`);
  return data.slice(1).map(({ kind, code, text }: Json) => `${kind} ${code} ${text}`);
}
const hand = async (fields: AnswerFields) => (await handOver(world, invoiceResponse(fields))).body;

describe("an answer of the receiver", () => {
  it("stands on the delivery with its reasons, wishes, conditions and words", async () => {
    const { number, delivery } = await sent();
    const condition =
      "<cac:Condition><cbc:AttributeID>BT-13</cbc:AttributeID><cbc:Description>PO0001</cbc:Description></cac:Condition>";
    const inside =
      status("OPStatusReason", "REF", "The order number is missing", condition) +
      status("OPStatusAction", "NIN");
    const body = await hand({ number, code: "RE", inside, note: "Please &amp; thanks" });

    expect(body).toEqual({
      object: "einvoice_inbound",
      outcome: "stored",
      delivery_id: delivery,
      countryCodeC4: "DK",
    });
    const { response, state } = await shown(delivery);
    expect(response).toEqual({
      code: "RE",
      at: "2026-03-10T09:00:00.000Z",
      reasons: [{ code: "REF", text: "The order number is missing" }],
      wants: ["NIN"],
      conditions: [{ term: "BT-13", value: "PO0001" }],
      note: "Please & thanks",
    });
    expect(state).toBe("delivered");
    expect(await eventsOf(delivery)).toEqual([
      "response RE REF The order number is missing; BT-13 PO0001; Please & thanks",
    ]);
    const { data } = await world.done("GET /deliveries?response=RE");
    expect(data.map(({ id }: Json) => id)).toContain(delivery);
    const audit = await world.done(`GET /audit-events?resource_id=${delivery}`);
    expect(audit.data[0]).toMatchObject({
      action: "answered",
      after: { response: { code: "RE" } },
    });
  });

  it("books, credits and pays nothing", async () => {
    const { id, number } = await sent();
    const books = () => world.sql("select count(*) from ledger_postings");
    const before = await books();
    await hand({ number, code: "RE" });
    await hand({ number, code: "PD", inside: status("OPStatusReason", "PPD") });
    expect(await books()).toEqual(before);
    expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ status: "issued" });
  });

  it("replaces an earlier code and never a later one, which is an event alone", async () => {
    const { number, delivery } = await sent();
    for (const code of ["AB", "UQ", "IP", "AP"]) await hand({ number, code });
    expect((await shown(delivery)).response.code).toBe("AP");
    await hand({ number, code: "CA" });
    expect((await shown(delivery)).response.code).toBe("AP");
    expect((await eventsOf(delivery)).map((event) => event.split(" ")[1])).toEqual([
      "AB",
      "UQ",
      "IP",
      "AP",
      "CA",
    ]);
  });

  it("belongs to the newest delivery of its document", async () => {
    const { id, number, delivery } = await sent();
    const again = await deliveryOf(id, GLN);
    const [{ newest }] = await world.sql("select greatest($1::uuid, $2::uuid) as newest", [
      delivery,
      again,
    ]);
    expect(await hand({ number })).toMatchObject({ outcome: "stored", delivery_id: newest });
  });

  it("is read in its envelope, and from OIOUBL", async () => {
    const one = await sent();
    const enveloped = inEnvelope(invoiceResponse({ number: one.number, code: "CA" }), GLN);
    expect((await handOver(world, enveloped)).body).toMatchObject({ delivery_id: one.delivery });
    const rejected = oioublResponse({
      number: one.number,
      code: "BusinessReject",
      text: "Forkert EAN",
    });
    expect((await handOver(world, rejected)).body).toMatchObject({ outcome: "stored" });
    expect((await shown(one.delivery)).response).toMatchObject({ code: "RE", note: "Forkert EAN" });
    const accepted = oioublResponse({ number: one.number, code: "BusinessAccept" });
    await handOver(world, accepted);
    expect((await shown(one.delivery)).response).toMatchObject({ code: "AP", note: null });
  });

  it("is stored once, by the id of its envelope, else by its bytes", async () => {
    const { number, delivery } = await sent();
    const xml = invoiceResponse({ number, code: "AP" });
    const outcomes: string[] = [];
    for (const instance_id of ["a-1", "a-1", undefined, undefined]) {
      const { body } = await handOver(
        world,
        xml,
        instance_id === undefined ? {} : { instance_id: `${number} ${instance_id}` },
      );
      outcomes.push(`${body.outcome} ${body.delivery_id === delivery}`);
    }
    expect(outcomes).toEqual(["stored true", "known true", "stored true", "known true"]);
    const at_once = await Promise.all(
      [1, 2, 3].map(() => handOver(world, xml, { instance_id: `${number} b` })),
    );
    expect(at_once.map(({ body }) => body.outcome).sort()).toEqual(["known", "known", "stored"]);
  });

  it("is on the start page while the document is open", async () => {
    const { id, number } = await sent();
    const inside = status("OPStatusReason", "REF", "No order number");
    await hand({ number, code: "UQ", inside });
    const rows = await world.sql(
      "select document_id from deliveries where response_code in ('RE', 'UQ', 'CA') and document_id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
  });
});

describe("what is refused", () => {
  const refused = (errorMessage: string) => ({
    object: "einvoice_inbound",
    outcome: "refused",
    delivery_id: null,
    countryCodeC4: "DK",
    retry: "none",
    errorMessage,
  });
  const NOT_SENT = "No e-invoice of this seller has this number and type.";

  it("an answer of another sender, which is one event and changes nothing", async () => {
    const { number, delivery } = await sent();
    const forged = invoiceResponse({ number, code: "RE", sender: "0088:5798009811639" });
    const expected = refused("The e-invoice went to another receiver.");
    expect((await handOver(world, forged)).body).toEqual(expected);
    expect((await handOver(world, forged)).body).toEqual(expected);
    // The document claims to be of the receiver, and its envelope is of another one.
    const hidden = inEnvelope(invoiceResponse({ number, code: "RE" }), "0088:5798009811639");
    expect((await handOver(world, hidden)).body).toEqual(expected);
    expect(await shown(delivery)).not.toHaveProperty("response");
    expect(await eventsOf(delivery)).toEqual([
      "response RE Not of the receiver, but of 0088:5798009811639",
      "response RE Not of the receiver, but of a sender without an address",
    ]);
  });

  it("an answer to what was never sent as an e-invoice", async () => {
    const { number } = await sent();
    expect(await hand({ number: "../1" })).toEqual(refused(NOT_SENT));
    expect(await hand({ number: "99999" })).toEqual(refused(NOT_SENT));
    expect(await hand({ number, type: "381" })).toEqual(refused(NOT_SENT));
    expect(await hand({ number: `2026-${number}` })).toEqual(refused(NOT_SENT));
    expect(await hand({ number, receiver: "0184:25313763" })).toEqual(refused(NOT_SENT));
    const { keys } = await world.openAnother();
    const xml = invoiceResponse({ number });
    const foreign = await handOver(world, xml, { key: keys.read_write });
    expect(foreign.body).toEqual(refused(NOT_SENT));
  });

  it("an id of the envelope that is too long", async () => {
    const { number } = await sent();
    const xml = invoiceResponse({ number });
    const longest = await handOver(world, xml, { instance_id: `${number}`.padEnd(300, "x") });
    expect([longest.status, longest.body.outcome]).toEqual([200, "stored"]);
    const longer = await handOver(world, xml, { instance_id: `${number}`.padEnd(301, "x") });
    expect([longer.status, longer.body.error.field_errors]).toEqual([
      422,
      [{ field: "X-SBDH-Instance-ID", code: "too_long", message: "At most 300 characters." }],
    ]);
  });

  it("an invoice, another document and an unknown code", async () => {
    const invoice = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>';
    const message = "Matchbook does not receive invoices.";
    expect((await handOver(world, invoice)).body).toEqual(refused(message));
    expect((await handOver(world, inEnvelope(invoice, GLN))).body).toEqual(refused(message));
    const { number } = await sent();
    expect(await hand({ number, code: "XX" })).toEqual(refused('The answer "XX" is not known.'));
  });
});

describe("a status of the receiver's access point", () => {
  it("refuses what was sent, with its text", async () => {
    const { delivery } = await sent();
    const { body } = await handOver(world, messageStatus(delivery, "RE", "BR-CO-15 is broken"));
    expect(body).toMatchObject({ outcome: "stored", delivery_id: delivery });
    expect(await shown(delivery)).toMatchObject({
      state: "rejected",
      send_error: "BR-CO-15 is broken",
    });
    const [row] = await world.sql("select error_code from deliveries where id = $1", [delivery]);
    expect(row.error_code).toBe("receiver_rejected");
    expect(await eventsOf(delivery)).toEqual(["rejected receiver_rejected BR-CO-15 is broken"]);
  });

  it("confirms what was only handed over", async () => {
    const { id } = await sent();
    const delivery = await deliveryOf(id, GLN, "accepted");
    await handOver(world, messageStatus(delivery, "AB"));
    expect(await shown(delivery)).toMatchObject({ state: "accepted" });
    await handOver(world, messageStatus(delivery, "AP"));
    expect(await shown(delivery)).toMatchObject({
      state: "delivered",
      send_error: null,
      delivered_at: "2026-03-10T09:00:00.000Z",
    });
  });

  it("is refused about what was not sent from here", async () => {
    const foreign = messageStatus("0190a000-0000-7000-8000-000000000000", "RE");
    expect((await handOver(world, foreign)).body).toMatchObject({ outcome: "refused" });
    expect((await handOver(world, messageStatus("no id", "RE"))).body).toMatchObject({
      outcome: "refused",
    });
  });
});

describe("bad input", () => {
  const xml = invoiceResponse({ number: "1" });
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  it.each<[string, string | Buffer]>([
    ["no XML", "hello"],
    ["a file that ends early", xml.slice(0, -20)],
    ["a document type", xml.replace(head, `${head}<!DOCTYPE a>`)],
    [
      "an entity bomb",
      xml.replace(head, `${head}<!DOCTYPE a [<!ENTITY b "${"b".repeat(9)}"><!ENTITY c "&b;&b;">]>`),
    ],
    ["an entity beside the five", xml.replace("answer", "&copy;")],
    ["an external entity", xml.replace(head, `${head}<!DOCTYPE a SYSTEM "file:///etc/passwd">`)],
    ["a deep tree", xml.replace("answer", `${"<cbc:ID>".repeat(60)}${"</cbc:ID>".repeat(60)}`)],
    ["another namespace", xml.replace("<cbc:ID>answer</cbc:ID>", '<x xmlns="urn:x"/>')],
    ["UTF-16", Buffer.from(`\ufeff${xml}`, "utf16le")],
    ["another encoding", xml.replace("UTF-8", "ISO-8859-1")],
    ["bytes that are no UTF-8", Buffer.from(xml.replace("answer", "\xe9"), "latin1")],
    ["very many elements", xml.replace("answer", "<cbc:ID/>".repeat(60_000))],
    ["an envelope without a document", inEnvelope("", GLN)],
  ])("refuses %s", async (_, content) => {
    const { status: code, body } = await handOver(world, content);
    expect(`${code} ${body.error?.code}`).toBe("400 MALFORMED_REQUEST");
  });

  it("refuses 2 MB, and other types of content", async () => {
    const long = xml.replace("answer", "x".repeat(2_000_000));
    expect((await handOver(world, long)).status).toBeGreaterThanOrEqual(400);
    expect((await handOver(world, xml, { type: "application/json" })).status).toBe(400);
  });

  it("refuses a key that only reads", async () => {
    const { status: code } = await handOver(world, xml, { key: world.account.keys.read });
    expect(code).toBe(403);
  });
});
