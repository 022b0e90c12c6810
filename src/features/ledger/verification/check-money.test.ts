/**
 * The check of receivables on payments of every kind: correct books pass, and each change in the database is found, also one that adds
 * up in the books.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { afterTampering } from "../../../../test/support/database/tampering.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { txOf } from "../../../platform/commands/tx.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { verifyAccount } from "./verify.ts";

const { world, customer, issued, partCredit, credited } = useSales();

let count = 0;
const pay = (amount: number, fields: Json = {}): Promise<Json> => {
  count += 1;
  const body = { external_id: `pay-${count}`, date: "2026-03-05", amount, ...fields };
  return world.done("POST /payments", body);
};
const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-03-02", ...fields });

const opening = (number: string, amount: number, fields: Json = {}): Promise<Json> =>
  world.done("POST /opening-items", {
    external_id: number,
    number,
    customer: customer.id,
    date: "2026-03-01",
    due_date: "2026-02-01",
    amount,
    counter_account: 6950,
    ...fields,
  });

/** Books two lines of a bank: one pays the invoice, the other is nothing. */
async function bookLines(invoice: Json): Promise<void> {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  const texts = ["paid", "rent"];
  const entries = texts.map((text) => ({ day: "2026-03-04", amount: "250.00", text }));
  await sendBankFile(world, camt({ entries }));
  const { data } = await world.done("GET /bank-lines");
  const line = (wanted: string) => data.find(({ text }: Json) => text === wanted).id;
  const lines = [
    { bank_line: line("paid"), payment: { allocations: [{ invoice: invoice.id }] } },
    { bank_line: line("rent"), ignore: "rent" },
  ];
  const { booked } = await world.done("POST /bank-lines/book", { lines });
  expect(booked).toBe(1);
}

beforeAll(async () => {
  await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.46 });
  await world.done("POST /customers", { name: "Other" });
  const invoice = await owed(1000);
  await pay(1000, { fee: 15, allocations: [{ invoice: invoice.id }] });
  const euro = await owed(1000, { currency: "EUR" });
  await pay(333.33, { bank_amount: 2485, allocations: [{ invoice: euro.id }] });
  await pay(666.17, { bank_amount: 4975, allocations: [{ invoice: euro.id, rounding: 0.5 }] });
  const late = await owed(500, { issue_date: "2026-03-09" });
  await pay(600, { allocations: [{ invoice: late.id }], remainder: "customer_credit" });
  const note = await credited(partCredit(invoice, [320], { credit_date: "2026-03-06" }));
  await pay(400, { kind: "refund", date: "2026-03-07", allocations: [{ credit_note: note.id }] });
  const two = [await owed(600), await owed(400)];
  const both = await pay(1000, { allocations: two.map(({ id }) => ({ invoice: id })) });
  const [first] = both.allocations;
  await world.done(`POST /allocations/${first.id}/reverse`, { reason: "wrong" });
  await world.done(`POST /payments/${both.id}/reverse`, { reason: "came back", fee: 50 });
  const [item] = [await opening("A-1", 5000), await opening("A-2", 70, { is_credit: true })];
  await pay(200, { allocations: [{ opening: item.id }] });
  const wrong = await opening("A-3", 12);
  await world.done(`POST /opening-items/${wrong.id}/reverse`, { reason: "twice" });
  const { data: products } = await world.done("GET /products");
  const brought = (external_id: string): Promise<Json> =>
    world.done("POST /opening-contracts", {
      external_id,
      customer: customer.id,
      product: products[0].id,
      invoiced: 900,
      earned: 0,
      service_to: "2026-12-31",
      cutover: "2026-01-31",
      counter_account: 6950,
    });
  await brought("running");
  const { id: ended } = await brought("ended");
  await world.done(`POST /opening-contracts/${ended}/end`, { date: "2026-02-28", reason: "left" });
  await bookLines(await owed(250));
  // Accounts may change: what was booked before stays right.
  await world.done("PATCH /configuration", {
    account_roles: { payment_fee: 2395, rounding: 2725 },
  });
});

