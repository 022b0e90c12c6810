/** E-invoices leave at most once (spec 14.8): through a folder, and through an access point whose answers the test scripts. */
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectEinvoices } from "../../../../test/support/einvoice/connect-einvoices.ts";
import {
  forgetScript,
  script,
  scriptAccessPoint,
} from "../../../../test/support/einvoice/scripted-access-point.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { SubmitOutcome } from "../../../einvoice/access-point.ts";
import { resumeBackground } from "../../../platform/runtime/background.ts";
import { sendDueDeliveries, settleAbandonedDeliveries } from "../deliveries/run-due.ts";
import { lookAtEinvoices } from "./check-einvoices.ts";
import { resumeEinvoices } from "./resume-einvoices.ts";

const silent: SubmitOutcome = { state: "unknown", code: "timeout", text: "no answer" };
const receipt = { state: "delivered", at: "2026-03-02T10:00:00Z", is_final: true } as const;

const world = useWorld();
const customer = world.made("POST /customers", {
  name: "Ringkøbing-Skjern Kommune",
  ean_number: "5798009811578",
  att_person: "Mette Krogh",
  send_method: "einvoice",
});
const product = world.made("POST /products", { name: "Rådgivning", default_price: 1000 });
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "matchbook-einvoices-"));
  scriptAccessPoint(world);
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", city: "Aarhus" };
  const bank = { vat_number: "25313763", iban: "DK5000400440116243" };
  await world.done("PATCH /configuration", { seller: { ...seller, ...bank } });
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(async () => {
  forgetScript();
  await world.sql("update deliveries set state = 'failed_permanent', einvoice_look_at = null");
});

async function connect(kind: "folder" | "phoss-ap"): Promise<void> {
  await connectEinvoices(world, kind === "folder" ? { path: dir } : {}, kind);
}

/** Issues an invoice that leaves as an e-invoice; returns its delivery, and the answer of the issue. */
async function issued(): Promise<{ readonly answer: Json; readonly delivery: Json }> {
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const body = { customer_id: customer.id, lines, auto_send: true };
  const { id } = await world.done("POST /invoices", body);
  const answer = await world.done(`POST /invoices/${id}/issue`);
  const { data } = await world.done(`GET /invoices/${id}/deliveries`);
  return { answer, delivery: data[0] };
}

const shown = (id: string): Promise<Json> => world.done(`GET /deliveries/${id}`);
const eventsOf = async (id: string): Promise<string[]> =>
  (await world.done(`GET /deliveries/${id}/events`)).data.map(({ kind }: Json) => kind);

/** Looks at the delivery as if so many seconds had passed since the last call. */
async function lookAfter(id: string, seconds: number): Promise<void> {
  const past = `make_interval(secs => ${seconds})`;
  await world.sql(
    `update deliveries set einvoice_look_at = clock_timestamp() - interval '1 second',
       call_ended_at = call_ended_at - ${past}, absent_at = absent_at - ${past} where id = $1`,
    [id],
  );
  await lookAtEinvoices(world.services);
}

async function sendDue(id: string): Promise<void> {
  await world.sql(
    "update deliveries set next_attempt_at = clock_timestamp() - interval '1 second', lease_until = null where id = $1",
    [id],
  );
  await sendDueDeliveries(world.services);
}

