/** Makes sales through the API, as clients do, and returns the issued documents with what the API, the books and the bytes say of them. */
import { operatorContext } from "../../../src/features/access/accounts/create.ts";
import {
  electronicInvoiceOf,
  type IssuedNumber,
  readIssued,
  readReceiver,
} from "../../../src/features/documents/einvoice-files/read-electronic-invoice.ts";
import { renderEinvoice } from "../../../src/features/documents/einvoice-files/render-einvoice.ts";
import type { Context } from "../../../src/platform/commands/context.ts";
import type { Json, Reply, UsedWorld } from "../world/world.ts";
import { BOOKS, CURRENCIES, PRODUCT_KINDS, PRODUCTS, type Sale } from "./any-sale.ts";

/** An issued invoice or credit note, and its file in the format of the sale. */
export interface SoldDocument {
  readonly sale: Sale;
  /** `GET /invoices/{ref}` without its query: `/invoices/0190…` */
  readonly path: string;
  readonly issued: IssuedNumber;
  /** Answer of `/totals`. */
  readonly totals: Json;
  /** The ids of the rules by which the API refuses the file; empty for one that it answers. */
  readonly broken: readonly string[];
  /** The file as the API answers it; of a refused one, as it would be without the refusal. */
  readonly content: Buffer;
  /** A call of its account: `GET /invoices`. */
  ask(call: string): Promise<Reply>;
}

const TODAY = "2026-03-10";

/** Issues the sales that may be issued, those of each account one after the other. */
export async function issueSales(
  world: UsedWorld,
  sales: readonly Sale[],
): Promise<SoldDocument[]> {
  const made = await Promise.all(
    BOOKS.map(async (_, at) => {
      const shop = await openShop(world, at);
      const documents: [number, SoldDocument][] = [];
      for (const [index, sale] of sales.entries()) {
        const document = sale.books === at ? await sell(shop, sale) : null;
        if (document !== null) documents.push([index, document]);
      }
      return documents;
    }),
  );
  return made
    .flat()
    .sort(([a], [b]) => a - b)
    .map(([, document]) => document);
}

interface Shop {
  readonly cx: Context;
  readonly world: UsedWorld;
  readonly users: readonly string[];
  readonly products: ReadonlyMap<string, string>;
  done(call: string, body?: unknown): Promise<Json>;
  ask(call: string): Promise<Reply>;
  /** A day before today on which no user has worked. */
  freeDay(): string;
}

async function openShop(world: UsedWorld, at: number): Promise<Shop> {
  const { currency, domestic_rate, seller } = BOOKS[at] ?? BOOKS[0];
  const account = await world.openAnother({ currency });
  const key = account.keys.read_write;
  const done: Shop["done"] = (call, body) => world.done(call, body, key);
  await done("PATCH /configuration", {
    seller,
    vat: { domestic_rate },
    default_auto_send: false,
    require_complete_invoices: false,
  });
  const rateOf = (code: string) => CURRENCIES.find(([one]) => one === code)?.[2] ?? 1;
  for (const [code, , rate] of CURRENCIES) {
    if (code === currency) continue;
    const to_books = Number((rate / rateOf(currency)).toFixed(6));
    await done(`PUT /exchange-rates/${code}/${TODAY}`, { rate: to_books });
  }
  const products = new Map<string, string>();
  for (const kind of PRODUCT_KINDS) {
    const [name = "", unit] = kind.split(" ");
    const [account_number] = PRODUCTS[name] ?? [];
    const body = { name: kind, unit, account_number, product_number: `P-${kind} <&>` };
    products.set(kind, (await done("POST /products", body)).id);
  }
  for (const [number, vat_code] of Object.values(PRODUCTS)) {
    if (number > 1400) await done(`PATCH /ledger/accounts/${number}`, { vat_code });
  }
  const users: string[] = [];
  for (const name of ["Ane", "Bo", "Eva", "Ib"]) {
    const email = `${name}-${account.account_id}@studio.example`;
    users.push((await done("POST /users", { name, email })).id);
  }
  let days = 0;
  return {
    ...{ world, users, products, done },
    cx: await operatorContext(world.services, account.account_id),
    ask: (call) => world.rest(call, undefined, key),
    freeDay: () => {
      days += 1;
      return new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10);
    },
  };
}

