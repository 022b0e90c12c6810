/**
 * Resources are stored as the API shows them, in addition to the columns they are made of. After a varied history
 * each stored text still equals the current presentation of its row.
 */

import { beforeAll, describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { getUser, presentUser } from "../../src/features/access/people/queries.ts";
import { presentCustomer } from "../../src/features/catalogue/customers/present.ts";
import { getCustomer } from "../../src/features/catalogue/customers/queries.ts";
import { getProduct, presentProduct } from "../../src/features/catalogue/products/queries.ts";
import {
  getBankAccount,
  presentBankAccount,
} from "../../src/features/receivables/bank-accounts/queries.ts";
import { getPayment, presentPayment } from "../../src/features/receivables/payments/queries.ts";
import { getSeries } from "../../src/features/recurring/series/queries.ts";
import { presentSeries } from "../../src/features/recurring/series/series.ts";
import {
  getReminder,
  presentReminder,
} from "../../src/features/reminders/sent-reminders/queries.ts";
import {
  getOpeningContract,
  presentOpeningContract,
} from "../../src/features/revenue/opening-contracts/queries.ts";
import { getCreditNote, presentCreditNote } from "../../src/features/sales/credit-notes/queries.ts";
import { presentInvoice } from "../../src/features/sales/invoices/present.ts";
import { getInvoice } from "../../src/features/sales/invoices/queries.ts";
import type { Context } from "../../src/platform/commands/context.ts";
import { changedByOperator } from "../support/world/people.ts";
import { type Json, useWorld } from "../support/world/world.ts";

/** Presents a row of each table with a `document`, as it is stored. */
const PRESENTED: Readonly<Record<string, (cx: Context, id: string) => Promise<string>>> = {
  credit_notes: async (cx, id) => presentCreditNote((await getCreditNote(cx, id)).note),
  recurring_series: async (cx, id) => presentSeries((await getSeries(cx, id)).series),
  customers: async (cx, id) => presentCustomer(await getCustomer(cx, id)),
  bank_accounts: async (cx, id) => presentBankAccount(await getBankAccount(cx, id)),
  reminders: async (cx, id) => presentReminder(await getReminder(cx, id)),
  opening_contracts: async (cx, id) => presentOpeningContract(await getOpeningContract(cx, id)),
  payments: async (cx, id) => presentPayment(await getPayment(cx, id), "DKK"),
  products: async (cx, id) => presentProduct(await getProduct(cx, id)),
  invoices: async (cx, id) => presentInvoice((await getInvoice(cx, id)).invoice),
  users: async (cx, id) => presentUser((await getUser(cx, id)).user, await stampOf(id)),
};

const world = useWorld();
beforeAll(async () => {
  const customers = await someCustomers();
  const products = await someProducts();
  const users = await someUsers();
  await someBankAccounts();
  await someInvoices(customers, products, users);
  await someCreditNotes();
  await somePayments(customers);
  await someOpeningContracts(customers, products, users);
  await someReminders();
  await someSeries(customers, products, users);
});

describe("the stored text of", () => {
  it.each(Object.keys(PRESENTED))(
    "%s equals the current presentation of its row",
    async (table) => {
      const cx = await operatorContext(world.services, world.account.account_id);
      const rows = await world.sql(`select id, document from ${table} where account_id = $1`, [
        world.account.account_id,
      ]);
      expect(rows.length).toBeGreaterThan(2);
      for (const { id, document } of rows) expect(document).toBe(await PRESENTED[table]?.(cx, id));
    },
  );

  it("every table with a stored text is compared", async () => {
    const tables = await world.sql(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'document' order by table_name`,
    );
    // The last check of the books is stored as its answer, and a statement as it was made; neither is derived from columns.
    const compared = [...Object.keys(PRESENTED), "customer_statements", "verifications"].sort();
    expect(tables.map((table) => table.table_name)).toEqual(compared);
  });
});

async function someCustomers(): Promise<Json[]> {
  const plain = await world.done("POST /customers", { name: "Plain" });
  const full = await world.done("POST /customers", {
    name: '  Ærø & "Sons" \\ \u2028 \u{1F6A2} ',
    external_id: "c/1?x=ø",
    country_key: "DE",
    is_person: true,
    email: "ap@acme.example",
    street: "",
    payment_condition_type: "NettoCash",
    preferred_invoice_currency_key: "EUR",
  });
  await world.done("POST /customers", { external_id: "c/1?x=ø", name: "Renamed", city: "Bonn" });
  await world.done(`PATCH /customers/${full.id}`, { phone: "+49 1", is_person: false });
  await world.done(`PATCH /customers/${plain.id}`, {});
  const gone = await world.done("POST /customers", { name: "Gone" });
  await world.done(`POST /customers/${gone.id}/deactivate`);
  return [plain, full];
}

async function someProducts(): Promise<Json[]> {
  const hours = { name: "Hours", unit: "hours", default_price: 1234.5678, quantity: 0.25 };
  const products = [
    await world.done("POST /products", { name: "Plain" }),
    await world.done("POST /products", { ...hours, external_id: "p-1", product_number: "P 1" }),
    await world.done("POST /products", { name: "Dear", default_price: 9_999_999_999 }),
  ];
  await world.done("PATCH /products/ext:p-1", { comments: "", quantity: 1_000_000 });
  return products;
}

/** Besides the bank account that the account began with. */
async function someBankAccounts(): Promise<void> {
  const plain = { name: "Plain", ledger_account: 6485 };
  await world.done("POST /bank-accounts", plain);
  const columns = { date: "Dato \u2028", text: [2, "Tekst"], credit: 3, debit: 4, id: 9 };
  await world.done("POST /bank-accounts", {
    ...plain,
    external_id: "b-1",
    iban: "DK50 0040 0440 1162 43",
    registration_number: "",
    csv_profile: { delimiter: "\t", date_format: "yyyyMMdd", columns },
  });
  await world.done("PATCH /bank-accounts/ext:b-1", { is_default: true, account_number: "Æ" });
}

/** Payments of which something is left, applied later, refunded and reversed. */
async function someOpeningContracts(
  [customer]: readonly Json[],
  [product]: readonly Json[],
  [user]: readonly Json[],
): Promise<void> {
  const plain = {
    customer: customer?.id,
    product: product?.id,
    invoiced: 100,
    earned: 0,
    service_to: "2026-12-31",
    cutover: "2026-01-31",
    counter_account: 6950,
  };
  await world.done("POST /opening-contracts", { ...plain, external_id: "o-1" });
  await world.done("POST /opening-contracts", {
    ...plain,
    external_id: "ø/2?",
    currency: "EUR",
    rate: 7.460001,
    invoiced: 9_999.99,
    earned: 0.01,
    service_from: "2025-02-03",
    assignees: [{ user_id: user?.id, distribution_percentage: 100, hourly_rate_override: 0.5 }],
  });
  const { id } = await world.done("POST /opening-contracts", { ...plain, external_id: "o-3" });
  await world.done(`POST /opening-contracts/${id}/end`, { date: "2026-02-28", reason: "left" });
}

async function somePayments([customer]: Json[]): Promise<void> {
  const kept = { date: "2026-03-05", customer: customer.id, remainder: "customer_credit" };
  const [paid, given] = [
    await world.done("POST /payments", { ...kept, external_id: "pay-1", amount: 10.05 }),
    await world.done("POST /payments", { ...kept, external_id: "pay-2", amount: 20, fee: 1 }),
  ];
  const allocations = [{ payment: paid.id, amount: 3.05 }];
  const refund = { external_id: "pay-3", kind: "refund", date: "2026-03-06", amount: 3.05 };
  const { id } = await world.done("POST /payments", { ...refund, allocations });
  await world.done(`POST /payments/${given.id}/reverse`, { reason: "Line\nbreak \u2028" });
  await world.done("POST /payments", { ...refund, external_id: "pay-4", allocations });
  await world.done(`POST /payments/${id}/reverse`, { reason: "twice", fee: 2 });
}

/** Reminders that charge something, in two currencies, and one that charges nothing; two are cancelled. */
async function someReminders(): Promise<void> {
  const { id } = await world.done("POST /customers", { name: "Late \u2028", email: "l@x.example" });
  const reason = "Line\nbreak \u2028";
  for (const [n, currency] of ["DKK", "EUR", "DKK"].entries()) {
    const due = { customer: id, due_date: "2026-03-01", counter_account: 6950, currency };
    await world.done("POST /opening-items", {
      ...due,
      external_id: `late-${n}`,
      number: `${n}`,
      amount: 12.5,
    });
    const levels = [{ days_after_due: 3, fee: n === 2 ? 0 : 12.34, text: n === 0 ? reason : null }];
    await world.done("PATCH /configuration", { reminders: { levels, interest: { rate: 9.5 } } });
    const { rows } = await world.done("POST /reminder-runs/preview", { customer: id });
    const sent = rows
      .filter((row: Json) => row.currency === currency)
      .map(({ agreed }: Json) => ({ customer: id, currency, agreed }));
    const { outcomes } = await world.done("POST /reminder-runs", { rows: sent });
    if (n > 0) await world.done(`POST /reminders/${outcomes[0].reminder_id}/cancel`, { reason });
  }
}

async function someUsers(): Promise<Json[]> {
  const ada = await world.done("POST /users", { name: "Ada", email: "ada@studio.example" });
  await changedByOperator(world, ada.id, { name: "Åda", role: "admin" });
  const bo = { name: "Bo", email: "BO@studio.example", external_id: "u-1" };
  return [ada, await world.done("POST /users", bo)];
}

async function someInvoices(customers: Json[], products: Json[], users: Json[]): Promise<void> {
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
  await world.done("PUT /exchange-rates/JPY/2026-01-01", { rate: 0.0425 });
  const lines = [
    {
      product_id: products[0].id,
      recognition_method: "value",
      agreed_value: 0.01,
      position: 7,
      service_from: "2026-02-28",
      service_to: "2027-02-28",
    },
    {
      product_id: products[1].id,
      recognition_method: "hours",
      hourly_rate: 999.9999,
      discount: 12.34,
      description_override: "Line\nbreak",
      assignees: [
        { user_id: users[0].id, distribution_percentage: 33.33, hourly_rate_override: 0.0001 },
        { user_id: users[1].id, distribution_percentage: 66.67 },
      ],
    },
    {
      product_id: products[2].id,
      recognition_method: "progress",
      agreed_value: 100,
      budget_hours: 12.25,
    },
  ];
  for (const [index, customer] of customers.entries()) {
    const fields = { customer_id: customer.id, external_id: `i-${index}`, auto_send: false };
    const draft = await world.done("POST /invoices", { ...fields, title: "", currency: "EUR" });
    await world.done(`PATCH /invoices/${draft.id}`, { lines, issue_date: "2026-03-01" });
    await world.done(`PATCH /invoices/${draft.id}`, { lines: lines.slice(1), title: "Two" });
    if (index > 0) await world.done(`POST /invoices/${draft.id}/issue`);
  }
  const [line] = lines;
  const yen = { customer_id: customers[0].id, lines: [{ ...line, agreed_value: 12 }] };
  const draft = await world.done("POST /invoices", { ...yen, auto_send: true });
  await world.done(`PATCH /invoices/${draft.id}`, { currency: "JPY" });
  await world.done(`POST /invoices/${draft.id}/issue`);
}

/** For the invoices above: partial, full, and with a failed sending. */
async function someCreditNotes(): Promise<void> {
  const { data } = await world.done("GET /invoices?status=issued&limit=100");
  const credit = (invoice: Json, external_id: string, fields: object) =>
    world.done("POST /credit-notes", {
      external_id,
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-10",
      ...fields,
    });
  for (const [index, invoice] of data.entries()) {
    const { lines } = await world.done(`GET /invoices/${invoice.id}/totals`);
    const credited = lines.filter((line: Json) => line.net > 0);
    const part = credited.map((line: Json) => ({ invoice_line_id: line.line_id, amount: 1 }));
    await credit(invoice, `part \u2028 "${index}"`, { kind: "partial", lines: part });
    await credit(invoice, `rest ${index}`, {});
    await world.rest(`POST /credit-notes/ext:rest ${index}/send`, {});
  }
}

/** Drafts, active and cancelled ones, edited in every scope, with issued and skipped periods. */
async function someSeries(customers: Json[], products: Json[], users: Json[]): Promise<void> {
  const line = {
    product_id: products[0].id,
    recognition_method: "value",
    agreed_value: 310.01,
    assignees: [{ user_id: users[0].id, distribution_percentage: 100 }],
  };
  const body = { customer_id: customers[1].id, frequency: "monthly", start_date: "2026-01-31" };
  const create = (fields: object): Promise<Json> =>
    world.done("POST /recurring-series", { ...body, lines: [line], ...fields });
  const done = (id: string, call: string, sent?: object): Promise<Json> => {
    const [method, path] = call.split(" ");
    return world.done(`${method} /recurring-series/${id}${path}`, sent);
  };

  const draft = await create({ external_id: "s \u2028 1", lines: [], currency: "JPY" });
  await done(draft.id, "PATCH ", { end_date: "2027-01-01", issue_timing: { mode: "manual" } });
  const discarded = await create({ alignment: "calendar", auto_send: true });
  await done(discarded.id, "POST /cancel", {});

  const { id } = await create({
    external_id: "s-2",
    currency: "EUR",
    auto_send: false,
    issue_timing: { mode: "start-of-period", offset_days: -3 },
  });
  await done(id, "POST /activate", { past_periods: "skip" });
  const added = { ...line, agreed_value: 5, description_override: "Line\nbreak" };
  await done(id, "POST /lines", { scope: "this_only", period: "2026-02", line: added });
  await done(id, "POST /lines", { scope: "this_and_following", period: "2026-04", line: added });
  await done(id, "POST /occurrences/2026-02/issue");
  await done(id, "POST /occurrences/2026-03/issue");
  const [{ line_id }] = (await done(id, "GET /lines")).data;
  await done(id, `PATCH /lines/${line_id}`, { scope: "all", line: { agreed_value: 7 } });
  await done(id, "POST /occurrences/2026-04/skip", { reason: "no \u{1F6A2}" });
  await done(id, "POST /cancel", { end_date: "2026-03-15", reason: "moved" });
  await world.done("POST /scheduler-runs");
}

/** The time of a user's last change with microseconds, as it was presented. */
async function stampOf(id: string): Promise<string> {
  const rows = await world.sql(
    `select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stamp
     from users where id = $1`,
    [id],
  );
  return rows[0]?.stamp;
}
