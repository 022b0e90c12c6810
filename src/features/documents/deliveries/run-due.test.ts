/**
 * The background work of documents (spec 10.3, 10.4 and 10.5): retries, deliveries of processes that
 * ended at the wrong moment, and PDFs that were never requested.
 */
import { readdir } from "node:fs/promises";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { useMailWorld } from "../../../../test/support/mail/mail-world.ts";
import { closedPort, startServer } from "../../../../test/support/mail/smtp-servers.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { sql } from "../../../platform/database/sql.ts";
import { transaction } from "../../../platform/database/transaction.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { waitingRenderer } from "../issued/render-waiting.ts";
import { attemptDelivery } from "./attempt.ts";
import { sendDueDeliveries, settleAbandonedDeliveries } from "./run-due.ts";

const world = useMailWorld();

const send = () => sendDueDeliveries(world.services);
const settleAbandoned = () => settleAbandonedDeliveries(world.services);

/** The outbox files of a delivery, including unfinished ones. */
async function filesOf(delivery_id: string): Promise<string[]> {
  const names = await readdir(world.outbox_dir).catch(() => []);
  return names.filter((name) => name.includes(delivery_id));
}

/** Whether a statement waits for a lock on the table. */
async function waitsFor(table: string): Promise<boolean> {
  const rows = await world.sql(
    `select from pg_locks l join pg_class c on c.oid = l.relation
     where l.database = (select oid from pg_database where datname = current_database())
       and c.relname = $1 and not l.granted`,
    [table],
  );
  return rows.length > 0;
}

