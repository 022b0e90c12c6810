/**
 * The faults of deliveries that no other test names: what each answer makes of a delivery, what is stored before a byte leaves, a database
 * that is lost between the two, an access point that stalls no other account, and a refusal days later. The traps of phoss-ap are in
 * src/einvoice/connectors/phoss-ap, copies and kills in test/crash.
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SubmitOutcome } from "../../src/einvoice/access-point.ts";
import {
  sendDueDeliveries,
  settleAbandonedDeliveries,
} from "../../src/features/documents/deliveries/run-due.ts";
import { lookAtEinvoices } from "../../src/features/documents/delivery-outcomes/check-einvoices.ts";
import { resumeEinvoices } from "../../src/features/documents/delivery-outcomes/resume-einvoices.ts";
import { noteSendError } from "../../src/features/sales/credit-notes/bookable.ts";
import { handOver, messageStatus } from "../support/einvoice/answers.ts";
import { openSender } from "../support/einvoice/open-sender.ts";
import {
  forgetScript,
  script,
  scriptAccessPoint,
} from "../support/einvoice/scripted-access-point.ts";
import { refusal } from "../support/http/refusal.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const silent: SubmitOutcome = { state: "unknown", code: "timeout", text: "no answer" };
const receipt = { state: "delivered", at: "2026-03-02T10:00:00Z", is_final: false } as const;
const DAY_SECONDS = 86_400;

const world = useWorld({ environment: { MATCHBOOK_MAIL_LIMITS: "50:5:1000" } });
let one: Awaited<ReturnType<typeof openSender>>;
let other: typeof one;

beforeAll(async () => {
  scriptAccessPoint(world);
  one = await openSender(world, "phoss-ap", {});
  other = await openSender(world, "phoss-ap", {}, await world.openAnother());
});
beforeEach(async () => {
  forgetScript();
  await world.sql("update deliveries set state = 'failed_permanent', einvoice_look_at = null");
  await world.sql(
    "update einvoice_connections set state = 'connected', failures = 0, pauses = 0, next_probe_at = null",
  );
});

/** The newest delivery of a document. */
async function deliveryOf({ id }: Json, kind = "invoices", key = one.key): Promise<Json> {
  return (await world.done(`GET /${kind}/${id}/deliveries`, undefined, key)).data[0];
}

async function lookAfter(id: string, seconds: number): Promise<void> {
  const past = `make_interval(secs => ${seconds})`;
  await world.sql(
    `update deliveries set einvoice_look_at = clock_timestamp() - interval '1 second',
       call_ended_at = call_ended_at - ${past}, absent_at = absent_at - ${past} where id = $1`,
    [id],
  );
  await lookAtEinvoices(world.services, noteSendError);
}

describe("what an answer makes of a delivery", () => {
  const not_taken = { state: "not_taken", code: "einvoice_not_taken", text: "BR-CO-15" } as const;
  const unconfirmed = "the sending is unconfirmed: the access point is asked";
  it.each<[string, SubmitOutcome, string, string | null, number]>([
    ["200 with the receipt", receipt, "delivered", null, 1],
    ["taken and not sent yet", { state: "accepted" }, "accepted", null, 1],
    [
      "400",
      { state: "refused", code: "einvoice_identifier", text: "No such receiver" },
      "failed_permanent",
      "No such receiver",
      1,
    ],
    ["422 without a report", { ...not_taken, connection: null }, "failed_temporary", "BR-CO-15", 1],
    [
      "401",
      { ...not_taken, connection: "unauthorized" },
      "queued",
      "the connection for e-invoices was refused: it is checked",
      0,
    ],
    [
      "404",
      { ...not_taken, connection: "unavailable" },
      "queued",
      "the connection for e-invoices does not answer: it waits",
      0,
    ],
    ["a time-out, a lost answer, 5xx, 422 with a report", silent, "unknown", unconfirmed, 1],
  ])("%s", async (_, outcome, state, send_error, attempts) => {
    script.submit = [outcome];
    const answer = await one.issue();
    const delivery = await deliveryOf(answer);
    expect(delivery).toMatchObject({ state, send_error });
    expect(answer.send_error ?? null).toBe(send_error);
    const [row] = await world.sql("select attempt from deliveries where id = $1", [delivery.id]);
    expect(row.attempt).toBe(attempts);
  });
});

