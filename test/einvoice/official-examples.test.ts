/**
 * Official example invoices that are played through products, lines and the API: their totals are those of the issued document and of the
 * bytes of its e-invoice. Negative lines, allowances on the whole document, and two rates of VAT have no counterpart here.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { readBack } from "../../src/features/documents/einvoice-files/read-back.ts";
import { readIssued } from "../../src/features/documents/einvoice-files/read-electronic-invoice.ts";
import { lacksOfficialRules, refusalsOf } from "../support/einvoice/official-rules.ts";
import { byRate, statedFaults } from "../support/einvoice/stated-amounts.ts";
import { type Json, useWorld } from "../support/world/world.ts";

interface Taxed {
  readonly vat_category: string;
  readonly vat_rate?: string | null;
}

interface Example {
  readonly id: string;
  readonly currency: string;
  readonly lines: readonly (Taxed & {
    readonly quantity: string;
    readonly price: string;
    readonly net: string;
  })[];
  readonly allowances?: readonly unknown[];
  readonly vat: readonly (Taxed & { readonly base: string; readonly amount: string })[];
  readonly totals: { readonly net: string; readonly vat: string; readonly gross: string };
}

const FILE = new URL("../data/document-totals.json", import.meta.url);
const examples = (JSON.parse(readFileSync(FILE, "utf8")) as Example[]).filter(isExpressible);

const SELLER = { name: "Nordlys ApS", vat_number: "25313763", iban: "DK5000400440116243" };
const GLN = "5798009811578";
/** The accounts of products by category of VAT; exempt sales and a rate of zero are one code here. */
const ACCOUNTS: Readonly<Record<string, number>> = { S: 1000, E: 1410, Z: 1410, O: 1200 };

const world = useWorld();

describe("official example invoices", () => {
  it("can mostly be said here", () => {
    expect(examples.length).toBeGreaterThanOrEqual(20);
    expect(new Set(examples.flatMap(({ lines }) => lines.map(categoryOf)))).toEqual(
      new Set(Object.keys(ACCOUNTS)),
    );
  });

  it.each(examples.map((example) => [example.id, example] as const))("%s", async (_, example) => {
    const { currency, lines } = example;
    const account = await world.openAnother({ currency });
    const done = (call: string, body?: unknown): Promise<Json> =>
      world.done(call, body, account.keys.read_write);
    await done("PATCH /configuration", { seller: SELLER, vat: { domestic_rate: rateOf(lines) } });
    const sold: object[] = [];
    for (const line of lines) sold.push(await lineOf(done, line));
    if (lines.some((line) => ACCOUNTS[categoryOf(line)] === 1410)) {
      await done("PATCH /ledger/accounts/1410", { vat_code: "DK0" });
    }
    const is_abroad = lines.some((line) => categoryOf(line) === "O");
    const buyer = is_abroad
      ? { country_key: "US", einvoice_address: `0088:${GLN}` }
      : { ean_number: GLN };
    const customer = { name: "Buyer", street: "High Street 1", city: "Town", buyer_reference: "7" };
    const { id: customer_id } = await done("POST /customers", { ...customer, ...buyer });
    const draft = await done("POST /invoices", { customer_id, auto_send: false, lines: sold });
    const invoice = await done(`POST /invoices/${draft.id}/issue`);
    const path = await shownAs(done, example, invoice.id);

    const totals = await done(`GET ${path}/totals`);
    expect([totals.net, totals.vat, totals.gross].map((amount) => amount.toFixed(2))).toEqual(
      [example.totals.net, example.totals.vat, example.totals.gross].map(unsigned),
    );
    const breakdown: readonly Json[] = totals.vat_breakdown;
    expect(byRate(breakdown.map(({ rate, base, vat }) => taxed(rate, base, vat)))).toEqual(
      byRate(example.vat.map(({ vat_rate, base, amount }) => taxed(vat_rate, base, amount))),
    );
    const content: Buffer = await done(`GET ${path}/einvoice`);
    const cx = await operatorContext(world.services, account.account_id);
    const { snapshot } = await readIssued(cx, path.split("/").at(-1) ?? "");
    const back = await readBack(content, snapshot, new AbortController().signal);
    if (back === null) throw new Error("cannot be read");
    expect([...back.faults, ...statedFaults(back.read, totals, 2)]).toEqual([]);
    if (!lacksOfficialRules) expect(await refusalsOf(content.toString())).toEqual([]);
  });
});

function isExpressible({ lines, allowances }: Example): boolean {
  const rates = new Set(
    lines.map(({ vat_rate }) => Number(vat_rate ?? 0)).filter((rate) => rate > 0),
  );
  const is_credit = lines.every(({ net }) => Number(net) < 0);
  const is_positive = lines.every(({ net }) => Number(net) >= 0);
  return allowances === undefined && rates.size <= 1 && (is_credit || is_positive);
}

const categoryOf = ({ vat_category }: Taxed) => vat_category;

function rateOf(lines: Example["lines"]): number {
  return Math.max(...lines.map(({ vat_rate }) => Number(vat_rate ?? 0))) || 25;
}

/** A product with its price and quantity, where they make the net; a net with allowances is agreed. */
async function lineOf(
  done: (call: string, body: unknown) => Promise<Json>,
  { quantity, price, net, vat_category }: Example["lines"][number],
): Promise<object> {
  const [count, each, amount] = [quantity, price, net].map((text) => Math.abs(Number(text)));
  const is_product = ((count ?? 0) * (each ?? 0)).toFixed(2) === amount?.toFixed(2);
  const priced = is_product ? { default_price: each, quantity: count } : {};
  const account_number = ACCOUNTS[vat_category];
  const { id: product_id } = await done("POST /products", {
    name: "Item",
    account_number,
    ...priced,
  });
  return {
    product_id,
    recognition_method: "value",
    ...(!is_product && { agreed_value: amount }),
  };
}

/** The path of the document: a credit note of the whole invoice for a credit note or a negative invoice. */
async function shownAs(
  done: (call: string, body: unknown) => Promise<Json>,
  { id, lines }: Example,
  invoice: string,
): Promise<string> {
  const is_credit = /creditnote/i.test(id) || lines.some(({ net }) => Number(net) < 0);
  if (!is_credit) return `/invoices/${invoice}`;
  const whole = { external_id: id, invoice, kind: "full", credit_date: "2026-03-10" };
  return `/credit-notes/${(await done("POST /credit-notes", whole)).id}`;
}

function unsigned(amount: string): string {
  return Math.abs(Number(amount)).toFixed(2);
}

/** A breakdown in minor units; official credits and negative invoices differ in their signs. */
function taxed(rate: unknown, base: unknown, vat: unknown) {
  const minor = (amount: unknown) => Math.round(Math.abs(Number(amount)) * 100);
  return { rate: Number(rate ?? 0), base: minor(base), vat: minor(vat) };
}