const ONE_PAYMENT = "the line is not booked as one payment of its amount";

const faultsAfter = async (statements: string) => {
  const tables = [
    "ledger_entries",
    "ledger_postings",
    "open_items",
    "allocations",
    "payments",
    "bank_lines",
    "opening_contracts",
  ];
  const cx = await schedulerContext(world.services, world.account.account_id);
  const found = await afterTampering(world.owner, tables, statements, (tx) =>
    verifyAccount(txOf(cx, tx)),
  );
  const [receivables] = found.checks.filter(({ name }) => name === "receivables");
  return receivables?.faults.map(({ what }) => what) ?? [];
};

describe("the check of receivables", () => {
  it("finds no fault in correct books, also where roles have other accounts by now", async () => {
    const found = await world.done("GET /ledger/verification?fresh=true");
    expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
  });

  const of_payment = (number: number) => `(select id from payments where number = ${number})`;
  const entry_of = (number: number) =>
    `(select entry_no from ledger_entries where guid = ${of_payment(number)})`;
  it.each<[string, string, string]>([
    [
      "what the bank took",
      "update payments set bank_amount = bank_amount + 1 where number = 1",
      "its entry of 2026-03-05 has other amounts",
    ],
    [
      "a fee",
      "update payments set fee = fee + 1 where number = 1",
      "its entry of 2026-03-05 has other amounts",
    ],
    [
      "the number of a payment",
      "update payments set number = 99 where number = 1",
      "it is booked as another",
    ],
    [
      "the day of a payment",
      "update payments set date = '2026-03-04' where number = 1",
      "its entry is of 2026-03-05, and should be of 2026-03-04",
    ],
    [
      "the currency of a payment",
      "update payments set currency = 'EUR' where number = 1",
      "it is booked in another currency",
    ],
    [
      "an amount in euro",
      "update allocations set amount = amount + 1 where currency = 'EUR' and rounding = 0",
      "its entry of 2026-03-05 has other amounts",
    ],
    [
      "an exchange difference",
      `update allocations set debit_functional = debit_functional + 1, exchange_difference = exchange_difference - 1
         where currency = 'EUR' and rounding = 0`,
      "its entry of 2026-03-05 has other amounts",
    ],
    [
      "the share of a rounding",
      `update allocations set rounding_functional = rounding_functional + 1, exchange_difference = exchange_difference + 1
         where rounding > 0`,
      "its functional amounts do not follow from its amounts",
    ],
    [
      "amounts of two accounts exchanged",
      `update ledger_postings set account_number = case account_number when 2390 then 6480 when 6480 then 2390 else account_number end
         where entry_no = ${entry_of(1)}`,
      "its entry of 2026-03-05 has other amounts",
    ],
    [
      "another account",
      `update ledger_postings set account_number = 1000 where account_number = 2390 and entry_no = ${entry_of(1)}`,
      "its entry of 2026-03-05 has other amounts",
    ],
    [
      "the customer of a posting",
      `update ledger_postings set customer_id = (select id from customers where name = 'Other') where customer_id is not null and entry_no = ${entry_of(1)}`,
      "its entry of 2026-03-05 has other amounts",
    ],
    [
      "a payment without its entry",
      `delete from ledger_postings where entry_no = ${entry_of(1)}; delete from ledger_entries where guid = ${of_payment(1)}`,
      "it is not booked",
    ],
    [
      "a reversal that is not stored",
      "update payments set reversed_on = null, reversal_reason = null",
      "its entry of 2026-03-10 has other amounts",
    ],
    [
      "the day of a reversal",
      "update payments set reversed_on = '2026-03-12' where reversed_on is not null",
      "its entry of 2026-03-10 has other amounts",
    ],
    [
      "an entry that no payment has",
      `update ledger_entries set guid = gen_random_uuid() where guid = ${of_payment(1)}`,
      "the entry is booked for nothing",
    ],
    [
      "what an opening item posted",
      "update ledger_postings set amount = amount * 2 where entry_no = (select entry_no from ledger_entries where kind = 'opening' order by 1 limit 1)",
      "its entry of 2026-03-01 has other amounts",
    ],
    [
      "the day of an opening item",
      "update open_items set date = '2026-02-28' where number = 'A-1'",
      "its entry is of 2026-03-01, and should be of 2026-02-28",
    ],
    [
      "what an opening contract posted",
      "update opening_contracts set invoiced = invoiced + 1, amount = amount + 1, amount_functional = amount_functional + 1 where external_id = 'running'",
      "its entry of 2026-01-31 has other amounts",
    ],
    [
      "what an opening contract gave back",
      "update opening_contracts set returned = returned - 1, returned_functional = returned_functional - 1 where external_id = 'ended'",
      "its entry of 2026-02-28 has other amounts",
    ],
    [
      "the end of an opening contract without its entry",
      "update opening_contracts set end_guid = gen_random_uuid() where external_id = 'ended'",
      "its entry of 2026-02-28 has other amounts",
    ],
    [
      "a document that was settled before",
      "update open_items set ended_on = '2026-03-10', open = 0, functional_open = 0 where kind = 'invoice' and open > 0",
      "what was settled before is booked with another amount",
    ],
    [
      "a line that is booked as another's payment",
      "update bank_lines set state = 'booked', ignored_reason = null, payment_id = (select payment_id from bank_lines where state = 'booked') where state = 'ignored'",
      ONE_PAYMENT,
    ],
    [
      "a booked line that is open again",
      "update bank_lines set state = 'open', payment_id = null where state = 'booked'",
      ONE_PAYMENT,
    ],
    [
      "a line of another amount",
      "update bank_lines set amount = amount + 1 where state = 'booked'",
      ONE_PAYMENT,
    ],
    [
      "a line of money out that is booked as money in",
      "update bank_lines set amount = -amount where state = 'booked'",
      ONE_PAYMENT,
    ],
  ])("finds %s", async (_what, statements, fault) => {
    expect(await faultsAfter(statements)).toContain(fault);
  });

  it("is done in time when thousands of matched documents have just been settled", async () => {
    const pairs = "generate_series(1, 12000) n";
    const item = (kind: string, first: number, is_credit: boolean) =>
      `insert into open_items (account_id, id, kind, is_credit, customer_id, number, date, due_date, currency, amount, functional, open, functional_open, ended_on, updated_at)
       select c.account_id, lpad(to_hex(${first} + n), 32, '0')::uuid, '${kind}', ${is_credit}, c.id, n, '2026-03-02',
         ${is_credit ? "null" : "'2026-03-09'"}, 'DKK', 2, 2, 0, 0, '2026-03-03', now()
       from customers c, ${pairs} where c.id = '${customer.id}'`;
    const found = await faultsAfter(
      `set local statement_timeout = '10s'; ${item("invoice", 0, false)}; ${item("credit_note", 100_000, true)};
       analyze open_items;
       insert into allocations (account_id, id, debit_id, credit_id, currency, amount, rounding, debit_functional, credit_functional,
         rounding_functional, exchange_difference, date, created_at, updated_at)
       select '${world.account.account_id}', lpad(to_hex(200000 + n), 32, '0')::uuid, lpad(to_hex(n), 32, '0')::uuid,
         lpad(to_hex(100000 + n), 32, '0')::uuid, 'DKK', 1, 0, 1, 1, 0, 0, '2026-03-02', now(), now() from ${pairs};
       analyze allocations`,
    );
    // What is left of invoices and credit notes comes to nothing, and they need no entry.
    expect(found).toEqual([]);
  }, 60_000);
});
