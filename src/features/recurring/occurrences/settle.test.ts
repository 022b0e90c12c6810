/**
 * Issuing occurrences through an external ledger that answers late or never, or refuses (spec 4.5,
 * 4.7 and 9.8). The ledger is a simulator; everything else is real. The invariants in each case: one
 * invoice per period, and the period shows what is booked.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  ALREADY,
  IN_PROGRESS,
  OPEN_INTENTS,
  UNAVAILABLE,
  useExternalLedger,
} from "../../../../test/support/ledger/external-ledger.ts";
import {
  type BookStep,
  door,
  rejected,
  steps,
} from "../../../../test/support/ledger/scripted-ledger.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";
import { transact } from "../../../platform/commands/tx.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import type { Intent } from "../../ledger/booking/intents.ts";
import { bookingOf } from "../../ledger/booking/intents.ts";
import { issueOccurrence } from "./issue-occurrence.ts";

const { world, ledger, customer, product, bePatient, work, intentOf, letLeaseExpire } =
  useExternalLedger();

const NO_ANSWER = [steps.unknown, steps.unknown, steps.unknown];
const REJECTED = "409 LEDGER_REJECTED";

beforeEach(() => world.sql("update recurring_series set next_due_on = null, next_retry_at = null"));

/** An active monthly series of 3100 from 1 March 2026; March fell due before its activation. */
async function series(fields: object = {}): Promise<string> {
  const { id } = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-03-01",
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 3100 }],
    ...fields,
  });
  return id;
}

async function active(fields: object = {}): Promise<string> {
  const id = await series(fields);
  await world.done(`POST /recurring-series/${id}/activate`);
  return id;
}

const path = (id: string, period: string): string =>
  `/recurring-series/${id}/occurrences/${period}`;
const issue = (id: string, period: string): Promise<Reply> =>
  world.rest(`POST ${path(id, period)}/issue`);
const occurrence = (id: string, period: string): Promise<Json> =>
  world.done(`GET ${path(id, period)}`);
const schedule = (): Promise<Json> => world.done("POST /scheduler-runs");
const at = (moment: string): void => world.clock.set(moment);

/** The invoices of a series, including one in progress. */
const invoicesOf = (id: string): Promise<Json[]> =>
  world.sql("select id, status, period from invoices where series_id = $1 order by id", [id]);

/** The invoice of the period whose booking outcome is unknown; there is one. */
async function pendingOf(id: string, period: string): Promise<string> {
  const pending = (await invoicesOf(id)).filter((invoice) => invoice.status === "draft");
  expect(pending).toMatchObject([{ period }]);
  return pending[0].id;
}

/** One invoice, booked once, which the period names. */
async function expectIssuedOnce(id: string, period: string): Promise<Json> {
  const shown = await occurrence(id, period);
  expect(shown.status).toBe("issued");
  const invoice = await world.done(`GET /invoices/${shown.invoice_id}`);
  const booked = ledger.documents.get(invoice.id);
  expect(invoice).toMatchObject({
    status: "issued",
    ledger_invoice_number: Number(booked?.number),
    issue_date: shown.issue_date,
  });
  expect((await invoicesOf(id)).filter((one) => one.period === period)).toHaveLength(1);
  const bookings = [...ledger.documents.values()].filter(({ intent }) =>
    intent.document.lines.some((line) => line.line_id === invoice.lines[0].id),
  );
  expect(bookings).toHaveLength(1);
  expect(await intentOf(invoice.id)).toBeUndefined();
  expect(refusal(await issue(id, period))).toBe(ALREADY);
  return invoice;
}

/** The period waits, no invoice of it is visible, and the attempt is stored. */
async function expectUnderWay(id: string, period: string): Promise<void> {
  expect(await occurrence(id, period)).toMatchObject({ status: "scheduled", invoice_id: null });
  expect(await intentOf(await pendingOf(id, period))).toBeDefined();
}

