/** The open items agree with the accounts of the ledger on every day (spec 13.4). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, issued, fullCredit, partCredit, credited } = useSales();

const DAYS = Array.from({ length: 69 }, (_, at) =>
  new Date(Date.parse("2026-01-01") + at * 86_400_000).toISOString().slice(0, 10),
);
const TODAY = DAYS.at(-1) ?? "";

let seed = 11;
function random(below: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
}
/** A day from the given one through today. */
const dayFrom = (first: string): string => {
  const at = DAYS.indexOf(first);
  return DAYS[at + random(DAYS.length - at)] ?? TODAY;
};

/** The balance of an account at the end of a day, in units. */
async function balanceOf(account_number: number, at: string): Promise<number> {
  const [row] = await world.sql(
    `select coalesce(sum(p.amount), 0)::bigint as amount from ledger_postings p
     join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
     where p.account_number = $1 and e.entry_date <= $2`,
    [account_number, at],
  );
  return Number(row?.amount) / 100;
}

let count = 0;
/** Pays some invoices with a random amount, on a random day that may be before theirs; what is left is customer credit. */
async function pay(invoices: Json[]): Promise<Json> {
  count += 1;
  const currency = invoices[0].currency;
  const amount = (1 + random(300_000)) / 100;
  return world.done("POST /payments", {
    external_id: `payment-${count}`,
    date: dayFrom("2026-01-01"),
    amount,
    customer: customer.id,
    currency,
    ...(currency === "DKK" ? {} : { bank_amount: Math.round(amount * 744) / 100 }),
    allocations: invoices.map(({ id }) => ({ invoice: id })),
    remainder: "customer_credit",
  });
}

/** Sends a call that a rule may refuse in this state. */
async function attempt(call: string, body: Json): Promise<void> {
  const reply = await world.rest(call, body);
  if (reply.status >= 300) expect(refusal(reply)).toMatch(/^(409|422)/);
}

async function sell(): Promise<Json> {
  const currency = random(2) === 0 ? "DKK" : "EUR";
  const values = [(100 + random(99_999)) / 100, (100 + random(9_999)) / 100];
  const invoice: Json = await issued(values, { currency, issue_date: dayFrom("2026-01-01") });
  const dated = { credit_date: dayFrom(invoice.issue_date) };
  const choice = random(6);
  if (choice === 0) await credited(fullCredit(invoice, dated));
  if (choice === 1) await credited(partCredit(invoice, [(1 + random(99)) / 100], dated));
  return invoice;
}

describe("GET /receivables/summary", () => {
  it("agrees with the ledger on every day of a random history", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.4612 });
    await world.done("PUT /exchange-rates/EUR/2026-02-01", { rate: 7.4377 });
    const invoices: Json[] = [];
    for (let step = 0; step < 40; step += 1) {
      invoices.push(await sell());
      const { currency } = invoices[random(invoices.length)] ?? {};
      const of_one = invoices.filter((one) => one.currency === currency);
      const paid = await pay(of_one.slice(-1 - random(3)));
      const choice = random(4);
      const reason = "A mistake";
      if (choice === 0) await attempt(`POST /payments/${paid.id}/reverse`, { reason });
      const [first] = paid.allocations;
      if (choice === 1 && first) {
        await attempt(`POST /allocations/${first.id}/reverse`, { reason, date: TODAY });
      }
      if (choice === 2) {
        const invoice = of_one[random(of_one.length)]?.id;
        await attempt("POST /allocations", {
          external_id: `later-${step}`,
          payment: paid.id,
          invoice,
        });
      }
    }
    const seen = new Set<number>();
    for (const at of DAYS) {
      const { ledger } = await world.done(`GET /receivables/summary?at=${at}`);
      const [owed, held] = [await balanceOf(6190, at), -(await balanceOf(7410, at)) || 0];
      const roles = [
        ["receivables", 6190, owed],
        ["customer_credit", 7410, held],
      ] as const;
      expect([at, ledger]).toEqual([
        at,
        roles.map(([account_role, account_number, balance]) => ({
          account_role,
          account_number,
          sub_ledger: balance,
          ledger: balance,
          difference: 0,
        })),
      ]);
      seen.add(held);
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  it("shows a difference where an item is missing", async () => {
    const { id } = await issued([80]);
    await world.sql("delete from open_items where id = $1", [id]);
    const { ledger } = await world.done("GET /receivables/summary");
    expect(ledger[0].difference).toBe(100);
  });
});