describe("sending due deliveries", () => {
  it("tries after 1, 5, 30, 120, 480 and 1440 minutes with the same bytes, then gives up", async () => {
    const received = await world.useServer();
    const { delivery } = await world.issued("451-data@acme.example");
    const pauses: number[] = [];

    for (;;) {
      const [row] = await world.sql(
        `select state, extract(epoch from next_attempt_at - updated_at)::float8 / 60 as minutes
         from deliveries where id = $1`,
        [delivery.id],
      );
      if (row.state !== "failed_temporary") break;
      pauses.push(Math.round(row.minutes));
      expect(await send()).toBe(0);
      await world.letTimePass(delivery.id);
      expect(await send()).toBe(1);
    }

    expect(pauses).toEqual([1, 5, 30, 120, 480, 1440]);
    expect((await world.rowOf(delivery.id)).state).toBe("failed_permanent");
    await world.letTimePass(delivery.id);
    expect(await send()).toBe(0);
    expect(received).toHaveLength(7);
    expect(new Set(received.map((bytes) => bytes.toString("base64"))).size).toBe(1);
    expect((await PostalMime.parse(received[0] ?? "")).messageId).toContain(delivery.id);
    const { data } = await world.done(`GET /audit-events?resource_id=${delivery.id}`);
    expect(data.map((event: Json) => event.action)).toEqual([
      "failed_permanent",
      ...Array(6).fill("failed_temporary"),
      "queued",
    ]);
  });

  it("clears the failure when the server accepts the second attempt", async () => {
    await world.useMail(await closedPort());
    const { delivery } = await world.issued("ap@acme.example");
    const received = await world.useServer();

    await world.letTimePass(delivery.id);
    expect(await send()).toBe(1);

    expect(received).toHaveLength(1);
    expect(await world.rowOf(delivery.id)).toMatchObject({
      state: "accepted",
      send_error: null,
      error_code: null,
    });
  });

  it("never repeats a final failure", async () => {
    const received = await world.useServer();
    const { delivery } = await world.issued("552-data@acme.example");

    await world.letTimePass(delivery.id);

    expect([await settleAbandoned(), await send()]).toEqual([0, 0]);
    expect(received).toHaveLength(1);
  });

  it.each(["sending", "unknown", "accepted", "written_to_outbox", "failed_permanent"])(
    "does not attempt a delivery that is %s, for any caller",
    async (state) => {
      const received = await world.useServer();
      const id = await world.queueInDyingProcess();
      await world.sql("update deliveries set state = $2 where id = $1", [id, state]);
      await world.letTimePass(id);
      const cx = await schedulerContext(world.services, world.account.account_id);

      const rows = [await attemptDelivery(cx, id, false), await attemptDelivery(cx, id, true)];

      expect(rows).toMatchObject([{ state }, { state }]);
      expect(received).toEqual([]);
    },
  );

  it("sends what a process queued before it ended, once its lease is over", async () => {
    const id = await world.queueInDyingProcess();
    expect(await send()).toBe(0);

    await world.letTimePass(id);
    expect(await send()).toBe(1);

    expect((await world.rowOf(id)).state).toBe("written_to_outbox");
    expect(await filesOf(id)).toEqual([`${id}@studio.example.eml`]);
  });

  it("sends once, however many workers run at the same time", async () => {
    const received = await world.useServer();
    const id = await world.queueInDyingProcess();
    await world.letTimePass(id);

    await Promise.all([send(), send(), send(), send()]);

    expect(received).toHaveLength(1);
    expect(await world.rowOf(id)).toMatchObject({ state: "accepted", attempt: 1 });
  });

  it.each([
    ["that took it over when another one resumes late", 2],
    ["that is sending it when both have the same attempt, because a claim was lost", 0],
  ])("leaves a delivery to the process %s", async (_, attempt) => {
    const received = await world.useServer();
    const id = await world.queueInDyingProcess();
    const cx = await schedulerContext(world.services, world.account.account_id);
    let late: Promise<Json> | undefined;
    await transaction(world.db, async (db) => {
      // The first attempt has its message, and cannot mark it as being sent until another process has begun an attempt.
      await db.rows(sql`lock table waiting_documents in access exclusive mode`);
      late = attemptDelivery(cx, id, true);
      while (!(await waitsFor("waiting_documents"))) await new Promise(setImmediate);
      const update = "update deliveries set attempt = $2, state = 'sending' where id = $1";
      await world.sql(update, [id, attempt]);
    });

    expect(await late).toMatchObject({ id, state: "sending" });
    expect(received).toEqual([]);
    expect(await world.rowOf(id)).toMatchObject({ state: "sending", attempt });
  });

  it("does not make a first attempt after the worker has made one", async () => {
    await world.useMail(await closedPort());
    const id = await world.queueInDyingProcess();
    const cx = await schedulerContext(world.services, world.account.account_id);
    await world.letTimePass(id);
    await send();
    await world.sql(
      "update deliveries set lease_until = clock_timestamp() + interval '1 minute' where id = $1",
      [id],
    );

    expect(await attemptDelivery(cx, id, true)).toMatchObject({ state: "failed_temporary" });
    expect((await world.rowOf(id)).attempt).toBe(1);
  });
});