async function expectFailed(id: string, period: string): Promise<void> {
  expect(await occurrence(id, period)).toMatchObject({ status: "failed", invoice_id: null });
  expect((await invoicesOf(id)).filter((one) => one.period === period)).toEqual([]);
  expect(await world.sql(`select id from intents where ${OPEN_INTENTS}`)).toEqual([]);
}

describe("a call that receives the booking outcome in time", () => {
  it.each<[string, readonly BookStep[], readonly string[]]>([
    ["a correct answer", [], ["book"]],
    ["a timeout before the request arrived", [steps.silent], ["book", "find", "find", "book"]],
    ["a timeout after the booking", [steps.bookedButSilent], ["book", "find"]],
    ["a rate limit", [steps.notStarted], ["book", "book"]],
  ])("answers 200 after %s", async (_what, script, calls) => {
    const id = await active();
    ledger.onBook(...script);

    const { status, body } = await issue(id, "2026-03");

    expect([status, body.status]).toEqual([200, "issued"]);
    expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${body.id}`));
    const { warnings, ...invoice } = body;
    expect(await expectIssuedOnce(id, "2026-03")).toEqual(invoice);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "NOBODY_ASSIGNED" }));
  });

  it("answers 200 with send_error when the document is booked and could not be sent", async () => {
    const unknown_one = await world.done("POST /customers", { name: "Without address" });
    const id = await active({ customer_id: unknown_one.id, auto_send: true });

    const { status, body } = await issue(id, "2026-03");

    expect([status, body.send_error]).toEqual([200, "the customer has no e-mail address"]);
    await expectIssuedOnce(id, "2026-03");
  });
});

describe("a ledger that does not answer leaves the period scheduled with one attempt, and", () => {
  it("a repeat of the call books it once", async () => {
    const id = await active();
    ledger.onBook(...NO_ANSWER);

    const reply = await issue(id, "2026-03");

    expect(refusal(reply)).toBe(UNAVAILABLE);
    expect(reply.headers.get("retry-after")).toBe("5");
    await expectUnderWay(id, "2026-03");
    const invoice_id = await pendingOf(id, "2026-03");
    const listed = await world.done("GET /invoices?limit=100");
    expect(listed.data.map((invoice: Json) => invoice.id)).not.toContain(invoice_id);
    await letLeaseExpire(invoice_id);
    ledger.forget();
    at("2026-03-12T09:00:00.000Z");

    expect((await issue(id, "2026-03-01")).body).toMatchObject({
      id: invoice_id,
      // The day of the first attempt was frozen with it.
      issue_date: "2026-03-10",
    });

    expect(ledger.calls).toEqual(["find", "find", "book"].map((verb) => `${verb} ${invoice_id}`));
    await expectIssuedOnce(id, "2026-03");
  });

  it("the worker finishes it, and the series continues from there", async () => {
    const id = await active();
    ledger.onBook(...NO_ANSWER);
    await issue(id, "2026-03");
    const invoice_id = await pendingOf(id, "2026-03");
    await world.done(`POST /recurring-series/${id}/lines`, {
      scope: "this_and_following",
      period: "2026-04",
      line: { product_id: product.id, recognition_method: "value", agreed_value: 50 },
    });

    await letLeaseExpire(invoice_id);
    expect(await work()).toBe(true);

    await expectIssuedOnce(id, "2026-03");
    // The effective lines are those of the first period that is open now.
    const { lines } = await world.done(`GET /recurring-series/${id}`);
    expect(lines.map((line: Json) => line.agreed_value)).toEqual([3100, 50]);
    at("2026-04-01T09:00:00.000Z");
    expect((await schedule()).issued).toMatchObject([{ series_id: id, period: "2026-04" }]);
  });

  it("a draft series is active already, because its first invoice may be booked", async () => {
    const id = await series();
    ledger.onBook(...NO_ANSWER);

    expect(refusal(await issue(id, "2026-03"))).toBe(UNAVAILABLE);

    expect(await world.done(`GET /recurring-series/${id}`)).toMatchObject({ status: "active" });
    expect((await issue(id, "2026-03")).status).toBe(200);
    await expectIssuedOnce(id, "2026-03");
  });

  it("nothing that would contradict the booking is accepted until it is known", async () => {
    const id = await active();
    ledger.onBook(...NO_ANSWER);
    await issue(id, "2026-03");
    const other = await world.done("POST /customers", { name: "Other" });
    const call = async (method: string, rest: string, body?: object) =>
      refusal(await world.rest(`${method} /recurring-series/${id}${rest}`, body));
    const line = { agreed_value: 1 };
    const [{ line_id }] = (await world.done(`GET /recurring-series/${id}/lines`)).data;

    expect(await call("POST", "/occurrences/2026-03/skip")).toBe(IN_PROGRESS);
    expect(
      await call("PATCH", `/lines/${line_id}`, { scope: "this_only", period: "2026-03", line }),
    ).toBe(IN_PROGRESS);
    expect(await call("PATCH", "", { customer_id: other.id })).toBe("409 SERIES_FIELD_FROZEN");
    expect(await call("PATCH", "", { start_date: "2026-03-02" })).toBe("409 SERIES_FIELD_FROZEN");
    expect(await call("PATCH", "", { end_date: "2026-03-30" })).toBe(
      "409 SERIES_END_BEFORE_ISSUED",
    );
    expect(await call("POST", "/cancel", { end_date: "2026-03-30" })).toBe(IN_PROGRESS);
    await expectUnderWay(id, "2026-03");

    expect(await call("POST", "/cancel", { end_date: "2026-03-31" })).toBe("200");
    expect((await issue(id, "2026-03")).status).toBe(200);
    await expectIssuedOnce(id, "2026-03");
  });

  it("the scheduler leaves it to its attempt, and continues with the next period", async () => {
    const id = await active();
    at("2026-04-01T09:00:00.000Z");
    ledger.onBook(...NO_ANSWER);
    const first = await schedule();
    await expectUnderWay(id, "2026-04");
    const invoice_id = await pendingOf(id, "2026-04");
    at("2026-05-01T09:00:00.000Z");
    const second = await schedule();

    expect([first.issued, second.failed]).toEqual([[], []]);
    expect(first.failed).toMatchObject([
      { series_id: id, period: "2026-04", code: "LEDGER_UNAVAILABLE" },
    ]);
    expect(second.issued).toMatchObject([{ series_id: id, period: "2026-05" }]);
    await letLeaseExpire(invoice_id);
    expect(await work()).toBe(true);
    await expectIssuedOnce(id, "2026-04");
    await expectIssuedOnce(id, "2026-05");
    expect(await schedule()).toMatchObject({ issued: [], failed: [], remaining: 0 });
  });
});

describe("a ledger that refuses makes the period failed, without an invoice,", () => {
  it.each<[string, BookStep, string]>([
    ["for its content", rejected("VALIDATION"), REJECTED],
    ["for a locked period", rejected("PERIOD_LOCKED"), "409 PERIOD_LOCKED"],
  ])("%s, and it can be issued manually", async (_what, step, expected) => {
    const id = await active();
    ledger.onBook(step);

    expect(refusal(await issue(id, "2026-03"))).toBe(expected);

    await expectFailed(id, "2026-03");
    expect((await issue(id, "2026-03")).status).toBe(200);
    await expectIssuedOnce(id, "2026-03");
  });

  it("when a repeat learns of it after a time-out", async () => {
    const id = await active();
    ledger.onBook(...NO_ANSWER, rejected("VALIDATION"));
    expect(refusal(await issue(id, "2026-03"))).toBe(UNAVAILABLE);

    expect(refusal(await issue(id, "2026-03"))).toBe(REJECTED);

    await expectFailed(id, "2026-03");
  });

  it("when the worker learns of it, and the scheduler retries", async () => {
    const id = await active();
    at("2026-04-01T09:00:00.000Z");
    ledger.onBook(...NO_ANSWER, rejected("VALIDATION"));
    await schedule();
    await letLeaseExpire(await pendingOf(id, "2026-04"));

    expect(await work()).toBe(true);

    await expectFailed(id, "2026-04");
    expect((await schedule()).issued).toEqual([]);
    at("2026-04-01T10:00:00.000Z");
    expect((await schedule()).issued).toMatchObject([{ series_id: id, period: "2026-04" }]);
    await expectIssuedOnce(id, "2026-04");
  });

  it("and it is retried after 1, 6 and 24 hours, seven times in all, then only issued manually", async () => {
    const id = await active({ end_date: "2026-04-30" });
    let now = Date.parse("2026-04-01T09:00:00.000Z");
    const tries: number[] = [];
    for (let hour = 0; hour < 24 * 8; hour += 1, now += 3_600_000) {
      at(new Date(now).toISOString());
      ledger.onBook(rejected("VALIDATION"));
      const { failed } = await schedule();
      if (failed.length === 0) continue;
      expect(failed).toMatchObject([{ series_id: id, period: "2026-04", code: "LEDGER_REJECTED" }]);
      tries.push(hour);
    }

    // The first try, and seven retries.
    expect(tries).toEqual([0, 1, 7, 31, 55, 79, 103, 127]);
    await expectFailed(id, "2026-04");
    ledger.forget();
    expect((await schedule()).issued).toEqual([]);
    expect((await issue(id, "2026-04")).status).toBe(200);
    await expectIssuedOnce(id, "2026-04");
  });

  it("and later periods are still issued", async () => {
    const id = await active();
    at("2026-04-01T09:00:00.000Z");
    ledger.onBook(rejected("VALIDATION"));
    await schedule();
    at("2026-05-01T09:00:00.000Z");

    const { issued } = await schedule();

    expect(issued).toMatchObject([{ period: "2026-04" }, { period: "2026-05" }]);
    await expectIssuedOnce(id, "2026-05");
  });
});

describe("parallel calls", () => {
  it("20 issues of one period book it once", async () => {
    const id = await active();

    const replies = await Promise.all(Array.from({ length: 20 }, () => issue(id, "2026-03")));

    const answers = replies.map(refusal).sort();
    expect(answers[0]).toBe("200");
    expect([IN_PROGRESS, ALREADY]).toEqual(expect.arrayContaining([...new Set(answers.slice(1))]));
    await expectIssuedOnce(id, "2026-03");
  });

  it("runs of the scheduler and a manual call book it once", async () => {
    const id = await active();
    at("2026-04-01T09:00:00.000Z");
    const { held, entered, open } = door();
    bePatient();
    ledger.onBook(held);
    const first = schedule();
    await entered;

    expect(refusal(await issue(id, "2026-04"))).toBe(IN_PROGRESS);
    expect((await schedule()).issued).toEqual([]);
    open();

    expect((await first).issued).toMatchObject([{ series_id: id, period: "2026-04" }]);
    await expectIssuedOnce(id, "2026-04");
  });
});

describe("the worker finishes what a crashed process began", () => {
  it.each<[string, boolean]>([
    ["before it called the ledger", false],
    ["after the ledger booked", true],
  ])("%s", async (_what, was_booked) => {
    const id = await active();
    const intent = await issueInDyingProcess(id, "2026-03");
    if (was_booked) ledger.book(bookingOf(intent));
    expect(refusal(await issue(id, "2026-03"))).toBe(IN_PROGRESS);

    await letLeaseExpire(intent.document_id);
    expect(await work()).toBe(true);

    expect(ledger.calls).toEqual([
      `find ${intent.document_id}`,
      ...(was_booked ? [] : [`book ${intent.document_id}`]),
    ]);
    await expectIssuedOnce(id, "2026-03");
  });
});

/** Begins to issue a period in a process that ends before it calls the ledger. */
async function issueInDyingProcess(ref: string, period: string): Promise<Intent> {
  const cx = await schedulerContext(world.services, world.account.account_id);
  const begun = await transact(cx, async (inside) => {
    return issueOccurrence.commit(inside, await issueOccurrence.plan(inside, { ref, period }));
  });
  if (!("intent" in begun)) throw new Error("the ledger is not an external one");
  return begun.intent;
}
