/**
 * Issuing through an external ledger that answers late, wrongly, twice or never (the fault table of
 * spec 9.8). The ledger is a simulator; everything else is real. What must hold each time: one
 * booking per invoice, and the invoice says what is booked.
 */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../test/support/http/refusal.ts";
import { UNAVAILABLE, useExternalLedger } from "../../../test/support/ledger/external-ledger.ts";
import {
  type BookStep,
  found,
  numbered,
  offBy1,
  steps,
} from "../../../test/support/ledger/scripted-ledger.ts";
import type { Connection } from "../../ledger/ledger.ts";

const {
  world,
  ledger,
  ledgers,
  customer,
  draft,
  issue,
  show,
  work,
  intentOf,
  letLeaseExpire,
  expectIssuedOnce,
  expectUnderWay,
} = useExternalLedger();

describe("a call that learns within its time what became of the booking", () => {
  it.each<[string, readonly BookStep[], readonly ("book" | "find")[]]>([
    ["an honest answer", [], ["book"]],
    ["an answer without totals", [steps.withoutTotals], ["book"]],
    ["a request that arrives twice (fault 15)", [steps.twice], ["book"]],
    ["a timeout before the request arrived (fault 2)", [steps.silent], ["book", "find", "book"]],
    ["a timeout after the booking (fault 3)", [steps.bookedButSilent], ["book", "find"]],
    [
      "an unreadable answer after the booking (fault 21)",
      [steps.bookedButThrows],
      ["book", "find"],
    ],
    ["an error of the connector", [steps.throws], ["book", "find", "book"]],
    ["an unknown outcome of a booking", [steps.bookedButUnknown], ["book", "find"]],
    ["an unknown outcome of nothing", [steps.unknown], ["book", "find", "book"]],
    ["a lock in the ledger (fault 19)", [steps.notStarted], ["book", "book"]],
    [
      "a rate limit twice (fault 18)",
      [steps.notStarted, steps.notStarted],
      ["book", "book", "book"],
    ],
    [
      "silence twice, then an answer",
      [steps.silent, steps.bookedButSilent],
      ["book", "find", "book", "find"],
    ],
    ["another guid, then the truth", [steps.otherGuid], ["book", "find"]],
    ["another net, then the truth", [offBy1("net")], ["book", "find"]],
    ["another VAT, then the truth", [offBy1("vat")], ["book", "find"]],
    ["another gross, then the truth", [offBy1("gross")], ["book", "find"]],
    ["no number, then the truth", [steps.withoutNumber], ["book", "find"]],
  ])("answers 200 after %s", async (_what, script, calls) => {
    const id = await draft();
    ledger.onBook(...script);

    const { status, body } = await issue(id);

    expect([status, body.status]).toEqual([200, "issued"]);
    expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${id}`));
    await expectIssuedOnce(id);
  });

  it("books what the ledger has as its own draft (fault 4)", async () => {
    const id = await draft();
    ledger.onBook(steps.unknown);
    ledger.onFind(async () => ({ state: "draft" }));

    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });

  it("never trusts a connector that cannot even be opened", async () => {
    const id = await draft();
    ledgers.set("scripted", {
      kind: "scripted",
      transactional: false,
      connect: () => {
        throw new Error("the credentials cannot be read");
      },
      patience: { call_ms: 40, pause_ms: 1, rounds: 3, total_ms: 2_000 },
    });

    const reply = await issue(id);
    ledgers.set("scripted", ledger.connection);

    expect(refusal(reply)).toBe(UNAVAILABLE);
    await expectUnderWay(id);
    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });
});

const thrice = (step: BookStep): BookStep[] => [step, step, step];

describe("a call that does not learn it", () => {
  it.each<[string, readonly BookStep[]]>([
    ["a ledger that is down (fault 1)", thrice(steps.notStarted)],
    ["a ledger that never answers", thrice(steps.silent)],
    ["unknown outcomes only", thrice(steps.unknown)],
    ["a connector that only throws", thrice(steps.throws)],
    ["a ledger that goes away after a timeout", [steps.silent, steps.notStarted, steps.notStarted]],
    ["credentials that end after a timeout (fault 20)", [steps.silent, steps.unauthorized]],
  ])("answers LEDGER_UNAVAILABLE after %s, and a repeat books once", async (_what, script) => {
    const id = await draft();
    ledger.onBook(...script);

    const reply = await issue(id);

    expect(refusal(reply)).toBe(UNAVAILABLE);
    expect(reply.headers.get("retry-after")).toBe("5");
    expect(ledger.documents.has(id)).toBe(false);
    await expectUnderWay(id);
    ledger.forget();
    expect(refusal(await issue(id))).toBe("200");
    // The first thing that a repeat does is to look.
    expect(ledger.calls).toEqual([`find ${id}`, `book ${id}`]);
    await expectIssuedOnce(id);
  });

  it.each<[string, BookStep]>([
    ["after it booked", steps.bookedButSilent],
    ["with another guid", steps.otherGuid],
    ["with other totals (fault 17)", offBy1("gross")],
    ["without a number", steps.withoutNumber],
  ])(
    "never finishes on a ledger that answers %s, until it tells the truth",
    async (_what, step) => {
      const id = await draft();
      ledger.onBook(step);
      ledger.onFind(...[1, 2, 3].map(() => found(step)));

      expect(refusal(await issue(id))).toBe(UNAVAILABLE);

      expect(ledger.documents.size).toBeGreaterThan(0);
      await expectUnderWay(id);
      ledger.forget();
      expect(refusal(await issue(id))).toBe("200");
      expect(ledger.calls).toEqual([`find ${id}`]);
      await expectIssuedOnce(id);
    },
  );

  it("never finishes under a number that another invoice has (fault 14)", async () => {
    const first = await draft();
    const taken = (await issue(first)).body.ledger_invoice_number;
    const id = await draft();
    ledger.onBook(numbered(BigInt(taken)));

    expect(refusal(await issue(id))).toBe(UNAVAILABLE);

    await expectUnderWay(id);
    expect(await intentOf(id)).toMatchObject({ last_outcome: "number_taken" });
    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });

  it("stops when its time is up, however many rounds are left", async () => {
    const id = await draft();
    const patience = { call_ms: 10_000, pause_ms: 1, rounds: 1_000, total_ms: 50 };
    ledgers.set("scripted", { ...ledger.connection, patience } as Connection);
    ledger.onBook(steps.silent);
    ledger.onFind(() => new Promise(() => {}));

    const reply = await issue(id);
    ledgers.set("scripted", ledger.connection);

    expect(refusal(reply)).toBe(UNAVAILABLE);
    expect(ledger.calls).toEqual([`book ${id}`]);
    await expectUnderWay(id);
  });

  it("asks again on the worker's next round, later each time", async () => {
    const id = await draft();
    ledger.onBook(...thrice(steps.notStarted));
    await issue(id);
    const pauses: number[] = [];

    for (let round = 0; round < 3; round += 1) {
      const [{ seconds }] = await world.sql(
        `select extract(epoch from next_attempt_at - lease_until)::float8 as seconds
         from intents where id = $1`,
        [id],
      );
      pauses.push(Math.round(seconds));
      expect(await work()).toBe(false);
      await letLeaseExpire(id);
      ledger.onBook(...thrice(steps.notStarted));
      expect(await work()).toBe(true);
    }

    expect(pauses).toEqual([10, 20, 40]);
    ledger.forget();
    await letLeaseExpire(id);
    expect(await work()).toBe(true);
    await expectIssuedOnce(id);
    expect(await work()).toBe(false);
  });

  it("keeps the date and the text that were frozen with the first attempt", async () => {
    const id = await draft();
    ledger.onBook(...thrice(steps.silent));
    await issue(id);

    world.clock.set("2026-04-02T09:00:00.000Z");
    await world.done(`PATCH /customers/${customer.id}`, { name: "Acme Holding A/S" });
    expect(refusal(await issue(id))).toBe("200");
    await world.done(`PATCH /customers/${customer.id}`, { name: "Acme A/S" });

    expect(await show(id)).toMatchObject({
      issue_date: "2026-03-10",
      issued_at: "2026-04-02T09:00:00.000Z",
    });
    expect(ledger.documents.get(id)?.intent.document.customer.name).toBe("Acme A/S");
    await expectIssuedOnce(id);
  });
});
