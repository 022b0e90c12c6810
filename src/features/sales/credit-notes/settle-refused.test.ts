/**
 * Credit notes that an external ledger refuses, two notes pending at the same time, and notes that a cancellation
 * queued (spec 4.11 and 5.5). The ledger is a simulator; everything else is real.
 */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { NO_ANSWER, useCreditLedger } from "../../../../test/support/ledger/credit-ledger.ts";
import { UNAVAILABLE } from "../../../../test/support/ledger/external-ledger.ts";
import { type BookStep, rejected } from "../../../../test/support/ledger/scripted-ledger.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  ledger,
  customer,
  product,
  work,
  intentOf,
  letLeaseExpire,
  issued,
  creditOf,
  post,
  idOf,
  expectIssuedOnce,
  expectGone,
} = useCreditLedger();

describe("a ledger that refuses leaves no credit note, and its external id is free:", () => {
  it.each<[string, BookStep, string]>([
    ["for its content", rejected("VALIDATION"), "409 LEDGER_REJECTED"],
    ["for an account", rejected("UNKNOWN_ACCOUNT"), "409 LEDGER_REJECTED"],
    ["for a locked period", rejected("PERIOD_LOCKED"), "409 PERIOD_LOCKED"],
  ])("%s", async (_what, step, expected) => {
    const invoice = await issued();
    const body = creditOf(invoice, 40);
    ledger.onBook(step);

    expect(refusal(await post(body))).toBe(expected);

    expect(ledger.documents.size).toBeGreaterThan(0);
    await expectGone(body, invoice);
  });

  it("when a repeat learns of it after a time-out", async () => {
    const invoice = await issued();
    const body = creditOf(invoice, 40);
    ledger.onBook(...NO_ANSWER, rejected("VALIDATION"));
    expect(refusal(await post(body))).toBe(UNAVAILABLE);

    expect(refusal(await post(body))).toBe("409 LEDGER_REJECTED");

    await expectGone(body, invoice);
  });

  it("when the worker learns of it", async () => {
    const invoice = await issued();
    const body = creditOf(invoice, 40);
    ledger.onBook(...NO_ANSWER, rejected("VALIDATION"));
    await post(body);

    await letLeaseExpire(await idOf(body));
    expect(await work()).toBe(true);

    await expectGone(body, invoice);
  });

  it("and the audit trail records what was refused, to whom and why", async () => {
    const body = creditOf(await issued(), 40);
    ledger.onBook(rejected("UNKNOWN_CUSTOMER"));
    const [before] = (await world.done("GET /audit-events?limit=1")).data;
    await post(body);

    const { data } = await world.done("GET /audit-events?limit=2");

    expect(data).toMatchObject([
      {
        action: "issue_refused",
        resource_type: "credit_note",
        reason: "UNKNOWN_CUSTOMER",
        actor: { kind: "api_key" },
        before: { external_id: body.external_id, lines: [{ amount: 40 }] },
        after: null,
      },
      { action: "created", resource_id: data[0].resource_id },
    ]);
    expect(data.map((event: Json) => event.id)).not.toContain(before.id);
  });
});

describe("two pending credit notes of one invoice", () => {
  it("are settled separately, and their VAT adds up", async () => {
    const invoice = await issued(0.1);
    const [first, second] = [creditOf(invoice, 0.05), creditOf(invoice, 0.05)];
    for (const body of [first, second]) {
      ledger.onBook(...NO_ANSWER);
      expect(refusal(await post(body))).toBe(UNAVAILABLE);
    }

    for (const body of [second, first]) {
      await letLeaseExpire(await idOf(body));
      expect(await work()).toBe(true);
      await expectIssuedOnce(body);
    }

    expect(await vatOf(first, second)).toEqual([0.01, 0.02]);
  });

  it("add up with a third one when the ledger refuses the first after the second was rounded", async () => {
    await world.done("PUT /exchange-rates/USD/2026-01-01", { rate: 6.402537 });
    const invoice = await issued(0.1, { currency: "USD" });
    const [first, second, third] = [
      creditOf(invoice, 0.05),
      creditOf(invoice, 0.05),
      creditOf(invoice),
    ];
    ledger.onBook(...NO_ANSWER);
    await post(first);
    expect((await post(second)).status).toBe(201);
    ledger.onBook(rejected("VALIDATION"));
    expect(refusal(await post(first))).toBe("409 LEDGER_REJECTED");

    expect((await post(third)).status).toBe(201);

    expect(await vatOf(second, third)).toEqual([0.02, 0.01]);
    const documents = [invoice.id, await idOf(second), await idOf(third)].map(
      (id) => ledger.documents.get(id)?.intent.document,
    );
    const [whole, ...parts] = documents.map((document) => [
      document?.lines[0]?.net_functional ?? 0n,
      document?.vat[0]?.vat_functional ?? 0n,
    ]);
    const sums = [0, 1].map((at) => parts.reduce((sum, part) => sum + (part[at] ?? 0n), 0n));
    expect(sums).toEqual(whole);
  });

  const vatOf = (...bodies: Json[]): Promise<number[]> =>
    Promise.all(
      bodies.map(
        async (body) => (await world.done(`GET /credit-notes/${await idOf(body)}/totals`)).vat,
      ),
    );
});

