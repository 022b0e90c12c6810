/**
 * Sending issued documents (spec 5.3 and 10.4): the outcomes of an issue that sends, and
 * repeated sending. With real SMTP servers and a real outbox; a failed mail never undoes a booking.
 */
import { readdir } from "node:fs/promises";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useMailWorld } from "../../../../test/support/mail/mail-world.ts";
import {
  afterData,
  closedPort,
  startScripted,
} from "../../../../test/support/mail/smtp-servers.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { sendDueDeliveries, settleAbandonedDeliveries } from "./run-due.ts";

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

const world = useMailWorld();

const work = async () => [
  await settleAbandonedDeliveries(world.services),
  await sendDueDeliveries(world.services),
];

async function written(): Promise<string[]> {
  return (await readdir(world.outbox_dir).catch(() => [])).sort();
}

describe("POST /invoices/{ref}/issue of an invoice that is to be sent", () => {
  it("hands its PDF to the mail server once", async () => {
    const received = await world.useServer();

    const { id, send_error, delivery } = await world.issued("ap@acme.example");

    expect(send_error).toBeUndefined();
    expect(delivery).toEqual({
      object: "delivery",
      id: expect.any(String),
      document_id: id,
      channel: "email",
      address: "ap@acme.example",
      state: "accepted",
      send_error: null,
      at: "2026-03-10T09:00:00.000Z",
    });
    expect(received).toHaveLength(1);
    const mail = await PostalMime.parse(received[0] ?? "");
    expect(mail.messageId).toBe(`<${delivery.id}@studio.example>`);
    expect(mail.to).toMatchObject([{ address: "ap@acme.example" }]);
    expect(mail.text).toMatch(/^Hej\n\nVedhæftet er faktura \d+ på 125,00 DKK, som forfalder/);
    for (const part of ["125,00 DKK", "Forfalder den", '<html lang="da">'])
      expect(mail.html).toContain(part);
    // Without https there is no link to the document.
    expect(mail.html).not.toContain("href=");
    const { body } = await world.rest(`GET /invoices/${id}/pdf`);
    expect(body.equals(Buffer.from(mail.attachments[0]?.content as ArrayBuffer))).toBe(true);
    await world.letTimePass(delivery.id);
    expect(await work()).toEqual([0, 0]);
  });

  it("says what the account has written, as text in both parts", async () => {
    const received = await world.useServer();
    const own = {
      subject: "Regning {number}",
      body: "Kære {customer}\n\n<b>{amount}</b> {{sender}}\nTak.",
    };
    await world.done("PATCH /configuration", { mail_texts: { da: { invoice: own } } });
    const { id } = await world.issued("own@acme.example");
    const usual = { subject: null, body: null };
    await world.done("PATCH /configuration", { mail_texts: { da: { invoice: usual } } });
    const { ledger_invoice_number: number, customer_id } = await world.done(`GET /invoices/${id}`);
    const { name } = await world.done(`GET /customers/${customer_id}`);
    const mail = await PostalMime.parse(received[0] ?? "");
    expect(mail.subject).toBe(`Regning ${number}`);
    const { name: sender } = mail.from ?? {};
    expect(mail.text?.trimEnd()).toBe(`Kære ${name}\n\n<b>125,00 DKK</b> {${sender}}\nTak.`);
    expect(mail.html).toContain("&#60;b&#62;125,00 DKK&#60;/b&#62;");
    expect(mail.html).toContain("Forfalder den");
    expect(mail.html).not.toContain("vedh");
  });

  it.each<[string, string, string, RegExp]>([
    ["4xx for the recipient", "451-rcpt", "failed_temporary", /refused the recipient.*451/],
    ["5xx for the recipient", "550-rcpt", "failed_permanent", /refused the recipient.*550/],
    ["4xx for the message", "451-data", "failed_temporary", /refused the message.*451/],
    ["5xx for the message", "552-data", "failed_permanent", /refused the message.*552/],
  ])("issues it nevertheless after %s", async (_what, local, state, error) => {
    await world.useServer();

    const { id, send_error, delivery } = await world.issued(`${local}@acme.example`);

    expect(delivery.state).toBe(state);
    expect(send_error).toMatch(error);
    expect(delivery.send_error).toBe(send_error);
    expect(await world.done(`GET /invoices/${id}`)).not.toHaveProperty("send_error");
    expect(refusal(await world.rest(`POST /invoices/${id}/issue`))).toBe(
      "409 INVOICE_ALREADY_ISSUED",
    );
  });

  it("shows hostile names as text in both parts of its mail", async () => {
    const name = `"><img src=x onerror="alert(1)"><script>hit</script>{{7*7}}`;
    const another = await world.openAnother();
    const key = another.keys.read_write;
    await world.done("PATCH /configuration", { seller: { name } }, key);
    const { delivery } = await world.issued("ap@acme.example", { name }, key);
    const mails = await world.mails();
    const mail = mails.find(({ messageId }) => messageId?.startsWith(`<${delivery.id}`));
    expect(mail?.text).toContain(name);
    expect(mail?.html).not.toMatch(/<(img|script)/);
    expect(mail?.html).toContain("&#60;img src=x onerror=&#34;");
  });

  it("fails temporarily when no server listens", async () => {
    await world.useMail(await closedPort());

    const { send_error, delivery } = await world.issued("ap@acme.example");

    expect(delivery.state).toBe("failed_temporary");
    expect(send_error).toMatch(/could not be reached/);
  });

  it("is unknown when the connection drops after the text, and is never repeated automatically", async () => {
    const { port, lines } = await startScripted(
      "220 ready",
      afterData((line) => (line === "." ? null : "")),
    );
    await world.useMail(port);

    const { send_error, delivery } = await world.issued("ap@acme.example");

    expect(delivery.state).toBe("unknown");
    expect(send_error).toMatch(/may have been sent/);
    await world.letTimePass(delivery.id);
    expect(await work()).toEqual([0, 0]);
    expect(lines.filter((line) => line === "DATA")).toHaveLength(1);
  });

  it.each<[string, string | null, object, string]>([
    ["no e-mail address", null, {}, "the customer has no e-mail address"],
    [
      "an e-invoice",
      "ap@acme.example",
      { send_method: "einvoice", ean_number: "5790000123452" },
      "e-invoice sending is not configured",
    ],
  ])("fails permanently with %s, and is issued", async (_what, email, fields, text) => {
    const { send_error, delivery } = await world.issued(email, fields);

    expect(send_error).toBe(text);
    expect(delivery).toMatchObject({ state: "failed_permanent", send_error: text, address: null });
    await world.letTimePass(delivery.id);
    expect(await work()).toEqual([0, 0]);
  });

  it("never sends mail of a sandbox account to the configured server", async () => {
    const received = await world.useServer();
    const { keys } = await world.openAnother({ sandbox: true });

    const { delivery } = await world.issued("ap@acme.example", {}, keys.read_write);

    expect(delivery.state).toBe("written_to_outbox");
    expect(await written()).toContain(`${delivery.id}@studio.example.eml`);
    expect(received).toEqual([]);
  });
});

