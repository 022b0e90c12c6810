/**
 * The adapter for phoss-ap against a simulation with its own books, over a faulty wire: each trap of its description, and each
 * outcome. What a buyer has received is read from the books of the simulation.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  openPhossSimulation,
  SIMULATED_TOKEN,
} from "../../../../test/support/einvoice/phoss-ap/simulation.ts";
import { submissionOf } from "../../../../test/support/einvoice/submission.ts";
import { type Fault, openFaultProxy } from "../../../../test/support/ledger/fault-proxy.ts";
import { send } from "../../../platform/security/outbound.ts";
import type { AccessPoint, Submission } from "../../access-point.ts";
import type { EinvoiceOpening } from "../../connector.ts";
import { phossApConnector } from "./connector.ts";

let simulation: Awaited<ReturnType<typeof openPhossSimulation>>;
let wire: Awaited<ReturnType<typeof openFaultProxy>>;
let access_point: AccessPoint;

const request: EinvoiceOpening["request"] = ({ method, url, headers = {}, body = null, signal }) =>
  send({ method, url: new URL(url), headers, body, signal }, "only");
const open = (url: string, token = SIMULATED_TOKEN): AccessPoint =>
  phossApConnector.open({
    settings: { url },
    secrets: { token },
    default_path: "",
    request,
    connect: () => Promise.reject(new Error("nothing is asked over plain TCP")),
  });
const soon = (ms = 20_000) => ({ signal: AbortSignal.timeout(ms) });

beforeAll(async () => {
  simulation = await openPhossSimulation();
  wire = await openFaultProxy(simulation.origin);
  access_point = open(wire.origin);
});
beforeEach(async () => {
  wire.clear();
  await simulation.control("switches", {
    network: "sent",
    network_times: null,
    is_sending_on: true,
    refuses_documents: false,
    archives_at_once: false,
    network_ms: 0,
    mls_status: "pending",
  });
});
afterAll(async () => {
  await wire.close();
  await simulation.close();
});

const submit = (submission: Submission) => access_point.submit(submission, soon());
const look = ({ delivery_id }: Submission) => access_point.look(delivery_id, soon());
/** How often the buyer has received the document of a delivery. */
const received = async ({ delivery_id }: Submission): Promise<number> => {
  const { sendings } = await simulation.books();
  return sendings.filter(({ sbdhInstanceID }) => sbdhInstanceID === delivery_id).length;
};

describe("a submission", () => {
  it.each(["invoice", "credit_note"] as const)(
    "of an %s arrives as it was written",
    async (kind) => {
      const submission = submissionOf({ kind });
      expect(await submit(submission)).toEqual({ state: "delivered", at: null, is_final: false });
      const { transactions, sendings } = await simulation.books();
      const name = kind === "invoice" ? "Invoice" : "CreditNote";
      expect(transactions.at(-1)).toMatchObject({
        senderID: "iso6523-actorid-upis::0184:25313763",
        receiverID: "iso6523-actorid-upis::0088:5798009811578",
        docTypeID: `busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:${name}-2::${name}##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1`,
        processID: "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
        sbdhInstanceID: submission.delivery_id,
      });
      expect(sendings.at(-1)?.sha256).toBe(await hexOf(submission.xml));
    },
  );

  it("with a wrong identifier is refused permanently (400)", async () => {
    expect(await submit(submissionOf({ receiver: "0088" }))).toEqual({
      state: "refused",
      code: "einvoice_identifier",
      text: "The access point refuses an identifier: The receiver ID is invalid",
    });
  });

  it("with a wrong token was not taken, and the connection is unauthorized (401)", async () => {
    const submission = submissionOf();
    const outcome = await open(wire.origin, "wrong").submit(submission, soon());
    expect(outcome).toMatchObject({ state: "not_taken", connection: "unauthorized" });
    expect(await received(submission)).toBe(0);
  });

  it("was not taken while sending is switched off (404)", async () => {
    await simulation.control("switches", { is_sending_on: false });
    const submission = submissionOf();
    expect(await submit(submission)).toMatchObject({
      state: "not_taken",
      connection: "unavailable",
      text: "Sending is switched off at the access point.",
    });
    expect(await look(submission)).toEqual({ state: "absent" });
  });

  it("that verification refuses was not stored (422 with a text)", async () => {
    await simulation.control("switches", { refuses_documents: true });
    const submission = submissionOf();
    expect(await submit(submission)).toEqual({
      state: "not_taken",
      code: "einvoice_not_taken",
      text: "The access point did not take the document: Failed to submit outbound transaction",
      connection: null,
    });
    expect(await look(submission)).toEqual({ state: "absent" });
  });

  it("was not taken where no byte left", async () => {
    const closed = await openFaultProxy(simulation.origin);
    await closed.shut();
    expect(await open(closed.origin).submit(submissionOf(), soon())).toMatchObject({
      state: "not_taken",
      code: "einvoice_unavailable",
      connection: "unavailable",
    });
  });

  it.each<[string, Fault, number]>([
    ["an answer that is lost", { type: "drop_after" }, 1],
    ["half an answer", { type: "cut" }, 1],
    ["a connection that is cut before", { type: "drop_before" }, 0],
    ["a 500 of a machine in between, which passed it on", { type: "rewrite", status: 500 }, 1],
    ["a 502 of a machine in between", { type: "answer", status: 502, body: "bad gateway" }, 0],
    ["a 503", { type: "answer", status: 503, body: "" }, 0],
    ["a 403 of a machine in between", { type: "answer", status: 403, body: "no" }, 0],
    ["a 200 without a report", { type: "rewrite", body: "<html></html>" }, 1],
    ["another text with 422", { type: "answer", status: 422, body: '"Please wait"' }, 0],
  ])("is in doubt after %s", async (_, fault, times) => {
    wire.next({ method: "POST" }, fault);
    const submission = submissionOf();
    const outcome = await submit(submission);
    expect(outcome).toMatchObject({ state: "unknown", code: "einvoice_unconfirmed" });
    expect(await received(submission)).toBe(times);
    expect((await look(submission)).state).toBe(times === 1 ? "delivered" : "absent");
  });
});

