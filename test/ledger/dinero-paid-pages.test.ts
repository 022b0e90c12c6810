/** What pages say of payments that Dinero records: what it reported, as of when, and what it has not reported. Dinero is a simulation. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../support/browser/browser.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import { openConsent } from "../support/mcp/consent.ts";
import type { Json } from "../support/world/world.ts";

const { world, simulation, work } = useDineroWorld({ knows_origin: true });
const customer = world.made("POST /customers", { name: "Acme A/S", email: "ap@acme.example" });
const product = world.made("POST /products", { name: "Advice", default_price: 1000 });
const DANISH = { "accept-language": "da" };
let admin: Browser;

beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
});

/** An invoice of 1,250.00 of 2 November that is due on the 16th; today is the 20th. */
async function issued(): Promise<Json> {
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    issue_date: "2026-11-02",
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 1000 }],
  });
  return world.done(`POST /invoices/${id}/issue`);
}
const pay = (invoice: Json, amount: number) =>
  simulation().control("pay", { guid: invoice.id, amount, date: "2026-11-18" });
async function aWhileLater(): Promise<void> {
  await world.sql(
    "update ledger_items set next_read_at = clock_timestamp() where next_read_at is not null",
  );
  await world.sql("update ledger_connections set next_payments_at = clock_timestamp()");
  await work();
}
/** Makes the answers those of a moment. */
async function readAt(moment: string): Promise<void> {
  await world.sql("update ledger_items set read_at = $1 where read_at is not null", [moment]);
  await world.sql("update ledger_connections set payments_read_at = $1, payments_whole_at = $1", [
    moment,
  ]);
}

describe("the page of what customers owe", () => {
  const shown = async (query = "", headers = {}) =>
    textOf(await admin.get(`/receivables${query}`, headers));

  it("says that nothing is known before the first answer", async () => {
    const text = await shown();
    expect(text).toContain("What customers owe is not known yet.");
    expect(text).toContain("Payments are recorded in Dinero and only read here.");
    expect(text).not.toContain("as of");
    expect((await admin.get("/today")).html).not.toContain('id="owed"');
  });

  it("adds up what Dinero reported, as of its moment, and counts what it has not reported", async () => {
    const late = await issued();
    await pay(late, 250);
    await aWhileLater();
    await issued();
    await readAt("2026-11-20T08:15:00Z");
    const text = await shown();
    expect(text).toContain("One customer owes DKK 1,000.00, DKK 1,000.00 of it late.");
    expect(text).toContain(
      "Payments are recorded in Dinero and only read here. What is shown was reported by Dinero, as of 20 Nov 2026, 09:15. One invoice is missing, because Dinero has reported nothing of it.",
    );
    expect(text).toMatch(/Acme A\/S Oldest 4 days late .* Balance 1,000\.00/);
    expect(await shown("", DANISH)).toContain(
      "Betalinger registreres i Dinero, og her læses de kun. Det viste er meldt af Dinero, pr. 20. nov. 2026, 09.15. Én faktura mangler, fordi Dinero intet har meldt om den.",
    );
  });

  it("is added up on the start page, too, with who is late", async () => {
    const today = textOf(await admin.get("/today"));
    expect(today).toContain("Acme A/S is late with a payment The earliest was due on 16 November.");
    expect(today).toMatch(/Owed to you .*DKK 1,000\.00 +Of which DKK 1,000\.00 is late/);
    const danish = textOf(await admin.get("/today", DANISH));
    expect(danish).toContain(
      "Acme A/S er forsinket med en betaling Den tidligste forfaldt 16. november.",
    );
    expect(danish).toContain("1.000,00 kr.");
  });

  it("shows today whatever day is asked for, and compares no books", async () => {
    const text = await shown("?at=2026-11-19");
    expect(text).toContain("One customer owes DKK 1,000.00");
    expect(text).not.toMatch(/Agrees|differs/);
  });
});

