/** The search: its page, which works without a script, and the action of the palette. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  openBrowser,
  type PageReply,
} from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
let customer: Json;
let invoice: Json;

beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  customer = await world.done("POST /customers", { name: `Grøn <b>Logistik</b> A/S` });
  const product = await world.done("POST /products", { name: "Work" });
  const draft = await world.done("POST /invoices", {
    customer_id: customer.id,
    title: "Driver app",
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 57_225 }],
  });
  await world.done(`POST /invoices/${draft.id}/issue`);
  invoice = await world.done(`GET /invoices/${draft.id}`);
});

const proofOf = ({ html }: PageReply) => /name="csrf" content="([^"]+)"/.exec(html)?.[1] ?? "";

describe("the search page", () => {
  it("lists the matches with links, escaped", async () => {
    const { html } = await admin.get(`/search?q=${encodeURIComponent("gr lo")}`);
    expect(html).toContain(`href="/customers/${customer.id}"`);
    expect(html).toContain("Grøn &lt;b>Logistik&lt;/b> A/S");
    expect(html).toContain('value="gr lo"');
  });

  it("finds a typed amount and shows amounts in the user's language", async () => {
    const of = async (language: string) =>
      (await admin.get("/search?q=71.531,25", { "accept-language": language })).html;
    const number = invoice.ledger_invoice_number;
    expect(await of("da")).toContain(`Faktura ${number} · Driver app`);
    expect(await of("da")).toContain("71.531,25 kr.");
    expect(await of("en")).toContain(`Invoice ${number} · Driver app`);
    expect(await of("en")).toContain("DKK 71,531.25");
  });

  it("finds pages and the actions that begin something", async () => {
    const { html } = await admin.get("/search?q=new");
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    expect(main).toContain('href="/customers/new"');
    expect(main).not.toContain('href="/invoices"');
  });

  it("says that nothing matches, and shows all pages without a text", async () => {
    expect((await admin.get("/search?q=zzz")).html).toContain("Nothing matches this name");
    const { html } = await admin.get("/search");
    expect(html.slice(html.indexOf("<main"))).toContain('href="/invoices"');
  });

  it("is linked from every page of a signed-in user", async () => {
    expect((await admin.get("/customers")).html).toMatch(/<a class="find" href="\/search"/);
    const { html } = await openBrowser(world).get("/sign-in");
    expect(html).not.toContain('href="/search"');
  });
});

describe("the action of the palette", () => {
  it("returns the matches that have a page", async () => {
    const proof = proofOf(await admin.get("/search"));
    const { status, body } = await admin.act("/app/search", { q: "driver" }, proof);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        kind: "invoice",
        id: invoice.id,
        name: "Driver app",
        number: String(invoice.ledger_invoice_number),
        beside: customer.name,
        credits: null,
        amount: "7153125",
        currency: "DKK",
      },
    ]);
    expect(body.current).toMatch(/^\d{4}-\d{2}$/);
  });

  it("finds people, ledger accounts, entries and months, which only admins have", async () => {
    const { browser } = await oauth.person();
    const hrefs = async (who: Browser, q: string) => {
      const { html } = await who.get(`/search?q=${encodeURIComponent(q)}`);
      const main = html.slice(html.indexOf('<section class="ways"'), html.indexOf("</main>"));
      return [...main.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    };
    const entry = (await world.done("GET /ledger/entries")).data[0];
    for (const [q, href] of [
      ["admin", `/people/${world.account.admin.user_id}`],
      ["6190", "/ledger/entries?account=6190"],
      ["tilgodehavender", "/ledger/entries?account=6190"],
      [`entry ${entry.entry_no}`, `/ledger/entries/${entry.guid}`],
      ["close february 2026", "/close/2026-02"],
      ["invite", "/people/new"],
    ] as const) {
      expect(await hrefs(admin, q)).toContain(href);
      expect(await hrefs(browser, q)).not.toContain(href);
    }
    const danish = await admin.get("/search?q=luk+februar", { "accept-language": "da" });
    expect(danish.html).toContain('href="/close/2026-02"');
    expect(danish.html).toContain("Luk februar 2026");
    expect((await admin.get("/search?q=inviter", { "accept-language": "da" })).html).toContain(
      'href="/people/new"',
    );
    const proof = proofOf(await browser.get("/search"));
    const { body } = await browser.act("/app/search", { q: "admin" }, proof);
    expect(body).toEqual({ data: [], current: null });
  });

  it("finds payments, which only admins have", async () => {
    const payment = await world.done("POST /payments", {
      ...{ external_id: "found", date: invoice.issue_date, amount: 4_321.09 },
      ...{ customer: customer.id, remainder: "customer_credit" },
    });
    const { browser } = await oauth.person();
    const html = async (who: Browser, language: string) =>
      (await who.get("/search?q=4.321,09", { "accept-language": language })).html;
    const danish = await html(admin, "da");
    for (const part of [
      `href="/payments/${payment.id}"`,
      `Betaling ${payment.number} · Grøn`,
      "4.321,09 kr.",
    ]) {
      expect(danish).toContain(part);
    }
    expect(await html(admin, "en")).toContain(`Payment ${payment.number} · Grøn`);
    expect(await html(browser, "en")).not.toContain(payment.id);
  });

  it("finds reminders by their day or number, which only admins have", async () => {
    const { customer_id } = invoice;
    const { rows } = await world.done("POST /reminder-runs/preview", { customer: customer_id });
    expect(rows).toEqual([]);
    world.clock.set("2026-04-30T10:00:00Z");
    const shown = await world.done("POST /reminder-runs/preview", { customer: customer_id });
    const run = await world.done("POST /reminder-runs", {
      rows: shown.rows.map(({ currency, agreed }: Json) => ({
        customer: customer_id,
        currency,
        agreed,
      })),
    });
    const { reminder_id } = run.outcomes[0];
    const html = async (who: Browser, language: string) =>
      (await who.get("/search?q=gr+lo", { "accept-language": language })).html;
    const english = await html(admin, "en");
    expect(english).toContain(`href="/reminders/${reminder_id}"`);
    expect(english).toContain("Reminder of 30 Apr 2026 · Grøn");
    expect(await html(admin, "da")).toContain("Rykker af 30. apr. 2026 · Grøn");
    const { browser } = await oauth.person();
    expect(await html(browser, "en")).not.toContain(reminder_id);
  });

  it("is refused without the CSRF proof, without a session, and for an invalid text", async () => {
    const proof = proofOf(await admin.get("/search"));
    expect((await admin.act("/app/search", { q: "a" }, "x")).status).toBe(400);
    expect((await openBrowser(world).act("/app/search", { q: "a" }, proof)).status).toBe(401);
    for (const sent of [{}, { q: 1 }, { q: "a".repeat(201) }, { q: "a", limit: 9 }]) {
      expect((await admin.act("/app/search", sent, proof)).status).toBe(422);
    }
    expect((await admin.act("/app/search", { q: "a\u0000b" }, proof)).status).toBe(422);
  });
});

describe("a standard user", () => {
  it("finds neither data without their assignment nor pages for admins", async () => {
    const { browser } = await oauth.person();
    const page = await browser.get(`/search?q=${encodeURIComponent("grøn")}`);
    expect(page.html).not.toContain(customer.id);
    const places = (await browser.get("/search")).html;
    expect(places).not.toContain('href="/close');
    expect(places).not.toContain("/products/new");
    expect(places).not.toContain("/customers/new");
    const { body } = await browser.act("/app/search", { q: "driver" }, proofOf(page));
    expect(body.data).toEqual([]);
  });
});

describe("another account", () => {
  it("is never found", async () => {
    const other = await world.openAnother();
    await world.done("POST /customers", { name: "Grønlund" }, other.keys.read_write);
    expect((await admin.get(`/search?q=${encodeURIComponent("grøn")}`)).html).not.toContain("lund");
  });
});
