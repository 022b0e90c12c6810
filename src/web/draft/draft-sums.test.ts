/**
 * The sums of the editor in the browser equal those of the service: totals and VAT of any draft, and after
 * its issue the months in which it is earned.
 */
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Browser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { decimalText } from "../../domain/base/money.ts";
import type { DraftStored } from "./draft-stored.ts";
import { sumsOf } from "./draft-sums.ts";

const world = useWorld({ knows_origin: true });
let admin: Browser;
let products: { readonly id: string; readonly unit: string }[];
let customers: string[];
let users: string[];

beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
  const place = { street: "A street 1", zip_code: "8000", city: "A town" };
  const seller = { ...place, name: "Studio", country_key: "DK", vat_number: "13585628" };
  await world.done("PATCH /configuration", { seller });
  const made = [
    { name: "Hours", unit: "hours", default_price: 987.6543 },
    { name: "Fixed", unit: "parts", default_price: 333.33 },
    { name: "Goods", unit: "parts", default_price: 12.5, account_number: 1010 },
  ];
  products = [];
  for (const product of made) products.push(await world.done("POST /products", product));
  customers = [];
  for (const customer of [
    { name: "At home", country_key: "DK" },
    { name: "In Germany", country_key: "DE", vat_number: "DE136695976" },
    { name: "A person in France", country_key: "FR", is_person: true },
    { name: "In Norway", country_key: "NO" },
  ])
    customers.push((await world.done("POST /customers", { ...place, ...customer })).id);
  users = [world.account.admin.user_id];
  for (const email of ["one@x.example", "two@x.example"])
    users.push((await world.done("POST /users", { name: email, email })).id);
});

const amount = fc.integer({ min: 1, max: 9_999_999 }).map((cents) => cents / 100);
const day = fc.integer({ min: 1, max: 28 }).map((n) => String(n).padStart(2, "0"));
const month = fc.integer({ min: 1, max: 12 }).map((n) => String(n).padStart(2, "0"));

const fixed = fc.record({
  product: fc.constantFrom(1, 2),
  agreed_value: fc.option(amount, { nil: null }),
  discount: fc.option(
    fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
    { nil: null },
  ),
  method: fc.constantFrom("on_issue", "milestone", "value", "spread", "progress"),
  from: fc.tuple(month, day),
  length: fc.integer({ min: 0, max: 700 }),
});
const by_hours = fc.record({
  rate: fc.option(
    fc.integer({ min: 1, max: 20_000_000 }).map((n) => n / 10_000),
    { nil: null },
  ),
  hours: fc.array(fc.integer({ min: 1, max: 800 }), { maxLength: 3 }),
});
const drafts = fc.record({
  customer: fc.nat({ max: 3 }),
  fixed: fc.array(fixed, { maxLength: 4 }),
  by_hours: fc.array(by_hours, { maxLength: 2 }),
});
type Draft = typeof drafts extends fc.Arbitrary<infer Value> ? Value : never;

/** A new day for each registration: a day has at most 24 hours. */
let days = 0;
function nextDay(): string {
  days += 7;
  return new Date(Date.UTC(2020, 0, days)).toISOString().slice(0, 10);
}

async function made({ customer, fixed: fixed_lines, by_hours: hour_lines }: Draft) {
  const lines = [
    ...fixed_lines.map(({ product, agreed_value, discount, method, from: [m, d], length }) => {
      const from = `2026-${m}-${d}`;
      const to = new Date(Date.parse(from) + length * 86_400_000).toISOString().slice(0, 10);
      return {
        product_id: products[product]?.id,
        recognition_method: method === "spread" ? "value" : method,
        ...(agreed_value === null ? {} : { agreed_value }),
        discount,
        ...(method === "spread" ? { service_from: from, service_to: to } : {}),
        ...(method === "progress" ? { budget_hours: 40 } : {}),
      };
    }),
    ...hour_lines.map(({ rate }) => ({
      product_id: products[0]?.id,
      recognition_method: "hours",
      ...(rate === null ? {} : { hourly_rate: rate }),
    })),
  ];
  const invoice = await world.done("POST /invoices", { customer_id: customers[customer], lines });
  for (const [index, { hours }] of hour_lines.entries()) {
    for (const [at, worked] of hours.entries()) {
      await world.done("POST /work-registrations", {
        user_id: users[at],
        line_id: invoice.lines[fixed_lines.length + index].id,
        date: nextDay(),
        hours: worked / 100,
        billable: at !== 1,
      });
    }
  }
  return invoice.id as string;
}

/** The props that the page of a draft passes to its island. */
async function editorOf(id: string, language: "en" | "da"): Promise<DraftStored> {
  const { html } = await admin.get(`/invoices/${id}`, { "accept-language": language });
  const props = /data-props='([^']+)'/.exec(html)?.[1] ?? "";
  const text = props.replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
  return JSON.parse(text).stored;
}

it("computes the same totals, VAT and earned months in the browser as in the service, for any draft", async () => {
  await fc.assert(
    fc.asyncProperty(drafts, fc.constantFrom("en", "da"), async (draft, language) => {
      const id = await made(draft);
      const { typed, facts } = await editorOf(id, language);
      const sums = sumsOf(typed, facts, language);
      const totals = await world.done(`GET /invoices/${id}/totals`);
      const money = (value: bigint | null) => value !== null && Number(decimalText(value, 2));
      expect([...sums.faults]).toEqual([]);
      expect(sums.nets.map(money)).toEqual(totals.lines.map(({ net }: { net: number }) => net));
      expect(Object.values(sums.totals).map(money)).toEqual([totals.net, totals.vat, totals.gross]);
      expect(sums.vat.map(({ vat_code, vat }) => [vat_code, money(vat)])).toEqual(
        totals.vat_breakdown.map((one: { vat_code: string; vat: number }) => [
          one.vat_code,
          one.vat,
        ]),
      );
      if (sums.totals.net === 0n) return;
      await world.done(`POST /invoices/${id}/issue`);
      const schedule = await world.done(`GET /invoices/${id}/recognition`);
      const earned = new Map<string, number>();
      for (const line of schedule.lines)
        for (const one of line.months)
          earned.set(one.month, (earned.get(one.month) ?? 0) + Math.round(one.earned * 100));
      const expected = [...earned]
        .filter(([, cents]) => cents !== 0)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      expect(sums.months.map((one) => [one.month, Number(one.earned)])).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});
