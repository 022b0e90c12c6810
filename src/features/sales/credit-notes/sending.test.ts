/**
 * Sending credit notes (spec 5.5): in the call that books them, repeatedly, and by the worker. `send_error` shows the outcome
 * of the last attempt in every answer and list. Also their PDF.
 */
import { describe, expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useMailWorld } from "../../../../test/support/mail/mail-world.ts";
import { whyWithout } from "../../../../test/support/run/needs.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";
import { transact } from "../../../platform/commands/tx.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import {
  sendDueDeliveries,
  settleAbandonedDeliveries,
} from "../../documents/deliveries/run-due.ts";
import { noteSendError } from "./bookable.ts";
import { sendCreditNote } from "./documents.ts";

const NO_ADDRESS = "the customer has no e-mail address";

let count = 0;
const world = useMailWorld();

/** An issued invoice of 100 that had no address to be sent to; its credit notes are sent. */
async function invoiceFor(email: string | null, fields: object = {}): Promise<Json> {
  const customer = await world.done("POST /customers", { name: "Acme", ...fields });
  const product = await world.done("POST /products", { name: "Hours", default_price: 100 });
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const draft = { customer_id: customer.id, lines, auto_send: true };
  const { id } = await world.done("POST /invoices", draft);
  const { send_error, ...invoice } = await world.done(`POST /invoices/${id}/issue`);
  await world.done(`PATCH /customers/${customer.id}`, { email });
  return invoice;
}

function credit(invoice: Json, fields: object = {}): Promise<Reply> {
  count += 1;
  return world.rest("POST /credit-notes", {
    external_id: `sent-${count}`,
    invoice: invoice.id,
    kind: "full",
    credit_date: "2026-03-10",
    ...fields,
  });
}

const show = (id: string): Promise<Json> => world.done(`GET /credit-notes/${id}`);
const deliveriesOf = async (id: string): Promise<Json[]> =>
  (await world.done(`GET /credit-notes/${id}/deliveries`)).data;
const send = () => sendDueDeliveries(world.services, noteSendError);

describe("POST /credit-notes sends when its invoice is sent", () => {
  it("201 without send_error, with the PDF as an attachment with its own file name", async () => {
    const invoice = await invoiceFor("credits@acme.example");

    const { status, body } = await credit(invoice);

    expect([status, body.send_error]).toEqual([201, null]);
    expect(await deliveriesOf(body.id)).toMatchObject([
      {
        object: "delivery",
        document_id: body.id,
        channel: "email",
        address: "credits@acme.example",
        state: "written_to_outbox",
        send_error: null,
      },
    ]);
    const mails = await world.mails();
    const mail = mails.find(({ subject }) => subject?.startsWith("Kreditnota"));
    expect(mail?.subject).toMatch(`Kreditnota ${body.ledger_credit_note_number} fra Studio `);
    expect(mail?.text).toContain("125,00");
    expect(mail?.attachments).toMatchObject([
      { filename: `kreditnota-${body.ledger_credit_note_number}.pdf`, mimeType: "application/pdf" },
    ]);
    const pdf = await world.rest(`GET /credit-notes/${body.id}/pdf`);
    expect(Buffer.from(mail?.attachments[0]?.content as ArrayBuffer).equals(pdf.body)).toBe(true);
  });

  it("96. 200 with send_error when it is booked and cannot be sent", async () => {
    const invoice = await invoiceFor(null);

    const { status, body } = await credit(invoice);

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "issued", send_error: NO_ADDRESS });
    expect(body.ledger_credit_note_number).toEqual(expect.any(Number));
    expect(await show(body.id)).toEqual(body);
    const listed = await world.done(`GET /invoices/${invoice.id}/credit-notes`);
    expect(listed.data).toEqual([body]);
    expect(await deliveriesOf(body.id)).toMatchObject([
      { state: "failed_permanent", address: null, send_error: NO_ADDRESS },
    ]);
  });

  it.each<[string, string, object, string | RegExp]>([
    ["a server that refuses the address permanently", "550-rcpt@acme.example", {}, /550/],
    ["a server that asks for a retry", "451-rcpt@acme.example", {}, /451/],
    [
      "an e-invoice, which cannot be sent yet",
      "ap@acme.example",
      { send_method: "einvoice" },
      "e-invoice sending is not configured",
    ],
  ])(
    "200 with send_error for %s, and a repeat shows the same",
    async (_what, email, fields, error) => {
      const invoice = await invoiceFor("ap@acme.example", fields);
      await world.done(`PATCH /customers/${invoice.customer_id}`, { email });
      await world.useServer();
      const external_id = `repeat ${email} ${JSON.stringify(fields)}`;

      const first = await credit(invoice, { external_id });
      const again = await credit(invoice, { external_id });

      expect([first.status, again.status]).toEqual([200, 200]);
      expect(first.body.send_error).toMatch(error);
      expect(again.body).toEqual(first.body);
      expect(await deliveriesOf(first.body.id)).toHaveLength(1);
    },
  );

  it("sends to the current address for the customer's documents", async () => {
    const invoice = await invoiceFor("old@acme.example");
    await world.done(`PATCH /customers/${invoice.customer_id}`, { email: "new@acme.example" });

    const { body } = await credit(invoice);

    expect(await deliveriesOf(body.id)).toMatchObject([{ address: "new@acme.example" }]);
  });

  it("sends nothing when auto_send of the invoice is false", async () => {
    const id = await world.unsent();

    const { status, body } = await credit({ id });

    expect([status, body.send_error]).toEqual([201, null]);
    expect(await deliveriesOf(body.id)).toEqual([]);
  });
});

