/**
 * Bookings in an external ledger whose process ended, or that outlasted their lease: the worker and the next call
 * resume them, and a process that comes late changes nothing.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  DEAD_ACTOR,
  IN_PROGRESS,
  UNAVAILABLE,
  useExternalLedger,
} from "../../../../test/support/ledger/external-ledger.ts";
import { door, rejected, steps } from "../../../../test/support/ledger/scripted-ledger.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { bookingOf } from "../../ledger/booking/intents.ts";

const {
  bePatient,
  world,
  ledger,
  draft,
  issue,
  show,
  work,
  intentOf,
  letLeaseExpire,
  issueInDyingProcess,
  eventsOf,
  expectIssuedOnce,
  expectUnderWay,
  expectReleased,
} = useExternalLedger();

describe("the worker finishes what a crashed process began", () => {
  it("before it called the ledger", async () => {
    const id = await draft();
    await issueInDyingProcess(id);
    expect(refusal(await issue(id))).toBe(IN_PROGRESS);
    expect(await work()).toBe(false);

    await letLeaseExpire(id);
    expect(await work()).toBe(true);

    expect(ledger.calls).toEqual([`find ${id}`, `book ${id}`]);
    await expectIssuedOnce(id);
  });

  it("between the booking and our commit (fault 5)", async () => {
    const id = await draft();
    const { number } = ledger.book(bookingOf(await issueInDyingProcess(id))) as Json;

    await letLeaseExpire(id);
    expect(await work()).toBe(true);

    expect(ledger.calls).toEqual([`find ${id}`]);
    expect((await show(id)).ledger_invoice_number).toBe(Number(number));
    await expectIssuedOnce(id);
  });

  it("and sends it, if the invoice is to be sent", async () => {
    const id = await draft({ auto_send: true });
    await issueInDyingProcess(id);

    await letLeaseExpire(id);
    await work();

    const { data } = await world.done(`GET /invoices/${id}/deliveries`);
    expect(data).toMatchObject([{ state: "written_to_outbox", address: "ap@acme.example" }]);
  });

  it("or releases the draft that the ledger refuses", async () => {
    const id = await draft();
    await issueInDyingProcess(id);
    ledger.onBook(rejected("VALIDATION"));

    await letLeaseExpire(id);
    expect(await work()).toBe(true);

    await expectReleased(id);
  });

  it("with the original actor in the audit event, also when another key repeats the call", async () => {
    const [by_worker, by_other] = [await draft(), await draft()];
    for (const id of [by_worker, by_other]) {
      await issueInDyingProcess(id);
      await letLeaseExpire(id);
    }

    expect(refusal(await issue(by_other))).toBe("200");
    await work();

    for (const id of [by_worker, by_other]) {
      expect(await eventsOf(id)).toMatchObject([{ actor: DEAD_ACTOR }]);
      expect(ledger.documents.get(id)?.intent.requested_by).toBe(`api_key:${DEAD_ACTOR.id}`);
    }
  });
});

describe("attempts that outlive their lease", () => {
  beforeEach(() => bePatient());

  it("finish once, with two workers and the caller in parallel", async () => {
    const id = await draft({ auto_send: true });
    const doors = [door(), door(), door()];
    ledger.onBook(...doors.map(({ held }) => held));
    const attempts: Promise<unknown>[] = [];
    for (const [index, { entered }] of doors.entries()) {
      attempts.push(index === 0 ? issue(id).then(refusal) : work());
      await entered;
      await letLeaseExpire(id);
    }

    for (const { open } of doors) open();

    expect(await Promise.all(attempts)).toEqual(["200", true, true]);
    await expectIssuedOnce(id);
    const { data } = await world.done(`GET /invoices/${id}/deliveries`);
    expect(data).toMatchObject([{ state: "written_to_outbox" }]);
  });

  it("do not release the booking of a later attempt", async () => {
    const id = await draft();
    const [slow, later] = [door(rejected("VALIDATION")), door()];
    ledger.onBook(slow.held, later.held);
    const first = issue(id);
    await slow.entered;
    await letLeaseExpire(id);
    const second = work();
    await later.entered;

    slow.open();
    expect(refusal(await first)).toBe(IN_PROGRESS);
    await expectUnderWay(id);

    later.open();
    await second;
    await expectIssuedOnce(id);
  });

  it("do not release the lease of a later attempt", async () => {
    const id = await draft();
    const [slow, later] = [door(steps.unauthorized), door()];
    ledger.onBook(steps.notStarted, slow.held, later.held);
    const first = issue(id);
    await slow.entered;
    await letLeaseExpire(id);
    const second = work();
    await later.entered;

    slow.open();
    expect(refusal(await first)).toBe("409 LEDGER_NOT_CONNECTED");
    expect(refusal(await issue(id))).toBe(IN_PROGRESS);

    later.open();
    await second;
    await expectIssuedOnce(id);
  });

  it("do not finish a draft that was released and changed in the meantime", async () => {
    const id = await draft();
    const slow = door();
    ledger.onBook(slow.held, rejected("VALIDATION"), steps.unknown, steps.unknown, steps.unknown);
    const first = issue(id);
    await slow.entered;
    await letLeaseExpire(id);
    await work();
    await world.done(`PATCH /invoices/${id}`, { title: "Changed" });
    expect(refusal(await issue(id))).toBe(UNAVAILABLE);

    slow.open();
    expect((await first).status).toBe(500);

    await expectUnderWay(id);
    expect(await intentOf(id)).toMatchObject({ payload: expect.stringContaining('"Changed"') });
  });
});
