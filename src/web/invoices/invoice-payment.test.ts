/** What pages say about the payment of invoices and credit notes, to whom, and from when on. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, line, issued, fullCredit, partCredit, credited } = useSales({
  knows_origin: true,
});
let admin: Browser;
let standard: Browser;
let assigned: string;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  const person = await oauth.person();
  standard = person.browser;
  assigned = person.user_id;
});

const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-03-02", ...fields });
let count = 0;
const pay = (invoice: Json, amount: number, fields: Json = {}): Promise<Json> => {
  count += 1;
  return world.done("POST /payments", {
    ...{ external_id: `state-${count}`, date: "2026-03-05", amount },
    allocations: [{ invoice: invoice.id }],
    ...fields,
  });
};
const pageOf = ({ id }: Json, by = admin) => by.get(`/invoices/${id}`);
const assignedLines = () => ({
  lines: [line(800, { assignees: [{ user_id: assigned }] })],
});

describe("the page of an invoice", () => {
  it("says when it is due, and leads to the form of a payment", async () => {
    const invoice = await owed(1000);
    const { due_date } = await world.done(`GET /invoices/${invoice.id}/payment`);
    const page = await pageOf(invoice);
    const day = `${Number(due_date.slice(8))}`;
    expect(textOf(page)).toMatch(new RegExp(`Not paid yet +Due ${day} [A-Z][a-z]+ 2026`));
    expect(page.html).toContain(`href="/payments/new?invoice=${invoice.id}"`);
  });

  it("says how late it is, and how much of it is paid", async () => {
    const invoice = await owed(71_531.25, { issue_date: "2026-01-05" });
    const late = async (language: string) =>
      textOf(await admin.get(`/invoices/${invoice.id}`, { "accept-language": language }));
    const { days_overdue } = await world.done(`GET /invoices/${invoice.id}/payment`);
    expect(days_overdue).toBeGreaterThan(5);
    expect(await late("en")).toContain(`Overdue ${days_overdue} days late · 71,531.25 open`);
    await pay(invoice, 40_000);
    const said = `${days_overdue} days late · 40,000.00 of 71,531.25 paid · 31,531.25 open`;
    expect(await late("en")).toContain(`Overdue ${said}`);
    expect(await late("da")).toContain(
      `Forfalden ${days_overdue} dage over forfald · 40.000,00 af 71.531,25 betalt`,
    );
  });

  it("says when it was paid, by what, with the entry and the way to reverse it", async () => {
    const invoice = await owed(1000);
    const payment = await pay(invoice, 1000);
    const page = await pageOf(invoice);
    const text = textOf(page);
    expect(text).toContain("Paid Paid on 5 Mar 2026");
    expect(text).toContain(`Payment ${payment.number} 5 Mar 2026 · Entry ${payment.entry_nos[0]}`);
    for (const href of [
      `/payments/${payment.id}`,
      `/ledger/entries/${payment.id}`,
      `/allocations/${payment.allocations[0].id}/take-back`,
    ]) {
      expect(page.html).toContain(`href="${href}"`);
    }
    expect(page.html).not.toContain("/payments/new");
    await world.done(`POST /payments/${payment.id}/reverse`, { reason: "Came back" });
    const after = await pageOf(invoice);
    expect(textOf(after)).toMatch(/Not paid yet .* Reversed on/);
    expect(after.html).not.toContain("/take-back");
  });

  it("says of a credited invoice that it is credited", async () => {
    const invoice = await owed(1000);
    const note = await credited(fullCredit(invoice));
    const { html } = await pageOf(invoice);
    expect(html).toContain(">Credited</span>");
    expect(html).toContain(`Credit note ${note.ledger_credit_note_number}`);
  });

  it("shows a standard user the state, and no payment and no button", async () => {
    const invoice = await issued([], { issue_date: "2026-03-02", ...assignedLines() });
    const payment = await pay(invoice, 400);
    const { html } = await pageOf(invoice, standard);
    expect(html).toContain(">Partly paid</span>");
    expect(html).not.toMatch(/\/payments|\/allocations|take-back/);
    expect(html).not.toContain(`Payment ${payment.number}`);
    const list = await standard.get("/invoices?tab=issued");
    expect(list.html).toContain(">Partly paid</span>");
  });
});

describe("the page of a credit note", () => {
  it("says what it was applied to, and what is left of it", async () => {
    const invoice = await owed(1000);
    await pay(invoice, 800);
    const note = await credited(partCredit(invoice, [400]));
    const page = await admin.get(`/credit-notes/${note.id}`);
    expect(textOf(page)).toContain(`Invoice ${invoice.ledger_invoice_number}`);
    expect(textOf(page)).toMatch(/200\.00 Unmatch….*Left of it: 300\.00/);
    expect(page.html).toContain(`href="/payments/new?credit_note=${note.id}"`);
    expect(page.html).toContain(`href="/allocations/new?credit_note=${note.id}"`);
    expect((await standard.get(`/credit-notes/${note.id}`)).status).toBe(404);
  });
});

describe("the list of invoices", () => {
  const listed = async (query: string, by = admin) => {
    const { html } = await by.get(`/invoices?tab=issued&${query}`);
    return [...html.matchAll(/<td class="fold-lead">.*?<a href="\/invoices\/([^"]+)"/g)].map(
      ([, id]) => id,
    );
  };

  it("filters by what is paid", async () => {
    const { id } = await world.done("POST /customers", { name: "Listed ApS" });
    const of = { customer_id: id };
    const open = await owed(1000, of);
    const late = await owed(1000, { ...of, issue_date: "2026-01-05" });
    const part = await owed(1000, of);
    const paid = await owed(1000, of);
    await pay(part, 10);
    await pay(paid, 1000);
    for (const [filter, expected] of [
      ["payment_state=open", [late, open]],
      ["payment_state=partly_paid", [part]],
      ["payment_state=paid", [paid]],
      ["payment_state=overdue", [late]],
      ["overdue=true", [late]],
      ["payment_state=credited", []],
      ["payment_state=unknown", [paid, part, late, open]],
    ] as const) {
      expect([filter, await listed(`customer=${id}&${filter}`)]).toEqual([
        filter,
        expected.map((one: Json) => one.id),
      ]);
    }
    const { html } = await admin.get(`/invoices?tab=issued&customer=${id}`);
    for (const part of [">Overdue</span>", ">Paid</span>", "990.00"]) expect(html).toContain(part);
    const file = await admin.get(
      `/invoices/export?tab=issued&customer=${id}&payment_state=overdue`,
    );
    expect(file.html.trim().split("\n")).toHaveLength(2);
    expect(file.html).toMatch(/Overdue,1000.00/);
  });

  it("has its filter of payment on the tab of issued invoices only", async () => {
    expect((await admin.get("/invoices?tab=issued")).html).toContain('name="payment_state"');
    expect((await admin.get("/invoices?tab=drafts")).html).not.toContain('name="payment_state"');
  });
});

describe("before receivables are begun", () => {
  it("nothing says paid or overdue", async () => {
    const invoice = await owed(1000, { issue_date: "2026-01-05" });
    const note = await credited(fullCredit(await owed(400)));
    await world.sql("delete from receivables_begins");
    const paths = [
      `/invoices/${invoice.id}`,
      "/invoices?tab=issued&payment_state=overdue",
      `/credit-notes/${note.id}`,
    ];
    const pages = await Promise.all(paths.map((path) => admin.get(path)));
    await world.sql("insert into receivables_begins select $1, '2026-03-01'", [
      world.account.account_id,
    ]);
    for (const page of pages) {
      expect(page.status).toBe(200);
      const [, shown = ""] = /<main([\s\S]+)<\/main>/.exec(page.html) ?? [];
      expect(shown).not.toMatch(/\b(paid|overdue|late)\b|Record a payment|payment_state/i);
    }
  });
});
