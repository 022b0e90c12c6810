/**
 * The fault table of a connected ledger at the level of the service, rows 1 to 10, 15 and 21: answers that are late, lost or
 * unreadable. The whole path from a caller to the books of the simulation of Dinero; the bookings are read from those
 * books.
 */
import { describe, expect, it } from "vitest";
import { bookingOf, findIntent } from "../../src/features/ledger/booking/intents.ts";
import { issueInvoice } from "../../src/features/sales/invoices/issue.ts";
import { transact } from "../../src/platform/commands/tx.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { refusal } from "../support/http/refusal.ts";
import {
  BOOK,
  CREATE,
  gate,
  UNAVAILABLE,
  useFaults,
} from "../support/ledger/dinero/under-fault.ts";
import type { Fault } from "../support/ledger/fault-proxy.ts";
import { letLinksPass } from "../support/ledger/pass-time.ts";
import type { Json } from "../support/world/world.ts";

const faults = useFaults();
const { world, simulation, wire, work, draft, issue, there, callsOf, intentOf } = faults;
const { letTimePass, hurry, expectIssuedOnce, expectUnderWay } = faults;

it("row 1: a ledger that is down keeps its bookings across retries, and books them when it is back", async () => {
  const ids = [await draft(), await draft()];
  await wire().shut();
  for (const id of ids) await expectUnderWay(id, await issue(id));

  for (let round = 0; round < 3; round += 1) {
    await letTimePass();
    await work();
    for (const id of ids) await expectUnderWay(id, await issue(id));
  }
  await wire().reopen();
  await letTimePass();
  await work();

  for (const id of ids) await expectIssuedOnce(id);
});

describe("row 2: a request that is lost before the ledger receives it", () => {
  it("is not repeated before the call has timed out, and booked after two more look-ups", async () => {
    const id = await draft();
    wire().next(CREATE, { type: "drop_before" });

    await expectUnderWay(id, await issue(id));

    expect(await callsOf(id)).toEqual(["book unknown", "find absent"]);
    expect(await intentOf(id)).toMatchObject({ state: "unknown" });
    await letTimePass();
    expect(refusal(await issue(id))).toBe("200");
    const asked = ["find absent", "find absent", "book booked"];
    expect(await callsOf(id)).toEqual(["book unknown", "find absent", ...asked]);
    await expectIssuedOnce(id);
  });

  it("is booked within the call that timed out, and a late arrival makes no second booking", async () => {
    const id = await draft();
    const held = gate();
    hurry();
    wire().next(CREATE, { type: "hold_before", until: held.passed });

    expect(refusal(await issue(id))).toBe("200");

    held.open();
    await wire().settled();
    expect(await callsOf(id)).toEqual(expect.arrayContaining(["book unknown", "find absent"]));
    await expectIssuedOnce(id);
  });
});

it("row 3: a booking with a late answer is found, and answered with its number", async () => {
  const id = await draft();
  const held = gate();
  hurry();
  wire().next(BOOK, { type: "hold_after", until: held.passed });

  const reply = await issue(id);

  held.open();
  expect(refusal(reply)).toBe("200");
  expect(reply.body.ledger_invoice_number).toBe((await there(id))[0]?.Number);
  expect((await callsOf(id)).at(-1)).toBe("find booked");
  await expectIssuedOnce(id);
});

it("row 3: a booking with a lost answer is found immediately", async () => {
  const id = await draft();
  wire().next(BOOK, { type: "drop_after" });
  expect(refusal(await issue(id))).toBe("200");
  expect(await callsOf(id)).toEqual(["book unknown", "find booked"]);
  await expectIssuedOnce(id);
});

it("row 4: a draft with a lost answer is found, and booked", async () => {
  const id = await draft();
  wire().next(CREATE, { type: "drop_after" });
  expect(refusal(await issue(id))).toBe("200");
  expect(await callsOf(id)).toEqual(["book unknown", "find draft", "book booked"]);
  await expectIssuedOnce(id);
});

