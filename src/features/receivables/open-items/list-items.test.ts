/** Open items as a list and as a file, as they are on any day (spec 13.4). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { payInvoice } from "../../../../test/support/world/receivables.ts";
import {
  functionalOf,
  type History,
  openOfPast,
  type PastItem,
  storeHistory,
} from "../../../../test/support/world/receivables-history.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, issued, partCredit, credited } = useSales();

async function listed(query: string): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Json = await world.done(
      `GET /open-items?limit=100&${query}${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

const idsOf = (rows: Json[]): string[] => rows.map(({ id }) => id);

describe("GET /open-items", () => {
  it("shows what is open of invoices, credit notes and payments", async () => {
    const invoice = await issued([1000], { issue_date: "2026-02-10" });
    const paid = await issued([80], { issue_date: "2026-02-10" });
    await payInvoice(world, paid.id, { amount: 100_00n, date: "2026-02-26" });
    const { payment_id } = await payInvoice(world, invoice.id, {
      amount: 600_00n,
      applied: 250_00n,
      date: "2026-02-26",
    });
    await credited(partCredit(invoice, [200], { credit_date: "2026-02-20" }));
    const rows = await listed(`customer=${customer.id}`);
    expect(rows).toEqual([
      {
        object: "open_item",
        id: payment_id,
        kind: "payment",
        is_credit: true,
        document_id: payment_id,
        number: expect.any(String),
        customer_id: customer.id,
        date: "2026-02-26",
        due_date: null,
        currency: "DKK",
        amount: 600,
        open: 350,
        functional_amount: 600,
        functional_open: 350,
        days_overdue: 0,
      },
      {
        object: "open_item",
        id: invoice.id,
        kind: "invoice",
        is_credit: false,
        document_id: invoice.id,
        number: `${invoice.ledger_invoice_number}`,
        customer_id: customer.id,
        date: "2026-02-10",
        due_date: "2026-02-24",
        currency: "DKK",
        amount: 1250,
        open: 750,
        functional_amount: 1250,
        functional_open: 750,
        days_overdue: 14,
      },
    ]);
    expect(idsOf(await listed("state=closed"))).toContain(paid.id);
    expect(idsOf(await listed("state=closed"))).not.toContain(invoice.id);
    expect(await listed("state=all")).toHaveLength(5);
    expect(idsOf(await listed("kind=payment"))).toEqual([payment_id]);
    expect(await listed("currency=EUR")).toEqual([]);
    expect(await listed("customer=ext:unknown")).toEqual([]);
  });

  it("sees by a poll that an item was closed", async () => {
    const invoice = await issued([80]);
    const [row] = await world.sql("select clock_timestamp()::text as now");
    const since = encodeURIComponent(new Date(row?.now).toISOString());
    await payInvoice(world, invoice.id, { amount: 100_00n, date: "2026-03-10" });
    const changed = await listed(`state=all&updated_since=${since}`);
    expect(changed.find(({ id }) => id === invoice.id)).toMatchObject({ open: 0 });
  });

  it.each([
    ["a day in the future", "at=2026-03-11", "422 VALIDATION_FAILED at too_large"],
    ["an unknown kind", "kind=refund", "422 VALIDATION_FAILED kind invalid_value"],
    ["an unknown state", "state=late", "422 VALIDATION_FAILED state invalid_value"],
  ])("refuses %s", async (_case, query, expected) => {
    expect(refusal(await world.rest(`GET /open-items?${query}`))).toBe(expected);
    expect(refusal(await world.rest(`GET /open-items.csv?${query}`))).toBe(expected);
  });

  it("refuses to show anything before receivables are begun", async () => {
    const other = (await world.openAnother()).keys.read;
    for (const path of ["/open-items", "/open-items.csv"]) {
      const reply = await world.rest(`GET ${path}`, undefined, other);
      expect(refusal(reply)).toBe("409 RECEIVABLES_NOT_BEGUN");
    }
  });
});

describe("a random history", () => {
  const TODAY = "2026-03-10";
  let history: History;

  beforeAll(async () => {
    let seed = 20_260_310;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const one = await world.done("POST /customers", { name: "One", external_id: "one" });
    const two = await world.done("POST /customers", { name: "Two", external_id: "two" });
    const customer_ids = [one.id, two.id];
    history = await storeHistory(world, { customer_ids, count: 240, around: TODAY, random });
  });

  const DAYS = ["2025-11-05", "2026-01-15", "2026-02-20", "2026-03-05", "2026-03-09", TODAY];

  it.each(DAYS)("is as open on %s as its allocations of that day leave it", async (at) => {
    const known = new Map(history.items.map((item) => [item.id, item]));
    const shown = (await listed(`state=all&at=${at}`)).filter(({ id }) => known.has(id));
    const expected = history.items
      .filter(({ date }) => date <= at)
      .map((item) => [item.id, amounts(item, openOfPast(history, item, at))] as const);
    expect(new Map(shown.map((row) => [row.id, [row.open, row.functional_open]]))).toEqual(
      new Map(expected),
    );
    const isOpen = ({ id }: Json) => shown.find((row) => row.id === id)?.open > 0;
    const open = (await listed(`state=open&at=${at}`)).filter(({ id }) => known.has(id));
    const closed = (await listed(`state=closed&at=${at}`)).filter(({ id }) => known.has(id));
    expect(idsOf(open)).toEqual(idsOf(shown.filter(isOpen)));
    expect(idsOf(closed)).toEqual(idsOf(shown.filter((row) => !isOpen(row))));
  });

  it("has items whose stored state differs from the present one", () => {
    const differs = history.items.filter(
      (item) =>
        item.date <= TODAY &&
        openOfPast(history, item, TODAY) !== openOfPast(history, item, "2027-01-01"),
    );
    expect(differs.length).toBeGreaterThan(3);
  });

  it("is the same as a file, whose balances add up", async () => {
    const rows = await listed("at=2026-02-20");
    const { body } = await world.rest("GET /open-items.csv?at=2026-02-20");
    const lines = String(body).trim().split("\r\n");
    expect(lines).toHaveLength(rows.length + 1);
    const heads = lines[0]?.split(",") ?? [];
    const at = heads.indexOf("functional_balance");
    const total = lines
      .slice(1)
      .reduce((sum, line) => sum + BigInt((line.split(",")[at] ?? "").replace(".", "")), 0n);
    const expected = rows.reduce(
      (sum, row) =>
        sum + BigInt(Math.round(row.functional_open * 100)) * (row.is_credit ? -1n : 1n),
      0n,
    );
    expect(total).toBe(expected);
  });
});

function amounts({ currency }: PastItem, open: bigint): [number, number] {
  return [Number(open) / 100, Number(functionalOf(currency, open)) / 100];
}