describe("POST /invoices/{ref}/send", () => {
  it("sends the same document again, as a separate delivery", async () => {
    const received = await world.useServer();
    const { id, delivery } = await world.issued("ap@acme.example");
    world.clock.set("2026-03-12T10:00:00.000Z");

    const { status, body } = await world.rest(`POST /invoices/${id}/send`);

    world.clock.set("2026-03-10T09:00:00.000Z");
    expect(status).toBe(200);
    expect(body).toEqual({
      ...delivery,
      id: expect.any(String),
      at: "2026-03-12T10:00:00.000Z",
    });
    expect(body.id).not.toBe(delivery.id);
    const [first, second] = await Promise.all(received.map((raw) => PostalMime.parse(raw)));
    expect(second?.subject).toBe(first?.subject);
    expect(second?.messageId).not.toBe(first?.messageId);
    expect(second?.attachments[0]?.content).toEqual(first?.attachments[0]?.content);
  });

  it("sends to another address once, also for a customer who receives e-invoices", async () => {
    const { id } = await world.issued(null, { send_method: "einvoice" });

    const body = await world.done(`POST /invoices/${id}/send`, { address: "boss@acme.example" });

    expect(body).toMatchObject({
      channel: "email",
      address: "boss@acme.example",
      state: "written_to_outbox",
    });
    expect(await world.done(`POST /invoices/${id}/send`, {})).toMatchObject({
      channel: "einvoice",
      state: "failed_permanent",
      send_error: "e-invoice sending is not configured",
    });
  });

  it("uses the customer's current address", async () => {
    const { id } = await world.issued(null);
    const { customer_id } = await world.done(`GET /invoices/${id}`);
    await world.done(`PATCH /customers/${customer_id}`, { email: "new@acme.example" });

    expect(await world.done(`POST /invoices/${id}/send`)).toMatchObject({
      address: "new@acme.example",
      state: "written_to_outbox",
    });
  });

  it("answers 200 with the error of a failed sending", async () => {
    await world.useServer();
    const id = await world.unsent();

    const { status, body } = await world.rest(`POST /invoices/${id}/send`, {
      address: "550-rcpt@acme.example",
    });

    expect([status, body.state]).toEqual([200, "failed_permanent"]);
    expect(body.send_error).toMatch(/550/);
  });

  it.each<[string, () => Promise<string>, object, string]>([
    ["a draft", () => world.draft("a@x.example"), {}, "409 INVOICE_NOT_ISSUED"],
    ["nothing", async () => UNKNOWN_ID, {}, "404 NOT_FOUND"],
    ["an unreadable reference", async () => "17", {}, "400 MALFORMED_REQUEST"],
    [
      "two addresses",
      () => world.unsent(),
      { address: "a@x.example, b@x.example" },
      "422 VALIDATION_FAILED address invalid_format",
    ],
    [
      "a line feed in an address",
      () => world.unsent(),
      { address: "a@x.example\r\nBcc: b@x.example" },
      "422 VALIDATION_FAILED address invalid_format",
    ],
  ])("refuses %s", async (_what, make, body, expected) => {
    const reply = await world.rest(`POST /invoices/${await make()}/send`, body);

    expect(refusal(reply)).toBe(expected);
  });

  it("needs a key that may write, of the invoice's own account", async () => {
    const id = await world.unsent();
    const other = await world.openAnother();

    const call = (key: string) => world.rest(`POST /invoices/${id}/send`, undefined, key);

    expect(refusal(await call(world.account.keys.read))).toBe("403 INSUFFICIENT_SCOPE");
    expect(refusal(await call(other.keys.read_write))).toBe("404 NOT_FOUND");
    expect((await world.done(`GET /invoices/${id}/deliveries`)).data).toEqual([]);
  });
});