describe("the account of a customer", () => {
  const tab = async (id: string) => textOf(await admin.get(`/customers/${id}?tab=account`));

  it("has what is left to pay, as of the oldest answer, and nothing to record", async () => {
    const page = await admin.get(`/customers/${customer.id}?tab=account`);
    const text = textOf(page);
    expect(text).toContain("What is shown was reported by Dinero, as of 20 Nov 2026, 09:15.");
    expect(text).toContain("One invoice is missing");
    expect(text).toMatch(/Invoice \d+ .*4 days late Amount 1,250\.00 Open DKK 1,000\.00/);
    expect(page.html).not.toMatch(/\/payments\/new|take-back/);
  });

  it("says of another customer only what concerns them", async () => {
    const other = await world.done("POST /customers", { name: "Other ApS" });
    const text = await tab(other.id);
    expect(text).toContain("What is shown was reported by Dinero, as of 20 Nov 2026, 09:15.");
    expect(text).not.toContain("missing");
  });

  it("leads to a statement through today, with payments as they were reported", async () => {
    const address = `/customers/${customer.id}/statement`;
    const text = textOf(await admin.get(address));
    expect(text).toContain("At its end the customer owes DKK 2,250.00.");
    expect(text).toContain("Date 20 Nov 2026 What Payment: invoice 1");
    expect(text).toContain("What is shown was reported by Dinero, as of 20 Nov 2026, 09:15.");
    expect(text).not.toContain("missing");
    const earlier = await admin.get(`${address}?from=2026-11-01&to=2026-11-19`);
    expect(earlier.status).toBe(409);
  });
});

describe("the page of an invoice", () => {
  const page = ({ id }: Json, headers = {}) => admin.get(`/invoices/${id}`, headers);

  it("says that nothing was reported yet", async () => {
    const { html } = await page(await issued());
    expect(html).toContain("Dinero has not reported yet what is paid.");
    expect(html).not.toMatch(/Not paid yet|Overdue|\/payments\/new/);
  });

  it("says how late it is, by which report, and records nothing", async () => {
    const invoice = await issued();
    await pay(invoice, 250);
    await aWhileLater();
    await readAt("2026-11-20T08:15:00Z");
    const shown = await page(invoice);
    expect(textOf(shown)).toMatch(
      /Overdue 4 days late · 250\.00 of 1,250\.00 paid · 1,000\.00 open +Reported by Dinero, as of 20 Nov 2026, 09:15\./,
    );
    expect(shown.html).not.toMatch(/\/payments\/new|take-back/);
    expect(textOf(await page(invoice, DANISH))).toMatch(
      /250,00 af 1\.250,00 betalt · 1\.000,00 udestår +Meldt af Dinero, pr\. 20\. nov\. 2026, 09\.15\./,
    );
  });

  it("says that too much was paid, as the list does and its filter", async () => {
    const invoice = await issued();
    await pay(invoice, 1299.5);
    await aWhileLater();
    expect(textOf(await page(invoice))).toContain(
      "Overpaid Paid on 18 Nov 2026 · 1,299.50 of 1,250.00 paid",
    );
    const list = await admin.get("/invoices?tab=issued&payment_state=overpaid");
    expect(list.html).toContain(`/invoices/${invoice.id}`);
    expect(list.html).toContain(">Overpaid</span>");
    expect(list.html).not.toContain('value="credited"');
  });

  it("offers to hold its reminders until it is paid", async () => {
    const invoice = await issued();
    const hold = `/invoices/${invoice.id}/reminder-hold`;
    expect((await page(invoice)).html).toContain(`href="${hold}"`);
    await pay(invoice, 250);
    await aWhileLater();
    const listed = async () => {
      const { rows } = await world.done("POST /reminder-runs/preview", { customer: customer.id });
      return rows.flatMap(({ items }: Json) => items).map((one: Json) => one.invoice_id);
    };
    expect(await listed()).toContain(invoice.id);
    const fields = { until: "24/12", reason: "We talk about it" };
    const held = await admin.submit(await admin.get(hold), hold, fields);
    expect([held.status, held.location]).toEqual([303, `/invoices/${invoice.id}`]);
    const shown = await page(invoice);
    expect(textOf(shown)).toContain("24 Dec 2026");
    expect(await listed()).not.toContain(invoice.id);
    const ended = await admin.submit(shown, `${hold}/end`, {});
    expect(ended.status).toBe(303);
    expect(await listed()).toContain(invoice.id);
    await pay(invoice, 1000);
    await aWhileLater();
    expect((await page(invoice)).html).not.toContain(hold);
  });

  it("says that Dinero reports nothing of one that is missing there", async () => {
    const invoice = await issued();
    await simulation().control("edit", { key: `invoice/270001/${invoice.id}`, change: null });
    await aWhileLater();
    await readAt("2026-11-20T08:15:00Z");
    expect((await page(invoice)).html).toContain(
      "Dinero reports nothing of its payment, as of 20 Nov 2026, 09:15.",
    );
  });
});
