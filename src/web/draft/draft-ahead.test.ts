/**
 * The preview of an issue shows the entry that the issue books and the e-mail that it sends,
 * and changes nothing.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

const { world, draft } = useSales({ knows_origin: true });
let admin: Browser;
let proof: string;
beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
  proof = await proofOf(admin);
});

const ahead = async (id: string) => (await admin.act("/app/drafts/ahead", { id }, proof)).body;

describe("the preview of an issue", () => {
  it.each(["DKK", "EUR"])("shows the entry and the e-mail of the issue in %s", async (currency) => {
    await world.done("PUT /exchange-rates/EUR/2026-03-02", { rate: 7.46 });
    const invoice = await draft([1000, 250.5], {
      currency,
      auto_send: true,
      issue_date: "2026-03-02",
    });
    const before = await world.sql("select count(*)::int as n from ledger_entries");
    const { entry, mail } = await ahead(invoice.id);
    expect(await world.sql("select count(*)::int as n from ledger_entries")).toEqual(before);
    expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("draft");

    await world.done(`POST /invoices/${invoice.id}/issue`);
    const booked = await world.sql(
      `select e.number::text, e.entry_date::text as date, p.account_number, a.name as account_name,
         p.amount::text, p.currency_amount::text, p.vat_code, c.name as customer
       from ledger_entries e
       join ledger_postings p on p.account_id = e.account_id and p.entry_no = e.entry_no
       join ledger_accounts a on a.account_id = p.account_id and a.number = p.account_number
       left join customers c on c.account_id = p.account_id and c.id = p.customer_id
       where e.guid = $1 order by p.line_no`,
      [invoice.id],
    );
    const { number, date, postings } = entry;
    expect(postings.map((one: object) => ({ number, date, ...one }))).toEqual(booked);
    const sent = (await world.mails()).at(-1);
    expect([mail.subject, mail.text.trim(), mail.to]).toEqual([
      sent?.subject,
      sent?.text?.trim(),
      sent?.to?.[0]?.address,
    ]);
    expect(mail.attachments).toEqual(sent?.attachments.map(({ filename }) => filename));
    expect([mail.is_sent, mail.unsent]).toEqual([true, null]);
  });

  it("states the refusal of an issue and the reason of an unsent e-mail", async () => {
    const empty = await draft([]);
    expect(await ahead(empty.id)).toMatchObject({
      refused: { code: "INVOICE_EMPTY" },
      cure: { href: `/invoices/${empty.id}#lines`, name: "lines" },
    });
    const { id: customer_id } = await world.done("POST /customers", { name: "Silent" });
    const silent = await draft([100], { customer_id });
    expect((await ahead(silent.id)).mail).toMatchObject({
      to: null,
      unsent: "no_address",
      cure: { href: `/customers/${customer_id}/edit#email`, name: "customer" },
      is_sent: false,
    });
    const { status } = await admin.act(
      "/app/drafts/ahead",
      { id: "01a20000-0000-7000-8000-000000000000" },
      proof,
    );
    expect(status).toBe(404);
  });
});