describe("GET /invoices/{ref}/deliveries", () => {
  it("lists the attempts from the newest to the oldest, in pages", async () => {
    const id = await world.unsent();
    const sent: Json[] = [];
    for (let index = 0; index < 3; index += 1) {
      sent.unshift(await world.done(`POST /invoices/${id}/send`));
    }

    const first = await world.done(`GET /invoices/${id}/deliveries?limit=2`);
    const rest = await world.done(
      `GET /invoices/${id}/deliveries?limit=2&cursor=${first.next_cursor}`,
    );

    expect(first).toMatchObject({ object: "list", data: sent.slice(0, 2), has_more: true });
    expect(rest).toEqual({
      object: "list",
      data: sent.slice(2),
      has_more: false,
      next_cursor: null,
    });
  });

  it.each([
    [UNKNOWN_ID, "404 NOT_FOUND"],
    ["17", "400 MALFORMED_REQUEST"],
  ])("answers %s with %s", async (ref, expected) => {
    expect(refusal(await world.rest(`GET /invoices/${ref}/deliveries`))).toBe(expected);
  });

  it("is empty for a draft, and refuses a cursor that this service did not make", async () => {
    const id = await world.draft("ap@acme.example");

    expect((await world.done(`GET /invoices/${id}/deliveries`)).data).toEqual([]);
    const no_id = Buffer.from(`1|${"-".repeat(36)}`).toString("base64url");
    for (const cursor of ["x", no_id]) {
      const reply = await world.rest(`GET /invoices/${id}/deliveries?cursor=${cursor}`);
      expect(refusal(reply)).toBe("422 VALIDATION_FAILED cursor invalid_value");
    }
  });
});

describe("GET /deliveries", () => {
  it("lists the attempts of all documents from the newest to the oldest, in pages", async () => {
    await world.useServer();
    const bounced = await world.issued("550-rcpt@acme.example");
    const invoice = await world.issued("ap@acme.example");
    const credited = await world.done("POST /credit-notes", {
      external_id: "sent-too",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-10",
    });

    const first = await world.done("GET /deliveries?limit=2");
    const second = await world.done(`GET /deliveries?limit=1&cursor=${first.next_cursor}`);

    expect(first.data.map(({ document_id }: Json) => document_id)).toEqual([
      credited.id,
      invoice.id,
    ]);
    expect(second.data).toEqual([bounced.delivery]);
    expect(second.has_more).toBe(true);
  });

  it("shows only those in one state", async () => {
    await world.useServer();
    const { delivery } = await world.issued("550-rcpt@acme.example");
    await world.issued("ap@acme.example");

    const failed = await world.done("GET /deliveries?state=failed_permanent&limit=1");

    expect(failed.data).toEqual([delivery]);
    const { data } = await world.done("GET /deliveries?state=accepted&limit=100");
    expect(new Set(data.map(({ state }: Json) => state))).toEqual(new Set(["accepted"]));
    expect((await world.done("GET /deliveries?state=sending")).data).toEqual([]);
  });

  it("shows nothing of another account", async () => {
    await world.issued("ap@acme.example");
    const { keys } = await world.openAnother();

    expect((await world.done("GET /deliveries", undefined, keys.read_write)).data).toEqual([]);
  });

  it.each([
    ["state=lost", "422 VALIDATION_FAILED state invalid_value"],
    ["cursor=x", "422 VALIDATION_FAILED cursor invalid_value"],
    ["limit=0", "422 VALIDATION_FAILED limit too_small"],
  ])("refuses %s", async (query, expected) => {
    expect(refusal(await world.rest(`GET /deliveries?${query}`))).toBe(expected);
  });
});
