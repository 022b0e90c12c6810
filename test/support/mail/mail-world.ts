/**
 * A world with a mail transport that a test chooses: the outbox, or a real SMTP server that refuses by the recipient's
 * address. After each test, the servers are closed and open deliveries become `unknown`, so that they are not sent.
 */
import { afterEach, beforeAll, expect } from "vitest";
import { sendInvoice } from "../../../src/features/sales/invoices/documents.ts";
import { transact } from "../../../src/platform/commands/tx.ts";
import { noHold } from "../../../src/platform/mail/hold.ts";
import { type MailTransports, openMailTransports } from "../../../src/platform/mail/transports.ts";
import { schedulerContext } from "../../../src/platform/runtime/services.ts";
import { type Json, type UsedWorld, useWorld } from "../world/world.ts";
import { closeServers, refusal, startServer } from "./smtp-servers.ts";

const MAIL_FROM = "billing@studio.example";

interface MailWorld extends UsedWorld {
  /** From now on, mail goes to the SMTP server on the port; null for the outbox, which is the default. */
  useMail(port: number | null): Promise<void>;
  /**
   * Starts a server that answers `451` to the recipient `451-rcpt@…`, or after the text to `451-data@…`; returns the texts that
   * it received.
   */
  useServer(): Promise<Buffer[]>;
  /** A draft, for a customer with the address, that is sent when it is issued. */
  draft(email: string | null, customer?: object, key?: string): Promise<string>;
  /** The same issued, with the reply's `send_error` and the delivery. */
  issued(
    email: string | null,
    customer?: object,
    key?: string,
  ): Promise<{ readonly id: string; readonly send_error?: string; readonly delivery: Json }>;
  /** An issued invoice that was not sent. */
  unsent(email?: string): Promise<string>;
  /** Queues a delivery as POST /invoices/{ref}/send does, in a process that ends before the attempt. */
  queueInDyingProcess(): Promise<string>;
  /** The row of a delivery. */
  rowOf(delivery_id: string): Promise<Json>;
  /** Simulates the passing of time: no process holds the delivery any more, and it is due unless it is final. */
  letTimePass(delivery_id: string): Promise<void>;
}

/** `base_url` is the public origin, for the links in messages. */
export function useMailWorld(base_url = "http://localhost:3000"): MailWorld {
  let room: MailTransports | undefined;
  const roomOrThrow = (): MailTransports => {
    if (room === undefined) throw new Error("the transports are closed");
    return room;
  };
  const world = useWorld({
    overrides: {
      mail: {
        from: MAIL_FROM,
        base_url,
        limits: null,
        hold: noHold,
        transportFor: (account) => roomOrThrow().transportFor(account),
        close: () => roomOrThrow().close(),
      },
    },
  });
  const useMail = async (port: number | null): Promise<void> => {
    await room?.close();
    const smtp_url = port === null ? null : `smtp://127.0.0.1:${port}`;
    room = openMailTransports({
      outbox_dir: world.outbox_dir,
      smtp_url,
      mail_from: MAIL_FROM,
      base_url,
      mail_limits: null,
    });
  };
  const tidy = async (): Promise<void> => {
    await useMail(null);
    await closeServers();
    await world.sql(
      `update deliveries set state = 'unknown'
       where state in ('queued', 'sending', 'failed_temporary')`,
    );
  };
  beforeAll(() => useMail(null));
  afterEach(tidy);

  const draft: MailWorld["draft"] = async (email, fields = {}, key) => {
    const customer = await world.done("POST /customers", { name: "Acme", email, ...fields }, key);
    const product = await world.done("POST /products", { name: "Hours", default_price: 100 }, key);
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const body = { customer_id: customer.id, lines, auto_send: true };
    return (await world.done("POST /invoices", body, key)).id;
  };
  const unsent = async (email = "ap@acme.example"): Promise<string> => {
    const id = await draft(email);
    await world.done(`PATCH /invoices/${id}`, { auto_send: false });
    await world.done(`POST /invoices/${id}/issue`);
    return id;
  };
  return Object.assign(world, {
    useMail,
    async useServer() {
      const { port, received } = await startRefusingServer();
      await useMail(port);
      return received;
    },
    draft,
    async issued(email, fields, key) {
      const id = await draft(email, fields, key);
      const { status, body } = await world.rest(`POST /invoices/${id}/issue`, undefined, key);
      expect([status, body.status]).toEqual([200, "issued"]);
      const { data } = await world.done(`GET /invoices/${id}/deliveries`, undefined, key);
      expect(data).toHaveLength(1);
      return { id, send_error: body.send_error, delivery: data[0] };
    },
    unsent,
    async queueInDyingProcess() {
      const ref = await unsent();
      const cx = await schedulerContext(world.services, world.account.account_id);
      return transact(cx, async (inside) => {
        return sendInvoice.commit(inside, await sendInvoice.plan(inside, { ref }));
      });
    },
    async rowOf(id) {
      return (await world.sql("select * from deliveries where id = $1", [id]))[0];
    },
    async letTimePass(id) {
      await world.sql(
        `update deliveries set next_attempt_at = clock_timestamp() - interval '1 second',
           lease_until = least(lease_until, clock_timestamp() - interval '1 second') where id = $1`,
        [id],
      );
    },
  } satisfies Omit<MailWorld, keyof UsedWorld>);
}

async function startRefusingServer(): Promise<{ port: number; received: Buffer[] }> {
  const received: Buffer[] = [];
  const outcomeFor = (address: string | undefined, moment: string): Error | null => {
    const number = new RegExp(`^(\\d+)-${moment}@`).exec(address ?? "")?.[1];
    return number === undefined ? null : refusal(Number(number), "not this one");
  };
  const { port } = await startServer({
    onRcptTo: ({ address }, _session, done) => done(outcomeFor(address, "rcpt")),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push(Buffer.concat(chunks));
        done(outcomeFor(envelope.rcptTo[0]?.address, "data"));
      });
    },
  });
  return { port, received };
}
