import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, issued, fullCredit, partCredit, credited } = useSales({
  knows_origin: true,
  environment: { MATCHBOOK_TRUSTED_PROXIES: "127.0.0.1" },
});

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
beforeAll(async () => {
  // Only a sandbox has links where the service has no https.
  await world.sql("update accounts set sandbox = true");
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

/** The network of each test is its own, because the limits count by network. */
let network = 0;
beforeEach(() => {
  network += 1;
});

function visit(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "x-forwarded-for": `198.51.100.${network}`, ...init.headers };
  return fetch(`${world.origin}${path}`, { redirect: "manual", ...init, headers });
}

/** The path of the link in the newest mail of a document. */
async function linkTo(document: Json): Promise<string> {
  const [delivery] = (await world.done(`GET ${pathOf(document)}/deliveries`)).data;
  const mails = await world.mails();
  const mail = mails.find(({ messageId }) => messageId?.startsWith(`<${delivery.id}`));
  return /\/d\/[\w-]{43}/.exec(mail?.html ?? "")?.[0] ?? "";
}

const pathOf = ({ object, id }: Json): string =>
  `/${object === "credit_note" ? "credit-notes" : "invoices"}/${id}`;

const sent = () => issued([2000], { auto_send: true, title: "Spring" });

describe("GET /d/{token}", () => {
  it("shows the document as paper in its language, and its PDF", async () => {
    const invoice = await sent();
    const link = await linkTo(invoice);
    const page = await visit(link, { headers: { "accept-language": "en" } });
    const html = await page.text();
    expect(page.status).toBe(200);
    const number = invoice.ledger_invoice_number;
    for (const part of [`<html lang="da">`, `<h1>Faktura ${number}</h1>`, "2.500,00", "Spring"])
      expect(html).toContain(part);
    expect(html).toMatch(/Betalingsreference<\/dt><dd[^>]*>RF\d+<\/dd>/);
    expect(html).toContain(`href="${link}/pdf"`);
    expect(html).not.toMatch(/<script|style="|data-island/);
    const pdf = await visit(`${link}/pdf`);
    expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });

  it("forbids indexing, referrers and storing, and sets no cookie", async () => {
    const link = await linkTo(await sent());
    const paths = [link, `${link}/pdf`, `/d/${"x".repeat(43)}`];
    for (const path of paths) {
      const { headers } = await visit(path, { headers: { cookie: `matchbook=${admin.cookie()}` } });
      expect(Object.fromEntries(headers)).toMatchObject({
        "x-robots-tag": "noindex, nofollow",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';/);
    }
  });

  it("answers HEAD without a body, and no other method", async () => {
    const link = await linkTo(await sent());
    const head = await visit(link, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      expect([method, (await visit(link, { method })).status]).toEqual([method, 404]);
  });

  it("writes nothing of a visit", async () => {
    const link = await linkTo(await sent());
    // The requests of API keys are written a moment after their answers.
    const tables = await world.sql(
      `select table_name from information_schema.tables where table_schema = 'public'
         and table_name <> 'api_key_requests'`,
    );
    const digest = async () =>
      Promise.all(
        tables.map(({ table_name }) =>
          world.sql(`select md5(string_agg(t::text, '' order by t::text)) from "${table_name}" t`),
        ),
      );
    const before = await digest();
    expect((await visit(link)).status).toBe(200);
    expect((await visit(`${link}/pdf`)).status).toBe(200);
    expect((await visit(`/d/${"y".repeat(43)}`)).status).toBe(404);
    expect(await digest()).toEqual(before);
    const kept = "select 1 from api_key_requests where path not like '/api/%'";
    expect(await world.sql(kept)).toEqual([]);
    expect(await statementsOf(() => visit(link))).toBeLessThanOrEqual(12);
  });

  it("shows each issued credit note and what is left above the paper", async () => {
    const invoice = await sent();
    const link = await linkTo(invoice);
    expect(await (await visit(link)).text()).not.toContain("krediteret");
    const note = await credited(partCredit(invoice, [500]));
    const html = await (await visit(link)).text();
    const number = note.ledger_credit_note_number;
    for (const part of ["Fakturaen er krediteret", `Kreditnota ${number} af 10. marts 2026`])
      expect(html).toContain(part);
    expect(html).toMatch(/-625,00 DKK<\/dd>/);
    expect(html).toMatch(/Restbeløb<\/dt><dd[^>]*>1\.875,00 DKK/);
    expect(html.indexOf("Restbeløb")).toBeLessThan(html.indexOf('class="paper"'));
    await credited(fullCredit(invoice));
    expect(await (await visit(link)).text()).toMatch(/Restbeløb<\/dt><dd[^>]*>0,00 DKK/);
  });

  it("shows hostile texts as text", async () => {
    const title = `"><img src=x onerror="alert(1)"><script>hit</script>{{7*7}}`;
    const invoice = await issued([10], { auto_send: true, title });
    const html = await (await visit(await linkTo(invoice))).text();
    expect(html).not.toMatch(/<img|<script/);
    expect(html).toContain("&lt;img src=x onerror=");
  });
});

describe("a link that opens nothing", () => {
  it("is one page, whether it is unknown, ended, revoked or turned off", async () => {
    const [ended, revoked, off] = [await sent(), await sent(), await sent()];
    const links = [await linkTo(ended), await linkTo(revoked), await linkTo(off)];
    await world.sql("update deliveries set link_ends_at = '2026-03-10' where document_id = $1", [
      ended.id,
    ]);
    await world.sql("update deliveries set link_revoked_at = now() where document_id = $1", [
      revoked.id,
    ]);
    const bodyOf = async (path: string) => {
      const page = await visit(path);
      expect([path, page.status]).toEqual([path, 404]);
      return page.text();
    };
    const unknown = await bodyOf(`/d/${"z".repeat(43)}`);
    expect(unknown).toContain("This link opens nothing");
    expect(await bodyOf(links[0] ?? "")).toBe(unknown);
    expect(await bodyOf(`${links[1]}/pdf`)).toBe(unknown);
    expect(await bodyOf("/d/short")).toBe(unknown);
    expect((await visit(links[2] ?? "")).status).toBe(200);
    await world.done("PATCH /configuration", { document_links: false });
    expect(await bodyOf(links[2] ?? "")).toBe(unknown);
    await world.done("PATCH /configuration", { document_links: true });
    expect((await visit(links[2] ?? "")).status).toBe(200);
  });

  it("ends 180 days after its sending", async () => {
    const link = await linkTo(await sent());
    const moment = world.clock.now();
    const days = (count: number) =>
      new Date(Date.parse(moment) + count * 86_400_000 - 1000).toISOString();
    world.clock.set(days(180));
    expect((await visit(link)).status).toBe(200);
    world.clock.set(new Date(Date.parse(moment) + 180 * 86_400_000).toISOString());
    expect((await visit(link)).status).toBe(404);
    world.clock.set(moment);
  });
});

describe("the limits of a network", () => {
  it("are 10 unknown links in a minute, then 429 for all links", async () => {
    const link = await linkTo(await sent());
    for (let index = 0; index < 10; index += 1)
      expect((await visit(`/d/${String(index).repeat(43)}`)).status).toBe(404);
    const refused = await visit(link);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    network += 1;
    expect((await visit(link)).status).toBe(200);
  });

  it("are 60 requests in a minute", async () => {
    const link = await linkTo(await sent());
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await visit(link, { method: "HEAD" })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe("revoking the links of an invoice", () => {
  it("ends all of them, is in the audit trail, and sending again makes a new one", async () => {
    const invoice = await sent();
    const path = `/invoices/${invoice.id}`;
    const first = await linkTo(invoice);
    expect((await admin.get(path)).html).toContain(`href="${path}/revoke-links"`);
    const page = await admin.get(`${path}/revoke-links`);
    const done = await admin.submit(page, `${path}/revoke-links`, {});
    expect([done.status, done.location]).toEqual([303, path]);
    expect((await visit(first)).status).toBe(404);
    expect((await admin.get(path)).html).not.toContain("revoke-links");
    const [event] = await world.sql("select payload from audit_events order by seq desc limit 1");
    expect(JSON.parse(event.payload)).toMatchObject({
      action: "links_revoked",
      resource_type: "invoice",
      resource_id: invoice.id,
      after: { revoked: 1 },
    });
    await world.done(`POST /invoices/${invoice.id}/send`);
    const second = await linkTo(invoice);
    expect([(await visit(first)).status, (await visit(second)).status]).toEqual([404, 200]);
  });

  it("is for admins alone, and for issued documents", async () => {
    const invoice = await sent();
    const { browser } = await oauth.person();
    for (const path of [`/invoices/${invoice.id}/revoke-links`, "/invoices/nothing/revoke-links"]) {
      expect((await browser.get(path)).status).toBe(404);
      expect((await openBrowser(world).get(path)).html).toContain("<h1>Sign in</h1>");
    }
    expect((await admin.get("/invoices/nothing/revoke-links")).status).toBe(404);
  });

  it("works for a credit note in the same way", async () => {
    const note = await credited(fullCredit(await sent()));
    await world.done(`POST /credit-notes/${note.id}/send`);
    const link = await linkTo(note);
    expect(await (await visit(link)).text()).toContain(
      `<h1>Kreditnota ${note.ledger_credit_note_number}</h1>`,
    );
    const path = `/credit-notes/${note.id}/revoke-links`;
    expect((await admin.submit(await admin.get(path), path, {})).status).toBe(303);
    expect((await visit(link)).status).toBe(404);
  });
});
