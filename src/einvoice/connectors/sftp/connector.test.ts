/** E-invoices over SFTP to OpenSSH's real server: what a reader sees, what a look tells, and each way in which a host fails. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSshServer, type SshServer } from "../../../../test/support/einvoice/ssh-server.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { einvoiceSetupOf } from "../../../features/documents/einvoice-connections/open-access-point.ts";
import { openSealing } from "../../../platform/security/sealing.ts";
import type { AccessPoint, Submission } from "../../access-point.ts";
import { sftpConnector } from "./connector.ts";

const ID = "01990000-0000-7000-8000-000000000001";
const submission: Submission = {
  delivery_id: ID,
  at: "2026-03-01T12:00:00Z",
  sender: "0184:25313763",
  receiver: "0088:5798009811578",
  format: "peppol-bis-3",
  kind: "invoice",
  // More than one packet.
  xml: Buffer.from(`<Invoice>${"ærø ".repeat(30_000)}</Invoice>`),
};
const call = { signal: new AbortController().signal };
const connecting = { ...call, is_connecting: true } as const;

describe.skipIf(lacks("sshd"))("SFTP (needs sshd)", () => {
  let server: SshServer;
  let dir: string;
  let point: Required<AccessPoint>;
  let number = 0;
  beforeAll(async () => {
    server = await openSshServer();
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    number += 1;
    dir = join(server.dir, `${number}`);
    await mkdir(dir);
    point = opened();
    expect(await point.check(connecting)).toEqual({ state: "connected" });
  });

  function opened(
    settings: Record<string, string> = {},
    secrets: Record<string, string> = { private_key: server.private_key },
    { listed = [`127.0.0.1:${server.port}`], sandbox = false } = {},
  ) {
    const { user, host_key } = server;
    const given = { host: "127.0.0.1", port: `${server.port}`, user, host_key, path: dir };
    const config = { data_dir: dir, einvoice_hosts: listed };
    const sealing = openSealing({ secret_keys: [], data_dir: dir });
    return einvoiceSetupOf(sftpConnector, { config, sealing }).open(
      { account_id: ID, sandbox },
      { settings: { ...given, ...settings }, secrets },
    ) as Required<AccessPoint>;
  }
  const names = async (folder: string): Promise<string[]> =>
    (await readdir(join(dir, folder))).sort();

  it("makes the folders, and hands an e-invoice over by one rename of a file that is whole", async () => {
    expect(await names("in")).toEqual(["done", "refused"]);
    expect(await point.look(ID, call)).toEqual({ state: "gone" });
    expect(await point.prepare(submission, call)).toBeNull();
    expect(await names("out")).toEqual([`${ID}.xml.part`]);
    expect(await point.look(ID, call)).toEqual({ state: "prepared" });
    // A process that prepared it before has died.
    expect(await opened().prepare(submission, call)).toBeNull();
    expect(await point.submit(submission, call)).toEqual({ state: "written" });
    expect(await names("out")).toEqual([`${ID}.xml`]);
    expect(await readFile(join(dir, "out", `${ID}.xml`))).toEqual(submission.xml);
    expect(await point.look(ID, call)).toEqual({ state: "written" });
    expect(await point.prepare(submission, call)).toEqual({ state: "written" });
    await rm(join(dir, "out", `${ID}.xml`));
    expect(await point.look(ID, call)).toEqual({ state: "gone" });
  });

  it("is in doubt when the part is gone, and not answered when the folder is", async () => {
    await point.prepare(submission, call);
    await rm(join(dir, "out", `${ID}.xml.part`));
    expect(await point.submit(submission, call)).toMatchObject({ code: "part_gone" });
    await rename(join(dir, "out"), join(dir, "away"));
    const away = { state: "not_answered", connection: "unavailable" };
    expect(await point.look(ID, call)).toEqual(away);
    expect(await point.prepare(submission, call)).toMatchObject({ state: "not_taken" });
    expect(await point.check(call)).toEqual({
      state: "unavailable",
      text: "The folder out is missing.",
    });
  });

  it("reads answers, cut after a mebibyte, and moves them", async () => {
    await writeFile(join(dir, "in", "b.xml"), "x".repeat(2 * 1024 * 1024));
    await writeFile(join(dir, "in", "a.xml"), "<a/>");
    await writeFile(join(dir, "in", ".c.xml"), "<c/>");
    await mkdir(join(dir, "in", "d.xml"));
    const found = (await point.answers(call)) ?? [];
    expect(found.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ["a.xml", 4],
      ["b.xml", 1024 * 1024 + 1],
    ]);
    expect(await point.settleAnswer("a.xml", "done", call)).toBe(true);
    await writeFile(join(dir, "in", "a.xml"), "<second/>");
    expect(await point.settleAnswer("a.xml", "done", call)).toBe(true);
    expect(await point.settleAnswer("a.xml", "done", call)).toBe(false);
    expect(await names("in/done")).toEqual(["a-1.xml", "a.xml"]);
  });

  it("continues after the server was away, without a second e-invoice", async () => {
    await point.prepare(submission, call);
    await server.stop();
    const away = { state: "unavailable", text: "The host does not answer." };
    expect(await point.check(call)).toEqual(away);
    expect(await point.submit(submission, call)).toMatchObject({ state: "unknown" });
    expect(await point.look(ID, call)).toMatchObject({ state: "not_answered" });
    expect(await point.answers(call)).toBeNull();
    await server.start();
    expect(await point.look(ID, call)).toEqual({ state: "prepared" });
    expect(await point.submit(submission, call)).toEqual({ state: "written" });
    expect(await names("out")).toEqual([`${ID}.xml`]);
  });

  it("refuses another host's key, other credentials, and hosts that are not listed", async () => {
    const other_key = `SHA256:${"A".repeat(43)}`;
    expect(await opened({ host_key: other_key }).check(connecting)).toEqual({
      state: "unavailable",
      text: "The host has another key than the one that was given.",
    });
    const unauthorized = { state: "unauthorized", text: "The host refused the credentials." };
    expect(await opened({}, { password: "hunter2" }).check(connecting)).toEqual(unauthorized);
    expect(await opened({}, { private_key: "nonsense" }).check(connecting)).toEqual(unauthorized);
    expect(await opened({ user: "stranger" }).prepare(submission, call)).toMatchObject({
      state: "not_taken",
      connection: "unauthorized",
    });
    const unlisted = await opened({}, undefined, { listed: [] }).check(connecting);
    expect(unlisted).toMatchObject({
      state: "unavailable",
      text: expect.stringContaining("MATCHBOOK_EINVOICE_HOSTS"),
    });
    const sandbox = opened({}, undefined, { sandbox: true, listed: ["127.0.0.1", "192.0.2.1"] });
    expect(await sandbox.check(connecting)).toEqual({ state: "connected" });
    const elsewhere = { sandbox: true, listed: ["192.0.2.1"] };
    expect(
      await opened({ host: "192.0.2.1" }, undefined, elsewhere).check(connecting),
    ).toMatchObject({
      state: "unavailable",
      text: "192.0.2.1 has no address that is allowed.",
    });
  });

  it("refuses a folder that does not exist, and unusable settings", async () => {
    const absent = await opened({ path: join(dir, "absent") }).check(connecting);
    expect(absent).toEqual({ state: "unavailable", text: "The host has no such folder." });
    for (const settings of [{ host: "a b" }, { port: "many" }, { host_key: "MD5:00" }]) {
      expect(() => opened(settings)).toThrow(/^`(host|port|host_key)` must be/);
    }
  });
});
