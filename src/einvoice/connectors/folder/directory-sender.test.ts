/**
 * Envelopes in a folder that a directory sender empties: what it takes, and what its answers mean. The files are real; the directory
 * sender is that of the simulation of phoss-ap, which counts in its own books what buyers have received.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPhossSimulation } from "../../../../test/support/einvoice/phoss-ap/simulation.ts";
import { submissionOf } from "../../../../test/support/einvoice/submission.ts";
import type { AccessPoint, Submission } from "../../access-point.ts";
import { folderConnector } from "./connector.ts";

let simulation: Awaited<ReturnType<typeof openPhossSimulation>>;
let folder = "";
let access_point: AccessPoint;

const soon = () => ({ signal: AbortSignal.timeout(20_000) });
const out = (...names: string[]): string => join(folder, "out", ...names);
const look = ({ delivery_id }: Submission) => access_point.look(delivery_id, soon());

beforeAll(async () => {
  simulation = await openPhossSimulation();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "matchbook-folder-"));
  access_point = folderConnector.open({
    settings: { path: folder, envelope: "sbd" },
    secrets: {},
    default_path: "",
    connect: () => Promise.reject(new Error("nothing is asked over TCP")),
    request: () => Promise.reject(new Error("a folder makes no requests")),
  });
  expect(await access_point.check({ ...soon(), is_connecting: true })).toEqual({
    state: "connected",
  });
  await simulation.control("switches", { network: "sent", network_times: null });
});
afterEach(async () => {
  await simulation.control("watch", { folder: null });
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => simulation.close());

const handOver = async (submission: Submission): Promise<void> => {
  expect(await access_point.prepare?.(submission, soon())).toBeNull();
  expect(await look(submission)).toEqual({ state: "prepared" });
  expect(await access_point.submit(submission, soon())).toEqual({ state: "written" });
};
const watch = () => simulation.control("watch", { folder: out() });
/** An answer of the directory sender, and its file where it has one. */
const answer = (path: string, content: object | string): void => {
  mkdirSync(out(path, ".."), { recursive: true });
  writeFileSync(out(path), typeof content === "string" ? content : JSON.stringify(content));
};

it("takes documents of Peppol alone", () => {
  expect(access_point).toMatchObject({
    envelope: "sbd",
    formats: ["peppol-bis-3"],
    finds: false,
    reports: true,
  });
});

describe("a directory sender", () => {
  it.each(["invoice", "credit_note"] as const)(
    "sends the envelope of an %s and says that it was delivered",
    async (kind) => {
      const submission = submissionOf({ kind });
      await handOver(submission);
      expect(await look(submission)).toEqual({ state: "written" });
      await watch();
      await expect
        .poll(() => look(submission))
        .toMatchObject({
          state: "delivered",
          at: expect.stringMatching(/Z$/),
          is_final: true,
        });
      const { transactions, sendings } = await simulation.books();
      const { delivery_id } = submission;
      expect(transactions.at(-1)).toMatchObject({
        sbdhInstanceID: delivery_id,
        senderID: "iso6523-actorid-upis::0184:25313763",
        receiverID: "iso6523-actorid-upis::0088:5798009811578",
      });
      expect(sendings.filter((one) => one.sbdhInstanceID === delivery_id)).toHaveLength(1);
      const sent = readFileSync(out("success", `${delivery_id}.xml`), "utf8");
      expect(sent).toContain("<cbc:Note>Grøn &amp; æble 🍏</cbc:Note>");
    },
  );

  it("keeps in pending what it tries again by itself", async () => {
    await simulation.control("switches", { network: "failed", network_times: 1 });
    const submission = submissionOf();
    await handOver(submission);
    await watch();
    await expect.poll(() => look(submission)).toEqual({ state: "accepted", text: null });
    expect(readdirSync(out("pending"))).toEqual([`${submission.delivery_id}.xml`]);
    await simulation.control("retry");
    await expect.poll(() => look(submission)).toMatchObject({ state: "delivered" });
  });

  it.each([
    ["permanently_failed", "einvoice_undeliverable"],
    ["rejected", "einvoice_invalid"],
  ])("says why it could not send (%s)", async (network, code) => {
    await simulation.control("switches", { network });
    const submission = submissionOf();
    await handOver(submission);
    await watch();
    await expect
      .poll(() => look(submission))
      .toEqual({
        state: "failed",
        code,
        text: "The access point could not send the document: AS4: the receiver's access point does not answer",
      });
  });

  it("that was killed after it took a file continues, and the file counts as accepted meanwhile", async () => {
    await simulation.control("switches", { network: "silent" });
    const submission = submissionOf();
    await handOver(submission);
    await watch();
    await expect.poll(() => look(submission)).toEqual({ state: "accepted", text: null });
    await simulation.restart();
    expect(await look(submission)).toEqual({ state: "accepted", text: null });
    await simulation.control("switches", { network: "sent" });
    await watch();
    await simulation.control("retry");
    await expect.poll(() => look(submission)).toMatchObject({ state: "delivered" });
  });
});

