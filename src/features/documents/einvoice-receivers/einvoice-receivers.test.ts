/** Look-ups of receivers through the API: what is stored, for how long, and the limits of an account. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DnsServer, startDns, ZONE } from "../../../../test/support/einvoice/dnsmasq.ts";
import {
  DOCUMENT_TYPES,
  type Publisher,
  startPublisher,
} from "../../../../test/support/einvoice/publisher.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { openWorld, useWorld, type World } from "../../../../test/support/world/world.ts";

const GLN = "0088:5798009811578";
const look = (address: string) => `GET /einvoice/receivers?address=${address}`;

describe("GET /einvoice/receivers while look-ups are off", () => {
  const world = useWorld();

  it("asks nothing and knows nothing", async () => {
    expect(await world.done(look(GLN))).toEqual({
      object: "einvoice_receiver",
      address: GLN,
      registered: "unknown",
      formats: [],
      answers: false,
      source: null,
      looked_up_at: null,
    });
    expect(await world.sql("select from einvoice_lookups")).toEqual([]);
  });

  it.each([
    ["without a scheme", "5798009811578"],
    ["with a space", "0088:%20798009811578"],
    ["with a wrong check digit", "0088:5798009811579"],
    ["of a scheme that Peppol has not", "0001:1"],
    ["that is too long", `0190:${"x".repeat(126)}`],
  ])("refuses an address %s", async (_, address) => {
    const reply = await world.rest(look(address));
    expect(refusal(reply)).toBe("422 VALIDATION_FAILED address invalid_format");
  });
});

describe.skipIf(lacks("dnsmasq"))("GET /einvoice/receivers (needs dnsmasq)", () => {
  let publisher: Publisher;
  let dns: DnsServer;
  let world: World;
  beforeAll(async () => {
    const slow = Object.fromEntries(["a", "b", "c"].map((one) => [`0190:${one}`, "silent"]));
    publisher = await startPublisher({
      [GLN]: { types: [DOCUMENT_TYPES.invoice, DOCUMENT_TYPES.response] },
      ...(slow as Record<string, "silent">),
    });
    const names = [GLN, ...Object.keys(slow), "0190:gone"];
    dns = await startDns(Object.fromEntries(names.map((name) => [name, publisher.url])));
    world = await openWorld({
      environment: {
        MATCHBOOK_EINVOICE_LOOKUP: ZONE,
        MATCHBOOK_EINVOICE_DNS: dns.address,
        MATCHBOOK_EINVOICE_HOSTS: publisher.host,
      },
    });
  });
  afterAll(async () => {
    await world?.close();
    await dns?.close();
    await publisher?.close();
  });
  const asked = () => publisher.asked.length;
  const age = (address: string, interval: string) =>
    world.sql(
      "update einvoice_lookups set looked_up_at = clock_timestamp() - $2::interval where address = $1",
      [address, interval],
    );

  it("asks once a day about a receiver that is there, and every ten minutes about one that is not", async () => {
    const first = await world.done(look(GLN));
    expect(first).toEqual({
      object: "einvoice_receiver",
      address: GLN,
      registered: "yes",
      formats: ["peppol-bis-3"],
      answers: true,
      source: ZONE,
      looked_up_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await age(GLN, "23 hours 59 minutes");
    const before = asked();
    expect(await world.done(look(GLN))).toMatchObject({ registered: "yes", answers: true });
    expect(asked()).toBe(before);
    await age(GLN, "24 hours 1 second");
    await world.done(look(GLN));
    expect(asked()).toBe(before + 1);

    expect(await world.done(look("0190:gone"))).toMatchObject({ registered: "no", formats: [] });
    await age("0190:gone", "9 minutes");
    await world.done(look("0190:GONE"));
    expect(asked()).toBe(before + 2);
    await age("0190:gone", "11 minutes");
    await world.done(look("0190:gone"));
    expect(asked()).toBe(before + 3);
  });

  it("keeps the answers of an account to itself", async () => {
    const other = await world.openAnother();
    const before = asked();
    await world.done(look(GLN), undefined, other.keys.read);
    expect(asked()).toBe(before + 1);
  });

  it("asks twice at once and refuses the third", async () => {
    const leaves = new AbortController();
    const { read } = (await world.openAnother()).keys;
    const url = (address: string) => `${world.origin}/api/v1/einvoice/receivers?address=${address}`;
    const slow = ["0190:a", "0190:b"].map((address) =>
      fetch(url(address), {
        headers: { authorization: `Bearer ${read}` },
        signal: leaves.signal,
      }).catch(() => "left"),
    );
    await expect
      .poll(() => publisher.asked.filter((path) => /0190:[ab]$/.test(path)))
      .toHaveLength(2);
    const third = await world.rest(look("0190:c"), undefined, read);
    expect(refusal(third)).toBe("429 RATE_LIMITED");
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    leaves.abort();
    expect(await Promise.all(slow)).toEqual(["left", "left"]);
    await expect.poll(async () => (await world.rest(look(GLN), undefined, read)).status).toBe(200);
  });

  it("asks 60 times within an hour, without the stored answers, and refuses the next", async () => {
    const { read } = (await world.openAnother()).keys;
    for (let count = 0; count < 60; count += 1) {
      await world.done(look(`0190:x${count}`), undefined, read);
    }
    const refused = await world.rest(look("0190:x60"), undefined, read);
    expect(refusal(refused)).toBe("429 RATE_LIMITED");
    expect(await world.done(look("0190:x59"), undefined, read)).toMatchObject({ registered: "no" });
  });
});
