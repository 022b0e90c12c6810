/** The use of a credit on its page: what it may be used for, its effect before it is booked, and that exactly this is booked once. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, issued, partCredit, credited, customer } = useSales({ knows_origin: true });

const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let invoice: Json;
let later: Json;
let note: Json;
let payment: Json;

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

const paymentOf = (ref: Json) => world.done(`GET /invoices/${ref.id}/payment`);

/** The address to which the confirmation of a page posts, and its hidden fields. */
function confirmationOf({ html }: PageReply) {
  const [, form = ""] =
    /<form method="post" (action="\/allocations[\s\S]*?)<\/form>/.exec(html) ?? [];
  const action = (/^action="([^"]*)"/.exec(form)?.[1] ?? "").replaceAll("&amp;", "&");
  const hidden = [...form.matchAll(/name="(external_id|digest)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])) };
}

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  const paid = await issued([400], { issue_date: "2026-02-01" });
  invoice = await issued([1000], { issue_date: "2026-02-14" });
  later = await issued([40], { issue_date: "2026-03-01" });
  payment = await world.done("POST /payments", {
    ...{ external_id: "paid", date: "2026-02-20", amount: 800, remainder: "customer_credit" },
    allocations: [{ invoice: paid.id, amount: 500 }],
  });
  note = await credited(partCredit(paid, [100], { credit_date: "2026-03-02" }));
});

