/**
 * Issuing that an external ledger refuses, calls while an attempt is in progress, and the boundary
 * cases of issuing (spec 5.3; registrations are refused where they are made).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  ALREADY,
  IN_PROGRESS,
  UNAVAILABLE,
  useExternalLedger,
} from "../../../../test/support/ledger/external-ledger.ts";
import { door, found, rejected, steps } from "../../../../test/support/ledger/scripted-ledger.ts";
import type { RejectCode } from "../../../ledger/outcome.ts";
import { bookingOf } from "../../ledger/booking/intents.ts";

const {
  world,
  ledger,
  bePatient,
  connect,
  draft,
  issue,
  show,
  work,
  letLeaseExpire,
  issueInDyingProcess,
  expectIssuedOnce,
  expectUnderWay,
  expectReleased,
} = useExternalLedger();

describe("a ledger that refuses", () => {
  const codes: RejectCode[] = [
    "VALIDATION",
    "UNKNOWN_ACCOUNT",
    "UNKNOWN_CUSTOMER",
    "TOTAL_MISMATCH",
    "NOT_ALLOWED",
  ];
  it.each(codes)("with %s leaves a draft that can be edited and issued again", async (code) => {
    const id = await draft();
    ledger.onBook(rejected(code));

    const reply = await issue(id);

    expect(refusal(reply)).toBe("409 LEDGER_REJECTED");
    expect(reply.body.error.details).toEqual({ reason: code });
    await expectReleased(id);
  });

  it("for a locked period (fault 12) also leaves a draft", async () => {
    const id = await draft();
    ledger.onBook(rejected("PERIOD_LOCKED"));

    expect(refusal(await issue(id))).toBe("409 PERIOD_LOCKED");
    await expectReleased(id);
  });

  it("after a timeout is confirmed by asking the ledger what it has", async () => {
    const id = await draft();
    ledger.onBook(steps.silent, rejected("VALIDATION"));

    expect(refusal(await issue(id))).toBe("409 LEDGER_REJECTED");

    expect(ledger.calls).toEqual([`book ${id}`, `find ${id}`, `find ${id}`, `book ${id}`]);
    await expectReleased(id);
  });

  it("leaves an audit event with the actor and the reason", async () => {
    const id = await draft();
    ledger.onBook(rejected("UNKNOWN_ACCOUNT"));
    await issue(id);

    const { data } = await world.done(`GET /audit-events?resource_id=${id}&limit=1`);

    expect(data).toMatchObject([
      { action: "issue_refused", reason: "UNKNOWN_ACCOUNT", actor: { kind: "api_key" } },
    ]);
  });

  it("never gets a second document for an invoice whose lost booking arrives later", async () => {
    const id = await draft();
    ledger.onBook(rejected("VALIDATION"));
    await issue(id);
    // The first request was delayed on its way and arrives now, after the draft has been changed.
    const lost = await issueInDyingProcess(id);
    ledger.book(bookingOf(lost));
    await world.sql("delete from intents where document_id = $1", [id]);
    await world.done(`PATCH /invoices/${id}`, { title: "Other content" });

    const reply = await issue(id);

    expect(reply.body.error.details).toMatchObject({ reason: "GUID_CONFLICT", state: "parked" });
    expect(ledger.documents.get(id)?.intent.document.title).toBeNull();
    expect(await show(id)).toMatchObject({ status: "draft" });
  });
});

describe("an intent in progress", () => {
  it("refuses PATCH, DELETE and issue (409 INVOICE_ISSUE_IN_PROGRESS)", async () => {
    const id = await draft();
    const { held, entered, open } = door();
    bePatient();
    ledger.onBook(steps.honest, held);
    await issue(await draft());
    const first = issue(id);
    await entered;

    await expectUnderWay(id);
    expect(refusal(await issue(id))).toBe(IN_PROGRESS);
    expect(refusal(await world.rest(`POST /invoices/${id}/send`))).toBe("409 INVOICE_NOT_ISSUED");
    expect((await world.rest(`GET /invoices/${id}/pdf`)).status).toBe(200);

    open();
    expect(refusal(await first)).toBe("200");
    await expectIssuedOnce(id);
  });

  it("lets one of 20 parallel issues through (fault 6)", async () => {
    const id = await draft();

    const replies = await Promise.all(Array.from({ length: 20 }, () => issue(id)));

    const answers = replies.map(refusal).sort();
    expect(answers[0]).toBe("200");
    expect([IN_PROGRESS, ALREADY]).toEqual(expect.arrayContaining([...new Set(answers.slice(1))]));
    expect(ledger.calls).toEqual([`book ${id}`]);
    await expectIssuedOnce(id);
  });

  it("waits while the account has no connector, and resumes when it has one", async () => {
    const id = await draft();
    await issueInDyingProcess(id);
    await letLeaseExpire(id);
    await connect("gone");

    expect(refusal(await issue(id))).toBe(UNAVAILABLE);
    expect(refusal(await issue(await draft()))).toBe("409 LEDGER_NOT_CONNECTED");
    await connect("builtin");
    expect(refusal(await issue(id))).toBe(UNAVAILABLE);

    await connect("scripted");
    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });
});

describe.each(["builtin", "scripted"])("on the %s ledger:", (kind) => {
  beforeAll(() => connect(kind));
  afterAll(() => connect("scripted"));

  it("a null issue_date near midnight is today in the account's time zone", async () => {
    world.clock.set("2026-03-10T23:30:00.000Z");
    const id = await draft();

    const { body } = await issue(id);

    expect(body).toMatchObject({
      issue_date: "2026-03-11",
      issued_at: "2026-03-10T23:30:00.000Z",
    });
  });

  it("a locked issue date is PERIOD_LOCKED, and the invoice remains an editable draft", async () => {
    await world.done("PATCH /configuration", { period_lock_date: "2026-01-31" });
    const id = await draft({ issue_date: "2026-01-31" });

    expect(refusal(await issue(id))).toBe("409 PERIOD_LOCKED");

    expect(ledger.calls).toEqual([]);
    await world.done(`PATCH /invoices/${id}`, { issue_date: "2026-02-01" });
    expect((await issue(id)).body).toMatchObject({ issue_date: "2026-02-01" });
  });

  it("a failed sending is 200, issued, send_error; a second issue is refused, and /send repeats it", async () => {
    const unknown_one = await world.done("POST /customers", { name: "Without address" });
    const id = await draft({ customer_id: unknown_one.id, auto_send: true });

    const { status, body } = await issue(id);

    expect([status, body.status]).toEqual([200, "issued"]);
    expect(body.send_error).toBe("the customer has no e-mail address");
    expect(await show(id)).not.toHaveProperty("send_error");
    expect(refusal(await issue(id))).toBe(ALREADY);
    const again = await world.done(`POST /invoices/${id}/send`, { address: "x@acme.example" });
    expect(again).toMatchObject({ state: "written_to_outbox", send_error: null });
  });
});

describe("an answer that is lost", () => {
  it("after a timeout of the issue, the repeat returns the same ledger invoice", async () => {
    const id = await draft();
    ledger.onBook(steps.bookedButSilent);
    ledger.onFind(...[1, 2].map(() => found(steps.bookedButSilent)));
    expect(refusal(await issue(id))).toBe(UNAVAILABLE);
    const number = Number(ledger.documents.get(id)?.number);

    expect((await issue(id)).body).toMatchObject({
      ledger_invoice_guid: id,
      ledger_invoice_number: number,
    });
    await expectIssuedOnce(id);
  });

  it("24 of the fault table: an issued invoice is never booked again, whatever happened to it in the ledger", async () => {
    const id = await draft();
    await issue(id);
    (ledger.documents as Map<string, unknown>).delete(id);
    ledger.forget();

    expect(refusal(await issue(id))).toBe(ALREADY);
    expect(await work()).toBe(false);
    expect(ledger.calls).toEqual([]);
  });
});
