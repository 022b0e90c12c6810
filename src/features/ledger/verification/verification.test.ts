/** The check of an account's books: correct books pass, and each manipulation of the database is found. */

import { pino } from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import { afterTampering } from "../../../../test/support/database/tampering.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { txOf } from "../../../platform/commands/tx.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { lastNight, nightlyVerification } from "./run-nightly.ts";
import { checkNames } from "./schemas.ts";
import { verifyAccount } from "./verify.ts";

const lines: Json[] = [];
const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
const world = useWorld({ overrides: { log } });
beforeAll(async () => {
  await world.done("PATCH /configuration", {
    default_auto_send: false,
    seller: { name: "Nordlys ApS", street: "Vestergade 12", vat_number: "25313763" },
    account_roles: { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 },
  });
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
  await world.done("PUT /exchange-rates/JPY/2026-01-01", { rate: 0.000001 });
  const customer = await world.done("POST /customers", {
    name: "Acme",
    external_id: "acme",
    ean_number: "5798009811578",
    att_person: "Mette Krogh",
  });
  const product = await world.done("POST /products", { name: "Work", default_price: 100 });
  const issue = async (currency: string, agreed_value: number, issue_date: string) => {
    const line = { product_id: product.id, recognition_method: "value", agreed_value };
    const body = { customer_id: customer.id, currency, lines: [line] };
    const { id } = await world.done("POST /invoices", body);
    await world.done(`PATCH /invoices/${id}`, { issue_date });
    return world.done(`POST /invoices/${id}/issue`);
  };
  await issue("DKK", 99.99, "2026-03-01");
  const credited = await issue("EUR", 1234.56, "2026-03-02");
  // Without value in the functional currency.
  const yen = await issue("JPY", 1, "2026-03-03");
  await world.done("POST /credit-notes", {
    external_id: "part",
    invoice: credited.id,
    kind: "partial",
    credit_date: "2026-03-05",
    lines: [{ invoice_line_id: credited.lines[0].id, amount: 0.01 }],
  });
  for (const path of [`/invoices/${yen.id}`, `/invoices/${credited.id}`]) {
    expect((await world.rest(`GET ${path}/einvoice`)).status).toBe(200);
  }
  world.clock.set("2026-04-02T08:00:00Z");
  await world.done("POST /invoices", {
    external_id: "progress",
    customer_id: customer.id,
    lines: [{ product_id: product.id, recognition_method: "milestone", agreed_value: 500 }],
  });
  const draft = await world.done("GET /invoices/ext:progress");
  await world.done(`POST /invoices/${draft.id}/lines/${draft.lines[0].id}/complete`, {
    completed_on: "2026-03-20",
  });
  await world.done("POST /period-closes", { month: "2026-03" });
});

const contextOf = () => schedulerContext(world.services, world.account.account_id);

describe("GET /ledger/verification", () => {
  it("checks all data, and finds no fault in correct books", async () => {
    const found = await world.done("GET /ledger/verification");

    expect(found).toEqual({
      object: "verification",
      checked_at: expect.any(String),
      ok: true,
      checks: checkNames.map((name) => ({
        name,
        ok: true,
        checked: expect.any(Number),
        faults: [],
      })),
    });
    const checked = Object.fromEntries(found.checks.map((one: Json) => [one.name, one.checked]));
    expect(checked).toMatchObject({
      journal: 5,
      numbers: 5,
      documents: 4,
      vouchers: 1,
      einvoices: 2,
    });
    expect(checked.audit_trail).toBeGreaterThan(10);
  });

  it("answers with the last check, or with a new one on request", async () => {
    const first = await world.done("GET /ledger/verification", undefined, world.account.keys.read);
    expect(await world.done("GET /ledger/verification?fresh=false")).toEqual(first);
    const [fresh, at_once] = await Promise.all([
      world.done("GET /ledger/verification?fresh=true"),
      world.done("GET /ledger/verification?fresh=true"),
    ]);
    expect(fresh.checked_at > first.checked_at).toBe(true);
    expect(at_once.ok).toBe(true);
  });

  it("checks only the account of the key", async () => {
    const other = await world.openAnother();
    const found = await world.done("GET /ledger/verification", undefined, other.keys.read);
    expect(found.checks.find((one: Json) => one.name === "documents").checked).toBe(0);
    expect(found.ok).toBe(true);
  });
});

