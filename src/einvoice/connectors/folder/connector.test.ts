/** E-invoices as files in a real folder: what a reader sees at each moment, and what a look tells after a crash at any of them. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccessPoint, Submission } from "../../access-point.ts";
import type { EinvoiceOpening } from "../../connector.ts";
import { folderAccessPoint } from "../../transport/folder-access-point.ts";
import { folderCapabilities } from "../../transport/folder-settings.ts";
import { folderConnector } from "./connector.ts";
import { localFault, localFiles } from "./local-files.ts";

const ID = "01990000-0000-7000-8000-000000000001";
const submission: Submission = {
  delivery_id: ID,
  at: "2026-03-01T12:00:00Z",
  sender: "0184:25313763",
  receiver: "0088:5798009811578",
  format: "peppol-bis-3",
  kind: "invoice",
  xml: Buffer.from("<Invoice>ærø</Invoice>"),
};
const connecting = { signal: new AbortController().signal, is_connecting: true } as const;
const call = { signal: new AbortController().signal };
const unavailable = { code: "folder_unavailable", connection: "unavailable" };

let root: string;
let dir: string;
let point: Required<AccessPoint>;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "matchbook-folder-"));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  dir = await mkdtemp(join(root, "one-"));
  point = opened({ path: dir });
  expect(await point.check(connecting)).toEqual({ state: "connected" });
});

function opened(settings: Record<string, string>, default_path = join(root, "default")) {
  const request: EinvoiceOpening["request"] = () =>
    Promise.reject(new Error("a folder sends no request"));
  const connect = request as never;
  const opening: EinvoiceOpening = { settings, secrets: {}, default_path, request, connect };
  return folderConnector.open(opening) as Required<AccessPoint>;
}
const names = (folder: string): Promise<string[]> => readdir(join(dir, folder));

describe("the check of a folder", () => {
  it("makes the folders and leaves no file", async () => {
    expect(await names("out")).toEqual([]);
    expect((await names("in")).sort()).toEqual(["done", "refused"]);
  });

  it("makes the default folder, but never one that the operator named", async () => {
    expect(await opened({}).check(connecting)).toEqual({ state: "connected" });
    expect((await readdir(join(root, "default"))).sort()).toEqual(["in", "out"]);
    const absent = await opened({ path: join(root, "absent") }).check(connecting);
    expect(absent).toEqual({ state: "unavailable", text: "The folder cannot be used: ENOENT." });
  });

  it("fails where no file can be written", async () => {
    await rm(join(dir, "out"), { recursive: true });
    await writeFile(join(dir, "out"), "a file");
    expect(await point.check(call)).toMatchObject({ state: "unavailable" });
  });

  it("makes no folders once it is connected: a missing one may be a disk that is away", async () => {
    await point.prepare(submission, call);
    await rename(dir, `${dir}.away`);
    await mkdir(dir);
    expect(await point.check(call)).toEqual({
      state: "unavailable",
      text: "The folder out is missing.",
    });
    expect(await point.prepare(submission, call)).toMatchObject({ state: "not_taken" });
    const away = { state: "not_answered", connection: "unavailable" };
    expect(await point.look(ID, call)).toEqual(away);
    await rm(dir, { recursive: true });
    await rename(`${dir}.away`, dir);
    expect(await point.look(ID, call)).toEqual({ state: "prepared" });
    expect(await point.check(call)).toEqual({ state: "connected" });
  });

  it("refuses a relative path and an unknown envelope", () => {
    expect(() => opened({ path: "einvoices" })).toThrow("`path` must be absolute.");
    expect(() => opened({ envelope: "zip" })).toThrow("`envelope` must be `none` or `sbd`.");
  });
});

describe("an e-invoice", () => {
  it("is handed over by one rename of a file that is whole", async () => {
    expect(await point.look(ID, call)).toEqual({ state: "gone" });
    expect(await point.prepare(submission, call)).toBeNull();
    expect(await names("out")).toEqual([`${ID}.xml.part`]);
    expect(await point.look(ID, call)).toEqual({ state: "prepared" });
    // After a crash, the file is prepared again.
    expect(await point.prepare(submission, call)).toBeNull();
    expect(await point.submit(submission, call)).toEqual({ state: "written" });
    expect(await names("out")).toEqual([`${ID}.xml`]);
    expect(await readFile(join(dir, "out", `${ID}.xml`))).toEqual(submission.xml);
    expect(await point.look(ID, call)).toEqual({ state: "written" });
  });

  it("is not written twice", async () => {
    await point.prepare(submission, call);
    await point.submit(submission, call);
    expect(await point.prepare(submission, call)).toEqual({ state: "written" });
    expect(await names("out")).toEqual([`${ID}.xml`]);
  });

  it("that a reader has moved or deleted is gone", async () => {
    await point.prepare(submission, call);
    await point.submit(submission, call);
    await rename(join(dir, "out", `${ID}.xml`), join(root, "taken.xml"));
    expect(await point.look(ID, call)).toEqual({ state: "gone" });
  });

  it("is in doubt when its part is gone before it was handed over", async () => {
    await point.prepare(submission, call);
    await rm(join(dir, "out", `${ID}.xml.part`));
    expect(await point.submit(submission, call)).toMatchObject({
      state: "unknown",
      code: "part_gone",
    });
  });

  it("is not taken by a folder that cannot be written", async () => {
    await rm(join(dir, "out"), { recursive: true });
    await writeFile(join(dir, "out"), "a file");
    expect(await point.prepare(submission, call)).toMatchObject({
      state: "not_taken",
      ...unavailable,
    });
    expect(await point.look(ID, call)).toEqual({
      state: "not_answered",
      connection: "unavailable",
    });
  });

  it("stays prepared when the rename fails", async () => {
    await point.prepare(submission, call);
    await mkdir(join(dir, "out", `${ID}.xml`, "in-the-way"), { recursive: true });
    expect(await point.submit(submission, call)).toMatchObject({
      state: "not_taken",
      ...unavailable,
    });
    await rm(join(dir, "out", `${ID}.xml`), { recursive: true });
    expect(await point.submit(submission, call)).toEqual({ state: "written" });
  });

  it("is not waited for longer than the call", async () => {
    const ended = { signal: AbortSignal.abort() };
    expect(await point.prepare(submission, ended)).toMatchObject({
      state: "not_taken",
      text: "The folder did not answer in time.",
    });
    expect(await point.submit(submission, ended)).toMatchObject({ state: "unknown" });
  });
});

describe("the answers of buyers", () => {
  const put = (name: string, text = "<x/>") => writeFile(join(dir, "in", name), text);

  it("are read in their order and moved when they are settled", async () => {
    await put("b.xml", "<b/>");
    await put("a.XML", "<a/>");
    const found = (await point.answers(call)) ?? [];
    expect(found.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ["a.XML", "<a/>"],
      ["b.xml", "<b/>"],
    ]);
    expect(await point.settleAnswer("a.XML", "done", call)).toBe(true);
    expect(await point.settleAnswer("b.xml", "refused", call)).toBe(true);
    expect(await names("in/done")).toEqual(["a.XML"]);
    expect(await names("in/refused")).toEqual(["b.xml"]);
    expect(await point.answers(call)).toEqual([]);
    expect(await point.settleAnswer("a.XML", "done", call)).toBe(false);
  });

  it("never replace an earlier one of the same name", async () => {
    for (const text of ["<first/>", "<second/>", "<third/>"]) {
      await put("answer.xml", text);
      expect(await point.settleAnswer("answer.xml", "done", call)).toBe(true);
    }
    expect(await names("in/done")).toEqual(["answer-1.xml", "answer-2.xml", "answer.xml"]);
    expect(await readFile(join(dir, "in/done/answer.xml"), "utf8")).toBe("<first/>");
  });

  it("are no hidden files, folders, or files of other kinds", async () => {
    await put(".hidden.xml");
    await put("a.xml.part");
    await put("a.txt");
    await mkdir(join(dir, "in", "folder.xml"));
    expect(await point.answers(call)).toEqual([]);
  });

  it("are cut after a mebibyte and a byte, and are a few at a time", async () => {
    await put("long.xml", "x".repeat(2 * 1024 * 1024));
    expect((await point.answers(call))?.[0]?.bytes).toHaveLength(1024 * 1024 + 1);
    for (let number = 0; number < 15; number += 1) await put(`${number}.xml`);
    expect(await point.answers(call)).toHaveLength(10);
  });

  it("are settled by a name alone", async () => {
    await writeFile(join(dir, "secret.xml"), "<x/>");
    for (const name of ["../secret.xml", "..", "", "a\\b.xml", "a\n.xml", ".xml"]) {
      expect(await point.settleAnswer(name, "done", call)).toBe(false);
    }
    expect(await readFile(join(dir, "secret.xml"), "utf8")).toBe("<x/>");
  });

  it("cannot be read without the folder", async () => {
    await rm(join(dir, "in"), { recursive: true });
    await writeFile(join(dir, "in"), "a file");
    expect(await point.answers(call)).toBeNull();
  });
});

it("is not taken for gone where the disk was away for a moment", async () => {
  await point.prepare(submission, call);
  const files = localFiles(dir, false);
  const [out, away] = [join(dir, "out"), join(dir, "away")];
  /** The folder goes away before the first name is looked for, and is back after the second. */
  const has = async (path: string): Promise<boolean> => {
    if (path.endsWith(".part")) await rename(out, away);
    const found = await files.has(path);
    if (path.endsWith(".xml")) await rename(away, out);
    return found;
  };
  const capabilities = folderCapabilities({});
  const facts = { kind: "folder", capabilities, faultOf: localFault } as const;
  const flapping = folderAccessPoint({ ...facts, files: { ...files, has } });
  expect(await flapping.look(ID, call)).toEqual({ state: "prepared" });
  await point.submit(submission, call);
  expect(await flapping.look(ID, call)).toEqual({ state: "written" });
  await rm(join(out, `${ID}.xml`));
  expect(await flapping.look(ID, call)).toEqual({ state: "gone" });
});