async function sell(shop: Shop, sale: Sale): Promise<SoldDocument | null> {
  const { done, cx, ask } = shop;
  const { numbers, ...fields } = sale.customer;
  const customer = await done("POST /customers", { ...fields, ...numbers });
  const invoice = await draftOf(shop, sale, customer.id);
  const reply = await ask(`POST /invoices/${invoice}/issue`);
  // Without what the law requires for reverse charge, and without an amount, nothing is issued.
  if (["INVOICE_INCOMPLETE", "INVOICE_EMPTY"].includes(reply.body.error?.code)) return null;
  const body = reply.body;
  if (reply.status !== 200) throw new Error(`${invoice}: ${JSON.stringify(body)}`);
  const note = await credited(shop, sale, body);
  const [path, id] =
    note === null ? [`/invoices/${invoice}`, invoice] : [`/credit-notes/${note}`, note];
  const totals = await done(`GET ${path}/totals`);
  const issued = await readIssued(cx, id);
  const file = await ask(`GET ${path}/einvoice?format=${sale.format}`);
  if (file.status === 200) {
    return { ...{ sale, path, issued, totals, ask }, broken: [], content: file.body };
  }
  const { code, details } = file.body.error;
  if (code !== "EINVOICE_INCOMPLETE") throw new Error(`${path}: ${JSON.stringify(file.body)}`);
  const { address: receiver } = await readReceiver(cx, customer.id);
  const content = {
    ...issued,
    invoice: electronicInvoiceOf(issued, { receiver, corrections: {} }),
  };
  return {
    ...{ sale, path, issued, totals, ask },
    broken: details.rules.map(({ rule }: Json) => rule),
    content: Buffer.from(await renderEinvoice(cx, content, sale.format)),
  };
}

/** Returns the id of a draft with the hours of its lines. */
async function draftOf({ done, users, products, freeDay }: Shop, sale: Sale, customer_id: string) {
  const [currency, digits] = sale.currency;
  const lines = sale.lines.map(({ kind, text, discount, service, value, rate, work }) => ({
    product_id: products.get(kind),
    description_override: text,
    discount,
    ...(value === null
      ? { recognition_method: "hours", hourly_rate: rate / 10_000 }
      : { recognition_method: "value", agreed_value: value / 10 ** digits, ...service }),
    assignees: value === null ? work.map((one) => assignee(users, one)) : [],
  }));
  const { title, footer, buyer_reference, order_reference, accounting_cost } = sale;
  const references = { buyer_reference, order_reference, accounting_cost };
  const { hours_specification } = sale;
  const printed = { title, footer, ...references, hours_specification };
  const draft = await done("POST /invoices", { customer_id, currency, ...printed, lines });
  for (const [at, { value, work }] of sale.lines.entries()) {
    if (value !== null) continue;
    const line_id = draft.lines[at].id;
    for (const { user, hours } of work) {
      const registered = { line_id, user_id: users[user], hours: hours / 100, date: freeDay() };
      await done("POST /work-registrations", registered);
    }
  }
  return draft.id as string;
}

function assignee(users: readonly string[], { user, rate }: Sale["lines"][number]["work"][number]) {
  return { user_id: users[user], ...(rate !== null && { hourly_rate_override: rate / 10_000 }) };
}

/** Returns the id of the credit note; null where nothing is credited, or nothing is there to credit. */
async function credited(
  { done }: Shop,
  { credited: percent, currency: [, digits] }: Sale,
  invoice: Json,
): Promise<string | null> {
  if (percent === null) return null;
  const { lines, gross } = await done(`GET /invoices/${invoice.id}/totals`);
  const amounts = lines.flatMap(({ line_id, net }: Json) => {
    const amount = Math.floor((net * 10 ** digits * percent) / 100) / 10 ** digits;
    return amount > 0 ? [{ invoice_line_id: line_id, amount }] : [];
  });
  if (gross === 0 || amounts.length === 0) return null;
  const whole = percent === 100;
  const note = await done("POST /credit-notes", {
    external_id: `credit-${invoice.id}`,
    invoice: invoice.id,
    kind: whole ? "full" : "partial",
    credit_date: TODAY,
    ...(!whole && { lines: amounts }),
  });
  return note.id;
}