describe("POST /credit-notes/{ref}/send", () => {
  it("returns the new delivery and clears send_error", async () => {
    const { body } = await credit(await invoiceFor(null), { external_id: "send again" });
    expect(body.send_error).toBe(NO_ADDRESS);

    const delivery = await world.done("POST /credit-notes/ext:send again/send", {
      address: "other@acme.example",
    });

    expect(delivery).toMatchObject({
      object: "delivery",
      document_id: body.id,
      channel: "email",
      address: "other@acme.example",
      state: "written_to_outbox",
      send_error: null,
    });
    expect(await show(body.id)).toEqual({ ...body, send_error: null });
    const [second, first] = await deliveriesOf(body.id);
    expect([second?.id, first?.state]).toEqual([delivery.id, "failed_permanent"]);
    const repeat = await credit({ id: body.invoice_id }, { external_id: "send again" });
    expect(repeat).toMatchObject({ status: 200, body: { send_error: null } });
  });

  it("sets send_error on the credit note when the sending fails", async () => {
    const { body } = await credit(await invoiceFor("ap@acme.example"));
    await world.useServer();

    const delivery = await world.done(`POST /credit-notes/${body.id}/send`, {
      address: "550-rcpt@acme.example",
    });

    expect(delivery).toMatchObject({ state: "failed_permanent" });
    expect((await show(body.id)).send_error).toBe(delivery.send_error);
    expect(delivery.send_error).toMatch(/550/);
  });

  it("does not change other credit notes of the invoice", async () => {
    const invoice = await invoiceFor(null);
    const lines = [{ invoice_line_id: invoice.lines[0].id, amount: 1 }];
    const [first, second] = [
      await credit(invoice, { kind: "partial", lines }),
      await credit(invoice),
    ];

    await world.done(`POST /credit-notes/${second.body.id}/send`, { address: "x@acme.example" });
    await world.done(`POST /invoices/${invoice.id}/send`, { address: "x@acme.example" });

    expect((await show(first.body.id)).send_error).toBe(NO_ADDRESS);
    expect((await show(second.body.id)).send_error).toBeNull();
  });

  it.each([
    ["an invalid address", { address: "unknown" }, "422 VALIDATION_FAILED address invalid_format"],
    ["an unknown credit note", {}, "404 NOT_FOUND"],
  ])("refuses %s", async (_what, body, expected) => {
    const reply = await world.rest("POST /credit-notes/ext:nobody/send", body);
    expect(refusal(reply)).toBe(expected);
  });

  it("lists the deliveries of the credit note in pages, from the newest to the oldest", async () => {
    const { body } = await credit(await invoiceFor("ap@acme.example"));
    const ids = (await deliveriesOf(body.id)).map((delivery) => delivery.id);
    for (const address of ["a@acme.example", "b@acme.example"]) {
      ids.unshift((await world.done(`POST /credit-notes/${body.id}/send`, { address })).id);
    }

    const path = `GET /credit-notes/${body.id}/deliveries`;
    const page = await world.done(`${path}?limit=2`);
    const rest = await world.done(`${path}?limit=2&cursor=${page.next_cursor}`);

    expect([...page.data, ...rest.data].map((delivery: Json) => delivery.id)).toEqual(ids);
    expect([page.has_more, rest.has_more]).toEqual([true, false]);
  });
});