describe("through a folder", () => {
  it("writes the file under the id of the delivery, and sees that it was taken", async () => {
    await connect("folder");
    const { answer, delivery } = await issued();

    expect(answer.send_error).toBeUndefined();
    expect(delivery).toMatchObject({
      channel: "einvoice",
      address: "0088:5798009811578",
      state: "written_to_outbox",
      send_error: null,
      format: "peppol-bis-3",
      file_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await readdir(join(dir, "out"))).toEqual([`${delivery.id}.xml`]);
    await lookAfter(delivery.id, 10);
    expect((await shown(delivery.id)).state).toBe("written_to_outbox");
    await rm(join(dir, "out", `${delivery.id}.xml`));
    await lookAfter(delivery.id, 60);
    expect((await shown(delivery.id)).state).toBe("accepted");
    expect(await eventsOf(delivery.id)).toEqual([
      "queued",
      "made",
      "validated",
      "handed_over",
      "looked",
    ]);
  });

  it.each([
    ["before the rename, hands it over", true, "written_to_outbox"],
    ["after it was taken, leaves it", false, "accepted"],
  ])("after a crash %s", async (_, is_part, state) => {
    await connect("folder");
    const { delivery } = await issued();
    const file = join(dir, "out", `${delivery.id}.xml`);
    if (is_part) await rename(file, `${file}.part`);
    else await rm(file);
    await world.sql(
      "update deliveries set state = 'sending', lease_until = clock_timestamp() where id = $1",
      [delivery.id],
    );
    await settleAbandonedDeliveries(world.services);
    expect((await shown(delivery.id)).state).toBe("unknown");

    await lookAfter(delivery.id, 0);
    await sendDue(delivery.id);

    expect((await shown(delivery.id)).state).toBe(state);
    expect((await readdir(join(dir, "out"))).includes(`${delivery.id}.xml`)).toBe(is_part);
    await rm(file, { force: true });
  });

  it("in a restored copy proves nothing where the file is gone", async () => {
    await connect("folder");
    const { delivery } = await issued();
    await rm(join(dir, "out", `${delivery.id}.xml`));
    await world.sql(
      "update deliveries set state = 'queued', attempt = 0, updated_at = clock_timestamp() where id = $1",
      [delivery.id],
    );
    await world.sql("insert into background_pause values (true, clock_timestamp())");
    await resumeBackground(world.database_url);

    await sendDue(delivery.id);
    await lookAfter(delivery.id, 0);
    await sendDue(delivery.id);

    expect(await shown(delivery.id)).toMatchObject({ state: "unknown" });
    expect(await readdir(join(dir, "out"))).toEqual([]);
  });
});

describe("through an access point", () => {
  beforeEach(() => connect("phoss-ap"));

  it("is accepted, and delivered when the receipt is found", async () => {
    const { answer, delivery } = await issued();
    expect([answer.send_error, delivery.state]).toEqual([undefined, "accepted"]);
    script.look = [receipt];
    await lookAfter(delivery.id, 10);
    const after = await shown(delivery.id);
    expect(after).toMatchObject({ state: "delivered", send_error: null });
    expect(Date.parse(after.delivered_at)).toBe(Date.parse(receipt.at));
    expect(await eventsOf(delivery.id)).toContain("delivered");
  });

  it("stores a refusal that comes after the receipt", async () => {
    script.submit = [{ ...receipt, is_final: false }];
    const { delivery } = await issued();
    script.look = [{ state: "rejected", text: "BV: BR-CO-15" }];
    await lookAfter(delivery.id, 10);
    expect(await shown(delivery.id)).toMatchObject({
      state: "rejected",
      send_error: "BV: BR-CO-15",
    });
  });

  it("is never handed over again while it is in doubt, before two looks find nothing", async () => {
    script.submit = [silent];
    const { answer, delivery } = await issued();
    const { id } = delivery;
    expect(answer.send_error).toBe("the sending is unconfirmed: the access point is asked");
    await sendDue(id);
    await lookAfter(id, 60);
    await lookAfter(id, 100);
    await sendDue(id);
    await lookAfter(id, 200);
    expect((await shown(id)).state).toBe("unknown");
    expect(script.asked.filter((one) => one.startsWith("submit"))).toHaveLength(1);

    await lookAfter(id, 301);
    await sendDue(id);

    expect((await shown(id)).state).toBe("accepted");
    expect(script.asked.filter((one) => one === `submit ${id}`)).toHaveLength(2);
  });

  it("is settled where a look finds what was in doubt", async () => {
    script.submit = [silent];
    const { delivery } = await issued();
    script.look = [{ state: "not_answered", connection: null }, receipt];
    await lookAfter(delivery.id, 10);
    expect((await shown(delivery.id)).state).toBe("unknown");
    await lookAfter(delivery.id, 60);
    expect((await shown(delivery.id)).state).toBe("delivered");
    expect(script.asked.filter((one) => one.startsWith("submit"))).toHaveLength(1);
  });

  it("does not keep the caller of an issue waiting", async () => {
    script.most_wait_ms = 50;
    let answered: (outcome: SubmitOutcome) => void = () => {};
    script.submit = [
      new Promise((resolve) => {
        answered = resolve;
      }),
    ];
    const { answer, delivery } = await issued();
    expect(answer.send_error).toBe("handed to the access point, not confirmed yet");
    expect(delivery.state).toBe("sending");
    answered(receipt);
    await expect.poll(async () => (await shown(delivery.id)).state).toBe("delivered");
  });

  it("waits for a connection that was refused, without counting an attempt", async () => {
    const text = "The credentials were refused.";
    script.submit = [
      { state: "not_taken", code: "unauthorized", text, connection: "unauthorized" },
    ];
    const { delivery } = await issued();
    expect(delivery.state).toBe("queued");
    await resumeEinvoices(world.services);
    await sendDueDeliveries(world.services);
    expect((await shown(delivery.id)).state).toBe("queued");

    await world.done("POST /einvoice/connection/check");
    await resumeEinvoices(world.services);
    await sendDueDeliveries(world.services);

    expect((await shown(delivery.id)).state).toBe("accepted");
    const [row] = await world.sql("select attempt from deliveries where id = $1", [delivery.id]);
    expect(row.attempt).toBe(1);
  });

  it("backs off where checks go well and nothing is taken, and continues when it is", async () => {
    const text = "Sending is switched off at the access point.";
    const off = { state: "not_taken", code: "off", text, connection: "unavailable" } as const;
    script.submit = [off, off, off, off];
    const { delivery } = await issued();
    const { id } = delivery;
    /** The seconds from the call until the next check. */
    const waits = async (): Promise<number | undefined> => {
      const [{ seconds }] = await world.sql(
        `select extract(epoch from next_probe_at - clock_timestamp())::float8 as seconds
         from einvoice_connections where is_current`,
      );
      return [5, 60, 300, 1800, 7200].find((one) => seconds <= one);
    };
    const found = [await waits()];
    for (let round = 0; round < 3; round += 1) {
      await resumeEinvoices(world.services);
      await sendDueDeliveries(world.services);
      expect((await world.done("GET /einvoice/connection")).state).toBe("unavailable");
      await world.sql("update einvoice_connections set next_probe_at = clock_timestamp()");
      await resumeEinvoices(world.services);
      await sendDueDeliveries(world.services);
      found.push(await waits());
    }
    expect(found).toEqual([5, 60, 300, 1800]);
    expect(script.asked).toEqual(Array.from({ length: 4 }, () => `submit ${id}`));
    expect(await eventsOf(id)).toEqual(["queued", "made", "validated", "queued"]);
    const audited = `select count(*)::int as count from audit_events where resource_id = $1`;
    expect(await world.sql(audited, [id])).toEqual([{ count: 2 }]);

    await world.sql("update einvoice_connections set next_probe_at = clock_timestamp()");
    await resumeEinvoices(world.services);
    await sendDueDeliveries(world.services);

    expect((await shown(id)).state).toBe("accepted");
    const [row] = await world.sql("select attempt from deliveries where id = $1", [id]);
    expect(row.attempt).toBe(1);
    const [{ pauses }] = await world.sql(
      "select pauses from einvoice_connections where is_current",
    );
    expect(pauses).toBe(0);
  });

  it("makes no call after three calls without an answer, until a check has gone well", async () => {
    script.submit = [silent, silent, silent];
    for (const _ of script.submit.slice()) await issued();
    const { delivery } = await issued();
    expect(delivery.state).toBe("queued");
    expect(script.asked).not.toContain(`submit ${delivery.id}`);
    await world.sql("update einvoice_connections set next_probe_at = clock_timestamp()");

    await resumeEinvoices(world.services);
    await sendDueDeliveries(world.services);

    expect((await shown(delivery.id)).state).toBe("accepted");
  });

  it("sends in a restored copy what the original has not, after two looks", async () => {
    const { delivery } = await issued();
    await world.sql(
      "update deliveries set state = 'queued', attempt = 0, updated_at = clock_timestamp() where id = $1",
      [delivery.id],
    );
    await world.sql("insert into background_pause values (true, clock_timestamp())");
    await resumeBackground(world.database_url);
    script.asked = [];

    await sendDue(delivery.id);
    await lookAfter(delivery.id, 121);
    await lookAfter(delivery.id, 301);
    expect(script.asked).toEqual([`look ${delivery.id}`, `look ${delivery.id}`]);
    await sendDue(delivery.id);

    expect((await shown(delivery.id)).state).toBe("accepted");
  });

  it("stores what a credit note lacks, and hands nothing over", async () => {
    const { answer } = await issued();
    script.asked = [];
    await world.done(`PATCH /customers/${customer.id}`, { ean_number: null });
    const note = await world.done("POST /credit-notes", {
      external_id: "lacks-a-receiver",
      invoice: answer.id,
      kind: "full",
      credit_date: answer.issue_date,
    });
    await world.done(`PATCH /customers/${customer.id}`, { ean_number: "5798009811578" });
    expect(note.send_error).toMatch(/^the e-invoice lacks .*customer\.einvoice_address/);
    const { data } = await world.done(`GET /credit-notes/${note.id}/deliveries`);
    expect(data[0].state).toBe("failed_permanent");
    expect(script.asked).toEqual([]);
  });
});
