/** Sorted lists of many invoices: what a search reads at a size where it matters, and amounts in several currencies. */
import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Browser } from "../../../../test/support/browser/browser.ts";
import { vacuumWhole } from "../../../../test/support/database/vacuum.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { useSales } from "../../../../test/support/world/sales.ts";

const MANY = 4_000;
const ISSUED = "/invoices?tab=issued";

const { world, issued } = useSales({ knows_origin: true });
let admin: Browser;
beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
});

/** The statement that a page sends with a marked part of its text, and its values. */
async function sentBy(address: string, mark: string): Promise<[string, unknown[]]> {
  const asked = vi.spyOn(pg.Client.prototype, "query");
  const { status } = await admin.get(address);
  const calls = asked.mock.calls as unknown as [unknown, unknown[]][];
  const sent = calls.find(([text]) => typeof text === "string" && text.includes(mark));
  asked.mockRestore();
  expect(status).toBe(200);
  if (sent === undefined) throw new Error(`${address} sends no statement with ${mark}`);
  return [sent[0] as string, sent[1]];
}

interface Plan {
  readonly "Node Type": string;
  readonly "Subplan Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Loops"?: number;
  readonly Plans?: readonly Plan[];
}

function partsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)];
}

describe("a sorted search among many invoices", () => {
  beforeAll(async () => {
    const { id } = await issued([1000], { title: "Original" });
    // Copies with a long document: a table whose rows cost more to read than the entries of an index.
    await world.sql(
      `insert into invoices (account_id, id, customer_id, currency, issue_date, title, auto_send, status,
         ledger_invoice_guid, ledger_invoice_number, issued_at, document, updated_at)
       select account_id, m.id, customer_id, currency, issue_date, 'Copy ' || n, auto_send, status, m.id, 1000 + n,
         issued_at, replace(document, i.id::text, m.id::text), updated_at
       from invoices i, (select n, gen_random_uuid() as id from generate_series(1, $2::int) n) m where i.id = $1`,
      [id, MANY],
    );
    await world.sql(
      `insert into issued_documents (account_id, document_id, kind, number, snapshot, payload_hash, net, gross, currency)
       select d.account_id, i.id, d.kind, i.ledger_invoice_number, d.snapshot, d.payload_hash, d.net, d.gross, d.currency
       from issued_documents d, invoices i where d.document_id = $1 and i.id <> $1 and i.status = 'issued'`,
      [id],
    );
    await vacuumWhole(world, ["invoices", "issued_documents", "customers"]);
  });

  it.each(["", "&sort=day", "&sort=-customer", "&sort=amount"])(
    "finds ids and keys in a covering index (%s)",
    async (sort) => {
      const address = `${ISSUED}&q=Copy+39&currency=DKK${sort}`;
      const [text, values] = await sentBy(address, "with k as materialized");
      const [row] = await world.sql(`explain (format json) ${text}`, values);
      const all = partsOf((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan);
      const found = all.find((part) => part["Subplan Name"] === "CTE k");
      const reads = partsOf(found as Plan).filter((part) => part["Relation Name"] === "invoices");
      expect(reads.map((part) => [part["Node Type"], part["Index Name"]])).toEqual([
        ["Index Only Scan", "invoices_listed"],
      ]);
    },
  );

  it.each(["amount", "-amount"])("fills a page from the order itself (%s)", async (sort) => {
    const address = `${ISSUED}&q=Copy&sort=${sort}`;
    const [text, values] = await sentBy(address, "near as materialized");
    const [row] = await world.sql(`explain (analyze, format json) ${text}`, values);
    const all = partsOf((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan);
    expect(all.find((part) => part["Subplan Name"] === "CTE k")?.["Actual Loops"]).toBe(0);
    const way = sort === "amount" ? "asc" : "desc";
    const first = await world.sql(
      `select i.id from invoices i join issued_documents d on d.document_id = i.id
       where i.title like 'Copy%' order by d.currency ${way}, d.gross ${way}, i.id ${way} limit 50`,
    );
    const { html } = await admin.get(address);
    const shown = [...html.matchAll(/<a href="\/invoices\/([0-9a-f-]{36})">\d+<\/a>/g)];
    expect(shown.map(([, id]) => id)).toEqual(first.map(({ id }) => id));
  });

  it("reads amounts in their order where it does not search", async () => {
    const [text, values] = await sentBy(`${ISSUED}&sort=-amount`, "d.gross");
    const [row] = await world.sql(`explain (format json) ${text}`, values);
    const all = partsOf((row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan);
    const amounts = all.filter((part) => part["Relation Name"] === "issued_documents");
    expect(amounts.map((part) => part["Index Name"])).toEqual(["issued_documents_by_amount"]);
  });
});

describe("the order by amount", () => {
  it("is that within each currency, over all pages", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
    const made: { number: number; currency: string; amount: number }[] = [];
    for (let n = 0; n < 54; n += 1) {
      const [currency, amount] = [n % 2 === 0 ? "EUR" : "DKK", 90 + ((n * 7) % 30)];
      const invoice = await issued([amount], { title: "In currencies", currency });
      made.push({ number: invoice.ledger_invoice_number, currency, amount });
    }
    const of = new Map(made.map((one) => [one.number, one]));
    const shown: number[] = [];
    for (let next: string | undefined = `${ISSUED}&q=In+currencies&sort=amount`; next; ) {
      const { html } = await admin.get(next);
      expect(html).toContain("Amounts are sorted within each currency.");
      const rows = html.matchAll(/<a href="\/invoices\/[0-9a-f-]+">(\d+)<\/a>/g);
      shown.push(...[...rows].map(([, number]) => Number(number)));
      next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(new Set(shown).size).toBe(54);
    const keys = shown.map((number) => of.get(number)).map((one) => [one?.currency, one?.amount]);
    const sorted = [...keys].sort(([a, x], [b, y]) =>
      a === b ? Number(x) - Number(y) : String(a) < String(b) ? -1 : 1,
    );
    expect(keys).toEqual(sorted);
    const { html } = await admin.get(`${ISSUED}&currency=EUR&sort=amount`);
    expect(html).not.toContain("Amounts are sorted within each currency.");
  });
});
