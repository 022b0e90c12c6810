/** What customers owe, by age and on any day, in the list and in the file (spec 13.4). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  functionalOf,
  type History,
  openOfPast,
  type PastItem,
  storeHistory,
} from "../../../../test/support/world/receivables-history.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, issued, partCredit, credited } = useSales();

const TODAY = "2026-03-10";

async function listed(query: string, limit = 100): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | null = null;
  do {
    const after = cursor === null ? "" : `&cursor=${cursor}`;
    const page: Json = await world.done(`GET /receivables?limit=${limit}&${query}${after}`);
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

describe("GET /receivables", () => {
  it("ages what is owed by its due date", async () => {
    const { id } = await world.done("POST /customers", { name: "Late", external_id: "late" });
    // Due 14 days later: 1, 30, 31, 60, 61, 90 and 91 days late on 10 March, and due on that day.
    const days = ["2026-02-24", "2026-02-23", "2026-01-25", "2026-01-24", "2025-12-26"];
    const earlier = ["2025-12-25", "2025-11-26", "2025-11-25"];
    for (const [at, issue_date] of [...days, ...earlier].entries()) {
      await issued([0.8 * 10 ** at], { customer_id: id, issue_date });
    }
    const note = await issued([1], { customer_id: id, issue_date: TODAY });
    await credited(partCredit(note, [1]));
    expect(await listed("customer=ext:late")).toEqual([
      {
        object: "receivable",
        customer_id: id,
        customer_name: "Late",
        currency: "DKK",
        not_due: 1,
        days_1_30: 110,
        days_31_60: 11_000,
        days_61_90: 1_100_000,
        over_90: 10_000_000,
        total: 11_111_111,
        credit_notes: 0,
        customer_credit: 0,
        balance: 11_111_111,
        oldest_due_date: "2025-12-09",
        functional: expect.objectContaining({ days_31_60: 11_000, balance: 11_111_111 }),
      },
    ]);
    const [before] = await listed("customer=ext:late&at=2025-12-31");
    expect(before).toMatchObject({ not_due: 110_000, days_1_30: 11_000_000, total: 11_110_000 });
  });

  it.each([
    ["a day in the future", "at=2026-03-11", "422 VALIDATION_FAILED at too_large"],
    ["a foreign cursor", "cursor=MXx5", "422 VALIDATION_FAILED cursor invalid_value"],
  ])("refuses %s", async (_case, query, expected) => {
    expect(refusal(await world.rest(`GET /receivables?${query}`))).toBe(expected);
  });

  it("refuses to say anything before receivables are begun", async () => {
    const other = (await world.openAnother()).keys.read;
    for (const path of ["/receivables", "/receivables.csv", "/receivables/summary"]) {
      const reply = await world.rest(`GET ${path}`, undefined, other);
      expect(refusal(reply)).toBe("409 RECEIVABLES_NOT_BEGUN");
    }
  });
});

describe("a random history", () => {
  let history: History;
  let customer_ids: readonly string[];

  beforeAll(async () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const made = [];
    for (const name of ["One", "Two", "Three"]) {
      made.push(await world.done("POST /customers", { name, external_id: name }));
    }
    customer_ids = made.map(({ id }) => id);
    history = await storeHistory(world, { customer_ids, count: 300, around: TODAY, random });
  });

  it.each(["2025-11-05", "2026-01-15", "2026-02-20", "2026-03-09", TODAY])(
    "adds up on %s to what is open of each item",
    async (at) => {
      for (const id of customer_ids) {
        const rows = await listed(`customer=${id}&at=${at}`);
        const items = history.items.filter(({ customer_id }) => customer_id === id);
        expect(rows.map(shownOf)).toEqual(
          ["DKK", "EUR"].flatMap((currency) => expectedOf(history, items, currency, at)),
        );
      }
    },
  );

  it("has pages, a currency, and a file", async () => {
    const all = await listed("at=2026-02-20");
    expect(all.length).toBeGreaterThan(6);
    expect(await listed("at=2026-02-20", 1)).toEqual(all);
    expect(await listed("at=2026-02-20", 3)).toEqual(all);
    expect(await listed("at=2026-02-20&currency=EUR")).toEqual(
      all.filter(({ currency }) => currency === "EUR"),
    );
    expect(await listed("customer=ext:unknown")).toEqual([]);
    const { body } = await world.rest("GET /receivables.csv?at=2026-02-20");
    const [heads = [], ...lines] = String(body)
      .trim()
      .split("\r\n")
      .map((line) => line.split(","));
    const column = (name: string) => lines.map((line) => line[heads.indexOf(name)]);
    expect(column("balance")).toEqual(all.map(({ balance }) => balance.toFixed(2)));
    expect(column("functional_customer_credit")).toEqual(
      all.map(({ functional }) => functional.customer_credit.toFixed(2)),
    );
  });

  it("is added up by currency in the summary", async () => {
    const all = await listed("at=2026-02-20");
    const summary = await world.done("GET /receivables/summary?at=2026-02-20");
    const minor = (amount: number): number => Math.round(amount * 100);
    for (const { currency, sums } of summary.currencies) {
      const rows = all.filter((row) => row.currency === currency);
      for (const name of Object.keys(sums)) {
        const total = rows.reduce((sum, row) => sum + minor(row[name]), 0);
        expect([name, minor(sums[name])]).toEqual([name, total]);
      }
    }
    const functional = all.reduce((sum, row) => sum + minor(row.functional.balance), 0);
    expect(minor(summary.functional.balance)).toBe(functional);
    expect(summary.currencies.map(({ currency }: Json) => currency)).toEqual(["DKK", "EUR"]);
  });
});

describe("pages for the present day", () => {
  let history: History;
  let customer_ids: string[];

  beforeAll(async () => {
    let seed = 20;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    customer_ids = [];
    for (let n = 0; n < 40; n += 1) {
      const { id } = await world.done("POST /customers", { name: `Page ${n}` });
      customer_ids.unshift(id);
    }
    // Half of it is later than today: much that is open at last, or no more, is not as open today.
    history = await storeHistory(world, {
      customer_ids,
      count: 60,
      around: "2026-05-10",
      random,
    });
  });

  const expected = (currencies: string[]) =>
    customer_ids.flatMap((id) =>
      currencies.flatMap((currency) => {
        const items = history.items.filter(({ customer_id }) => customer_id === id);
        return expectedOf(history, items, currency, TODAY).map((row) => [id, ...row]);
      }),
    );

  it.each([1, 2, 3, 8, 100])("of %i rows have all that is open", async (limit) => {
    const of_these = new Set(customer_ids);
    const shown = async (query: string) =>
      (await listed(query, limit))
        .filter(({ customer_id }) => of_these.has(customer_id))
        .map((row) => [row.customer_id, ...shownOf(row)]);
    expect(await shown("")).toEqual(expected(["DKK", "EUR"]));
    expect(await shown("currency=EUR")).toEqual(expected(["EUR"]));
    expect(await shown(`at=${TODAY}&currency=DKK`)).toEqual(expected(["DKK"]));
  });

  it("pass over customers of whom nothing is open yet, or nothing was open at last", () => {
    const owing = new Set(expected(["DKK", "EUR"]).map(([id]) => id));
    const isOpenAtLast = (item: PastItem) => openOfPast(history, item, "2027-01-01") > 0n;
    const at_last = new Set(history.items.filter(isOpenAtLast).map((item) => item.customer_id));
    const order = customer_ids.filter((id) => at_last.has(id) || owing.has(id));
    expect(order.map((id) => (owing.has(id) ? "owing" : "not")).join()).toContain(
      "owing,not,not,owing",
    );
    const closed = history.items.filter((item) => !isOpenAtLast(item));
    expect(closed.filter((item) => openOfPast(history, item, TODAY) > 0n)).not.toEqual([]);
  });
});

/** The total, both kinds of credit, the amount that is late, and the balance in functional currency. */
function shownOf({ currency, ...row }: Json): unknown[] {
  const late = row.days_1_30 + row.days_31_60 + row.days_61_90 + row.over_90;
  return [
    currency,
    ...[row.total, row.credit_notes, row.customer_credit, late, row.functional.balance].map(
      (amount) => Math.round(amount * 100),
    ),
    row.oldest_due_date,
  ];
}

function expectedOf(history: History, items: PastItem[], currency: string, at: string) {
  const open = items
    .filter((item) => item.currency === currency)
    .map((item) => ({ ...item, open: openOfPast(history, item, at) }))
    .filter((item) => item.open > 0n);
  if (open.length === 0) return [];
  const sum = (which: (item: PastItem) => boolean): bigint =>
    open.filter(which).reduce((total, item) => total + item.open, 0n);
  const total = sum(({ is_credit }) => !is_credit);
  const payments = sum(({ kind }) => kind === "payment");
  const credits = sum(({ is_credit, kind }) => is_credit && kind !== "payment");
  const late = sum(({ is_credit, due_date }) => !is_credit && due_date !== null && due_date < at);
  const due = open.flatMap(({ is_credit, due_date }) => (is_credit ? [] : (due_date ?? [])));
  const balance = functionalOf(currency, total - payments - credits);
  return [
    [currency, ...[total, credits, payments, late, balance].map(Number), due.sort()[0] ?? null],
  ];
}
