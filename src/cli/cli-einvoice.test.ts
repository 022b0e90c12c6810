/** The commands for e-invoices, each as a separate process, with a folder of this machine. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import { useWorld } from "../../test/support/world/world.ts";

const world = useWorld();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-cli-einvoice-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `matchbook einvoice …` on the machine of the service, for its account. */
function einvoice(command: string, ...args: string[]): Promise<Ended> {
  const of_account = ["--account", world.account.account_id];
  return runMatchbook({ world }, "einvoice", command, ...of_account, ...args);
}

it("connects a folder, shows and checks it, and disconnects", async () => {
  await world.done("PATCH /configuration", { seller: { vat_number: "DK25313763" } });
  const { account_id } = world.account;
  const connected = await einvoice("connect", "--kind", "folder", "--path", folder, "--json");
  expect(answerOf(connected)).toMatchObject({
    account_id,
    kind: "folder",
    state: "connected",
    sender: "0184:25313763",
    settings: { path: folder },
    missing: [],
  });
  expect((await readdir(folder)).sort()).toEqual(expect.arrayContaining(["in", "out"]));
  expect((await einvoice("show")).out.split("\n")).toEqual([
    "connection folder",
    "state      connected",
    "sender     0184:25313763",
    "formats    peppol-bis-3, oioubl-2.1",
    "envelope   none",
    `path       ${folder}`,
    "",
  ]);
  expect(await einvoice("check")).toMatchObject({ exit: 0 });
  await rm(join(folder, "out"), { recursive: true });
  await rm(join(folder, "in"), { recursive: true });
  const gone = await einvoice("disconnect", "--json");
  expect(answerOf(gone)).toEqual({ account_id, kind: "none" });
  const again = await einvoice("disconnect");
  expect(again).toMatchObject({ exit: 1, out: "" });
  expect(again.err).toContain("EINVOICE_NOT_CONNECTED");
  expect(await einvoice("check")).toMatchObject({ exit: 1 });
});

it("says that only sellers in Denmark can send, and stores nothing that does not work", async () => {
  await world.done("PATCH /configuration", { seller: { country_key: "SE" } });
  const { out } = await einvoice("show");
  expect(out).toContain("missing    seller.country_key: only sellers in Denmark");
  const absent = await einvoice("connect", "--kind", "folder", "--path", join(folder, "absent"));
  expect(absent).toMatchObject({ exit: 1, out: "" });
  expect(absent.err).toContain("ENOENT");
  const unknown = await einvoice("connect", "--kind", "pigeon");
  expect(unknown).toMatchObject({ exit: 2, out: "" });
  expect(unknown.err).toContain("--kind is one of: folder, sftp, phoss-ap. docs/e-invoices.md");
  expect(answerOf(await einvoice("show", "--json"))).toMatchObject({ kind: "none", settings: {} });
});