describe("a look", () => {
  it("at a file that is gone without a word finds nothing", async () => {
    const submission = submissionOf();
    await handOver(submission);
    rmSync(out(`${submission.delivery_id}.xml`));
    expect(await look(submission)).toEqual({ state: "gone" });
  });

  it("while the disk is away finds nothing out, and continues when it is back", async () => {
    const submission = submissionOf();
    expect(await access_point.prepare?.(submission, soon())).toBeNull();
    renameSync(out(), join(folder, "away"));
    expect(await access_point.submit(submission, soon())).toMatchObject({ state: "unknown" });
    const away = { state: "not_answered", connection: "unavailable" };
    expect(await look(submission)).toEqual(away);
    renameSync(join(folder, "away"), out());
    expect(await look(submission)).toEqual({ state: "prepared" });
    expect(await access_point.submit(submission, soon())).toEqual({ state: "written" });
  });

  it("before the answer is written finds the file that has moved", async () => {
    const submission = submissionOf();
    answer(`success/${submission.delivery_id}.xml`, "<sent/>");
    answer(`success/${submission.delivery_id}.xml.json`, '{"success": tr');
    expect(await look(submission)).toEqual({ state: "accepted", text: null });
  });

  it("reads an answer beside the file, with or without .xml in its name", async () => {
    const submission = submissionOf();
    answer(`success/${submission.delivery_id}.json`, { success: true });
    expect(await look(submission)).toEqual({ state: "delivered", at: null, is_final: true });
  });

  it("prefers the newer of two answers, whose name was taken", async () => {
    const submission = submissionOf();
    const { delivery_id } = submission;
    answer(`error/${delivery_id}.xml.json`, {
      status: "permanently_failed",
      errorDetails: "first",
    });
    answer(`error/${delivery_id}-1.xml.json`, {
      status: "permanently_failed",
      errorDetails: "second",
    });
    expect(await look(submission)).toMatchObject({ text: expect.stringContaining("second") });
    answer(`success/${delivery_id}.xml.json`, { processedDT: "2026-03-10T10:00:00+01:00" });
    expect(await look(submission)).toEqual({
      state: "delivered",
      at: "2026-03-10T09:00:00.000Z",
      is_final: true,
    });
    answer(`pending/${delivery_id}-1.xml`, "<again/>");
    expect(await look(submission)).toMatchObject({ state: "accepted" });
  });

  it.each<[string, object | string]>([
    ["the answer for another delivery", { sbdhInstanceID: "another", success: true }],
    ["a list", "[]"],
    ["no JSON", "sent"],
    ["an answer of 1 MB", JSON.stringify({ errorDetails: "x".repeat(1024 * 1024) })],
  ])("does not read %s", async (_, content) => {
    const submission = submissionOf();
    answer(`success/${submission.delivery_id}.xml.json`, content);
    expect(await look(submission)).toEqual({ state: "gone" });
  });
});
