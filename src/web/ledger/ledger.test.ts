/** The pages of the built-in books: trial balance, chart of accounts and their files, for admins in both languages. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const DANISH = { "accept-language": "da" };
const BALANCE = "/ledger/trial-balance";
const ACCOUNTS = "/ledger/accounts";
let admin: Browser;
let standard: Browser;
let customer: Json;
let product: Json;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  customer = await world.done("POST /customers", { name: "Acme A/S" });
  product = await world.done("POST /products", { name: "Advice" });
  await issue("2026-01-15", 1000);
  await issue("2026-02-10", 50.4);
});

async function issue(issue_date: string, agreed_value: number): Promise<Json> {
  const line = { product_id: product.id, recognition_method: "value", agreed_value };
  const sent = { customer_id: customer.id, auto_send: false, issue_date, lines: [line] };
  const { id } = await world.done("POST /invoices", sent);
  return world.done(`POST /invoices/${id}/issue`);
}

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

describe("the trial balance", () => {
  it("is the first page of the ledger", async () => {
    const { status, location } = await admin.get("/ledger");
    expect({ status, location }).toEqual({ status: 303, location: BALANCE });
  });

  it("shows opening, movements and closing of each account, as the API does", async () => {
    const page = await admin.get(`${BALANCE}?from=2026-02&to=2026-02`);
    const text = textOf(page);
    expect(text).toContain("1 Feb 2026 to 28 Feb 2026, in DKK");
    const shown =
      /6190 Tilgodehavender[^<]*? Opening ([\d.,]+) Debit ([\d.,]+) Credit ([\d.,]+) Closing ([\d.,]+)/;
    expect(shown.exec(text)?.slice(1)).toEqual(["1,250.00", "63.00", "0.00", "1,313.00"]);
    const { accounts } = await world.done("GET /ledger/trial-balance?from=2026-02&to=2026-02");
    expect(accounts.find(({ number }: Json) => number === 6190)).toMatchObject({
      ...{ opening: 1250, debit: 63, credit: 0, closing: 1313 },
    });
    expect(text).toMatch(/Total Opening 0\.00 Debit 63\.00 Credit 63\.00 Closing 0\.00/);
  });

  it("shows this year where the address has no range that can be read", async () => {
    expect(textOf(await admin.get(BALANCE))).toContain("1 Jan 2026 to ");
    const page = await admin.get(`${BALANCE}?from=2026-03-01&to=2026-02-01`);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("1 Jan 2026 to ");
    expect(textOf(await admin.get(`${BALANCE}?from=2020&to=2020-12`))).toContain(
      "Nothing is booked through this day.",
    );
  });

  it("is exported in the reader's language", async () => {
    const file = (headers = {}) =>
      admin.get(`${BALANCE}/export?from=2026-02-01&to=2026-02-28`, headers);
    const english = await file();
    expect(english.html).toContain("Number,Name,Opening,Debit,Credit,Closing\r\n");
    expect(english.html).toContain(",1250.00,63.00,0.00,1313.00\r\n");
    const danish = await file(DANISH);
    expect(danish.headers.get("content-disposition")).toContain(
      "saldobalance-2026-02-01-2026-02-28.csv",
    );
    expect(danish.html).toContain("Nummer;Navn;Primo;Debet;Kredit;Ultimo\r\n");
    expect(danish.html).toContain(";1250,00;63,00;0,00;1313,00\r\n");
  });

  it("of many entries is added up after the page has loaded", async () => {
    const books = (next: string) =>
      world.sql(`update ledger_books set next_entry_no = ${next} where account_id = $1`, [
        world.account.account_id,
      ]);
    await books("next_entry_no + 10000");
    try {
      const range = "from=2026-02-01&to=2026-02-28";
      expect(textOf(await admin.get(`${BALANCE}?${range}`))).toContain("are being added up");
      expect(textOf(await admin.get(`${BALANCE}?${range}&all=1`))).toContain("1,313.00");
      const proof = await proofOf(admin);
      const sent = { from: "2026-02-01", to: "2026-02-28" };
      const { body } = await admin.act("/app/ledger/balances", sent, proof);
      const receivables = body.find(({ number }: Json) => number === 6190);
      expect(receivables).toMatchObject({ opening: "125000", debit: "6300", credit: "0" });
      expect(textOf(await admin.get(ACCOUNTS))).toContain("…");
      const balances = await admin.act("/app/ledger/account-balances", {}, proof);
      expect(balances.body["6190"]).toBe("131300");
    } finally {
      await books("next_entry_no - 10000");
    }
  });
});

describe("the chart of accounts", () => {
  const rename = async (sent: object, browser = admin) =>
    browser.act("/app/ledger/rename", sent, await proofOf(browser));

  it("shows type, VAT and balance of each account", async () => {
    const text = textOf(await admin.get(ACCOUNTS));
    expect(text).toMatch(
      /m\/moms Number 1000 Type Income VAT of sales Danish VAT Balance −1,050\.40/,
    );
    const danish = textOf(await admin.get(ACCOUNTS, DANISH));
    expect(danish).toMatch(
      /m\/moms Nummer 1000 Art Indtægt Moms af salg Dansk moms Saldo −1\.050,40/,
    );
  });

  it("renames an account once, for the person who saw its present name", async () => {
    const sent = { number: 6480, name: "Bank", seen_name: "Bankkonto" };
    const done = await rename(sent);
    expect(done).toEqual({ status: 200, body: { name: "Bank" } });
    const late = await rename({ ...sent, name: "Kasse" });
    expect(late.body.error.code).toBe("CHANGED_MEANWHILE");
    const unnamed = await rename({ number: 6480, name: "", seen_name: "Bank" });
    expect(unnamed.status).toBe(422);
    const unknown = await rename({ number: 1, name: "New", seen_name: "" });
    expect(unknown.status).toBe(404);
    expect(textOf(await admin.get(ACCOUNTS))).toContain("Bank Number 6480");
    const [event] = (await world.done("GET /audit-events?limit=1")).data;
    expect(event).toMatchObject({ resource_type: "ledger_account", resource_id: "6480" });
  });

  it("is for admins alone", async () => {
    for (const path of ["/ledger", BALANCE, ACCOUNTS, `${BALANCE}/export`]) {
      expect((await standard.get(path)).status).toBe(404);
    }
    const sent = { number: 6480, name: "Mine", seen_name: "Bank" };
    expect((await rename(sent, standard)).status).toBe(404);
    expect((await standard.get("/today")).html).not.toContain('href="/ledger"');
    expect((await admin.get("/today")).html).toContain('href="/ledger"');
  });
});

it("takes at most 12 statements a page", async () => {
  for (const path of [BALANCE, ACCOUNTS]) {
    expect(await statementsOf(() => admin.get(path))).toBeLessThanOrEqual(13);
  }
});