it("stores `sending` before a byte leaves", async () => {
  const seen: Json[] = [];
  script.during = async (id) => {
    seen.push(
      ...(await world.sql("select state, file_sha256 from deliveries where id = $1", [id])),
    );
  };
  await one.issue();
  expect(seen).toEqual([
    { state: "sending", file_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
});

it("looks up what was handed over while the database was lost, and sends nothing again", async () => {
  script.submit = [receipt];
  // The outcome cannot be stored: the database refuses the change, as one that is gone does.
  script.during = async () => {
    await world.sql(`create function lose_outcome() returns trigger language plpgsql as
      $$ begin raise exception 'the database is lost' using errcode = '57P01'; end $$`);
    await world.sql(`create trigger lose_outcome before update on deliveries for each row
      when (old.state = 'sending') execute function lose_outcome()`);
  };
  const answer = await one.issue();
  const { id, state } = await deliveryOf(answer);
  await world.sql("drop trigger lose_outcome on deliveries");
  await world.sql("drop function lose_outcome");
  expect(state).toBe("sending");
  await world.sql("update deliveries set lease_until = clock_timestamp() where id = $1", [id]);
  await settleAbandonedDeliveries(world.services, noteSendError);
  expect((await deliveryOf(answer)).state).toBe("unknown");
  await sendDueDeliveries(world.services, noteSendError);
  script.look = [receipt];

  await lookAfter(id, 10);

  expect(await deliveryOf(answer)).toMatchObject({ state: "delivered", send_error: null });
  expect(script.asked).toEqual([`submit ${id}`, `look ${id}`]);
});

describe("an access point that is dead", () => {
  it("stalls no other account: they take turns, and calls in a row without an answer end", async () => {
    await world.sql("update einvoice_connections set state = 'unavailable'");
    for (let count = 0; count < 12; count += 1) await one.issue();
    const last = await other.issue();
    await world.sql("update einvoice_connections set state = 'connected'");
    await world.sql(
      `update deliveries set next_attempt_at = clock_timestamp() - interval '1 second', lease_until = null
       where state = 'queued'`,
    );
    script.submit = Array.from({ length: 13 }, () => silent);
    await sendDueDeliveries(world.services, noteSendError);

    const { id } = await deliveryOf(last, "invoices", other.key);
    const place = script.asked.indexOf(`submit ${id}`);
    expect(place).toBeGreaterThanOrEqual(0);
    // The first few of the dead one are called at once; the circuit then keeps the others waiting.
    expect(place).toBeLessThan(8);
    expect(script.asked.length).toBeLessThan(10);
    const [{ state }] = await world.sql(
      "select state from einvoice_connections where account_id = $1 and is_current",
      [one.account_id],
    );
    expect(state).toBe("unavailable");
  });

  it("is asked once in five seconds whether it is back", async () => {
    await world.sql("update einvoice_connections set state = 'unavailable' where account_id = $1", [
      one.account_id,
    ]);
    await one.issue();
    const probes =
      "select count(*)::int from audit_events where action = 'checked' and account_id = $1";
    const before = (await world.sql(probes, [one.account_id]))[0].count;
    await resumeEinvoices(world.services);
    await world.sql("update einvoice_connections set state = 'unavailable' where account_id = $1", [
      one.account_id,
    ]);
    await resumeEinvoices(world.services);
    expect((await world.sql(probes, [one.account_id]))[0].count).toBe(before + 1);
  });
});

it("is no mail, and leaves for a document five times in an hour at most", async () => {
  const { id } = await one.issue();
  const send = () => world.rest(`POST /invoices/${id}/send`, { channel: "einvoice", again: true });
  for (let times = 2; times <= 5; times += 1) expect((await send()).status).toBe(200);
  expect(refusal(await send())).toBe("429 RATE_LIMITED");
  const counted = await world.sql(
    "select subject, count from mail_counters where account_id = $1 and subject in ('all', $2)",
    [one.account_id, id],
  );
  expect(counted).toEqual([{ subject: id, count: 5 }]);
  expect(script.asked).toHaveLength(5);
  expect(new Set(script.asked).size).toBe(5);
});

describe("a credit note", () => {
  /** An issued credit note whose e-invoice has the receiver's receipt. */
  async function credited(): Promise<Json> {
    script.submit = [receipt, receipt];
    const { id, issue_date } = await one.issue();
    const note = await world.done("POST /credit-notes", {
      external_id: `of ${id}`,
      invoice: id,
      kind: "full",
      credit_date: issue_date,
    });
    expect(note.send_error ?? null).toBeNull();
    return note;
  }
  const errorOf = async ({ id }: Json): Promise<string | null> =>
    (await world.done(`GET /credit-notes/${id}`)).send_error ?? null;

  it("shows a refusal that a look finds days later", async () => {
    const note = await credited();
    const { id } = await deliveryOf(note, "credit-notes");
    script.look = [receipt, { state: "rejected", text: "BV: BR-CO-15" }];
    await lookAfter(id, DAY_SECONDS);
    expect(await errorOf(note)).toBeNull();
    await lookAfter(id, 4 * DAY_SECONDS);
    expect(await deliveryOf(note, "credit-notes")).toMatchObject({ state: "rejected" });
    expect(await errorOf(note)).toBe("BV: BR-CO-15");
  });

  it("shows a refusal that arrives as a Message Level Status", async () => {
    const note = await credited();
    const { id } = await deliveryOf(note, "credit-notes");
    await handOver(world, messageStatus(id, "RE", "The buyer is not known"));
    expect(await errorOf(note)).toBe("The buyer is not known");
  });
});
