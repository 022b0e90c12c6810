/** The lists of drafts, issued invoices and credit notes in both languages: content, search and permissions. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const { world, customer, draft, issued, fullCredit, credited } = useSales({
  knows_origin: true,
});
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const ISSUED = "/invoices?tab=issued";
const NOTES = "/invoices?tab=credit-notes";

describe("the lists of invoices", () => {
  it("are tabs of one page, the drafts first", async () => {
    await draft([1250.5], { title: "Only a draft", issue_date: "2026-03-04" });
    const danish = await admin.get("/invoices", { "accept-language": "da" });
    expect(danish.html).toContain("<h1>Fakturaer</h1>");
    expect(danish.html).toMatch(
      /<a href="\/invoices\?tab=drafts" aria-current="page">Kladder<\/a>/,
    );
    for (const cell of ["Only a draft", "1.250,50", "1.563,13", "4. mar. 2026", "Acme A/S"]) {
      expect(danish.html).toContain(cell);
    }
    expect((await admin.get(ISSUED)).html).not.toContain("Only a draft");
  });

  it("show number, customer, title, date, amounts, delivery and credited amount", async () => {
    const invoice = await issued([2000], { title: "Half credited", auto_send: true });
    await credited(
      fullCredit(invoice, {
        kind: "partial",
        lines: [{ invoice_line_id: invoice.lines[0].id, amount: 400 }],
      }),
    );
    const { html } = await admin.get(`${ISSUED}&q=Half`);
    const row = html.slice(html.indexOf("<tbody>"), html.indexOf("</tbody>"));
    const number = String(invoice.ledger_invoice_number);
    for (const cell of [number, "Half credited", "2,000.00", "2,500.00", "In the outbox", "500.00"])
      expect(row).toContain(cell);
    expect(html).not.toMatch(/\bpaid|overdue/i);
    const notes = await admin.get(NOTES);
    expect(notes.html).toContain(`href="/invoices/${invoice.id}"`);
    expect(notes.html).toContain("400.00");
  });

  it("are filtered by the text, customer and period in the URL", async () => {
    const other = await world.done("POST /customers", { name: `<b>Other</b> & sons` });
    await issued([10], { title: "Of others", customer_id: other.id, issue_date: "2026-03-09" });
    await issued([11], { title: "Of Acme", issue_date: "2026-03-10" });
    const ofOther = await admin.get(`${ISSUED}&customer=${other.id}`);
    expect(ofOther.html).toContain("Of others");
    expect(ofOther.html).toContain("&lt;b>Other");
    expect(ofOther.html).not.toContain("<b>Other");
    expect(ofOther.html).not.toContain("Of Acme");
    const late = await admin.get(`${ISSUED}&issued_from=2026-03-10&issued_to=2026-03-10`);
    expect(late.html).toContain("Of Acme");
    expect(late.html).not.toContain("Of others");
    expect((await admin.get(`${ISSUED}&q=no-such-invoice`)).html).toContain("Nothing matches");
    expect((await admin.get(`${ISSUED}&customer=x&issued_from=y`)).status).toBe(200);
  });

  it("link to older documents with the same filters", async () => {
    for (let n = 0; n < 26; n += 1) await draft([n + 1], { title: `Many ${n}.` });
    const first = await admin.get("/invoices?q=Many");
    const next = /href="(\/invoices\?[^"]+)" rel="next"/.exec(first.html)?.[1] ?? "";
    const second = await admin.get(next.replaceAll("&amp;", "&"));
    expect(first.html).toContain(">Many 25.<");
    expect(first.html).not.toContain(">Many 0.<");
    expect(second.html).toContain(">Many 0.<");
    expect(second.html).not.toContain('rel="next"');
  });

  it("send the same number of statements for any number of drafts", async () => {
    await draft([1], { title: "Counted alone" });
    const one = await statementsOf(() => admin.get("/invoices?q=Counted+alone"));
    const many = await statementsOf(() => admin.get("/invoices?q=Many"));
    expect(many).toBe(one);
    // Includes the statements that begin and end the transaction.
    expect(many).toBeLessThanOrEqual(14);
  });

  it("refuse an invalid cursor", async () => {
    expect((await admin.get("/invoices?cursor=nonsense")).status).toBe(422);
  });
});

describe("access to the lists of invoices", () => {
  it("is refused to visitors and limited to their assignments for standard users", async () => {
    await draft([1], { title: "Guarded" });
    const { browser: standard } = await oauth.person();
    expect((await openBrowser(world).get("/invoices")).html).toContain("<h1>Sign in</h1>");
    const shown = await standard.get("/invoices");
    expect(shown.status).toBe(200);
    expect(shown.html).not.toContain("Guarded");
  });

  it("excludes the documents of other accounts", async () => {
    const other = await world.openAnother();
    const key = other.keys.read_write;
    const others = await world.done("POST /customers", { name: "Foreign" }, key);
    await world.done("POST /invoices", { customer_id: others.id, title: "Foreign title" }, key);
    for (const path of ["/invoices", `/invoices?customer=${others.id}`]) {
      expect((await admin.get(path)).html).not.toContain("Foreign");
    }
    expect(customer.id).not.toBe(others.id);
  });

  it("shows admins the number of drafts in the sidebar, at most 99+", async () => {
    const around = async (browser: Browser) =>
      /href="\/invoices"[^>]*>.*?<\/a>/s.exec((await browser.get("/customers")).html)?.[0] ?? "";
    const { browser: standard } = await oauth.person();
    for (let n = 0; n < 100; n += 1) await draft([], { title: `Waits ${n}` });
    expect(await around(standard)).not.toContain("count");
    expect(await around(admin)).toMatch(/<span class="count">99\+<span class="unseen"> /);
  });
});