describe("a credit note that a cancellation has queued", () => {
  it("that the ledger refuses remains, and is issued later", async () => {
    const id = await queued();
    ledger.onBook(rejected("VALIDATION"));
    expect((await schedule()).credit_notes_failed).toEqual([{ id, code: "LEDGER_REJECTED" }]);
    expect(await stateOf(id)).toEqual({
      status: "draft",
      queue_state: "failed",
      queue_attempts: 1,
    });
    expect((await schedule()).credit_notes_failed).toEqual([]);

    world.clock.set("2026-03-10T10:00:00.000Z");
    expect((await schedule()).credit_notes_issued).toEqual([id]);

    expect(await stateOf(id)).toMatchObject({ status: "issued", queue_state: null });
    expect(ledger.documents.get(id)?.intent.document.issue_date).toBe("2026-03-10");
  });

  it("that the ledger refuses in a manual call remains as well", async () => {
    const id = await queued();
    ledger.onBook(rejected("VALIDATION"));
    const call = `POST /credit-notes/${id}/issue`;

    expect(refusal(await world.rest(call))).toBe("409 LEDGER_REJECTED");

    expect(await stateOf(id)).toMatchObject({ status: "draft", queue_state: "failed" });
    expect((await world.rest(call)).body).toMatchObject({ id, status: "issued" });
  });

  it("that the worker finds refused remains as well", async () => {
    const id = await queued();
    ledger.onBook(...NO_ANSWER, rejected("VALIDATION"));
    await schedule();

    await letLeaseExpire(id);
    expect(await work()).toBe(true);

    expect(await intentOf(id)).toBeUndefined();
    expect(await stateOf(id)).toMatchObject({ status: "draft", queue_state: "failed" });
    expect((await world.rest(`POST /credit-notes/${id}/issue`)).status).toBe(200);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["the next run of the scheduler", () => schedule()],
    ["a manual call", (id) => world.done(`POST /credit-notes/${id}/issue`)],
    ["the worker", () => work()],
  ])("whose booking outcome is unknown is booked once by %s", async (_what, goOn) => {
    const id = await queued();
    ledger.onBook(...NO_ANSWER);
    expect((await schedule()).credit_notes_failed).toEqual([{ id, code: "LEDGER_UNAVAILABLE" }]);
    expect(await stateOf(id)).toMatchObject({ status: "draft" });
    await letLeaseExpire(id);
    ledger.forget();
    world.clock.set("2026-03-10T10:00:00.000Z");

    await goOn(id);

    expect(ledger.calls).toEqual([`find ${id}`, `find ${id}`, `book ${id}`]);
    expect(await stateOf(id)).toMatchObject({ status: "issued", queue_state: null });
    expect(await intentOf(id)).toBeUndefined();
    expect((await schedule()).credit_notes_failed).toEqual([]);
  });

  const schedule = (): Promise<Json> => world.done("POST /scheduler-runs");

  async function stateOf(id: string): Promise<Json> {
    const rows = await world.sql(
      "select status, queue_state, queue_attempts from credit_notes where id = $1",
      [id],
    );
    return rows[0];
  }

  /** The only queued credit note, of a month that was issued and then cancelled on its tenth day. */
  async function queued(): Promise<string> {
    await world.sql("update credit_notes set next_attempt_at = null where status = 'draft'");
    const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 310 }];
    const series = await world.done("POST /recurring-series", {
      customer_id: customer.id,
      frequency: "monthly",
      start_date: "2026-03-01",
      auto_send: false,
      issue_timing: { mode: "manual" },
      lines,
    });
    await world.done(`POST /recurring-series/${series.id}/occurrences/2026-03/issue`);
    const { credit_notes } = await world.done(`POST /recurring-series/${series.id}/cancel`, {
      end_date: "2026-03-10",
    });
    ledger.forget();
    return credit_notes[0].id;
  }
});
