/** Issuing several drafts: one plan for each, exactly as shown; a refused draft does not stop the others. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

const { world, draft, line } = useSales({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

const PATH = "/invoices/issue";
const addressOf = (drafts: readonly { readonly id: string }[]) =>
  `${PATH}?${drafts.map(({ id }) => `${id}=on`).join("&")}`;
const statuses = (drafts: readonly { readonly id: string }[]) =>
  Promise.all(drafts.map(async ({ id }) => (await world.done(`GET /invoices/${id}`)).status));

describe("issuing several drafts", () => {
  it("begins with a selection in the list of drafts", async () => {
    const { id } = await draft([100], { title: "Picked" });
    const { html } = await admin.get("/invoices");
    expect(html).toContain(`<form method="get" action="${PATH}" data-list`);
    expect(html).toMatch(
      new RegExp(`type="checkbox" name="${id}" aria-label="Select [^"]*Picked"`),
    );
  });

  it("shows a plan for each draft, and the total of those that can be issued", async () => {
    const drafts = [await draft([1000], { auto_send: true }), await draft([500]), await draft([])];
    const { html } = await admin.get(addressOf(drafts), { "accept-language": "da" });
    for (const part of [
      "Udsted 3 kladder?",
      "ap@acme.example",
      "1.250,00 kr.",
      "625,00 kr.",
      "Fakturaen har ingen linjer",
      "Udsted 2: 1.875,00 kr.",
    ])
      expect(html).toContain(part);
    expect(await statuses(drafts)).toEqual(["draft", "draft", "draft"]);
  });

  it("issues the shown drafts once and skips changed and refused ones", async () => {
    const drafts = [await draft([100]), await draft([200]), await draft([300])];
    const page = await admin.get(addressOf(drafts));
    const [, changed, issued] = drafts;
    await world.done(`PATCH /invoices/${changed?.id}`, { title: "Changed meanwhile" });
    await world.done(`POST /invoices/${issued?.id}/issue`);
    const [first, again] = [await admin.submit(page, PATH, {}), await admin.submit(page, PATH, {})];
    expect([first.status, again.status]).toEqual([303, 303]);
    expect(first.location).toMatch(/^\/invoices\/issue\/outcomes\?/);
    const one = await admin.get(first.location ?? "");
    expect(one.html).toContain("<h1>2 of 3 issued</h1>");
    expect(one.html).toContain("The data has changed since you saw this");
    expect(await statuses(drafts)).toEqual(["issued", "draft", "issued"]);
    expect(one.html).toContain(`href="${PATH}?${changed?.id}=on"`);
    const { ledger_invoice_number } = await world.done(`GET /invoices/${issued?.id}`);
    expect(one.html).toContain(`<a href="/invoices/${issued?.id}">${ledger_invoice_number}</a>`);
    expect(one.html).toContain("DKK 375.00");
    const booked = await world.sql(
      "select count(*)::int as n from issued_documents where document_id = any($1)",
      [drafts.map(({ id }) => id)],
    );
    expect(booked).toEqual([{ n: 2 }]);
  });

  it("shows the warnings of each draft, and what all of them earn by month", async () => {
    const quarter = { service_from: "2026-03-01", service_to: "2026-05-31" };
    const drafts = [await draft([], { lines: [line(3000, quarter)] }), await draft([500])];
    const { html } = await admin.get(addressOf(drafts));
    expect(html).toContain("Line 1 has no assignee");
    const [first] = drafts;
    expect(html).toContain(`href="/invoices/${first?.id}#product-${first?.lines[0].id}"`);
    expect(html).toContain("March 2026 DKK 1,500.00 · April 2026 DKK 1,000.00 · May 2026");
  });

  it("states why a draft of the outcomes is not issued", async () => {
    const { id } = await draft([]);
    const { html } = await admin.get(`${PATH}/outcomes?${id}=tried`, { "accept-language": "da" });
    expect(html).toContain("0 af 1 udstedt");
    expect(html).toContain(`href="/invoices/${id}#lines"`);
    expect(html).toContain("Fakturaen har ingen linjer");
    expect((await admin.get(`${PATH}/outcomes`)).location).toBe("/invoices");
  });

  it("redirects to the list if the selection is empty", async () => {
    const { status, location } = await admin.get(PATH);
    expect([status, location]).toEqual([303, "/invoices"]);
    expect((await admin.get(`${PATH}?nothing=on`)).location).toBe("/invoices");
  });

  it("reveals no drafts of another account, nor drafts that a standard user may not see", async () => {
    const foreign = "01a20000-0000-7000-8000-000000000000";
    const { html } = await admin.get(addressOf([{ id: foreign }]));
    expect(html).not.toContain('name="agreed"');
    expect(html).not.toContain('type="submit" class="button main"');
    expect((await standard.get(addressOf([{ id: foreign }]))).location).toBe("/invoices");
    expect((await openBrowser(world).get(addressOf([{ id: foreign }]))).html).toContain("Sign in");
  });
});
