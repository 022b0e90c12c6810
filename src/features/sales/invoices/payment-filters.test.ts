/** What is paid of invoices in their list, as filters, and in the file (spec 13.4). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { payInvoice } from "../../../../test/support/world/receivables.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, draft, issued, fullCredit, credited } = useSales();

/** Ids by the state of the invoice. Today is 10 March; an invoice of 10 February was due on the 24th. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  const invoices = {
    open: "2026-03-01",
    late: "2026-02-10",
    partly_paid: "2026-03-01",
    late_partly_paid: "2026-02-10",
    paid: "2026-02-10",
    settled: "2026-02-10",
    credited: "2026-02-10",
    reversed: "2026-03-01",
  };
  for (const [name, issue_date] of Object.entries(invoices)) {
    const invoice = await issued([80], { issue_date });
    ids[name] = invoice.id;
    if (name === "credited") await credited(fullCredit(invoice));
  }
  ids.draft = (await draft([80])).id;
  const pay = (name: string, amount: bigint, more: object = {}) =>
    payInvoice(world, ids[name] ?? "", { amount, date: "2026-03-02", ...more });
  await pay("partly_paid", 40_00n);
  await pay("late_partly_paid", 40_00n);
  await pay("paid", 99_50n, { rounding: 50n });
  await pay("reversed", 100_00n, { reversed_on: "2026-03-09" });
  await world.sql(
    "update open_items set open = 0, functional_open = 0, ended_on = '2026-03-01' where id = $1",
    [ids.settled],
  );
});

async function named(query: string): Promise<string[]> {
  const { data } = await world.done(`GET /invoices?${query}`);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return data.map(({ id }: Json) => names.get(id)).sort();
}

describe("GET /invoices", () => {
  it.each([
    ["payment_state=open", ["late", "open", "reversed"]],
    ["payment_state=partly_paid", ["late_partly_paid", "partly_paid"]],
    ["payment_state=paid", ["paid", "settled"]],
    ["payment_state=credited", ["credited"]],
    ["overdue=true", ["late", "late_partly_paid"]],
    ["overdue=true&payment_state=open", ["late"]],
    ["overdue=false", ["credited", "draft", "open", "paid", "partly_paid", "reversed", "settled"]],
  ])("filters by %s", async (query, expected) => {
    expect(await named(query)).toEqual(expected);
  });

  it("shows in each row what is paid, as the invoice itself does", async () => {
    const { data } = await world.done("GET /invoices?include=payment");
    expect(data).toHaveLength(9);
    for (const { id, payment } of data) {
      if (id === ids.draft) {
        expect(payment).toBeNull();
        continue;
      }
      const { state, is_overdue, open, paid_on } = await world.done(`GET /invoices/${id}/payment`);
      expect(payment).toEqual({ state, is_overdue, open, paid_on });
    }
  });

  it.each([
    ["payment_state=late", "422 VALIDATION_FAILED payment_state invalid_value"],
    ["overdue=maybe", "422 VALIDATION_FAILED overdue invalid_type"],
  ])("refuses %s", async (query, expected) => {
    expect(refusal(await world.rest(`GET /invoices?${query}`))).toBe(expected);
  });

  it("says nothing before receivables are begun", async () => {
    const begun = await world.sql("delete from receivables_begins returning begun_on");
    const calls = ["/invoices?overdue=true", "/invoices?payment_state=paid"];
    const files = ["/invoices.csv?overdue=false"];
    const replies = [];
    for (const path of [...calls, ...files]) replies.push(await world.rest(`GET ${path}`));
    const { data } = await world.done("GET /invoices?include=payment");
    await world.sql("insert into receivables_begins select id, $2 from accounts where id = $1", [
      world.account.account_id,
      begun[0]?.begun_on,
    ]);
    expect(replies.map(refusal)).toEqual(replies.map(() => "409 RECEIVABLES_NOT_BEGUN"));
    expect(data.map(({ payment }: Json) => payment)).toEqual(data.map(() => null));
  });
});

describe("GET /invoices.csv", () => {
  it("shows what is paid", async () => {
    const { body } = await world.rest("GET /invoices.csv?payment_state=paid");
    const [heads = [], ...rows] = String(body)
      .trim()
      .split("\r\n")
      .map((line) => line.split(","));
    const first = heads.indexOf("payment_state");
    expect(heads.slice(first, first + 4)).toEqual([
      "payment_state",
      "document_paid",
      "document_open",
      "paid_on",
    ]);
    expect(rows.map((cells) => cells.slice(first, first + 4))).toEqual([
      ["paid", "100.00", "0.00", ""],
      ["paid", "99.50", "0.00", "2026-03-02"],
    ]);
  });
});
