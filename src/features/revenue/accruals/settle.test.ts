/**
 * Booking accruals in an external ledger that answers late, wrongly or never (spec 3.8). The ledger
 * is a simulator; everything else is real. The invariants in each case: one voucher for a booking, and
 * the accrual shows what is booked.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  DEAD_ACTOR,
  UNAVAILABLE,
  useExternalLedger,
} from "../../../../test/support/ledger/external-ledger.ts";
import {
  type BookStep,
  door,
  found,
  rejected,
  steps,
} from "../../../../test/support/ledger/scripted-ledger.ts";
import { openStudio, type Studio } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { transact } from "../../../platform/commands/tx.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { bookAccrual } from "./book-accrual.ts";

const { world, ledger, connect, bePatient, work, intentOf, letLeaseExpire } = useExternalLedger();

type Worked = Studio & { readonly id: string; readonly invoice: Json };

/** A customer with two hours in February, in an account with the scripted ledger. */
async function worked(): Promise<Worked> {
  const one = await openStudio(world, await world.openAnother());
  await connect("scripted");
  const invoice = await one.draft();
  await one.work(invoice, "2026-02-03", 2);
  return { ...one, invoice, id: (await one.accrual("2026-02")).id };
}

const bookIt = async ({ rest, id }: Worked): Promise<string> =>
  refusal(await rest(`POST /accruals/${id}/book`));
const show = ({ done, id }: Worked): Promise<Json> => done(`GET /accruals/${id}`);

/** The guid of the voucher, or of its reversal, of the latest booking. */
async function guidOf({ id }: Worked, what = "voucher"): Promise<string> {
  const rows = await world.sql(
    `select ${what}_guid as guid from accrual_bookings where accrual_id = $1 order by revision desc`,
    [id],
  );
  return rows[0]?.guid;
}

/** The vouchers that the ledger has for an account's accrual. */
const inLedger = ({ id }: Worked): Json[] =>
  [...ledger.vouchers.values()].filter(({ intent }) => intent.document.reference.includes(id));

async function expectBookedOnce(one: Worked): Promise<void> {
  const [voucher, ...others] = inLedger(one);
  expect(others).toEqual([]);
  expect(voucher.intent.document).toMatchObject({
    reference: `accrual:${one.id}:1`,
    issue_date: "2026-02-28",
    text: "Accrual 2026-02 Acme A/S",
    currency: "DKK",
  });
  expect(await show(one)).toMatchObject({
    status: "booked",
    pending: false,
    revision: 1,
    ledger_voucher_guid: voucher.intent.guid,
    ledger_voucher_number: Number(voucher.number),
    totals: { earned: 2000 },
  });
  expect(await intentOf(voucher.intent.guid)).toBeUndefined();
  expect(await one.events(one.id)).toEqual(["booked"]);
  expect(await bookIt(one)).toBe("409 ACCRUAL_ALREADY_BOOKED");
}

async function expectUnderWay(one: Worked): Promise<void> {
  expect(await show(one)).toMatchObject({
    status: "draft",
    pending: true,
    ledger_voucher_guid: null,
    booked_at: null,
  });
  expect(await intentOf(await guidOf(one))).toBeDefined();
  expect(await one.history(one.id)).toEqual([]);
  expect(refusal(await one.reopen(one.id))).toBe("409 ACCRUAL_NOT_BOOKED");
}

const thrice = (step: BookStep): BookStep[] => [step, step, step];

