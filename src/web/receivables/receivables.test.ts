/** The page of what customers owe: its sentence, its rows by age on any day, its file, and who may see it, in both languages. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  openBrowser,
  type PageReply,
} from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, issued, partCredit, credited } = useSales({ knows_origin: true });

const PATH = "/receivables";
const DANISH = { "accept-language": "da" };
const MARKUP = `"><img src=x onerror=alert(1)> & Søn`;
let admin: Browser;
let standard: Browser;
let ids: Record<"late" | "euro" | "yen" | "credit", string>;

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

const shown = async (query = "", headers = {}): Promise<string> =>
  textOf(await admin.get(`${PATH}${query}`, headers));

async function customerOf(name: string): Promise<string> {
  return (await world.done("POST /customers", { name })).id;
}

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
  await world.done("PUT /exchange-rates/JPY/2026-01-01", { rate: 0.045 });
  await world.done("PUT /exchange-rates/KWD/2026-01-01", { rate: 22.5 });
  ids = {
    late: await customerOf(MARKUP),
    euro: await customerOf("Zwei GmbH"),
    yen: await customerOf("Yen KK"),
    credit: await customerOf("Waiting ApS"),
  };
  const sell = (customer_id: string, net: number, fields: Json = {}) =>
    issued([net], { customer_id, ...fields });
  // Due 14 days later: 10 days late, 40 days late, and not due on 10 March.
  await sell(ids.late, 1000, { issue_date: "2026-02-14" });
  await sell(ids.late, 200, { issue_date: "2026-01-15" });
  await sell(ids.euro, 400, { issue_date: "2026-03-01", currency: "EUR" });
  await sell(ids.yen, 100_000, { issue_date: "2026-03-02", currency: "JPY" });
  await sell(ids.yen, 12.345, { issue_date: "2026-03-03", currency: "KWD" });
  const note = await sell(ids.credit, 800, { issue_date: "2026-02-20" });
  await world.done("POST /payments", {
    external_id: "all",
    date: "2026-03-02",
    amount: 1100,
    allocations: [{ invoice: note.id, amount: 1000 }],
    remainder: "customer_credit",
  });
  await credited(partCredit(note, [100], { credit_date: "2026-03-04" }));
});

describe("what customers owe", () => {
  it("is a sentence, and agrees with the books", async () => {
    const summary = await world.done("GET /receivables/summary");
    expect(summary.ledger.map(({ difference }: Json) => difference)).toEqual([0, 0]);
    const text = await shown();
    // 1,250 + 250 + EUR 500 at 7.46 + JPY 125,000 at 0.045 + KWD 15.431 at 22.5.
    expect(text).toContain("Three customers owe DKK 11,202.20, DKK 1,500.00 of it late.");
    expect(summary.functional.total).toBe(11_202.2);
    expect(text).toContain("Agrees with account 6190 Credit agrees with account 7410");
  });

  it("has a row for each customer and currency, the latest first", async () => {
    const page = await admin.get(PATH);
    const text = textOf(page);
    expect(text).toContain(
      "Oldest 40 days late Not due – 1–30 days late 1,250.00 31–60 days late 250.00 61–90 days late – Over 90 days late – Credit – Balance 1,500.00",
    );
    expect(text).toMatch(/Zwei GmbH Oldest not late Not due 500\.00 .* Balance EUR 500\.00/);
    expect(text).toMatch(/Yen KK Oldest not late Not due 125,000 .* Balance JPY 125,000 /);
    expect(text).toContain("Balance KWD 15.431");
    expect(text).toMatch(/Waiting ApS .* Credit −225\.00 Balance −225\.00/);
    const order = [...page.html.matchAll(/href="\/customers\/([0-9a-f-]{36})/g)].map(
      ([, id]) => id,
    );
    expect([order[0], order.at(-1)]).toEqual([ids.late, ids.credit]);
    expect(page.html).not.toContain("<img src=x");
  });

  it("is added up by currency", async () => {
    const text = await shown();
    expect(text).toMatch(/Currency JPY Owed 125,000 Of which late 0 Credit 0 Balance 125,000/);
    expect(text).toMatch(/Currency DKK Owed 1,500\.00 Of which late 1,500\.00 Credit −225\.00/);
    expect(await shown("?currency=JPY")).toMatch(/Three customers .* Yen KK /);
    expect(await shown("?currency=JPY")).not.toContain("Zwei GmbH");
  });

  it("is shown of a past day", async () => {
    const text = await shown("?at=2026-02-28");
    expect(text).toContain(
      "Two customers owed DKK 2,500.00 on 28 Feb 2026, DKK 250.00 of it late.",
    );
    expect(text).toMatch(/Waiting ApS Oldest not late Not due 1,000\.00/);
    expect(text).not.toContain("Zwei GmbH");
    expect(await shown("?at=2026-01-01")).toContain("On 1 Jan 2026 no customer owed anything.");
    expect(await shown("?at=28-02-2026")).toContain("on 28 Feb 2026");
  });

  it.each([
    ["2026-03-11", "The day is in the future."],
    ["soon", "aria-invalid"],
  ])("says at its field that %s cannot be shown, and shows today", async (at, said) => {
    const page = await admin.get(`${PATH}?at=${at}`);
    expect(page.status).toBe(422);
    expect(page.html).toContain(said);
    expect(textOf(page)).toContain("Three customers owe DKK 11,202.20");
  });

  it("speaks Danish", async () => {
    const text = await shown("", DANISH);
    expect(text).toContain("Tre kunder skylder 11.202,20 kr., heraf er 1.500,00 kr. over tiden.");
    expect(text).toContain("Stemmer med konto 6190 Til gode stemmer med konto 7410");
    expect(text).toContain("Ældste 40 dage over tiden Ikke forfaldent –");
    expect(await shown("?at=2026-02-28", DANISH)).toContain(
      "To kunder skyldte 2.500,00 kr. den 28. feb. 2026, heraf er 250,00 kr. over tiden.",
    );
  });

  it("is a file in the reader's language, with all rows of the day", async () => {
    const file = await admin.get(`${PATH}/export?at=2026-03-10`);
    const [heads, ...lines] = file.html.trim().split("\r\n");
    expect(heads).toBe(
      "Customer,Not due,1–30 days late,31–60 days late,61–90 days late,Over 90 days late,Credit,Balance,Oldest due date,Currency,Balance in DKK",
    );
    expect(lines).toHaveLength(5);
    expect(lines).toContain("Yen KK,125000,0,0,0,0,0,125000,2026-03-16,JPY,5625.00");
    const danish = await admin.get(`${PATH}/export?currency=KWD`, DANISH);
    expect(danish.headers.get("content-disposition")).toContain("tilgodehavender-2026-03-10.csv");
    expect(danish.html).toContain("Yen KK;15,431;0,000;");
  });
});

describe("a list of many customers", () => {
  it("has pages, and its sums are of all", async () => {
    for (const at of Array(60).keys()) await customerOf(`Many ${at}`);
    await world.sql(
      `insert into open_items (account_id, id, kind, is_credit, customer_id, number, date, due_date, currency, amount, functional, open,
         functional_open, updated_at)
       select c.account_id, gen_random_uuid(), 'opening', false, c.id, 'M', '2026-01-01', '2026-01-02', 'DKK', 100, 100, 100, 100, now()
       from customers c where c.name like 'Many %'`,
    );
    const first = await admin.get(PATH);
    expect(textOf(first)).toContain("63 customers owe DKK 11,262.20");
    expect(textOf(first)).toContain("Account 6190 differs by DKK −60.00");
    expect(textOf(first)).not.toContain("Yen KK");
    const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? "";
    const second = textOf(await admin.get(next.replaceAll("&amp;", "&")));
    expect(second).toContain("63 customers owe DKK 11,262.20");
    expect(second).toContain("Yen KK");
    expect(second.match(/Many \d+/g)).toHaveLength(10);
    await world.sql("delete from open_items where number = 'M'");
  });
});

describe("the page", () => {
  it("does not exist for other people, who have no link to it", async () => {
    for (const path of [PATH, `${PATH}/export`]) {
      expect((await standard.get(path)).status).toBe(404);
    }
    expect((await standard.get("/today")).html).not.toContain(PATH);
    expect((await openBrowser(world).get(PATH)).html).toContain('action="/sign-in"');
    expect((await admin.get("/today")).html).toContain(`href="${PATH}"`);
  });

  it("says what to do before receivables are begun", async () => {
    await world.sql("delete from receivables_begins");
    const page = await admin.get(PATH);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("Matchbook does not know yet which invoices are paid.");
    expect(await shown("", DANISH)).toContain("Matchbook ved endnu ikke, hvilke fakturaer");
    expect((await admin.get(`${PATH}/export`)).status).toBe(409);
  });
});