describe("the traps of phoss-ap", () => {
  it("a 422 with a report is not final: it goes out later, so it is not submitted again", async () => {
    await simulation.control("switches", { network: "failed", network_times: 1 });
    const submission = submissionOf();
    expect(await submit(submission)).toMatchObject({ state: "unknown" });
    expect(await look(submission)).toEqual({
      state: "accepted",
      text: "It waits: AS4: the receiver's access point does not answer",
    });
    expect(await received(submission)).toBe(0);
    await simulation.control("retry");
    expect(await look(submission)).toMatchObject({ state: "delivered" });
    expect(await received(submission)).toBe(1);
  });

  it("the instance id is not unique: a second submit is a second invoice", async () => {
    const submission = submissionOf();
    await submit(submission);
    await submit(submission);
    expect(await received(submission)).toBe(2);
  });

  it("the adapter submits once, whatever the answer", async () => {
    await simulation.control("forget");
    const submission = submissionOf();
    wire.next({ method: "POST" }, { type: "drop_after" });
    await submit(submission);
    await look(submission);
    const calls = await simulation.calls();
    expect(calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
  });

  it("a submission that was archived is found", async () => {
    await simulation.control("switches", { archives_at_once: true });
    const submission = submissionOf();
    await submit(submission);
    const { transactions } = await simulation.books();
    expect(transactions.at(-1)?.is_archived).toBe(true);
    expect(await look(submission)).toMatchObject({ state: "delivered" });
  });

  it("a time-out says nothing: the sending continues, and a look finds it", async () => {
    let answer = (): void => {};
    const until = new Promise<void>((resolve) => {
      answer = resolve;
    });
    wire.next({ method: "POST" }, { type: "hold_after", until });
    const submission = submissionOf();
    expect(await access_point.submit(submission, soon(300))).toMatchObject({ state: "unknown" });
    answer();
    await wire.settled();
    expect(await look(submission)).toMatchObject({ state: "delivered" });
    expect(await received(submission)).toBe(1);
  });

  it("a 404 of a machine in front of the engine does not make a submission absent", async () => {
    const submission = submissionOf();
    await submit(submission);
    const gone: Fault = { type: "answer", status: 404, body: "404 page not found" };
    wire.next({ method: "GET" }, gone, gone);
    expect(await look(submission)).toEqual({ state: "not_answered", connection: "unavailable" });
    wire.next({ method: "GET" }, gone, { type: "drop_before" });
    expect(await look(submission)).toMatchObject({ state: "not_answered" });
  });
});

describe("a look", () => {
  it("at an engine that died while sending finds what it stored", async () => {
    await simulation.control("switches", { network: "silent" });
    const submission = submissionOf();
    await submit(submission);
    await simulation.restart();
    expect(await look(submission)).toEqual({ state: "accepted", text: null });
    expect(await received(submission)).toBe(0);
  });

  it.each<[string, object, object]>([
    ["pending", { status: "pending" }, { state: "accepted", text: null }],
    ["sending", { status: "sending" }, { state: "accepted", text: null }],
    ["failed", { status: "failed" }, { state: "accepted", text: null }],
    [
      "sent, before a Message Level Status",
      { status: "sent", completedDT: "2026-03-10T10:00:00+01:00", mlsStatus: "pending" },
      { state: "delivered", at: "2026-03-10T09:00:00.000Z", is_final: false },
    ],
    [
      "sent, delivered to the buyer",
      { status: "sent", completedDT: "2026-03-10T09:00:00Z", mlsStatus: "received_ap" },
      { state: "delivered", at: "2026-03-10T09:00:00.000Z", is_final: true },
    ],
    [
      "sent, handed on",
      { status: "sent", completedDT: null, mlsStatus: "received_ab" },
      { state: "delivered", at: null, is_final: true },
    ],
    [
      "sent, without Message Level Status",
      { status: "sent", completedDT: "yesterday", mlsStatus: "not_applicable" },
      { state: "delivered", at: null, is_final: true },
    ],
    [
      "refused by the receiver's side after it was sent",
      { status: "sent", mlsStatus: "received_re", errorDetails: "BV: BR-DK-01\n\tfatal" },
      {
        state: "rejected",
        text: "The receiver's side refused the document: BV: BR-DK-01 fatal",
      },
    ],
    [
      "rejected",
      { status: "rejected", errorDetails: "PEPPOL-EN16931-R003" },
      {
        state: "failed",
        code: "einvoice_invalid",
        text: "The access point refuses the document: PEPPOL-EN16931-R003",
      },
    ],
    [
      "permanently failed",
      { status: "permanently_failed" },
      {
        state: "failed",
        code: "einvoice_undeliverable",
        text: "The access point could not deliver the document.",
      },
    ],
    ["an unknown status", { status: "paused" }, { state: "not_answered", connection: null }],
    [
      "the status of another submission",
      { status: "sent", sbdhInstanceID: "another" },
      { state: "not_answered", connection: null },
    ],
  ])("reads %s", async (_, fields, expected) => {
    const submission = submissionOf();
    const answer = { sbdhInstanceID: submission.delivery_id, errorDetails: null, ...fields };
    wire.next({ method: "GET" }, { type: "answer", status: 200, body: JSON.stringify(answer) });
    expect(await look(submission)).toEqual(expected);
  });

  it.each<[string, Fault, string | null]>([
    ["a lost answer", { type: "drop_after" }, null],
    ["a 500", { type: "answer", status: 500, body: "" }, null],
    ["a page", { type: "answer", status: 200, body: "<html></html>" }, null],
    ["a list", { type: "answer", status: 200, body: "[]" }, null],
    ["a refused token", { type: "answer", status: 401, body: "{}" }, "unauthorized"],
  ])("that meets %s changes nothing", async (_, fault, connection) => {
    const submission = submissionOf();
    await submit(submission);
    wire.next({ method: "GET" }, fault);
    expect(await look(submission)).toEqual({ state: "not_answered", connection });
  });

  it("keeps at most 500 characters of the other side's text", async () => {
    const submission = submissionOf();
    const answer = {
      sbdhInstanceID: submission.delivery_id,
      status: "rejected",
      errorDetails: "🍏".repeat(2_000),
    };
    wire.next({ method: "GET" }, { type: "answer", status: 200, body: JSON.stringify(answer) });
    const outcome = await look(submission);
    expect([...("text" in outcome ? (outcome.text ?? "") : "")]).toHaveLength(500);
  });
});

describe("a check", () => {
  it("finds the engine", async () => {
    expect(await access_point.check(soon())).toEqual({ state: "connected" });
  });

  it("finds a token that is refused", async () => {
    const outcome = await open(wire.origin, "wrong").check(soon());
    expect(outcome).toEqual({
      state: "unauthorized",
      text: "The access point refuses the token.",
    });
  });

  it.each<[string, Fault]>([
    ["another server", { type: "answer", status: 404, body: "not found" }],
    ["an error", { type: "answer", status: 500, body: "" }],
    ["no answer", { type: "drop_before" }],
  ])("is unavailable after %s", async (_, fault) => {
    wire.next({ method: "GET" }, fault, fault);
    expect(await access_point.check(soon())).toMatchObject({ state: "unavailable" });
  });
});

it.each(["", "ap.example", "ftp://ap.example", "https://ap.example?x=1", "https://ap.example#x"])(
  "refuses the address %j before it reaches anything",
  (url) => {
    expect(() => open(url)).toThrow("`url` must be the address");
  },
);

async function hexOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Buffer.from(digest).toString("hex");
}
