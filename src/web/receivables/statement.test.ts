/** A customer's account and statement on their pages: what is open, each change with its balance, its PDF, and its mail. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, issued, partCredit, credited } = useSales({ knows_origin: true });

const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let customer: Json;
let invoice: Json;
let card: string;
let statement: string;

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
  customer = await world.done("POST /customers", { name: "Søn & Co", email: "ap@son.example" });
  card = `/customers/${customer.id}`;
  statement = `${card}/statement`;
});

describe("the account of a customer", () => {
  it("is empty before anything is issued", async () => {
    const text = textOf(await admin.get(`${card}?tab=account`));
    expect(text).toContain("Nothing is issued yet.");
    expect((await standard.get(statement)).status).toBe(404);
  });

  it("has balances, open items and the latest changes with the balance after each", async () => {
    const customer_id = customer.id;
    const before = await issued([80], { customer_id, issue_date: "2025-12-30" });
    await world.done("POST /payments", {
      ...{ external_id: "before", date: "2025-12-31", amount: 100 },
      allocations: [{ invoice: before.id }],
    });
    invoice = await issued([1000], { customer_id, issue_date: "2026-02-14" });
    await issued([100], { customer_id, issue_date: "2026-03-01", currency: "EUR" });
    const paid = await issued([400], { customer_id, issue_date: "2026-02-20" });
    await world.done("POST /payments", {
      ...{ external_id: "part", date: "2026-03-02", amount: 250, allocations: [] },
      allocations: [{ invoice: invoice.id }],
    });
    await world.done("POST /payments", {
      ...{ external_id: "all", date: "2026-03-03", amount: 500 },
      allocations: [{ invoice: paid.id }],
    });
    await credited(partCredit(paid, [100], { credit_date: "2026-03-04" }));
    const page = await admin.get(`${card}?tab=account`);
    const text = textOf(page);
    expect(text).toMatch(
      /DKK Owed 1,000\.00 Of which late 1,000\.00 Credit −125\.00 Balance 875\.00/,
    );
    expect(text).toMatch(/EUR Owed 125\.00 Of which late 0\.00 Credit 0\.00 Balance 125\.00/);
    expect(text).toMatch(
      /Invoice \d+ Date 14 Feb 2026 Due 10 days late Amount 1,250\.00 Open DKK 1,000\.00/,
    );
    expect(text).toMatch(
      /Credit note \d+ Date 4 Mar 2026 Due Use… Pay it back… Amount −125\.00 Open DKK −125\.00/,
    );
    expect(text).toContain("In DKK, this year");
    expect(text).toMatch(/Balance before Due Owed Paid or credited Balance 0\.00/);
    expect(text).toMatch(/Credit note \d+ Due Owed Paid or credited 125\.00 Balance 875\.00/);
    expect(page.html).toContain(`href="${statement}"`);
    expect(page.html).toContain(`href="/payments/new?customer=${customer_id}"`);
    expect(textOf(await admin.get(`${card}?tab=account`, DANISH))).toContain("10 dage for sent");
  });

  it("is reached from the receivables, and is only for admins", async () => {
    expect((await admin.get("/receivables")).html).toContain(`href="${card}?tab=account"`);
    const other = await standard.get(`${card}?tab=account`);
    expect(other.status).toBe(404);
  });
});

describe("a statement", () => {
  it("is of any period, with the balance before it, and what is open by age", async () => {
    const year = textOf(await admin.get(statement));
    expect(year).toContain(
      "From 1 Jan 2026 to 10 Mar 2026. At its end the customer owes DKK 875.00.",
    );
    const text = textOf(await admin.get(`${statement}?from=2026-03-02&to=2026-03-03`));
    expect(text).toContain("At its end the customer owes DKK 1,000.00.");
    expect(text).toMatch(
      /2 Mar 2026 What Balance before Due Owed Paid or credited Balance 1,750\.00/,
    );
    expect(text).toMatch(
      /Payment \d+: invoice \d+ Due Owed Paid or credited 250\.00 Balance 1,500\.00/,
    );
    expect(text).not.toContain("Credit note");
    expect(text).toMatch(/1–30 days late 1,000\.00/);
    const euro = textOf(await admin.get(`${statement}?currency=EUR`));
    expect(euro).toContain("the customer owes EUR 125.00");
  });

  it("of a customer with one other currency is in that currency", async () => {
    const { id } = await world.done("POST /customers", { name: "Zwei GmbH" });
    await issued([40], { customer_id: id, issue_date: "2026-03-01", currency: "EUR" });
    const page = await admin.get(`/customers/${id}/statement`);
    expect(textOf(page)).toContain("the customer owes EUR 50.00");
  });

  it("is in the reader's language on the page", async () => {
    const text = textOf(await admin.get(statement, DANISH));
    expect(text).toContain("Kunden skylder 875,00 kr. ved udgangen.");
    expect(text).toMatch(/Betaling \d+: faktura \d+/);
  });

  it.each([
    ["?from=soon", "from"],
    ["?from=2026-03-02&to=2026-03-01", "from"],
    ["?to=2026-99-01", "to"],
  ])("refuses a period at its field: %s", async (query, field) => {
    const refused = await admin.get(`${statement}${query}`);
    expect([refused.status, refused.html.includes(`id="${field}-fault"`)]).toEqual([422, true]);
  });

  it("has a PDF before it is kept, and books and keeps nothing", async () => {
    const headers = { cookie: `matchbook=${admin.cookie()}` };
    const path = `${statement}/pdf?from=2026-03-01&to=2026-03-05&currency=DKK`;
    const pdf = await fetch(`${world.origin}${path}`, { headers });
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect(pdf.headers.get("content-disposition")).toContain("2026-03-05.pdf");
    expect((await world.done(`GET /customers/${customer.id}/statements`)).data).toEqual([]);
  });

  it("is sent to the typed address, and listed with its PDF", async () => {
    const page = await admin.get(`${statement}?from=2026-03-01&to=2026-03-05`);
    expect(page.html).toContain('value="ap@son.example"');
    const fields = { from: "2026-03-01", to: "2026-03-05", currency: "DKK" };
    const refused = await admin.submit(page, statement, { ...fields, address: "no address" });
    expect([refused.status, refused.html.includes('id="address-fault"')]).toEqual([422, true]);
    expect(refused.html).toContain('value="no address"');
    const sent = await admin.submit(page, statement, { ...fields, address: "boss@son.example" });
    expect(sent.status).toBe(303);
    expect(sent.location).toBe(`${statement}?from=2026-03-01&to=2026-03-05&currency=DKK`);
    const [kept] = (await world.done(`GET /customers/${customer.id}/statements`)).data;
    expect(kept).toMatchObject({ ...fields, closing_balance: 875 });
    const receivers = (await world.mails()).map(({ to }) => to?.[0]?.address);
    expect(receivers).toContain("boss@son.example");
    const after = await admin.get(sent.location ?? "");
    expect(after.html).toContain(`href="/statements/${kept.id}/pdf"`);
    const headers = { cookie: `matchbook=${admin.cookie()}` };
    const pdf = await fetch(`${world.origin}/statements/${kept.id}/pdf`, { headers });
    expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect((await standard.get(`/statements/${kept.id}/pdf`)).status).toBe(404);
  });
});