it("row 5: a booking of a process that ended is found by the next one", async () => {
  const id = await draft();
  const cx = await schedulerContext(world.services, world.account.account_id);
  await transact(cx, async (tx) =>
    issueInvoice.commit(tx, await issueInvoice.plan(tx, { ref: id })),
  );
  const intent = await findIntent(cx, id);
  if (cx.ledger === null || cx.ledger.transactional) throw new Error("the ledger is connected");
  const ledger = cx.ledger.connect(intent.account_id);
  const signal = new AbortController().signal;
  expect(await ledger.ensureBooked(bookingOf(intent), { signal })).toMatchObject({
    state: "booked",
  });
  // No process takes it until the lease of the dead process expires.
  await work();
  expect(refusal(await issue(id))).toBe("409 INVOICE_ISSUE_IN_PROGRESS");

  await letTimePass();
  await work();

  expect(await callsOf(id)).toEqual(["find booked"]);
  await expectIssuedOnce(id);
});

it("row 6: one of twenty parallel issues books, and the others are refused", async () => {
  const id = await draft();
  const replies = await Promise.all(Array.from({ length: 20 }, () => issue(id)));
  const [first, ...others] = replies.map(refusal).sort();
  expect(first).toBe("200");
  for (const other of others) {
    expect(["409 INVOICE_ALREADY_ISSUED", "409 INVOICE_ISSUE_IN_PROGRESS"]).toContain(other);
  }
  expect(await callsOf(id)).toEqual(["book booked"]);
  await expectIssuedOnce(id);
});

describe("a repeated credit note", () => {
  const creditOf = async (external_id: string, fields: Json = {}): Promise<Json> => {
    const invoice = await draft();
    const { lines, issue_date } = (await issue(invoice)).body;
    const part = { invoice_line_id: lines[0].id, amount: 100 };
    return {
      external_id,
      invoice,
      kind: "partial",
      credit_date: issue_date,
      lines: [part],
      ...fields,
    };
  };
  const post = (body: Json) => world.rest("POST /credit-notes", body);

  it("row 7: is answered as it was stored, and booked once, even after a lost answer", async () => {
    const body = await creditOf("row-7");
    wire().next({ path: /creditnotes\/[^/]+\/book$/ }, { type: "drop_after" });
    const first = await post(body);
    const again = await post(body);

    expect([refusal(first), refusal(again)]).toEqual(["201", "200"]);
    const { warnings: _, ...stored } = first.body;
    expect(again.body).toMatchObject(stored);
    const existing = await there(first.body.id);
    expect(existing).toMatchObject([
      { Status: "Booked", net: "10000", CreditNoteFor: body.invoice },
    ]);
    expect(first.body.ledger_credit_note_number ?? first.body.number).toBe(existing[0]?.Number);
  });

  it("row 8: is refused with different content, and changes nothing", async () => {
    const body = await creditOf("row-8");
    const { id } = (await post(body)).body;
    const [before] = await there(id);

    const reply = await post({ ...body, lines: [{ ...body.lines[0], amount: 200 }] });

    expect(refusal(reply)).toBe("409 EXTERNAL_ID_CONFLICT");
    expect(await there(id)).toEqual([before]);
    const { credit_notes } = await simulation().books();
    expect(credit_notes.filter((one) => one.CreditNoteFor === body.invoice)).toHaveLength(1);
  });
});