describe("round robin over accounts", () => {
  /** Creates due deliveries, all of one document of an account; returns their ids. */
  async function backlog(key: string, count: number, email: string): Promise<string[]> {
    const { id, delivery } = await world.issued(email, {}, key);
    const rows = await world.sql(
      `insert into deliveries (account_id, id, document_id, channel, address, state, at, is_counted, next_attempt_at)
       select account_id, gen_random_uuid(), document_id, channel, address, 'queued', at, true,
         clock_timestamp() - interval '1 hour'
       from deliveries, generate_series(1, $2) where id = $1 returning id`,
      [delivery.id, count],
    );
    expect(id).not.toBe(delivery.id);
    return rows.map((row: Json) => row.id);
  }

  const addressee = (mail: Buffer) => /^To: (\S+)/m.exec(mail.toString())?.[1] ?? "";

  it.each(["opened before", "opened after"])(
    "sends the only message of an account that was %s before the backlog of another",
    async (order) => {
      const others = [await world.openAnother(), await world.openAnother()];
      others.sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
      const [few, many] = order === "opened before" ? others : others.toReversed();
      await backlog(many?.keys.read_write ?? "", 30, "many@acme.example");
      await backlog(few?.keys.read_write ?? "", 1, "few@acme.example");
      const received = await world.useServer();

      expect(await send()).toBe(31);

      const place = received.map(addressee).indexOf("few@acme.example");
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThan(15);
    },
  );

  it("sends every message once, however many workers there are", async () => {
    const [a, b] = [await world.openAnother(), await world.openAnother()];
    const ids = [
      ...(await backlog(a.keys.read_write, 12, "a@acme.example")),
      ...(await backlog(b.keys.read_write, 5, "b@acme.example")),
    ];
    const received = await world.useServer();

    await Promise.all([send(), send(), send()]);

    expect(received).toHaveLength(17);
    const states = await world.sql("select state, attempt from deliveries where id = any($1)", [
      ids,
    ]);
    expect(states).toEqual(Array(17).fill({ state: "accepted", attempt: 1 }));
  });

  it("sends the mail of other accounts while the server does not answer for one", async () => {
    const [slow, quick] = [await world.openAnother(), await world.openAnother()];
    await backlog(slow.keys.read_write, 6, "slow@acme.example");
    await backlog(quick.keys.read_write, 10, "quick@acme.example");
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const taken: string[] = [];
    const { port } = await startServer({
      async onRcptTo({ address }, _session, done) {
        taken.push(address);
        if (taken.filter((one) => one.startsWith("quick")).length === 10) release();
        if (address.startsWith("slow")) await released;
        done();
      },
    });
    await world.useMail(port);

    expect(await send()).toBe(16);

    const before = taken.slice(0, taken.lastIndexOf("quick@acme.example"));
    expect(before.filter((one) => one.startsWith("slow")).length).toBeLessThanOrEqual(2);
  });

  it("begins no sending after the process is stopped", async () => {
    const account = await world.openAnother();
    await backlog(account.keys.read_write, 3, "a@acme.example");
    const received = await world.useServer();

    expect(await sendDueDeliveries(world.services, undefined, () => true)).toBe(0);

    expect(received).toEqual([]);
  });
});

describe("deliveries that were being sent when their process ended", () => {
  it("become unknown after the lease, and are never sent automatically", async () => {
    const received = await world.useServer();
    const id = await world.queueInDyingProcess();
    await world.sql("update deliveries set state = 'sending', attempt = 1 where id = $1", [id]);
    expect(await settleAbandoned()).toBe(0);

    await world.letTimePass(id);
    expect(await settleAbandoned()).toBe(1);

    expect(await world.rowOf(id)).toMatchObject({
      state: "unknown",
      send_error: expect.stringMatching(/before you send it again/),
    });
    await world.letTimePass(id);
    expect([await settleAbandoned(), await send()]).toEqual([0, 0]);
    expect(received).toEqual([]);
    const { data } = await world.done(`GET /audit-events?resource_id=${id}`);
    expect(data.map((event: Json) => event.action)).toEqual(["unknown", "queued"]);
  });

  it("to the outbox are written again, as the same file", async () => {
    const { delivery } = await world.issued("ap@acme.example");
    await world.sql(
      "update deliveries set state = 'sending', lease_until = clock_timestamp() where id = $1",
      [delivery.id],
    );

    expect([await settleAbandoned(), await send()]).toEqual([1, 1]);

    expect((await world.rowOf(delivery.id)).state).toBe("written_to_outbox");
    expect(await filesOf(delivery.id)).toEqual([`${delivery.id}@studio.example.eml`]);
  });
});

describe("rendering", () => {
  it("makes the PDF of each document that has none, once", async () => {
    const ids = [await world.unsent(), await world.unsent()];
    const stored = () =>
      world.sql("select sha256 from document_files where document_id = any($1)", [ids]);
    // The renderer leaves a document that was just issued to the request that may send it.
    while (await waitingRenderer(world.services)());
    expect(await stored()).toEqual([]);
    await world.sql("update waiting_documents set not_before = not_before - interval '2 minutes'");

    while (await waitingRenderer(world.services)());

    const before = await stored();
    expect(before).toHaveLength(2);
    for (const id of ids) expect((await world.rest(`GET /invoices/${id}/pdf`)).status).toBe(200);
    expect(await stored()).toEqual(before);
  });
});