describe("a change in the database outside of the program", () => {
  const entry = (number: number) =>
    `(select entry_no from ledger_entries where kind = 'invoice' and number = ${number})`;
  it.each<[string, string[], string]>([
    [
      "an event",
      ["audit_trail"],
      "update audit_events set payload = replace(payload, 'Acme', 'Acne') where seq > 5",
    ],
    ["an entry's text", ["journal"], "update ledger_entries set text = 'other' where entry_no = 1"],
    [
      "an amount on one side",
      ["journal", "balances", "documents", "receivables"],
      `update ledger_postings set amount = amount + 1 where line_no = 1 and entry_no = ${entry(1)}`,
    ],
    [
      "amounts that balance",
      ["journal", "documents", "receivables"],
      `update ledger_postings set amount = amount * 2 where entry_no = ${entry(2)}`,
    ],
    [
      "an entry that is gone",
      ["journal", "numbers", "documents", "receivables"],
      `delete from ledger_postings where entry_no = 2; delete from ledger_entries where entry_no = 2`,
    ],
    [
      "the number of an entry",
      ["journal", "numbers", "documents"],
      "update ledger_entries set number = 17 where kind = 'invoice' and number = 2",
    ],
    [
      "a frozen document",
      ["documents"],
      "update issued_documents set snapshot = replace(snapshot, 'Acme', 'Acne')",
    ],
    [
      "a frozen document and its digest",
      ["documents"],
      `update issued_documents set snapshot = replace(snapshot, '"9999n"', '"9998n"');
       update issued_documents set payload_hash =
         sha256(convert_to(regexp_replace(snapshot, ',"payment_codes":[^{]*[{][^}]*[}][}]$', '}'), 'UTF8'))`,
    ],
    [
      "payment codes of another number",
      ["documents"],
      `update issued_documents set snapshot = replace(snapshot, '"rf":"RF', '"rf":"RF0') where kind = 'invoice'`,
    ],
    [
      "a frozen document that is gone",
      ["documents"],
      "delete from issued_documents where kind = 'credit_note'",
    ],
    [
      "an invoice's number",
      ["documents"],
      "update invoices set ledger_invoice_number = 99 where ledger_invoice_number = 1",
    ],
    [
      "a voucher that no accrual has",
      ["vouchers"],
      "update accrual_bookings set voucher_number = 99",
    ],
    [
      "what is stored as open",
      ["receivables"],
      "update open_items set open = open - 1 where open > 1",
    ],
    [
      "what an item posted",
      ["receivables"],
      "update open_items set functional = functional + 1, functional_open = functional_open + 1 where open > 0",
    ],
    [
      "an allocation of more than the item",
      ["receivables"],
      `update allocations set amount = amount * 1000000, debit_functional = debit_functional * 1000000,
         credit_functional = credit_functional * 1000000`,
    ],
    ["the day of an allocation", ["receivables"], "update allocations set date = '2026-01-01'"],
    [
      "a byte of an e-invoice",
      ["einvoices"],
      "update einvoice_files set content = overlay(content placing '\\x20' from 39)",
    ],
    [
      "an amount in an e-invoice, and its hash",
      ["einvoices"],
      `update einvoice_files set content = convert_to(replace(convert_from(content, 'UTF8'), '1234.56</cbc:LineExt', '1234.57</cbc:LineExt'), 'UTF8');
       update einvoice_files set sha256 = sha256(content)`,
    ],
    [
      "an e-invoice that cannot be read, and its hash",
      ["einvoices"],
      "update einvoice_files set content = substr(content, 1, 500); update einvoice_files set sha256 = sha256(content)",
    ],
  ])("is found: %s", async (_what, names, statements) => {
    const tables = [
      ...["audit_events", "ledger_entries", "ledger_postings", "issued_documents", "invoices"],
      ...["accrual_bookings", "open_items", "allocations", "einvoice_files"],
    ];
    const cx = await contextOf();
    const found = await afterTampering(world.owner, tables, statements, (tx) =>
      verifyAccount(txOf(cx, tx)),
    );

    expect(found.ok).toBe(false);
    const faulty = found.checks.filter((check) => !check.ok);
    expect(faulty.map((check) => check.name)).toEqual(names);
    for (const { faults } of faulty) expect(faults[0]).toMatchObject({ what: expect.any(String) });
    const reported = lines.filter((line) => line.level === 50);
    expect(reported.at(-1)).toMatchObject({
      account_id: world.account.account_id,
      msg: "the books of an account do not verify",
    });
  });
});

describe("the nightly check", () => {
  it.each([
    ["2026-03-10T01:59:59.999Z", "2026-03-09T02:00:00.000Z"],
    ["2026-03-10T02:00:00.000Z", "2026-03-10T02:00:00.000Z"],
    ["2026-03-10T23:30:00.000Z", "2026-03-10T02:00:00.000Z"],
  ])("has at %s last begun at %s", (now, night) => {
    expect(new Date(lastNight(Date.parse(now))).toISOString()).toBe(night);
  });

  it("covers each account once, logs the heads, and counts the faulty accounts", async () => {
    const run = nightlyVerification(world.services);
    // An account created after the night has begun waits for the next one.
    expect(await run()).toBe(false);
    await world.sql("update accounts set created_at = created_at - interval '3 days'");
    await world.sql(
      "update verifications set checked_at = checked_at - interval '2 days', ok = false where account_id = $1",
      [world.account.account_id],
    );
    lines.length = 0;
    let count = 0;
    while (await run()) count += 1;

    expect(count).toBe(1);
    const [heads] = lines.filter((line) => line.msg === "heads of the chains");
    const [books] = await world.sql(
      `select encode(head_hash, 'hex') as journal_hash, (next_entry_no - 1)::text as entry_no,
         encode(h.hash, 'hex') as audit_hash, h.seq::text as audit_seq
       from ledger_books b join audit_heads h on h.account_id = b.account_id
       where b.account_id = $1`,
      [world.account.account_id],
    );
    expect(heads).toMatchObject({ account_id: world.account.account_id, ...books });
    expect(await world.services.metrics.text()).toContain("matchbook_accounts_with_faults 0");
    await world.sql("update verifications set ok = false where account_id = $1", [
      world.account.account_id,
    ]);
    expect(await run()).toBe(false);
    expect(await world.services.metrics.text()).toContain("matchbook_accounts_with_faults 1");
  });
});
