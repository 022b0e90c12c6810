/**
 * An e-invoice from its issue to its credit note, in an account that is connected to the simulation of phoss-ap, over a wire that loses
 * answers: what the buyer receives is counted in the books of the simulation.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { lookAtEinvoices } from "../../src/features/documents/delivery-outcomes/check-einvoices.ts";
import { listAttention } from "../../src/features/overview/today/list-attention.ts";
import { todayOf } from "../../src/features/recurring/series/activate.ts";
import { noteSendError } from "../../src/features/sales/credit-notes/bookable.ts";
import { handOver, inEnvelope, invoiceResponse, status } from "../support/einvoice/answers.ts";
import { connectEinvoices } from "../support/einvoice/connect-einvoices.ts";
import { openPhossSimulation, SIMULATED_TOKEN } from "../support/einvoice/phoss-ap/simulation.ts";
import { openFaultProxy } from "../support/ledger/fault-proxy.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_EINVOICE_HOSTS: "127.0.0.1" } });
let simulation: Awaited<ReturnType<typeof openPhossSimulation>>;
let wire: Awaited<ReturnType<typeof openFaultProxy>>;
beforeAll(async () => {
  simulation = await openPhossSimulation();
  wire = await openFaultProxy(simulation.origin);
});
afterAll(async () => {
  await wire?.close();
  await simulation?.close();
});

const BUYER = "0088:5798009811578";
const WORDS = "Order number is wrong; REF PO 4711 is closed";

it("is sent once, answered, credited, and its credit note sent once, whatever gets lost", async () => {
  const customer = await prepare();

  // The access point takes the invoice, and its answer is a report of a failure, after which it tries again by itself.
  await simulation.control("switches", { network: "failed", network_times: 1 });
  const invoice = await issue(customer);
  const sent = await lastDelivery(`/invoices/${invoice.id}`);
  expect([sent.state, sent.address]).toEqual(["unknown", BUYER]);
  await look(sent.id);
  expect((await shown(sent.id)).state).toBe("accepted");
  await simulation.control("retry");
  await look(sent.id);
  const delivered = await shown(sent.id);
  expect([delivered.state, typeof delivered.delivered_at]).toEqual(["delivered", "string"]);
  expect(await received()).toEqual([[sent.id, sent.file_sha256]]);

  const booked = await postings();

  // An answer in another name changes nothing; that of the buyer is stored once, however often it comes.
  const number = String(invoice.ledger_invoice_number);
  const answer = { number, receiver: "0184:25313763", code: "RE", note: "Order number is wrong" };
  const inside =
    status("OPStatusReason", "REF", "PO 4711 is closed") + status("OPStatusAction", "NIN");
  const forged = invoiceResponse({ ...answer, sender: "0088:5798009811639" });
  expect((await handOver(world, forged, { instance_id: "forged" })).status).toBe(200);
  expect((await shown(sent.id)).response ?? null).toBeNull();
  expect(await attention()).toEqual([]);
  const refusal = inEnvelope(invoiceResponse({ ...answer, inside, sender: BUYER }), BUYER);
  const outcomes = [];
  for (let again = 0; again < 2; again += 1) {
    outcomes.push((await handOver(world, refusal, { instance_id: "answer-1" })).body.outcome);
  }
  expect(outcomes).toEqual(["stored", "known"]);
  expect((await shown(sent.id)).response).toMatchObject({
    code: "RE",
    reasons: [{ code: "REF", text: "PO 4711 is closed" }],
    wants: ["NIN"],
    note: "Order number is wrong",
  });
  expect(await attention()).toEqual([`buyer_answered ${invoice.id} RE ${WORDS}`]);
  expect(await postings()).toEqual(booked);

  // The answer to the hand-over of the credit note is lost: it is looked up, and not handed over again.
  wire.next({ path: /^\/api\/outbound\/submit/ }, { type: "drop_after" });
  const note = await world.done("POST /credit-notes", {
    external_id: "credit",
    invoice: invoice.id,
    kind: "full",
    credit_date: "2026-03-10",
  });
  expect(note.send_error).toBe("the sending is unconfirmed: the access point is asked");
  const credit = await lastDelivery(`/credit-notes/${note.id}`);
  await look(credit.id);
  expect((await shown(credit.id)).state).toBe("delivered");
  expect((await world.done(`GET /credit-notes/${note.id}`)).send_error ?? null).toBeNull();
  expect(await received()).toEqual([
    [sent.id, sent.file_sha256],
    [credit.id, credit.file_sha256],
  ]);
  const file = (await world.rest(`GET /credit-notes/${note.id}/einvoice`)).body.toString();
  expect(file).toContain(`<cac:InvoiceDocumentReference>\n<cbc:ID>${number}</cbc:ID>`);
  // What is credited in full needs no attention any more.
  expect(await attention()).toEqual([]);
  const events = await eventsOf(sent.id);
  expect(events.filter((kind) => kind === "handed_over")).toHaveLength(1);
  // The forged answer is kept as well.
  expect(events.slice(-2)).toEqual(["response", "response"]);
});

/** Connects the account, and returns a customer who gets e-invoices. */
async function prepare(): Promise<Json> {
  await world.done("PATCH /configuration", {
    seller: { name: "Nordlys ApS", vat_number: "25313763", iban: "DK5000400440116243" },
  });
  await connectEinvoices(world, { url: wire.origin, token: SIMULATED_TOKEN }, "phoss-ap");
  const buyer = { name: "Ringkøbing Kommune", ean_number: "5798009811578", att_person: "Mette" };
  return world.done("POST /customers", { ...buyer, send_method: "einvoice" });
}

async function issue({ id: customer_id }: Json): Promise<Json> {
  const product = await world.done("POST /products", { name: "Advice", default_price: 1000 });
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const draft = await world.done("POST /invoices", { customer_id, lines, auto_send: true });
  return world.done(`POST /invoices/${draft.id}/issue`);
}

async function lastDelivery(path: string): Promise<Json> {
  const { data } = await world.done(`GET ${path}/deliveries`);
  return data[0];
}

const shown = (id: string): Promise<Json> => world.done(`GET /deliveries/${id}`);

/** Looks at a delivery as the background does when its time has come. */
async function look(id: string): Promise<void> {
  const due = "update deliveries set einvoice_look_at = clock_timestamp() where id = $1";
  await world.sql(due, [id]);
  await lookAtEinvoices(world.services, noteSendError);
}

const postings = () => world.sql("select count(*) from ledger_postings");

async function eventsOf(delivery: string): Promise<string[]> {
  const { data } = await world.done(`GET /deliveries/${delivery}/events`);
  return data.map(({ kind }: Json) => kind);
}

/** What the buyer has received, as delivery and hash. */
async function received(): Promise<string[][]> {
  const { sendings } = await simulation.books();
  return sendings.map(({ sbdhInstanceID, sha256 }) => [sbdhInstanceID, sha256]);
}

/** What stands on the start page: kind, document, and words. */
async function attention(): Promise<string[]> {
  const cx = await operatorContext(world.services, world.account.account_id);
  const needs = await listAttention(cx, await todayOf(cx), null);
  return needs
    .filter(({ kind }) => kind === "buyer_answered" || kind.startsWith("delivery_"))
    .map(({ kind, subject_id, detail }) => `${kind} ${subject_id} ${detail}`);
}