describe("a credit", () => {
  it("is offered on the account of the customer, with what it may be used for", async () => {
    const account = await admin.get(`/customers/${customer.id}?tab=account`);
    expect(account.html).toContain(`href="/allocations/new?credit_note=${note.id}"`);
    expect(account.html).toContain(`href="/allocations/new?payment=${payment.id}"`);
    const page = await admin.get(`/allocations/new?credit_note=${note.id}`);
    const text = textOf(page);
    expect(text).toContain("DKK 125.00 of it waits for Acme A/S.");
    expect(text).toMatch(
      /Invoice \d+ due 28 Feb 2026 1,250\.00 Invoice \d+ due 15 Mar 2026 50\.00/,
    );
    expect(page.html).toMatch(new RegExp(`value="${invoice.id}" checked`));
    expect(page.html).not.toContain('action="/allocations/new?');
    expect((await admin.get("/allocations/new")).location).toBe("/receivables");
    expect((await admin.get(`/allocations/new?payment=${note.id}`)).status).toBe(404);
    expect((await standard.get(`/allocations/new?credit_note=${note.id}`)).status).toBe(404);
  });

  it("is shown with what it does before it is booked", async () => {
    const at = `/allocations/new?credit_note=${note.id}&item=${invoice.id}&amount=100`;
    const text = textOf(await admin.get(at));
    expect(text).toMatch(/Uses DKK 100\.00 for invoice \d+, on 2 Mar 2026/);
    expect(text).toContain("DKK 25.00 of the credit. DKK 1,150.00 is still owed.");
    expect(text).toContain("Nothing: the credit has reduced what the customer owes already.");
    expect(await paymentOf(invoice)).toMatchObject({ credited: 0, open: 1250 });
    const danish = textOf(await admin.get(`${at}`, DANISH));
    expect(danish).toContain("Anvend 100,00 kr.");
  });

  it.each([
    ["amount=9999", "amount"],
    ["amount=x", "amount"],
    ["date=2026-03-11", "date"],
    ["date=soon", "date"],
  ])("is refused at its field: %s", async (query, field) => {
    const at = `/allocations/new?credit_note=${note.id}&item=${invoice.id}&${query}`;
    const refused = await admin.get(at);
    expect([refused.status >= 409, refused.html.includes(`id="${field}-fault"`)]).toEqual([
      true,
      true,
    ]);
    expect(refused.html).not.toContain('action="/allocations/new?');
  });

  it("is applied as it was shown, and once", async () => {
    const at = `/allocations/new?credit_note=${note.id}&item=${invoice.id}&amount=100`;
    const shown = await admin.get(at);
    const { action, fields } = confirmationOf(shown);
    const done = await admin.submit(shown, action, fields);
    expect([done.status, done.location]).toEqual([303, `/customers/${customer.id}?tab=account`]);
    expect(await paymentOf(invoice)).toMatchObject({ credited: 100, open: 1150 });
    expect((await admin.submit(shown, action, fields)).status).toBe(303);
    expect(await paymentOf(invoice)).toMatchObject({ credited: 100, open: 1150 });
  });

  it("of a payment posts from customer credit, and is refused where something has changed", async () => {
    const at = `/allocations/new?payment=${payment.id}&item=${later.id}`;
    const shown = await admin.get(at);
    expect(textOf(shown)).toMatch(/7410 .* 50\.00 .*6190 .* 50\.00/);
    await world.done("POST /allocations", {
      ...{ external_id: "other", payment: payment.id, invoice: later.id, amount: 20 },
    });
    const { action, fields } = confirmationOf(shown);
    const refused = await admin.submit(shown, action, fields);
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("Something has changed since you saw this.");
    expect(textOf(refused)).toMatch(/Uses DKK 30\.00 for invoice \d+/);
  });

  it("from another system is used for what was owed there", async () => {
    const opening = (fields: Json) =>
      world.done("POST /opening-items", {
        ...{ customer: customer.id, due_date: "2026-03-01", counter_account: 6950, ...fields },
      });
    const credit = await opening({
      ...{ external_id: "held", number: "OLD-7", amount: 40, is_credit: true },
    });
    const owed = await opening({ external_id: "owed", number: "OLD-8", amount: 90 });
    const at = `/allocations/new?opening=${credit.id}&item=${owed.id}`;
    const shown = await admin.get(at);
    expect(textOf(shown)).toMatch(/Uses DKK 40\.00 for opening item OLD-8/);
    const { action, fields } = confirmationOf(shown);
    expect((await admin.submit(shown, action, fields)).status).toBe(303);
    const { data } = await world.done("GET /open-items?kind=opening");
    expect(data).toMatchObject([{ number: "OLD-8", open: 50 }]);
  });

  it("from another system is reversed while nothing is applied to it", async () => {
    const opening = await world.done("POST /opening-items", {
      ...{
        external_id: "old",
        number: "OLD-1",
        customer: customer.id,
        amount: 75,
        is_credit: true,
      },
      ...{ due_date: "2026-03-01", counter_account: 6950 },
    });
    const account = `/customers/${customer.id}?tab=account`;
    const path = `/opening-items/${opening.id}/take-back`;
    expect((await admin.get(account)).html).toContain(`href="${path}"`);
    const shown = await admin.get(path);
    expect(textOf(shown)).toContain("Take back opening item OLD-1?");
    expect(textOf(shown)).toMatch(/6190 .* 75\.00/);
    expect(textOf(shown)).toMatch(/6950 .* 75\.00/);
    const token = /name="token" value="([^"]*)"/.exec(shown.html)?.[1] ?? "";
    const done = await admin.submit(shown, path, { token, reason: "Twice", date: "2026-03-10" });
    expect([done.status, done.location]).toEqual([303, account]);
    expect((await admin.get(account)).html).not.toContain(path);
    expect((await admin.get(path)).location).toBe(account);
    expect((await standard.get(path)).status).toBe(404);
  });

  it("says what is the matter where nothing is left, or nothing is owed", async () => {
    const at = `/allocations/new?credit_note=${note.id}`;
    const first = await admin.get(`${at}&item=${invoice.id}`);
    const { action, fields } = confirmationOf(first);
    expect((await admin.submit(first, action, fields)).status).toBe(303);
    expect(textOf(await admin.get(at))).toMatch(/Nothing is left of credit note \d+\./);
  });
});
