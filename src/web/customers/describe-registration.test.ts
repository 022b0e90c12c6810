/** What the form of a customer says of the registration of an address: by a real DNS server, and while look-ups are off. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { type DnsServer, startDns, ZONE } from "../../../test/support/einvoice/dnsmasq.ts";
import {
  DOCUMENT_TYPES,
  type Publisher,
  startPublisher,
} from "../../../test/support/einvoice/publisher.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { lacks } from "../../../test/support/run/needs.ts";
import { openWorld, useWorld, type World } from "../../../test/support/world/world.ts";

const GLN = "0088:5798009811578";
const NORWEGIAN = "0192:123456785";

async function said(browser: Browser, address: string, language = "en"): Promise<unknown> {
  const proof = await proofOf(browser);
  const answer = await browser.act("/app/customers/receiver", { language, address }, proof);
  return answer.status === 200 ? answer.body.text : answer.status;
}

describe("while look-ups are off", () => {
  const world = useWorld({ knows_origin: true });

  it("nothing is said, and the form does not ask", async () => {
    const admin = await openConsent(world).signedInAdmin();
    expect(await said(admin, GLN)).toBe("");
    expect((await admin.get("/customers/new")).html).toContain('"looks_up":false');
  });
});

describe.skipIf(lacks("dnsmasq"))("with look-ups (needs dnsmasq)", () => {
  let publisher: Publisher;
  let dns: DnsServer;
  let world: World;
  let admin: Browser;
  beforeAll(async () => {
    publisher = await startPublisher({
      [GLN]: { types: [DOCUMENT_TYPES.invoice] },
      [NORWEGIAN]: { types: [DOCUMENT_TYPES.response] },
    });
    dns = await startDns({ [GLN]: publisher.url, [NORWEGIAN]: publisher.url });
    world = await openWorld({
      knows_origin: true,
      environment: {
        MATCHBOOK_EINVOICE_LOOKUP: ZONE,
        MATCHBOOK_EINVOICE_DNS: dns.address,
        MATCHBOOK_EINVOICE_HOSTS: publisher.host,
      },
    });
    admin = await openConsent(world).signedInAdmin();
  });
  afterAll(async () => {
    await world?.close();
    await dns?.close();
    await publisher?.close();
  });

  it.each([
    [GLN, "It is registered in Peppol for BIS 3."],
    [NORWEGIAN, "It is registered in Peppol, but not for invoices in BIS 3."],
    ["0184:25313763", "It is not registered in Peppol. A Danish business may take OIOUBL instead"],
    ["0007:5567037485", "It is not registered in Peppol. Invoices can go by e-mail instead."],
  ])("says of %s: %s", async (address, text) => {
    expect(await said(admin, address)).toContain(text);
  });

  it("says so in Danish, and lets the form ask", async () => {
    expect(await said(admin, GLN, "da")).toBe("Adressen er registreret i Peppol til BIS 3.");
    expect((await admin.get("/customers/new")).html).toContain('"looks_up":true');
  });

  it("asks nothing about an address with a fault", async () => {
    const asked = publisher.asked.length;
    expect(await said(admin, "0088:5798009811579")).toBe("");
    expect(publisher.asked.length).toBe(asked);
  });
});
