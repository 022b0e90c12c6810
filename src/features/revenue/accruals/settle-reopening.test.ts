/** Reopenings in an external ledger that refuses, or whose answer is lost (spec 3.8). The ledger is a simulator. */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNAVAILABLE, useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";
import { door, found, rejected, steps } from "../../../../test/support/ledger/scripted-ledger.ts";
import { openStudio, type Studio } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, ledger, connect, bePatient, work, intentOf, letLeaseExpire } = useExternalLedger();

type Booked = Studio & { readonly february: Json; readonly invoice: Json };

/** A customer whose February is booked in the scripted ledger. */
async function booked(): Promise<Booked> {
  const one = await openStudio(world, await world.openAnother());
  await connect("scripted");
  const invoice = await one.draft();
  await one.work(invoice, "2026-02-03", 2);
  const february = await one.booked("2026-02");
  ledger.forget();
  return { ...one, invoice, february };
}

const reopenIt = async ({ reopen, february }: Booked): Promise<string> =>
  refusal(await reopen(february.id, "Wrong month"));
const show = ({ done, february }: Booked): Promise<Json> => done(`GET /accruals/${february.id}`);
const inLedger = ({ february }: Booked): Json[] =>
  [...ledger.vouchers.values()]
    .filter(({ intent }) => intent.document.reference.includes(february.id))
    .map(({ intent }) => intent.document);

async function reversalGuid({ february }: Booked): Promise<string> {
  const rows = await world.sql(
    "select reversal_guid as guid from accrual_bookings where accrual_id = $1",
    [february.id],
  );
  return rows[0].guid;
}

async function expectReopenedOnce(one: Booked): Promise<void> {
  const [voucher, reversal, ...others] = inLedger(one);
  expect(others).toEqual([]);
  expect(reversal).toMatchObject({
    reference: `accrual:${one.february.id}:1:reversal`,
    issue_date: "2026-02-28",
    text: "Reversal of Accrual 2026-02 Acme A/S",
    reverses_guid: voucher.document_id,
    entries: voucher.entries.map((entry: Json) => ({ ...entry, amount: -entry.amount })),
  });
  expect(await show(one)).toMatchObject({ status: "draft", pending: false, revision: 1 });
  expect(await one.events(one.february.id)).toEqual(["booked", "reopened"]);
  expect(await one.history(one.february.id)).toMatchObject([
    { action: "booked" },
    { action: "reopened", reversal_voucher: { guid: reversal.document_id }, reason: "Wrong month" },
  ]);
  expect(await intentOf(reversal.document_id)).toBeUndefined();
  expect(await reopenIt(one)).toBe("409 ACCRUAL_NOT_BOOKED");
}

async function expectUnderWay(one: Booked): Promise<void> {
  expect(await show(one)).toMatchObject({
    status: "booked",
    pending: true,
    ledger_voucher_guid: one.february.ledger_voucher_guid,
  });
  expect(await one.tried(`POST /accruals/${one.february.id}/book`)).toBe(
    "409 ACCRUAL_ALREADY_BOOKED",
  );
}

describe("a reopening in an external ledger", () => {
  it("books the reversal and opens the month", async () => {
    const one = await booked();

    expect(await reopenIt(one)).toBe("200");

    await expectReopenedOnce(one);
    const again = await one.booked("2026-02");
    expect(again.ledger_voucher_guid).not.toBe(one.february.ledger_voucher_guid);
    expect(inLedger(one)[2]).toMatchObject({ reference: `accrual:${one.february.id}:2` });
  });

  it("finds the reversal whose answer was lost, and books no second one", async () => {
    const one = await booked();
    ledger.onBook(steps.bookedButSilent);
    ledger.onFind(...[1, 2, 3].map(() => found(steps.unknown)));
    expect(await reopenIt(one)).toBe(UNAVAILABLE);
    await expectUnderWay(one);
    ledger.forget();

    expect(await reopenIt(one)).toBe("200");

    expect(ledger.calls).toEqual([`find ${await reversalGuid(one)}`]);
    await expectReopenedOnce(one);
  });

  it("is finished by the worker, with the first reason", async () => {
    const one = await booked();
    ledger.onBook(steps.notStarted, steps.notStarted, steps.notStarted);
    expect(await reopenIt(one)).toBe(UNAVAILABLE);
    await letLeaseExpire(await reversalGuid(one));

    expect(await work()).toBe(true);

    await expectReopenedOnce(one);
  });

  it("leaves the booking unchanged when the ledger rejects the reversal", async () => {
    const one = await booked();
    const before = await show(one);
    ledger.onBook(rejected("VALIDATION"));

    expect(await reopenIt(one)).toBe("409 LEDGER_REJECTED");

    expect(await show(one)).toEqual(before);
    expect(await one.history(one.february.id)).toMatchObject([{ action: "booked", reason: null }]);
    expect(await one.events(one.february.id)).toEqual(["booked", "reopening_refused"]);
    expect(inLedger(one)).toHaveLength(1);
    expect(await reopenIt(one)).toBe("200");
    expect(inLedger(one)).toHaveLength(2);
  });

  it("lets no other month be booked while it is in progress", async () => {
    const one = await booked();
    one.at("2026-04-10");
    await one.work(one.invoice, "2026-03-03", 1);
    ledger.onBook(steps.notStarted, steps.notStarted, steps.notStarted);
    expect(await reopenIt(one)).toBe(UNAVAILABLE);

    expect(refusal(await one.book("2026-03"))).toBe("409 EARLIER_ACCRUAL_OPEN");
    expect(await one.closed("2026-03")).toMatchObject({
      status: "partial",
      errors: [{ customer_id: one.customer, code: "EARLIER_ACCRUAL_OPEN" }],
    });
    expect(await reopenIt(one)).toBe("200");
    expect(refusal(await one.book("2026-03"))).toBe("409 EARLIER_ACCRUAL_OPEN");
    await one.booked("2026-02");
    expect(refusal(await one.book("2026-03"))).toBe("200");
  });

  it("asks a repeat to retry later while another attempt has the lease", async () => {
    bePatient();
    const one = await booked();
    const held = door();
    ledger.onBook(held.held);
    const first = reopenIt(one);
    await held.entered;

    expect(await reopenIt(one)).toBe(UNAVAILABLE);

    held.open();
    expect(await first).toBe("200");
    await expectReopenedOnce(one);
  });
});
