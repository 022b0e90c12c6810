/**
 * Issuing through an external ledger that answers late, wrongly, twice or never (the fault table of
 * spec 9.8). The ledger is a simulator; everything else is real. The invariants in each case: one
 * booking per invoice, and the invoice shows what is booked.
 */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNAVAILABLE, useExternalLedger } from "../../../../test/support/ledger/external-ledger.ts";
import {
  type BookStep,
  found,
  numbered,
  offBy1,
  steps,
} from "../../../../test/support/ledger/scripted-ledger.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import type { Connection } from "../../../ledger/ledger.ts";

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

describe("a call that receives the booking outcome in time", () => {
  it.each<[string, readonly BookStep[], readonly ("book" | "find")[]]>([
    ["a correct answer", [], ["book"]],
    ["an answer without totals", [steps.withoutTotals], ["book"]],
    ["a request that arrives twice (fault 15)", [steps.twice], ["book"]],
    [
      "a timeout before the request arrived (fault 2)",
      [steps.silent],
      ["book", "find", "find", "book"],
    ],
    ["a timeout after the booking (fault 3)", [steps.bookedButSilent], ["book", "find"]],
    [
      "an unreadable answer after the booking (fault 21)",
      [steps.bookedButThrows],
      ["book", "find"],
    ],
    ["an error of the connector", [steps.throws], ["book", "find", "find", "find", "book"]],
    ["an unknown outcome of a booking", [steps.bookedButUnknown], ["book", "find"]],
    // The first look follows immediately, and counts only if it finds something.
    [
      "an unknown outcome without a booking",
      [steps.unknown],
      ["book", "find", "find", "find", "book"],
    ],
    ["a lock in the ledger (fault 19)", [steps.notStarted], ["book", "book"]],
    [
      "a rate limit twice (fault 18)",
      [steps.notStarted, steps.notStarted],
      ["book", "book", "book"],
    ],
    [
      "silence twice, then an answer",
      [steps.silent, steps.bookedButSilent],
      ["book", "find", "find", "book", "find"],
    ],
    ["another guid, then the right one", [steps.otherGuid], ["book", "find"]],
    ["another net, then the right one", [offBy1("net")], ["book", "find"]],
    ["another VAT, then the right one", [offBy1("vat")], ["book", "find"]],
    ["another gross, then the right one", [offBy1("gross")], ["book", "find"]],
    ["no number, then the right one", [steps.withoutNumber], ["book", "find"]],
  ])("answers 200 after %s", async (_what, script, calls) => {
    const id = await draft();
    ledger.onBook(...script);

    const { status, body } = await issue(id);

    expect([status, body.status]).toEqual([200, "issued"]);
    expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${id}`));
    await expectIssuedOnce(id);
  });

  it("books a document that the ledger has as its own draft (fault 4)", async () => {
    const id = await draft();
    ledger.onBook(steps.unknown);
    ledger.onFind(async () => ({ state: "draft" }));

    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });

  it("leaves the booking open when the connector cannot be opened", async () => {
    const id = await draft();
    ledgers.set("scripted", {
      kind: "scripted",
      transactional: false,
      connect: () => {
        throw new Error("the credentials cannot be read");
      },
      timeouts: { call_ms: 40, pause_ms: 1, rounds: 3, total_ms: 2_000 },
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

describe("a call without the booking outcome", () => {
  it.each<[string, readonly BookStep[], readonly ("book" | "find")[]]>([
    ["a ledger that is down (fault 1)", thrice(steps.notStarted), ["find", "book"]],
    ["a ledger that never answers", thrice(steps.silent), ["find", "find", "book"]],
    ["unknown outcomes only", thrice(steps.unknown), ["find", "find", "book"]],
    ["a connector that only throws", thrice(steps.throws), ["find", "find", "book"]],
    [
      "a ledger that goes away after a timeout",
      [steps.silent, steps.notStarted, steps.notStarted],
      ["find", "book"],
    ],
  ])(
    "answers LEDGER_UNAVAILABLE after %s, and a repeat books once",
    async (_what, script, calls) => {
      const id = await draft();
      ledger.onBook(...script);

      const reply = await issue(id);

      expect(refusal(reply)).toBe(UNAVAILABLE);
      expect(reply.headers.get("retry-after")).toBe("5");
      expect(ledger.documents.has(id)).toBe(false);
      await expectUnderWay(id);
      await letLeaseExpire(id);
      ledger.forget();
      expect(refusal(await issue(id))).toBe("200");
      // A repetition first looks in the ledger.
      expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${id}`));
      await expectIssuedOnce(id);
    },
  );

  it.each<[string, readonly BookStep[]]>([
    ["that are wrong (fault 20)", [steps.unauthorized]],
    ["that end after a timeout", [steps.silent, steps.unauthorized]],
  ])("waits for a connection with credentials %s", async (_what, script) => {
    const id = await draft();
    ledger.onBook(...script);

    expect(refusal(await issue(id))).toBe("409 LEDGER_NOT_CONNECTED");

    await expectUnderWay(id);
    ledger.forget();
    expect(refusal(await issue(id))).toBe("200");
    expect(ledger.calls).toEqual([`find ${id}`, `book ${id}`]);
    await expectIssuedOnce(id);
  });

  it("never finishes on a ledger that books without reporting it, until it reports it", async () => {
    const id = await draft();
    ledger.onBook(steps.bookedButSilent);
    ledger.onFind(...[1, 2, 3].map(() => found(steps.bookedButSilent)));

    expect(refusal(await issue(id))).toBe(UNAVAILABLE);

    expect(ledger.documents.has(id)).toBe(true);
    await expectUnderWay(id);
    ledger.forget();
    expect(refusal(await issue(id))).toBe("200");
    expect(ledger.calls).toEqual([`find ${id}`]);
    await expectIssuedOnce(id);
  });

  it.each<[string, BookStep, string]>([
    ["with another guid", steps.otherGuid, "FOREIGN_GUID"],
    ["with other totals (fault 17)", offBy1("gross"), "TOTAL_MISMATCH"],
    ["without a number", steps.withoutNumber, "NUMBER_MISSING"],
  ])("is left to a person when a ledger answers twice %s", async (_what, step, reason) => {
    const id = await draft();
    ledger.onBook(step);
    ledger.onFind(found(step), found(step));

    const reply = await issue(id);

    expect(refusal(reply)).toBe("409 LEDGER_REJECTED");
    expect(reply.body.error.details).toMatchObject({ reason, state: "parked" });
    await expectUnderWay(id);
    expect(await intentOf(id)).toMatchObject({ state: "parked", reason, looks: 1 });
    await letLeaseExpire(id);
    expect(await work()).toBe(false);
    // A request of a person looks in the ledger again, but books nothing.
    expect(refusal(await issue(id))).toBe("409 LEDGER_REJECTED");
    expect(ledger.calls).toEqual([`book ${id}`, `find ${id}`, `find ${id}`]);
    expect(await intentOf(id)).toMatchObject({ state: "parked", looks: 2 });
    ledger.forget();
    expect(refusal(await issue(id))).toBe("200");
    expect(ledger.calls).toEqual([`find ${id}`]);
    await expectIssuedOnce(id);
    const { data } = await world.done(`GET /audit-events?resource_id=${id}&limit=100`);
    expect(data.map(({ action }: Json) => action)).toEqual(["issued", "booking_parked", "created"]);
  });

  it("never finishes with a number that another invoice has (fault 14)", async () => {
    const first = await draft();
    const taken = (await issue(first)).body.ledger_invoice_number;
    const id = await draft();
    ledger.onBook(numbered(BigInt(taken)));

    const reply = await issue(id);

    expect([refusal(reply), reply.body.error.details.reason]).toEqual([
      "409 LEDGER_REJECTED",
      "NUMBER_TAKEN",
    ]);
    await expectUnderWay(id);
    expect(await intentOf(id)).toMatchObject({ state: "parked", reason: "NUMBER_TAKEN" });
    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });

  it("freezes the payment codes of the number that the ledger gave, with the year in which it is the only one", async () => {
    const id = await draft();
    ledger.onBook(async (book) => {
      const booked = book();
      return booked.state === "booked" ? { ...booked, number: 47n, year: 2026 } : booked;
    });
    expect(refusal(await issue(id))).toBe("200");
    const rows = await world.sql(
      "select snapshot::json->'payment_codes' as codes from issued_documents where document_id = $1",
      [id],
    );
    const reference = expect.stringMatching(/^RF\d\d2026000047$/);
    expect(rows[0].codes).toEqual({ reference, rf: reference, fik_line: null });
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });

  it("stops when its time is over, however many rounds are left", async () => {
    const id = await draft();
    const timeouts = { call_ms: 10_000, pause_ms: 1, rounds: 1_000, total_ms: 50 };
    ledgers.set("scripted", { ...ledger.connection, timeouts } as Connection);
    ledger.onBook(steps.silent);
    ledger.onFind(() => new Promise(() => {}));

    const reply = await issue(id);
    ledgers.set("scripted", ledger.connection);

    expect(refusal(reply)).toBe(UNAVAILABLE);
    expect(ledger.calls).toEqual([`book ${id}`]);
    await expectUnderWay(id);
  });

  it("is retried by the worker, later each time", async () => {
    const id = await draft();
    ledger.onBook(...thrice(steps.notStarted));
    await issue(id);
    const pauses: number[] = [];

    for (let round = 0; round < 3; round += 1) {
      const [{ seconds }] = await world.sql(
        `select extract(epoch from next_attempt_at - lease_until)::float8 as seconds
         from intents where document_id = $1`,
        [id],
      );
      pauses.push(Math.round(seconds));
      expect(await work()).toBe(false);
      await letLeaseExpire(id);
      ledger.onBook(...thrice(steps.notStarted));
      expect(await work()).toBe(true);
    }

    expect(pauses).toEqual([10, 20, 20]);
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
