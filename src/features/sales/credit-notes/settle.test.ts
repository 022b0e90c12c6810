/**
 * Credit notes through an external ledger that answers late, wrongly or never (spec 5.5 and 9.8).
 * The ledger is a simulator; everything else is real.
 */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { NO_ANSWER, useCreditLedger } from "../../../../test/support/ledger/credit-ledger.ts";
import { UNAVAILABLE } from "../../../../test/support/ledger/external-ledger.ts";
import {
  type BookStep,
  door,
  found,
  numbered,
  offBy1,
  steps,
} from "../../../../test/support/ledger/scripted-ledger.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { transact } from "../../../platform/commands/tx.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import type { Intent } from "../../ledger/booking/intents.ts";
import { bookingOf } from "../../ledger/booking/intents.ts";
import { createCreditNote } from "./create.ts";

const {
  world,
  ledger,
  customer,
  bePatient,
  work,
  intentOf,
  letLeaseExpire,
  issued,
  creditOf,
  post,
  show,
  idOf,
  expectIssuedOnce,
  expectUnderWay,
} = useCreditLedger();

const WITHOUT_REPLY = [steps.notStarted, steps.notStarted, steps.notStarted];

describe("a call that receives the booking outcome in time", () => {
  it.each<[string, readonly BookStep[], readonly ("book" | "find")[]]>([
    ["a correct answer", [], ["book"]],
    ["a timeout before the request arrived", [steps.silent], ["book", "find", "find", "book"]],
    ["a timeout after the booking", [steps.bookedButSilent], ["book", "find"]],
    ["an unknown outcome of a booking", [steps.bookedButUnknown], ["book", "find"]],
    ["a rate limit", [steps.notStarted], ["book", "book"]],
    ["other totals, then the right ones", [offBy1("vat")], ["book", "find"]],
  ])("answers 201 after %s", async (_what, script, calls) => {
    const body = creditOf(await issued(), 40);
    ledger.onBook(...script);

    const reply = await post(body);

    expect([reply.status, reply.body.status]).toEqual([201, "issued"]);
    expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${reply.body.id}`));
    await expectIssuedOnce(body);
  });

  it("answers 200 with send_error when the note is booked in the ledger and cannot be sent", async () => {
    const unknown_one = await world.done("POST /customers", { name: "Without address" });
    const body = creditOf(await issued(100, { customer_id: unknown_one.id, auto_send: true }));

    const reply = await post(body);

    expect(reply.status).toBe(200);
    expect(reply.body.send_error).toBe("the customer has no e-mail address");
    expect(await show(body)).toEqual(reply.body);
  });
});

describe("a call without the outcome answers LEDGER_UNAVAILABLE, and", () => {
  it.each<[string, readonly BookStep[], readonly ("book" | "find")[]]>([
    ["a ledger that is down", WITHOUT_REPLY, ["find", "book"]],
    ["a ledger that never answers", NO_ANSWER, ["find", "find", "book"]],
    [
      "a connector that only throws",
      [steps.throws, steps.throws, steps.throws],
      ["find", "find", "book"],
    ],
  ])("a repeat with the same external id books once after %s", async (_what, script, calls) => {
    const body = creditOf(await issued(), 40);
    ledger.onBook(...script);

    const reply = await post(body);

    expect(refusal(reply)).toBe(UNAVAILABLE);
    expect(reply.headers.get("retry-after")).toBe("5");
    await expectUnderWay(body);
    const id = await idOf(body);
    expect(ledger.documents.has(id)).toBe(false);
    await letLeaseExpire(id);
    ledger.forget();
    expect(await post(body)).toMatchObject({ status: 200, body: { id, status: "issued" } });
    expect(ledger.calls).toEqual(calls.map((verb) => `${verb} ${id}`));
    await expectIssuedOnce(body);
  });

  it("it waits for a connection whose credentials do not work", async () => {
    const body = creditOf(await issued(), 40);
    ledger.onBook(steps.unauthorized);

    expect(refusal(await post(body))).toBe("409 LEDGER_NOT_CONNECTED");

    await expectUnderWay(body);
    expect((await post(body)).status).toBe(200);
    await expectIssuedOnce(body);
  });

  it("the repeat finds what was booked in the meantime", async () => {
    const body = creditOf(await issued());
    ledger.onBook(steps.bookedButUnknown);
    ledger.onFind(...[1, 2, 3].map(() => async () => ({ state: "unknown" }) as const));
    expect(refusal(await post(body))).toBe(UNAVAILABLE);
    await expectUnderWay(body);
    ledger.forget();

    expect((await post(body)).status).toBe(200);

    expect(ledger.calls).toEqual([`find ${await idOf(body)}`]);
    await expectIssuedOnce(body);
  });

  it("the pending note is shown as it will be booked, and counts against the line", async () => {
    const invoice = await issued(0.1);
    const body = creditOf(invoice, 0.05);
    ledger.onBook(...NO_ANSWER);
    await post(body);

    const id = await idOf(body);
    const totals = await world.done(`GET /credit-notes/${id}/totals`);
    const pdf = await world.rest(`GET /credit-notes/${id}/pdf`);
    const above = await post(creditOf(invoice, 0.06));

    expect(totals).toMatchObject({ net: 0.05, vat: 0.01, gross: 0.06 });
    expect(pdf.headers.get("content-disposition")).toContain("udkast");
    expect(refusal(above)).toBe("409 CREDIT_EXCEEDS_LINE");
    await post(body);
    const after = await world.done(`GET /credit-notes/${id}/totals`);
    expect({ ...after, warnings: totals.warnings }).toEqual(totals);
  });

  it("other content under its external id is still a conflict", async () => {
    const invoice = await issued();
    const body = creditOf(invoice, 40);
    ledger.onBook(...NO_ANSWER);
    await post(body);

    const other = await post({ ...creditOf(invoice, 41), external_id: body.external_id });

    expect(refusal(other)).toBe("409 EXTERNAL_ID_CONFLICT");
    expect((await post(body)).status).toBe(200);
  });

  it("POST /credit-notes/{ref}/issue continues it as well", async () => {
    const body = creditOf(await issued());
    ledger.onBook(...NO_ANSWER);
    await post(body);
    ledger.forget();
    const call = `POST /credit-notes/ext:${body.external_id}/issue`;

    expect((await world.rest(call)).body).toMatchObject({ status: "issued" });

    expect(refusal(await world.rest(call))).toBe("409 CREDIT_NOTE_ALREADY_ISSUED");
    await expectIssuedOnce(body);
  });

  it("the worker finishes it and sends it", async () => {
    const body = creditOf(await issued(100, { auto_send: true }));
    ledger.onBook(...NO_ANSWER);
    await post(body);
    const id = await idOf(body);
    expect(await work()).toBe(false);

    await letLeaseExpire(id);
    expect(await work()).toBe(true);

    await expectIssuedOnce(body);
    const { data } = await world.done(`GET /credit-notes/${id}/deliveries`);
    expect(data).toMatchObject([{ state: "written_to_outbox", address: "ap@acme.example" }]);
    expect(await work()).toBe(false);
  });

  it("the worker records why it could not be sent", async () => {
    const unknown_one = await world.done("POST /customers", { name: "Without address" });
    const body = creditOf(await issued(100, { customer_id: unknown_one.id, auto_send: true }));
    ledger.onBook(...NO_ANSWER);
    await post(body);

    await letLeaseExpire(await idOf(body));
    await work();

    expect((await show(body)).send_error).toBe("the customer has no e-mail address");
    expect((await post(body)).status).toBe(200);
  });

  it("the repeat keeps the content frozen with the first attempt", async () => {
    const body = creditOf(await issued());
    ledger.onBook(...NO_ANSWER);
    await post(body);
    await world.done(`PATCH /customers/${customer.id}`, { name: "Acme Holding A/S" });
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-10" });

    const reply = await post(body);

    await world.done("PATCH /configuration", { period_lock_date: null });
    await world.done(`PATCH /customers/${customer.id}`, { name: "Acme A/S" });
    expect(reply.status).toBe(200);
    const document = ledger.documents.get(reply.body.id)?.intent.document;
    expect([document?.customer.name, document?.issue_date]).toEqual(["Acme A/S", "2026-03-10"]);
  });
});

describe("answers that are not accepted", () => {
  it.each<[string, BookStep]>([
    ["another guid", steps.otherGuid],
    ["other totals", offBy1("gross")],
    ["no number", steps.withoutNumber],
  ])("%s", async (_what, step) => {
    const body = creditOf(await issued());
    ledger.onBook(step);
    ledger.onFind(found(step));

    expect(refusal(await post(body))).toBe("409 LEDGER_REJECTED");

    await expectUnderWay(body);
    expect(await intentOf(await idOf(body))).toMatchObject({ state: "parked" });
    ledger.forget();
    expect((await post(body)).status).toBe(200);
    await expectIssuedOnce(body);
  });

  it("the number of another credit note", async () => {
    const invoice = await issued();
    const first = await post(creditOf(invoice, 1));
    const body = creditOf(invoice, 2);
    ledger.onBook(numbered(BigInt(first.body.ledger_credit_note_number)));

    expect(refusal(await post(body))).toBe("409 LEDGER_REJECTED");

    await expectUnderWay(body);
    expect(await intentOf(await idOf(body))).toMatchObject({ reason: "NUMBER_TAKEN" });
    expect((await post(body)).status).toBe(200);
    await expectIssuedOnce(body);
  });
});

describe("parallel calls", () => {
  it("20 with one external id book once", async () => {
    const body = creditOf(await issued());

    const replies = await Promise.all(Array.from({ length: 20 }, () => post(body)));

    const answers = new Set(replies.map(refusal));
    answers.delete("201");
    expect(["200", UNAVAILABLE]).toEqual(expect.arrayContaining([...answers]));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(ledger.calls).toEqual([`book ${await idOf(body)}`]);
    await expectIssuedOnce(body);
  });

  it("a repeat while the first call waits for the ledger books nothing and changes nothing", async () => {
    const body = creditOf(await issued());
    const { held, entered, open } = door();
    bePatient();
    ledger.onBook(held);
    const first = post(body);
    await entered;

    expect(refusal(await post(body))).toBe(UNAVAILABLE);
    const call = `POST /credit-notes/ext:${body.external_id}/issue`;
    expect(refusal(await world.rest(call))).toBe(UNAVAILABLE);
    open();

    expect((await first).status).toBe(201);
    expect(ledger.calls).toHaveLength(1);
    await expectIssuedOnce(body);
  });

  it("20 partial credits never book more than the line", async () => {
    const invoice = await issued(100);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post(creditOf(invoice, 15))),
    );

    const answers = replies.map(refusal).sort();
    expect(answers).toEqual([
      ...Array(6).fill("201"),
      ...Array(14).fill("409 CREDIT_EXCEEDS_LINE"),
    ]);
  });
});

describe("the worker finishes what a crashed process began", () => {
  it.each<[string, boolean]>([
    ["before it called the ledger", false],
    ["after the ledger booked", true],
  ])("%s", async (_what, was_booked) => {
    const body = creditOf(await issued());
    const intent = await createInDyingProcess(body);
    if (was_booked) ledger.book(bookingOf(intent));
    expect(refusal(await post(body))).toBe(UNAVAILABLE);

    await letLeaseExpire(intent.document_id);
    expect(await work()).toBe(true);

    expect(ledger.calls).toEqual([
      `find ${intent.document_id}`,
      ...(was_booked ? [] : [`book ${intent.document_id}`]),
    ]);
    await expectIssuedOnce(body);
  });
});

/** Begins a credit note in a process that ends before it calls the ledger. */
async function createInDyingProcess(body: Json): Promise<Intent> {
  const cx = await schedulerContext(world.services, world.account.account_id);
  const created = await transact(cx, async (inside) => {
    const input = createCreditNote.input.parse(body);
    return createCreditNote.commit(inside, await createCreditNote.plan(inside, input));
  });
  if (!("intent" in created)) throw new Error("nothing was begun");
  return created.intent;
}
