/** The settings of e-invoices: the sender, the connection and its check, in both languages and for admins alone. */
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { connectEinvoices } from "../../../test/support/einvoice/connect-einvoices.ts";
import { useDineroWorld } from "../../../test/support/ledger/dinero/world.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const PATH = "/settings/einvoices";
const DANISH = { "accept-language": "da" };

let admin: Browser;
let dir: string;
const world = useWorld({ knows_origin: true });
const oauth = openConsent(world);
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "matchbook-einvoices-"));
  admin = await oauth.signedInAdmin();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const check = async () => admin.submit(await admin.get(PATH), `${PATH}/check`, {});

// One account: each test continues where the one before ended.
describe("the settings of e-invoices", () => {
  it("say that nothing is connected, and by which command it is", async () => {
    const text = textOf(await admin.get(PATH));
    expect(text).toContain("None yet: the company has no CVR or VAT number.");
    expect(text).toContain("No e-invoice can be made until this is set:");
    expect(text).toContain("matchbook einvoice connect");
    expect(text).toContain("EN 16931 1.3.16");
    expect(textOf(await admin.get(PATH, DANISH))).toContain("Der sendes ikke e-fakturaer");
  });

  it("show the sender and how e-invoices leave", async () => {
    await world.done("PATCH /configuration", {
      seller: { name: "Nordlys ApS", vat_number: "25313763" },
    });
    await connectEinvoices(world, { path: dir });
    const text = textOf(await admin.get(PATH));
    expect(text).toContain("0184:25313763");
    expect(text).not.toContain("No e-invoice can be made");
    expect(text).toContain("As files in a folder State Connected");
    expect(text).toContain("Peppol BIS 3, OIOUBL 2.1");
    expect(textOf(await admin.get(PATH, DANISH))).toContain("Som filer i en mappe");
  });

  it("say that only Danish sellers can send, where the account charges another country's VAT", async () => {
    await world.done("PATCH /configuration", { vat: { domestic_country: "SE" } });
    const said = "the account charges the VAT of another country";
    expect(textOf(await admin.get(PATH))).toContain(said);
    await world.done("PATCH /configuration", { vat: { domestic_country: "DK" } });
    expect(textOf(await admin.get(PATH))).not.toContain(said);
  });

  it("check the connection, and say why it failed", async () => {
    await rename(dir, `${dir}-away`);
    expect((await check()).location).toBe(PATH);
    const away = textOf(await admin.get(PATH));
    expect(away).toContain("State Unavailable");
    expect(away).toContain("E-invoices wait and are tried again.");
    await rename(`${dir}-away`, dir);
    await check();
    expect(textOf(await admin.get(PATH))).toContain("State Connected");
  });

  it("are for admins alone", async () => {
    const { browser } = await oauth.person();
    expect((await browser.get(PATH)).status).toBe(404);
  });
});

describe("the settings of e-invoices of an account whose accounting system sends them", () => {
  const { world: connected } = useDineroWorld({ knows_origin: true });

  it("say so, and offer no check", async () => {
    const { html } = await (await openConsent(connected).signedInAdmin()).get(PATH);
    expect(html).toContain("Dinero makes and sends the e-invoices of this account.");
    expect(html).not.toContain(`${PATH}/check`);
  });
});
