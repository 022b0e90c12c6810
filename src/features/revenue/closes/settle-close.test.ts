/** Closing a month through an external ledger, one customer at a time (spec 3.10). The ledger is a simulator. */
import { describe, expect, it } from "vitest";
import {
  OPEN_INTENTS,
  useExternalLedger,
} from "../../../../test/support/ledger/external-ledger.ts";
import { type BookStep, rejected, steps } from "../../../../test/support/ledger/scripted-ledger.ts";
import { openStudio, type Studio } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { closePeriod, resumeClose } from "./close-month.ts";

const { world, ledger, connect, bePatient, work } = useExternalLedger();

/** An account with the scripted ledger and customers who worked an hour in February. */
async function worked(...names: string[]): Promise<{ one: Studio; ids: Json }> {
  const one = await openStudio(world, await world.openAnother());
  await connect("scripted");
  return { one, ids: await one.customersWith("2026-02", ...names) };
}

/** The texts of the vouchers that the ledger has booked for an account, in order. */
const textsOf = (ids: Json): string[] =>
  [...ledger.vouchers.values()]
    .map(({ intent }) => intent.document)
    .filter(({ customer }) => Object.values(ids).includes(customer?.id))
    .map(({ text }) => text.slice(16));

describe("a close through an external ledger", () => {
  it("books one customer after the other, and then locks", async () => {
    const { one, ids } = await worked("Cesar", "Anna", "Bo");

    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 3,
      skipped: 1,
      period_lock_date: "2026-02-28",
    });
    expect(textsOf(ids)).toEqual(["Anna", "Bo", "Cesar"]);
  });

  it("is partial after a refusal, books the other customers, and later what is missing", async () => {
    const { one, ids } = await worked("Anna", "Bo", "Cesar");
    ledger.onBook(steps.honest, rejected("VALIDATION"));

    expect(await one.closed("2026-02")).toMatchObject({
      status: "partial",
      booked_with_voucher: 2,
      failed: 1,
      errors: [{ customer_id: ids.Bo, code: "LEDGER_REJECTED" }],
      period_lock_date: null,
    });
    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 3,
    });
    expect(textsOf(ids)).toEqual(["Anna", "Cesar", "Bo"]);
  });

  describe("while a voucher is accepted and not booked yet", () => {
    const waiting = async () => {
      const { one, ids } = await worked("Anna");
      ledger.onBook(steps.pending);
      expect(await one.closed("2026-02")).toMatchObject({
        status: "partial",
        failed: 0,
        remaining: 1,
      });
      expect(await one.done("GET /configuration")).toMatchObject({ period_lock_date: null });
      return { one, ids };
    };
    const resume = async () => {
      const past = "clock_timestamp() - interval '1 second'";
      await world.sql(`update intents set lease_until = ${past}, next_attempt_at = ${past},
        called_at = called_at - interval '30 seconds' where ${OPEN_INTENTS}`);
      expect(await work()).toBe(true);
      await world.sql(`update period_closes set lease_until = ${past} where status = 'running'`);
    };

    it("the month waits, and is locked after the booking", async () => {
      const { one, ids } = await waiting();
      await resume();

      expect(await one.closed("2026-02")).toMatchObject({
        status: "completed",
        booked_with_voucher: 1,
        period_lock_date: "2026-02-28",
      });
      expect(textsOf(ids)).toEqual(["Anna"]);
    });

    it("a voucher that is refused after all has failed, and is booked again by the next close", async () => {
      const { one, ids } = await waiting();
      ledger.onFind(...[1, 2].map(() => async () => ({ state: "draft" }) as const));
      ledger.onBook(rejected("VALIDATION"));
      await resume();
      expect(textsOf(ids)).toEqual([]);

      expect(await one.closed("2026-02")).toMatchObject({
        status: "partial",
        failed: 1,
        errors: [{ customer_id: ids.Anna, code: "LEDGER_REJECTED" }],
      });
      expect(textsOf(ids)).toEqual([]);
      expect(await one.closed("2026-02")).toMatchObject({ status: "completed" });
      expect(textsOf(ids)).toEqual(["Anna"]);
    });
  });

  it("continues with a voucher that the worker has settled in the meantime", async () => {
    const { one, ids } = await worked("Anna");
    ledger.onBook(steps.notStarted, steps.notStarted, steps.notStarted);
    await one.closed("2026-02");
    const past = "clock_timestamp() - interval '1 second'";
    await world.sql(
      `update intents set lease_until = ${past}, next_attempt_at = ${past} where ${OPEN_INTENTS}`,
    );
    expect(await work()).toBe(true);

    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 1,
    });
    expect(textsOf(ids)).toEqual(["Anna"]);
  });

  it("stops between two customers when its time is over, and the worker continues", async () => {
    bePatient();
    const { one, ids } = await worked("Anna", "Bo", "Cesar");
    const cx = await schedulerContext(world.services, one.account.account_id);
    const most_ms = 1_500;
    const deadline = Date.now() + most_ms;
    const late: BookStep = async (book) => {
      await new Promise((resolve) => setTimeout(resolve, deadline + 200 - Date.now()));
      return book();
    };
    ledger.onBook(late);

    await closePeriod(cx, { month: "2026-02" as never, lock: true }, most_ms);

    expect(await one.done("GET /period-closes/2026-02")).toMatchObject({
      status: "partial",
      booked_with_voucher: 1,
      remaining: 2,
      period_lock_date: null,
    });
    const context = (id: string) => schedulerContext(world.services, id);
    expect(await resumeClose(context, world.db, 10_000)).toBe(true);
    expect(await one.done("GET /period-closes/2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 3,
    });
    expect(textsOf(ids)).toEqual(["Anna", "Bo", "Cesar"]);
  });
});
