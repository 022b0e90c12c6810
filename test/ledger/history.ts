/**
 * A random history of sales and credit notes through the API, and its expected revenue: computed
 * from the prices and amounts that were sent, not from those that the ledger stored.
 */
import fc from "fast-check";
import { convert, lessDiscount, scaledToNumber } from "../../src/domain/base/money.ts";
import type { Json, World } from "../support/world/world.ts";

export interface History {
  /** Revenue by `YYYY-MM number`, in minor units of DKK, above 0 when earned. */
  readonly revenue: ReadonlyMap<string, bigint>;
  readonly entries: number;
}

/** Characters with a meaning in hledger or beancount, line breaks and letters beyond ASCII. */
const AWKWARD = 'Søn & "Far" ; A/S | \\ (x) [2026-01-01] date:2020-01-01\n  * !\tæøå 🎉';

const customers = [
  {
    name: AWKWARD,
    country_key: "DK",
    street: "Havnegade 44",
    city: "Odense",
    vat_number: "DK10150817",
  },
  { name: "Anna Person", country_key: "DK", is_person: true },
  {
    name: "Bergmann GmbH",
    country_key: "DE",
    street: "Hafenstr. 7",
    city: "Hamburg",
    vat_number: "DE136695976",
  },
  { name: "Ohne Nummer GmbH", country_key: "DE" },
  { name: "Leer GmbH", country_key: "DE", vat_number: " " },
  { name: "Erika Person", country_key: "DE", is_person: true },
  { name: "Acme Inc.", country_key: "US" },
  { name: "Nuuk Aps", country_key: "GL" },
];

/** Revenue accounts with their codes; the chart lacks the last two. */
const accounts: readonly (readonly [number: number, name: string, vat_code: string])[] = [
  [1000, `Salg: ${AWKWARD}`, "DK25"],
  [1010, "Samme navn", "DK25"],
  [1050, "Samme navn", "EU_GOODS_RC"],
  [1150, "销售", "EU_SERVICES_RC"],
  [1900, "-", "DK0"],
  [1910, "Ørsteds “særlige” konto/ÅÉ", "DK_RC"],
];

const rates: Readonly<Record<string, readonly (readonly [day: string, rate: number])[]>> = {
  EUR: [
    ["2026-01-01", 7.46],
    ["2026-02-15", 7.455123],
  ],
  USD: [["2026-01-01", 6.4025]],
  JPY: [["2026-01-01", 0.045123]],
};
const digits: Readonly<Record<string, number>> = { DKK: 2, EUR: 2, USD: 2, JPY: 0 };

const sale = fc.record({
  customer: fc.nat({ max: customers.length - 1 }),
  currency: fc.constantFrom("DKK", "DKK", "EUR", "USD", "JPY"),
  day: fc.integer({ min: 0, max: 119 }),
  credits: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 2,
      arbitrary: fc.array(
        fc.record({
          /** Hundredths of the remaining amount of each line; null for a full credit. */
          shares: fc.option(fc.array(fc.constantFrom(0, 1, 33, 50, 100), { minLength: 6 })),
          /** Relative to the sale; may be before it. */
          days: fc.integer({ min: -20, max: 60 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    },
  ),
  lines: fc.array(
    fc.record({
      account: fc.nat({ max: accounts.length - 1 }),
      value: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 10_000_000_00 })),
      discount: fc.constantFrom(0, 0, 12_50, 33_33),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

/** Makes the given number of sales, on days from January to April in any order, and credits some in full or in parts. */
export async function makeHistory(world: World, seed: number, sales: number): Promise<History> {
  await world.done("PATCH /configuration", { seller: { vat_number: "25313763" } });
  const customer_ids = await Promise.all(customers.map((body) => idOf(world, "/customers", body)));
  const product_ids: string[] = [];
  for (const [number, name, vat_code] of accounts) {
    product_ids.push(await idOf(world, "/products", { name: "Vare", account_number: number }));
    await world.done(`PATCH /ledger/accounts/${number}`, { name, vat_code });
  }
  await world.done("PATCH /ledger/accounts/6190", { name: AWKWARD });
  for (const [currency, days] of Object.entries(rates)) {
    for (const [day, rate] of days) {
      await world.done(`PUT /exchange-rates/${currency}/${day}`, { rate });
    }
  }

  const revenue = new Map<string, bigint>();
  let entries = 0;
  for (const drawn of fc.sample(sale, { seed, numRuns: sales })) {
    const issue_date = dayOf(drawn.day);
    const decimals = digits[drawn.currency] ?? 2;
    const invoice = await world.done("POST /invoices", {
      customer_id: customer_ids[drawn.customer],
      currency: drawn.currency,
      issue_date,
      auto_send: false,
      lines: drawn.lines.map((line) => ({
        product_id: product_ids[line.account],
        recognition_method: "on_issue",
        agreed_value: line.value / 10 ** decimals,
        discount: line.discount / 100,
      })),
    });
    await world.done(`POST /invoices/${invoice.id}/issue`);
    entries += 1;
    const lines = drawn.lines.map(({ account, value, discount }, index) => ({
      id: invoice.lines[index].id,
      account: accounts[account]?.[0] ?? 0,
      rest: lessDiscount(BigInt(value), discount),
    }));
    const worth = (amount: bigint) => inKroner(amount, drawn.currency, issue_date);
    for (const { account, rest } of lines) add(revenue, issue_date, account, worth(rest));
    for (const { shares, days } of drawn.credits) {
      const credit_date = dayOf(Math.min(119, Math.max(0, drawn.day + days)));
      // No credit takes effect before its invoice.
      const effective = credit_date < issue_date ? issue_date : credit_date;
      const credits = lines.map((line, index) => ({
        line,
        amount: shares === null ? line.rest : (line.rest * BigInt(shares[index] ?? 0)) / 100n,
      }));
      if (credits.every(({ amount }) => amount === 0n)) continue;
      await world.done("POST /credit-notes", {
        external_id: `${invoice.id} ${entries}`,
        invoice: invoice.id,
        credit_date,
        ...(shares === null ? { kind: "full" } : partOf(credits, decimals)),
      });
      entries += 1;
      // At the invoice's rate on any day, and so that the parts add up to the invoice.
      for (const { line, amount } of credits) {
        add(revenue, effective, line.account, worth(line.rest - amount) - worth(line.rest));
        line.rest -= amount;
      }
    }
  }
  return { revenue, entries };
}

interface Credit {
  readonly line: { readonly id: string };
  readonly amount: bigint;
}

function partOf(credits: readonly Credit[], decimals: number): Json {
  const lines = credits.map(({ line, amount }) => ({
    invoice_line_id: line.id,
    amount: scaledToNumber(amount, decimals),
  }));
  return { kind: "partial", lines };
}

async function idOf(world: World, path: string, body: unknown): Promise<string> {
  return (await world.done(`POST ${path}`, body)).id;
}

function dayOf(offset: number): string {
  return new Date(Date.UTC(2026, 0, 1 + offset)).toISOString().slice(0, 10);
}

function inKroner(amount: bigint, currency: string, day: string): bigint {
  const rate = rates[currency]?.filter(([from]) => from <= day).at(-1)?.[1];
  if (rate === undefined) return amount;
  return convert(amount, BigInt(Math.round(rate * 1_000_000)), digits[currency] ?? 2, 2);
}

function add(revenue: Map<string, bigint>, day: string, account: number, amount: bigint): void {
  const key = `${day.slice(0, 7)} ${account}`;
  revenue.set(key, (revenue.get(key) ?? 0n) + amount);
}