describe("booking in an external ledger", () => {
  it.each<[string, readonly BookStep[], readonly ("book" | "find")[]]>([
    ["a correct answer", [], ["book"]],
    ["a request that arrives twice", [steps.twice], ["book"]],
    ["a timeout before the request arrived", [steps.silent], ["book", "find", "find", "book"]],
    ["a timeout after the booking", [steps.bookedButSilent], ["book", "find"]],
    ["an unreadable answer after the booking", [steps.bookedButThrows], ["book", "find"]],
    ["a lock in the ledger", [steps.notStarted], ["book", "book"]],
    ["another guid, then the right one", [steps.otherGuid], ["book", "find"]],
    ["no number, then the right one", [steps.withoutNumber], ["book", "find"]],
  ])("answers 200 after %s", async (_what, script, calls) => {
    const one = await worked();
    ledger.onBook(...script);

    expect(await bookIt(one)).toBe("200");

    const guid = await guidOf(one);
    expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${guid}`));
    await expectBookedOnce(one);
  });

  it.each<[string, readonly BookStep[], readonly ("book" | "find")[]]>([
    ["a ledger that is down", thrice(steps.notStarted), ["find", "book"]],
    ["a ledger that never answers", thrice(steps.silent), ["find", "find", "book"]],
    ["a connector that only throws", thrice(steps.throws), ["find", "find", "book"]],
  ])(
    "answers LEDGER_UNAVAILABLE after %s, and a repeat books once",
    async (_what, script, calls) => {
      const one = await worked();
      ledger.onBook(...script);

      expect(await bookIt(one)).toBe(UNAVAILABLE);

      await expectUnderWay(one);
      await letLeaseExpire(await guidOf(one));
      ledger.forget();
      expect(await bookIt(one)).toBe("200");
      const guid = await guidOf(one);
      expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${guid}`));
      await expectBookedOnce(one);
    },
  );

  it("answers 200 when the ledger accepts a voucher without booking it, and the accrual is a draft until it is booked", async () => {
    const one = await worked();
    ledger.onBook(steps.pending);

    const reply = await one.rest(`POST /accruals/${one.id}/book`);

    expect([reply.status, reply.body]).toMatchObject([200, { status: "draft", pending: true }]);
    expect(await show(one)).toMatchObject({ status: "draft", pending: true });
    const guid = await guidOf(one);
    expect(await intentOf(guid)).toMatchObject({ state: "pending" });
    await letLeaseExpire(guid);
    expect(await work()).toBe(true);
    await expectBookedOnce(one);
  });

  it("waits for a connection whose credentials do not work", async () => {
    const one = await worked();
    ledger.onBook(steps.unauthorized);

    expect(await bookIt(one)).toBe("409 LEDGER_NOT_CONNECTED");

    await expectUnderWay(one);
    expect(await bookIt(one)).toBe("200");
    await expectBookedOnce(one);
  });

  it("finds the voucher whose answer was lost, and carries changes from the meantime", async () => {
    const one = await worked();
    ledger.onBook(steps.bookedButSilent);
    ledger.onFind(...[1, 2, 3].map(() => found(steps.unknown)));
    expect(await bookIt(one)).toBe(UNAVAILABLE);
    await expectUnderWay(one);
    await one.work(one.invoice, "2026-02-10", 3);
    expect(await show(one)).toMatchObject({ totals: { earned: 2000 } });
    ledger.forget();

    expect(await bookIt(one)).toBe("200");

    expect(ledger.calls).toEqual([`find ${await guidOf(one)}`]);
    await expectBookedOnce(one);
    expect(await one.rows("2026-03")).toEqual([["2026-02", 3000, 0, "carried"]]);
    expect((await one.accrual("2026-03")).original_accrual_month).toBe("2026-02");
  });

  it("is a draft again after the ledger rejects it", async () => {
    const one = await worked();
    const before = await show(one);
    ledger.onBook(rejected("VALIDATION"));

    expect(await bookIt(one)).toBe("409 LEDGER_REJECTED");

    // The revision is used up, so that a late answer to it cannot belong to another voucher.
    expect(await show(one)).toEqual({ ...before, revision: 1 });
    expect(inLedger(one)).toEqual([]);
    expect(await one.history(one.id)).toEqual([]);
    const { data } = await one.done(`GET /audit-events?resource_id=${one.id}`);
    expect(data).toMatchObject([{ action: "booking_refused", reason: "VALIDATION" }]);
    await one.work(one.invoice, "2026-02-10", 3);
    expect(await bookIt(one)).toBe("200");
    expect(inLedger(one)).toHaveLength(1);
    expect(await show(one)).toMatchObject({ revision: 2, totals: { earned: 5000 } });
  });

  it("books accruals without a voucher immediately, whatever the state of the ledger", async () => {
    const one = await worked();
    const customer = await one.newCustomer("Beta ApS");
    const fields = { customer_id: customer, issue_date: "2026-02-10" };
    await one.issued([one.value(100)], fields);
    ledger.forget();

    expect(refusal(await one.book("2026-02", customer))).toBe("200");
    expect(ledger.calls).toEqual([]);
  });

  it("does not know the balances of an external ledger", async () => {
    const one = await worked();
    await bookIt(one);

    const { roles } = await one.done("GET /accruals/reconciliation?month=2026-02");
    expect(roles[0]).toMatchObject({ sub_ledger: 2000, ledger: null, difference: null });
  });
});

describe("while a booking is in progress", () => {
  it("no other month of the customer is booked, but those of other customers are", async () => {
    world.clock.set("2026-04-10T09:00:00Z");
    const one = await worked();
    await one.work(one.invoice, "2026-03-03", 1);
    const beta = await one.newCustomer("Beta ApS");
    await one.work(await one.draft(undefined, { customer_id: beta }), "2026-02-04", 1);
    ledger.onBook(...thrice(steps.notStarted));
    await bookIt(one);

    expect(refusal(await one.book("2026-03"))).toBe("409 EARLIER_ACCRUAL_OPEN");
    expect(refusal(await one.book("2026-02", beta))).toBe("200");
    expect(await bookIt(one)).toBe("200");
    expect(refusal(await one.book("2026-03"))).toBe("200");
  });

  it("a repeat is asked to retry later while another attempt has the lease", async () => {
    bePatient();
    const one = await worked();
    const held = door();
    ledger.onBook(held.held);
    const first = bookIt(one);
    await held.entered;

    expect(await bookIt(one)).toBe(UNAVAILABLE);

    held.open();
    expect(await first).toBe("200");
    await expectBookedOnce(one);
  });

  it("a close of the month is partial, and continues when the ledger answers", async () => {
    const one = await worked();
    ledger.onBook(...thrice(steps.notStarted));

    const partial = await one.closed("2026-02");
    expect(partial).toMatchObject({
      status: "partial",
      failed: 1,
      errors: [{ customer_id: one.customer, code: "LEDGER_UNAVAILABLE" }],
      period_lock_date: null,
    });
    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 1,
      failed: 0,
      period_lock_date: "2026-02-28",
    });
    await expectBookedOnce(one);
  });

  it("a lock date that is set in the meantime does not undo the booking in the ledger", async () => {
    const one = await worked();
    ledger.onBook(...thrice(steps.bookedButUnknown));
    ledger.onFind(...[1, 2, 3].map(() => found(steps.unknown)));
    expect(await bookIt(one)).toBe(UNAVAILABLE);
    await one.lock("2026-03-31");

    expect(await bookIt(one)).toBe("200");
    await expectBookedOnce(one);
  });
});

