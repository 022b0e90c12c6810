/**
 * The documents' background work (spec 10.3, 10.4 and 10.5): retries, what processes
 * leave behind that end at the wrong moment, and PDFs that nobody has asked for.
 */
import { readdir } from "node:fs/promises";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { useMailWorld } from "../../../test/support/mail/mail-world.ts";
import { closedPort } from "../../../test/support/mail/smtp-servers.ts";
import type { Json } from "../../../test/support/world/world.ts";
import { sql } from "../../platform/database/sql.ts";
import { transaction } from "../../platform/database/transaction.ts";
import { schedulerContext } from "../../platform/services.ts";
import { waitingRenderer } from "../documents/render-waiting.ts";
import { attemptDelivery } from "./attempt.ts";
import { sendDueDeliveries, settleAbandonedDeliveries } from "./run-due.ts";

const world = useMailWorld();

const send = () => sendDueDeliveries(world.services);
const settleAbandoned = () => settleAbandonedDeliveries(world.services);

/** Files of a delivery in the outbox, half-written ones included. */
async function filesOf(delivery_id: string): Promise<string[]> {
  const names = await readdir(world.outbox_dir).catch(() => []);
  return names.filter((name) => name.includes(delivery_id));
}

describe("sending what is due", () => {
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
    ]);
  });

  it("forgets the failure when the server takes it at the second try", async () => {
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
    "does not attempt what is %s, whoever asks",
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

  it("takes what a process queued that ended before sending, when its lease is over", async () => {
    const id = await world.queueInDyingProcess();
    expect(await send()).toBe(0);

    await world.letTimePass(id);
    expect(await send()).toBe(1);

    expect((await world.rowOf(id)).state).toBe("written_to_outbox");
    expect(await filesOf(id)).toEqual([`${id}@studio.example.eml`]);
  });

  it("sends once, however many workers look at the same time", async () => {
    const received = await world.useServer();
    const id = await world.queueInDyingProcess();
    await world.letTimePass(id);

    await Promise.all([send(), send(), send(), send()]);

    expect(received).toHaveLength(1);
    expect(await world.rowOf(id)).toMatchObject({ state: "accepted", attempt: 1 });
  });

  it("leaves a delivery to the process that took it over, however late another one wakes up", async () => {
    const received = await world.useServer();
    const id = await world.queueInDyingProcess();
    const cx = await schedulerContext(world.services, world.account.account_id);
    let late: Promise<Json> | undefined;
    await transaction(world.db, async (db) => {
      // The first attempt has begun and cannot read its document until another process has begun one.
      await db.rows(sql`lock table issued_documents in access exclusive mode`);
      late = attemptDelivery(cx, id, true);
      while ((await world.rowOf(id)).attempt === 0) await new Promise(setImmediate);
      await world.sql("update deliveries set attempt = 2, state = 'sending' where id = $1", [id]);
    });

    expect(await late).toMatchObject({ id, state: "sending" });
    expect(received).toEqual([]);
    expect(await world.rowOf(id)).toMatchObject({ state: "sending", attempt: 2 });
  });

  it("does not attempt a first time what the worker has attempted already", async () => {
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

describe("deliveries that were being sent when their process ended", () => {
  it("become unknown after the lease, and are never sent by themselves", async () => {
    const received = await world.useServer();
    const id = await world.queueInDyingProcess();
    await world.sql("update deliveries set state = 'sending', attempt = 1 where id = $1", [id]);
    expect(await settleAbandoned()).toBe(0);

    await world.letTimePass(id);
    expect(await settleAbandoned()).toBe(1);

    expect(await world.rowOf(id)).toMatchObject({
      state: "unknown",
      send_error: expect.stringMatching(/look before you send again/),
    });
    await world.letTimePass(id);
    expect([await settleAbandoned(), await send()]).toEqual([0, 0]);
    expect(received).toEqual([]);
    const { data } = await world.done(`GET /audit-events?resource_id=${id}`);
    expect(data.map((event: Json) => event.action)).toEqual(["unknown", "queued"]);
  });

  it("into the outbox are written again, as the same file", async () => {
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
    // A document that was issued just now is left to the request that may send it.
    while (await waitingRenderer(world.services)());
    expect(await stored()).toEqual([]);
    await world.sql(`alter table issued_documents disable trigger issued_documents_append_only`);
    await world.sql("update issued_documents set created_at = created_at - interval '2 minutes'");
    await world.sql(`alter table issued_documents enable trigger issued_documents_append_only`);

    let rendered = 0;
    while (await waitingRenderer(world.services)()) rendered += 1;

    expect(rendered).toBeGreaterThanOrEqual(2);
    const before = await stored();
    expect(before).toHaveLength(2);
    for (const id of ids) expect((await world.rest(`GET /invoices/${id}/pdf`)).status).toBe(200);
    expect(await stored()).toEqual(before);
  });
});
