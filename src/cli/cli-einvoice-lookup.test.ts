/** `matchbook einvoice lookup` as a process of its own, over a real DNS server and a real publisher. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDns, ZONE } from "../../test/support/einvoice/dnsmasq.ts";
import { DOCUMENT_TYPES, startPublisher } from "../../test/support/einvoice/publisher.ts";
import { answerOf, runMatchbook } from "../../test/support/run/matchbook.ts";
import { lacks } from "../../test/support/run/needs.ts";

const GLN = "0088:5798009811578";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-cli-einvoice-"));
});
afterAll(() => rm(folder, { recursive: true }));
const lookup = (environment: Record<string, string>, ...args: string[]) =>
  runMatchbook({ folder, environment }, "einvoice", "lookup", ...args);

it("ends with 1 while look-ups are off, and with 2 for what is no address", async () => {
  expect(await lookup({}, GLN)).toMatchObject({
    exit: 1,
    err: expect.stringContaining("MATCHBOOK_EINVOICE_LOOKUP"),
  });
  expect(await lookup({}, "5798009811578")).toMatchObject({ exit: 2 });
  expect(await lookup({})).toMatchObject({ exit: 2 });
});

describe.skipIf(lacks("dnsmasq"))("with a register (needs dnsmasq)", () => {
  it("shows what it says", async () => {
    const publisher = await startPublisher({ [GLN]: { types: [DOCUMENT_TYPES.invoice] } });
    const dns = await startDns({ [GLN]: publisher.url });
    const environment = {
      MATCHBOOK_EINVOICE_LOOKUP: ZONE,
      MATCHBOOK_EINVOICE_DNS: dns.address,
      MATCHBOOK_EINVOICE_HOSTS: publisher.host,
    };
    try {
      expect(answerOf(await lookup(environment, GLN, "--json"))).toEqual({
        address: GLN,
        source: ZONE,
        registered: "yes",
        formats: ["peppol-bis-3"],
        answers: false,
        reason: null,
      });
      const { exit, out } = await lookup(environment, "0190:gone");
      expect(exit).toBe(0);
      expect(out).toContain("not registered");
    } finally {
      await dns.close();
      await publisher.close();
    }
  });
});