describe("row 9: a booked document that cannot be sent stays booked", () => {
  it("if the customer has no address", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Without address" });
    const id = await draft({ customer_id, auto_send: true });
    const reply = await issue(id);
    expect(refusal(reply)).toBe("200");
    expect(reply.body.send_error).toBe("the customer has no e-mail address");
    await expectIssuedOnce(id);
  });

  it.each<[string, Fault, string]>([
    [
      "if Dinero refuses to send it",
      { type: "answer", status: 400, body: '{"code":42,"message":"Validation Error"}' },
      "the ledger refuses to send the document",
    ],
    [
      "if Dinero accepts no requests for now",
      { type: "answer", status: 429, body: "API calls quota exceeded!" },
      "the ledger that sends the document gives no answer",
    ],
  ])("%s", async (_what, fault, send_error) => {
    const id = await draft({ auto_send: true });
    wire().next({ path: /\/email$/ }, fault);
    const reply = await issue(id);
    expect([refusal(reply), reply.body.send_error]).toEqual(["200", send_error]);
    expect((await there(id))[0]?.mailouts).toEqual([]);
    await expectIssuedOnce(id);
  });

  it("and a bounced mail is reported as failed", async () => {
    const id = await draft({ auto_send: true });
    expect((await issue(id)).body.send_error ?? null).toBeNull();
    const [mailout] = (await there(id))[0]?.mailouts ?? [];
    await faults.edit(id, {
      mailouts: [{ ...mailout, Status: "Failed", LatestEvent: "HardBounce" }],
    });
    await world.sql("update deliveries set next_look_at = clock_timestamp()");
    await work();
    const { data } = await world.done(`GET /invoices/${id}/deliveries`);
    expect(data).toMatchObject([
      {
        state: "failed_permanent",
        send_error: "the ledger could not deliver the document: HardBounce",
      },
    ]);
    await expectIssuedOnce(id);
  });
});

it("row 10: a sending with a lost answer is unconfirmed, looked up, and never repeated", async () => {
  const id = await draft({ auto_send: true });
  wire().next({ path: /\/email$/ }, { type: "drop_after" });

  const reply = await issue(id);

  expect(refusal(reply)).toBe("200");
  expect(reply.body.send_error).toContain("unconfirmed");
  await world.sql("update deliveries set next_look_at = clock_timestamp()");
  await work();
  const { data } = await world.done(`GET /invoices/${id}/deliveries`);
  expect(data).toMatchObject([{ state: "accepted", send_error: null }]);
  expect((await there(id))[0]?.mailouts).toHaveLength(1);
  await expectIssuedOnce(id);
});

describe("row 15: a guid that the ledger already has", () => {
  it("belongs to the draft, which is booked", async () => {
    const id = await draft();
    wire().next(BOOK, { type: "drop_before" });
    await simulation().control("forget");
    expect(refusal(await issue(id))).toBe("200");
    const creates = (await simulation().calls()).filter((call) => /POST .*\/invoices$/.test(call));
    expect(creates).toHaveLength(2);
    await expectIssuedOnce(id);
  });

  it("belongs to the customer, which is stored once", async () => {
    wire().next({ method: "POST", path: /\/contacts$/ }, { type: "drop_after" });
    const { id } = await world.done("POST /customers", { name: "Twice", email: "t@acme.example" });
    await letLinksPass(world);
    await work();
    expect(await world.done(`GET /customers/${id}/ledger`)).toMatchObject({ state: "synced" });
    const { contacts } = await simulation().books();
    expect(contacts.filter(({ ContactGuid }) => ContactGuid === id)).toHaveLength(1);
  });
});

describe("row 21: an answer that cannot be read", () => {
  it.each<[string, Fault]>([
    ["a failure", { type: "rewrite", status: 500, body: "" }],
    ["a brownout of the address", { type: "rewrite", status: 480, body: "Brownout" }],
    ["a page", { type: "rewrite", body: "<html>" }],
    ["half of it", { type: "cut" }],
  ])("%s is no answer, and the booking is found", async (_what, fault) => {
    const id = await draft();
    wire().next(BOOK, fault);
    expect(refusal(await issue(id))).toBe("200");
    expect(await callsOf(id)).toEqual(["book unknown", "find booked"]);
    await expectIssuedOnce(id);
  });

  it("to all calls leaves the booking in progress", async () => {
    const id = await draft();
    wire().each(() => ({ type: "rewrite", status: 502, body: "<html>" }));
    const reply = await issue(id);
    wire().clear();
    expect(refusal(reply)).toBe(UNAVAILABLE);
    await letTimePass();
    await work();
    await expectIssuedOnce(id);
  });
});