/** Begins the booking in a process that ends before it calls the ledger. */
async function bookInDyingProcess({ id, account }: Worked): Promise<void> {
  const cx = await schedulerContext(world.services, account.account_id);
  const caller = { ...cx.caller, actor: DEAD_ACTOR };
  await transact({ ...cx, caller }, async (inside) => {
    await bookAccrual.commit(inside, await bookAccrual.plan(inside, { id }));
  });
}

describe("a booking whose process ended", () => {
  it("is finished by the worker, for the original caller", async () => {
    const one = await worked();
    await bookInDyingProcess(one);
    await expectUnderWay(one);
    expect(await work()).toBe(false);

    await letLeaseExpire(await guidOf(one));
    expect(await work()).toBe(true);

    await expectBookedOnce(one);
    expect(await one.history(one.id)).toMatchObject([{ action: "booked", actor: DEAD_ACTOR }]);
    const { data } = await one.done(`GET /audit-events?resource_id=${one.id}`);
    expect(data).toMatchObject([{ action: "booked", actor: DEAD_ACTOR }]);
    expect(inLedger(one)[0].intent.requested_by).toBe(`api_key:${DEAD_ACTOR.id}`);
  });

  it("is released by the worker when the ledger refuses it", async () => {
    const one = await worked();
    await bookInDyingProcess(one);
    await letLeaseExpire(await guidOf(one));
    ledger.onBook(rejected("VALIDATION"));

    expect(await work()).toBe(true);

    expect(await show(one)).toMatchObject({ status: "draft", pending: false, revision: 1 });
    expect(await bookIt(one)).toBe("200");
  });

  describe("or took too long", () => {
    beforeEach(() => bePatient());

    it("is finished once, by the first of several processes", async () => {
      const one = await worked();
      const [slow, later] = [door(), door()];
      ledger.onBook(slow.held, later.held);
      const first = bookIt(one);
      await slow.entered;
      await letLeaseExpire(await guidOf(one));
      const second = work();
      await later.entered;
      slow.open();
      later.open();

      expect([await first, await second]).toEqual(["200", true]);
      await expectBookedOnce(one);
    });

    it("does not release the booking of a later attempt", async () => {
      const one = await worked();
      const [slow, later] = [door(rejected("VALIDATION")), door()];
      ledger.onBook(slow.held, later.held);
      const first = bookIt(one);
      await slow.entered;
      await letLeaseExpire(await guidOf(one));
      const second = work();
      await later.entered;
      slow.open();
      expect(await first).toBe(UNAVAILABLE);
      await expectUnderWay(one);
      later.open();
      await second;

      await expectBookedOnce(one);
    });
  });
});

describe("the revenue of a voucher", () => {
  /** `[account, VAT code, amount in units]` of the revenue that the vouchers of a month move. */
  const revenueOf = ({ id }: Worked): Json[] =>
    inLedger({ id } as Worked)
      .at(-1)
      .intent.document.entries.filter((entry: Json) => entry.account_role === "revenue")
      .map((entry: Json) => [entry.account_number, entry.vat_code, Number(entry.amount) / 100]);

  it("moves from one VAT code to another with the customer's VAT treatment, and back with a reversal", async () => {
    const one = await worked();
    expect(await bookIt(one)).toBe("200");
    expect(revenueOf(one)).toEqual([[1010, "DK25", -2000]]);

    await one.done(`PATCH /customers/${one.customer}`, {
      country_key: "DE",
      vat_number: "DE136695976",
    });
    one.at("2026-04-10");
    await one.work(one.invoice, "2026-03-03", 1);
    const march = { ...one, id: (await one.accrual("2026-03")).id };
    expect(await bookIt(march)).toBe("200");
    expect(revenueOf(march)).toEqual([
      [1010, "DK25", 2000],
      [1010, "EU_SERVICES_RC", -3000],
    ]);

    expect(refusal(await one.reopen(march.id))).toBe("200");
    expect(revenueOf(march)).toEqual([
      [1010, "DK25", -2000],
      [1010, "EU_SERVICES_RC", 3000],
    ]);
    expect(await bookIt(march)).toBe("200");
    expect(revenueOf(march)).toEqual([
      [1010, "DK25", 2000],
      [1010, "EU_SERVICES_RC", -3000],
    ]);
  });
});