describe("the worker", () => {
  it("clears send_error when the server accepts the second attempt", async () => {
    const invoice = await invoiceFor("ap@acme.example");
    await world.done(`PATCH /customers/${invoice.customer_id}`, { email: "451-rcpt@acme.example" });
    await world.useServer();
    const { body } = await credit(invoice);
    const [delivery] = await deliveriesOf(body.id);
    expect(delivery).toMatchObject({ state: "failed_temporary", send_error: body.send_error });
    await world.useMail(null);

    await world.letTimePass(delivery?.id);
    expect(await send()).toBe(1);

    expect(await show(body.id)).toEqual({ ...body, send_error: null });
  });

  it("sets send_error to unknown when the process ended while it was sending", async () => {
    const { body } = await credit(await invoiceFor("ap@acme.example"));
    await world.useServer();
    const cx = await schedulerContext(world.services, world.account.account_id);
    const delivery_id = await transact(cx, async (inside) => {
      const plan = await sendCreditNote.plan(inside, { ref: body.id });
      return sendCreditNote.commit(inside, plan);
    });
    await world.sql("update deliveries set state = 'sending' where id = $1", [delivery_id]);
    await world.letTimePass(delivery_id);

    expect(await settleAbandonedDeliveries(world.services, noteSendError)).toBe(1);

    const [delivery] = await deliveriesOf(body.id);
    expect(delivery).toMatchObject({ id: delivery_id, state: "unknown" });
    expect((await show(body.id)).send_error).toBe(delivery?.send_error);
    expect(delivery?.send_error).toMatch(/before you send it again/);
  });
});

describe("GET /credit-notes/{ref}/pdf", () => {
  it("is stored once, and has the same bytes from then on", async () => {
    const { body } = await credit({ id: await world.unsent() });

    const [first, second] = [
      await world.rest(`GET /credit-notes/${body.id}/pdf`),
      await world.rest(`GET /credit-notes/${body.id}/pdf`),
    ];

    expect(first.headers.get("content-type")).toBe("application/pdf");
    expect(first.headers.get("content-disposition")).toContain(
      `kreditnota-${body.ledger_credit_note_number}.pdf`,
    );
    expect(first.body.subarray(0, 5).toString()).toBe("%PDF-");
    expect(second.body.equals(first.body)).toBe(true);
  });

  it("names the credited invoice with its day, and asks for no payment", async ({ skip }) => {
    const missing = whyWithout("pdftotext");
    skip(missing !== undefined, missing);
    const invoice = await invoiceFor("ap@acme.example");
    const { body } = await credit(invoice, { credit_date: "2026-03-12" });

    const text = textOfPdf((await world.rest(`GET /credit-notes/${body.id}/pdf`)).body);

    expect(text).toContain(`Kreditnota ${body.ledger_credit_note_number}`);
    expect(text).toMatch(
      new RegExp(`faktura ${invoice.ledger_invoice_number}\\b.*10\\. marts 2026`),
    );
    expect(text).toContain("12. marts 2026");
    expect(text).toContain("125,00");
    expect(text).not.toMatch(/UDKAST|[Bb]etales|[Ff]orfald/);
  });
});
