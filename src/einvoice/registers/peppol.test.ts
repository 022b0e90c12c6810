/** The register of Peppol, over a real DNS server and a real publisher: its answers, its limits, and the addresses it asks. */
import { createSocket } from "node:dgram";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DnsServer, startDns, ZONE } from "../../../test/support/einvoice/dnsmasq.ts";
import {
  DOCUMENT_TYPES,
  type Publisher,
  serviceGroup,
  startPublisher,
} from "../../../test/support/einvoice/publisher.ts";
import { lacks } from "../../../test/support/run/needs.ts";
import { peppolRegister } from "./peppol.ts";

const STAYS = new AbortController().signal;

describe.skipIf(lacks("dnsmasq"))("the register of Peppol (needs dnsmasq)", () => {
  const DEEP = `${"<a>".repeat(60)}${"</a>".repeat(60)}`;
  const BOMB = `<!DOCTYPE a [<!ENTITY b "b">]>${serviceGroup("x", []).replace(/<\?xml.*\?>\n/, "")}`;
  let publisher: Publisher;
  let dns: DnsServer;
  beforeAll(async () => {
    publisher = await startPublisher({
      "0088:5798009811578": { types: [DOCUMENT_TYPES.invoice, DOCUMENT_TYPES.response] },
      "0088:5798009811639": { types: [DOCUMENT_TYPES.order] },
      "0088:1": { status: 500 },
      "0088:2": { status: 302, location: "/iso6523-actorid-upis%3A%3A0088%3A5798009811578" },
      "0088:3": "silent",
      "0088:4": { body: serviceGroup("0088:4", []) + " ".repeat(5_000_000) },
      "0088:5": { body: "<html/>" },
      "0088:6": { body: BOMB },
      "0088:7": { body: Buffer.from(serviceGroup("0088:7", []), "utf16le") },
      "0088:8": {
        body: serviceGroup("0088:8", []).replace("</ServiceGroup>", `${DEEP}</ServiceGroup>`),
      },
    });
    const at = (url: string, ...addresses: string[]) =>
      Object.fromEntries(addresses.map((address) => [address, url]));
    dns = await startDns({
      ...at(publisher.url, "0088:5798009811578", "0088:5798009811639", "0184:32081330"),
      ...at(publisher.url, ...[1, 2, 3, 4, 5, 6, 7, 8].map((digit) => `0088:${digit}`)),
      "9915:private": "https://10.0.0.1/",
      "9915:shared": "https://100.64.0.1/",
      "9915:link": "https://169.254.169.254/",
      "9915:mapped": "https://[::ffff:10.0.0.1]/",
      "9915:local": "https://127.0.0.1/",
      "9915:named": "https://localhost/",
      "9915:port": "https://8.8.8.8:8443/",
      "9915:plain": "http://8.8.8.8/",
      "9915:user": "https://a:b@8.8.8.8/",
      "9915:file": "file:///etc/passwd",
    });
  });
  afterAll(async () => {
    await dns?.close();
    await publisher?.close();
  });
  const find = (
    address: string,
    { hosts = [publisher.host], most_ms = 5_000, server = dns.address } = {},
  ) => peppolRegister({ lookup: ZONE, dns: server, hosts, most_ms }).find(address, STAYS);

  it("knows what a receiver takes, and whether it knows answers", async () => {
    expect(await find("0088:5798009811578")).toEqual({
      registered: "yes",
      formats: ["peppol-bis-3"],
      answers: true,
      reason: null,
    });
    expect(publisher.asked.at(-1)).toBe("/iso6523-actorid-upis::0088:5798009811578");
    expect(await find("0088:5798009811639")).toMatchObject({ registered: "yes", formats: [] });
  });

  it.each([
    ["without a record", "0088:5790000000012"],
    ["with a record of another service", "0088:5790000000005"],
    ["whose publisher answers 404", "0184:32081330"],
  ])("says no of a receiver %s", async (_, address) => {
    expect(await find(address)).toMatchObject({ registered: "no", reason: null });
  });

  it.each([
    ["an error", "0088:1", "The publisher answered 500."],
    ["a redirect, which is not followed", "0088:2", "The publisher answered 302."],
    ["5 MB", "0088:4", "The publisher did not answer."],
    ["another document", "0088:5", "The publisher's answer cannot be read."],
    ["a document type", "0088:6", "The publisher's answer cannot be read."],
    ["UTF-16", "0088:7", "The publisher's answer cannot be read."],
    ["a deep tree", "0088:8", "The publisher's answer cannot be read."],
  ])("knows nothing after %s", async (_, address, reason) => {
    expect(await find(address)).toMatchObject({ registered: "unknown", formats: [], reason });
  });

  it("knows nothing when the time is over, of a publisher or of a DNS server", async () => {
    const most_ms = 150;
    expect(await find("0088:3", { most_ms })).toMatchObject({
      registered: "unknown",
      reason: "The publisher did not answer.",
    });
    const deaf = createSocket("udp4");
    await new Promise<void>((resolve) => deaf.bind(0, "127.0.0.1", resolve));
    const server = `127.0.0.1:${deaf.address().port}`;
    const found = await find("0088:3", { most_ms, server });
    expect(found).toMatchObject({
      registered: "unknown",
      reason: "The DNS server did not answer.",
    });
    deaf.close();
  });

  it("knows nothing after SERVFAIL, which does not deny the name", async () => {
    const failing = createSocket("udp4");
    failing.on("message", (query, { port }) => {
      const reply = Buffer.from(query);
      reply[2] = 0x81;
      reply[3] = 0x82;
      failing.send(reply, port, "127.0.0.1");
    });
    await new Promise<void>((resolve) => failing.bind(0, "127.0.0.1", resolve));
    const server = `127.0.0.1:${failing.address().port}`;
    expect(await find("0088:3", { server })).toMatchObject({ registered: "unknown" });
    failing.close();
  });

  it("throws the reason of a caller that has left", async () => {
    const left = new AbortController();
    const register = peppolRegister({
      lookup: ZONE,
      dns: dns.address,
      hosts: [publisher.host],
      most_ms: 5_000,
    });
    const found = register.find("0088:3", left.signal);
    left.abort(new Error("left"));
    await expect(found).rejects.toThrow("left");
  });

  it("asks a publisher on this machine only if its host is listed", async () => {
    const before = publisher.asked.length;
    expect(await find("0088:5798009811578", { hosts: [] })).toMatchObject({
      registered: "unknown",
      reason: "The publisher has no address that may be asked.",
    });
    expect(publisher.asked).toHaveLength(before);
  });

  it.each([
    "private",
    "shared",
    "link",
    "mapped",
    "local",
    "named",
    "port",
    "plain",
    "user",
    "file",
  ])("does not ask the address of 9915:%s", async (name) => {
    expect(await find(`9915:${name}`, { hosts: [] })).toEqual({
      registered: "unknown",
      formats: [],
      answers: false,
      reason: "The publisher has no address that may be asked.",
    });
  });
});
