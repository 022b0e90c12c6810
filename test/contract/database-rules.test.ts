/**
 * The refusals of the database itself, for any code: the second guard of every rule. Statements
 * here are plain SQL as a person with a console would type it; each runs in a transaction that is rolled
 * back, so that the books do not change.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenedAccount } from "../../src/features/access/accounts/create.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const APPEND_ONLY = "MB001";
const ISSUED = "MB002";
const UNBALANCED = "MB003";
const LOCKED = "MB004";
const OVER_CREDITED = "MB005";
const DUPLICATE = "23505";
const NO_SUCH_ROW = "23503";
const AGAINST_A_CHECK = "23514";

let client: pg.Client;
let other: OpenedAccount;
let issued: Json;
let draft: Json;
let names: Readonly<Record<string, string>>;

const world = useWorld();
beforeAll(async () => {
  client = new pg.Client({ connectionString: world.database_url });
  await client.connect();
  other = await world.openAnother();
  const others = await world.done(
    "POST /customers",
    { name: "Of another account", external_id: "c-1" },
    other.keys.read_write,
  );
  const customer = await world.done("POST /customers", { name: "Acme", external_id: "c-1" });
  const product = await world.done("POST /products", { name: "Hours", product_number: "P1" });
  const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }];
  const fields = { customer_id: customer.id, auto_send: false, lines };
  const first = await world.done("POST /invoices", { ...fields, external_id: "i-1" });
  issued = await world.done(`POST /invoices/${first.id}/issue`);
  await world.done(`GET /invoices/${issued.id}/pdf`);
  draft = await world.done("POST /invoices", { ...fields, external_id: "i-2" });
  await world.done("PATCH /configuration", { period_lock_date: "2026-01-31" });
  const credit = { external_id: "cn-1", invoice: issued.id, credit_date: "2026-03-10" };
  const part = [{ invoice_line_id: issued.lines[0].id, amount: 40 }];
  const note = await world.done("POST /credit-notes", { ...credit, kind: "partial", lines: part });
  const series = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-03-01",
    auto_send: false,
    lines,
  });
  const period = `POST /recurring-series/${series.id}/occurrences/2026-03/issue`;
  const billed = await world.done(period);
  const cancelled = await world.done(`POST /recurring-series/${series.id}/cancel`, {});
  const [queued] = cancelled.credit_notes;
  const work: Json[] = [];
  const worked: Json[] = [];
  for (const status of ["issued", "draft"]) {
    const one = await world.done("POST /invoices", { ...fields, external_id: `work ${status}` });
    const user_id = world.account.admin.user_id;
    const body = { line_id: one.lines[0].id, user_id, hours: 2 };
    work.push(await world.done("POST /work-registrations", body));
    if (status === "issued") await world.done(`POST /invoices/${one.id}/issue`);
    worked.push(one);
  }
  names = {
    invoiced_work: work[0].id,
    open_work: work[1].id,
    worked_draft: worked[1].id,
    account: world.account.account_id,
    user: world.account.admin.user_id,
    customer: customer.id,
    product: product.id,
    issued: issued.id,
    issued_line: issued.lines[0].id,
    draft: draft.id,
    draft_line: draft.lines[0].id,
    other: other.account_id,
    other_customer: others.id,
    unknown: UNKNOWN_ID,
    note: note.id,
    note_line: note.lines[0].id,
    queued: queued.id,
    series: series.id,
    billed: billed.id,
    billed_line: billed.lines[0].id,
  };
});
afterAll(async () => {
  await client?.end();
});

/** Runs statements with `:name` for the ids above, through to the deferred checks, and rolls them back. */
async function codeOf(statements: string): Promise<string | undefined> {
  const text = statements.replace(/(?<!:):(\w+)/g, (_, name) => `'${names[name] ?? "(unknown)"}'`);
  await client.query("begin");
  try {
    await client.query(text);
    await client.query("set constraints all immediate");
    return undefined;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  } finally {
    await client.query("rollback");
  }
}

/** An entry of the journal; postings are `[account_number, amount]`. */
function entry(postings: readonly (readonly [number, number])[], fields: object = {}): string {
  const row = {
    account_id: ":account",
    entry_no: "900",
    guid: ":unknown",
    kind: "'voucher'",
    number: "900",
    entry_date: "'2026-03-01'",
    text: "'by hand'",
    currency: "'DKK'",
    payload_hash: "''",
    registered_at: "now()",
    registered_by: "'unknown'",
    prev_hash: "''",
    hash: "''",
    ...fields,
  };
  const lines = postings.map(
    ([account, amount], index) =>
      `insert into ledger_postings (account_id, entry_no, line_no, account_number, amount, currency_amount)
       values (:account, 900, ${index + 1}, ${account}, ${amount}, ${amount});`,
  );
  return `insert into ledger_entries (${Object.keys(row)}) values (${Object.values(row)}); ${lines.join("\n")}`;
}

/** A second row like the first one, except for some fields. */
function copyOf(table: string, fields: string, where: string): string {
  return `insert into ${table} select (json_populate_record(t, json_build_object(${fields}))).*
    from ${table} t where ${where}`;
}

/** A credit note like the first one, a draft under an unused number, with a line of an amount. */
function creditOf(line: string, amount: number, fields = ""): string {
  return `${copyOf(
    "credit_notes",
    `'id', :unknown, 'external_id', null, 'status', 'draft', 'ledger_credit_note_guid', null,
     'ledger_credit_note_number', null, 'issued_at', null${fields}`,
    "id = :note",
  )}; insert into credit_note_lines (account_id, id, credit_note_id, invoice_line_id, amount, position)
    values (:account, :unknown, :unknown, ${line}, ${amount}, 1)`;
}

const BALANCED = [
  [6190, 100],
  [1000, -100],
] as const;

describe("the database accepts", () => {
  it.each([
    ["a change of a draft", "update invoices set title = 'x' where id = :draft"],
    ["deleting a draft with its lines", "delete from invoices where id = :draft"],
    ["a balanced entry of two postings", entry(BALANCED)],
    ["a document with an amount of 0", entry([], { kind: "'invoice'" })],
    ["an entry on the day after the lock date", entry(BALANCED, { entry_date: "'2026-02-01'" })],
    ["a credit of the whole remaining amount of a line", creditOf(":issued_line", 6000)],
    [
      "the outcome of a sending on an issued credit note",
      "update credit_notes set send_error = 'x', document = '{}', updated_at = now() where id = :note",
    ],
    ["deleting a draft credit note with its lines", "delete from credit_notes where id = :queued"],
  ])("%s", async (_what, statements) => {
    expect(await codeOf(statements)).toBeUndefined();
  });
});

describe("issued, recorded or booked data is immutable: the database refuses", () => {
  it.each([
    ["changing an issued invoice", ISSUED, "update invoices set title = 'x' where id = :issued"],
    [
      "taking an invoice back to draft",
      ISSUED,
      `update invoices set status = 'draft', issued_at = null, ledger_invoice_guid = null,
         ledger_invoice_number = null where id = :issued`,
    ],
    ["deleting an issued invoice", ISSUED, "delete from invoices where id = :issued"],
    [
      "changing its line",
      ISSUED,
      "update invoice_lines set agreed_value = 1 where id = :issued_line",
    ],
    ["deleting its line", ISSUED, "delete from invoice_lines where id = :issued_line"],
    ["adding a line to it", ISSUED, copyOf("invoice_lines", "'id', :unknown", "id = :issued_line")],
    [
      "moving a line of a draft into it",
      ISSUED,
      "update invoice_lines set invoice_id = :issued where id = :draft_line",
    ],
    [
      "moving its line into a draft",
      ISSUED,
      "update invoice_lines set invoice_id = :draft where id = :issued_line",
    ],
    ...[
      "audit_events",
      "ledger_entries",
      "ledger_postings",
      "issued_documents",
      "document_files",
    ].flatMap((table): [string, string, string][] => [
      [`updating ${table}`, APPEND_ONLY, `update ${table} set account_id = account_id`],
      [`deleting from ${table}`, APPEND_ONLY, `delete from ${table}`],
      [`truncating ${table}`, APPEND_ONLY, `truncate ${table} cascade`],
    ]),
  ])("%s", async (_what, code, statement) => {
    expect(await codeOf(statement)).toBe(code);
  });
});

describe("for credit notes, the database refuses", () => {
  it.each([
    [
      "a credit above the remaining amount of a line",
      OVER_CREDITED,
      creditOf(":issued_line", 6001),
    ],
    [
      "a credit of an amount that a cancellation has queued",
      OVER_CREDITED,
      creditOf(":billed_line", 9000),
    ],
    ["a credit of a line that is not issued", OVER_CREDITED, creditOf(":draft_line", 1)],
    ["a credit of nothing", AGAINST_A_CHECK, creditOf(":issued_line", 0)],
    ["a credit below 0", AGAINST_A_CHECK, creditOf(":issued_line", -1)],
    [
      "a line twice in one credit note",
      DUPLICATE,
      `${creditOf(":issued_line", 1)}; insert into credit_note_lines
       select account_id, :issued, credit_note_id, invoice_line_id, 1, 2 from credit_note_lines
       where id = :unknown`,
    ],
    ...[
      "kind = 'full'",
      "credit_date = '2026-03-11'",
      "external_id = 'other'",
      "invoice_id = :billed",
      "ledger_credit_note_number = 99",
      "queue_state = 'queued'",
      "request_hash = null",
    ].map((change): [string, string, string] => [
      `changing an issued one: ${change}`,
      ISSUED,
      `update credit_notes set ${change} where id = :note`,
    ]),
    [
      "taking one back to draft",
      ISSUED,
      `update credit_notes set status = 'draft', issued_at = null, ledger_credit_note_guid = null,
         ledger_credit_note_number = null where id = :note`,
    ],
    ["deleting an issued one", ISSUED, "delete from credit_notes where id = :note"],
    [
      "changing its line",
      APPEND_ONLY,
      "update credit_note_lines set amount = 1 where id = :note_line",
    ],
    ["deleting its line", ISSUED, "delete from credit_note_lines where id = :note_line"],
    [
      "adding a line to it",
      ISSUED,
      copyOf(
        "credit_note_lines",
        "'id', :unknown, 'invoice_line_id', :billed_line",
        "id = :note_line",
      ),
    ],
    [
      "moving a line of a draft into it",
      APPEND_ONLY,
      "update credit_note_lines set credit_note_id = :note where credit_note_id = :queued",
    ],
    [
      "changing the line of a draft",
      APPEND_ONLY,
      "update credit_note_lines set amount = 1 where credit_note_id = :queued",
    ],
    [
      "an issued one without a number",
      AGAINST_A_CHECK,
      "update credit_notes set status = 'issued', queue_state = null where id = :queued",
    ],
    [
      "an issued one that is still queued",
      AGAINST_A_CHECK,
      `update credit_notes set status = 'issued', issued_at = now(), ledger_credit_note_number = 99,
         ledger_credit_note_guid = id where id = :queued`,
    ],
    [
      "two with one number",
      DUPLICATE,
      `update credit_notes set status = 'issued', issued_at = now(), ledger_credit_note_number = 1,
         ledger_credit_note_guid = id, queue_state = null where id = :queued`,
    ],
    [
      "two with one external id",
      DUPLICATE,
      "update credit_notes set external_id = 'cn-1' where id = :queued",
    ],
    [
      "one for another account's invoice",
      NO_SUCH_ROW,
      "update credit_notes set account_id = :other where id = :queued",
    ],
    [
      "one for another account's customer",
      NO_SUCH_ROW,
      "update credit_notes set customer_id = :other_customer where id = :queued",
    ],
    [
      "deleting an invoice's line that is credited",
      ISSUED,
      "delete from invoice_lines where id = :billed_line",
    ],
  ])("%s", async (_what, code, statements) => {
    expect(await codeOf(statements)).toBe(code);
  });
});

describe("for work, the database refuses", () => {
  const freed = "status = 'open', invoice_id = :draft, line_id = :draft_line";

  it.each([
    ...[
      "hours = 1",
      "billable = false",
      "date = '2026-03-01'",
      "note = 'x'",
      "status = 'open'",
    ].map((change): [string, string, string] => [
      `changing what is invoiced: ${change}`,
      ISSUED,
      `update work_registrations set ${change} where id = :invoiced_work`,
    ]),
    [
      "moving invoiced work that is not credited",
      ISSUED,
      `update work_registrations set ${freed} where id = :invoiced_work`,
    ],
    ["deleting invoiced work", ISSUED, "delete from work_registrations where id = :invoiced_work"],
    [
      "work on an issued invoice",
      ISSUED,
      `update work_registrations set invoice_id = :issued, line_id = :issued_line
       where id = :open_work`,
    ],
    ["deleting a draft with work", NO_SUCH_ROW, "delete from invoices where id = :worked_draft"],
    [
      "more than a day's hours",
      AGAINST_A_CHECK,
      "update work_registrations set hours = 2401 where id = :open_work",
    ],
    [
      "work without an invoice",
      AGAINST_A_CHECK,
      "update work_registrations set invoice_id = null where id = :open_work",
    ],
    [
      "dropped work outside of a series",
      AGAINST_A_CHECK,
      "update work_registrations set status = 'dropped' where id = :open_work",
    ],
    [
      "work of another account's user",
      NO_SUCH_ROW,
      "update work_registrations set user_id = :unknown where id = :open_work",
    ],
    [
      "completing an unknown line",
      NO_SUCH_ROW,
      "insert into line_completions values (:account, :unknown, '2026-03-01')",
    ],
  ])("%s", async (_what, code, statements) => {
    expect(await codeOf(statements)).toBe(code);
  });
});

describe("for series, the database refuses", () => {
  it.each([
    [
      "a second invoice of one period",
      DUPLICATE,
      `update invoices set series_id = :series, period_index = 0, period = 'x',
         period_from = '2026-03-01', period_to = '2026-03-31', is_final_partial = false
       where id = :draft`,
    ],
    [
      "an invoice of a series without its period",
      AGAINST_A_CHECK,
      "update invoices set series_id = :series where id = :draft",
    ],
    [
      "an invoice of another account's series",
      NO_SUCH_ROW,
      "update recurring_series set account_id = :other where id = :series",
    ],
    [
      "a series for another account's customer",
      NO_SUCH_ROW,
      "update recurring_series set customer_id = :other_customer where id = :series",
    ],
    [
      "deleting a series that was invoiced",
      NO_SUCH_ROW,
      "delete from recurring_series where id = :series",
    ],
    [
      "an active series without the day of its activation",
      AGAINST_A_CHECK,
      "update recurring_series set activated_on = null where id = :series",
    ],
    [
      "a series that ends before it starts without a cancellation",
      AGAINST_A_CHECK,
      `update recurring_series set end_date = '2026-02-01', cancelled_at = null where id = :series`,
    ],
    [
      "an issued period without an invoice",
      AGAINST_A_CHECK,
      "insert into occurrences (account_id, series_id, period_index, state) values (:account, :series, 1, 'issued')",
    ],
    [
      "a test clock outside of a sandbox",
      AGAINST_A_CHECK,
      "update accounts set test_clock = now() where id = :account",
    ],
  ])("%s", async (_what, code, statement) => {
    expect(await codeOf(statement)).toBe(code);
  });
});

describe("for the journal, the database refuses", () => {
  it.each([
    [
      "an entry that does not balance",
      UNBALANCED,
      entry([
        [6190, 100],
        [1000, -99],
      ]),
    ],
    ["an entry of one posting", UNBALANCED, entry([[6190, 100]])],
    ["a voucher without postings", UNBALANCED, entry([])],
    [
      "a posting of 0",
      AGAINST_A_CHECK,
      entry([
        [6190, 0],
        [1000, 0],
      ]),
    ],
    [
      "a posting added to a booked entry",
      UNBALANCED,
      `insert into ledger_postings (account_id, entry_no, line_no, account_number, amount, currency_amount)
       values (:account, 1, 9, 1000, 5, 5)`,
    ],
    ["an entry on the lock date", LOCKED, entry(BALANCED, { entry_date: "'2026-01-31'" })],
    ["an entry before the lock date", LOCKED, entry(BALANCED, { entry_date: "'2025-12-31'" })],
    [
      "an account that the chart lacks",
      NO_SUCH_ROW,
      entry([
        [99, 100],
        [1000, -100],
      ]),
    ],
    ["a guid that is already booked", DUPLICATE, entry(BALANCED, { guid: ":issued" })],
    [
      "a number that is taken",
      DUPLICATE,
      entry(BALANCED, { kind: "'invoice'", number: String(1) }),
    ],
    ["an entry number that is taken", DUPLICATE, entry([], { entry_no: "1" })],
  ])("%s", async (_what, code, statements) => {
    expect(await codeOf(statements)).toBe(code);
  });
});

describe("accounts are separate and names are unique: the database refuses", () => {
  it.each([
    [
      "an invoice to another account's customer",
      NO_SUCH_ROW,
      "update invoices set customer_id = :other_customer where id = :draft",
    ],
    [
      "a line's product of another account",
      NO_SUCH_ROW,
      `${copyOf("products", "'account_id', :other, 'id', :unknown", "id = :product")};
       update invoice_lines set product_id = :unknown where id = :draft_line`,
    ],
    [
      "an assignee of another account",
      NO_SUCH_ROW,
      `insert into invoice_line_assignees
       select :account, :draft_line, id from users where account_id = :other`,
    ],
    [
      "an invoice that moves to another account",
      NO_SUCH_ROW,
      "update invoices set account_id = :other where id = :draft",
    ],
    [
      "two customers with one external id",
      DUPLICATE,
      copyOf("customers", "'id', :unknown", "id = :customer"),
    ],
    [
      "two invoices with one external id",
      DUPLICATE,
      "update invoices set external_id = 'i-1' where id = :draft",
    ],
    [
      "two products with one number",
      DUPLICATE,
      copyOf("products", "'id', :unknown", "id = :product"),
    ],
    [
      "two invoices with one ledger number",
      DUPLICATE,
      `update invoices set status = 'issued', issue_date = '2026-03-10', issued_at = now(),
         ledger_invoice_guid = :draft, ledger_invoice_number = 1 where id = :draft`,
    ],
    [
      "two invoices with one ledger guid",
      DUPLICATE,
      `update invoices set status = 'issued', issue_date = '2026-03-10', issued_at = now(),
         ledger_invoice_guid = :issued, ledger_invoice_number = 99 where id = :draft`,
    ],
    [
      "an issued invoice without a number",
      AGAINST_A_CHECK,
      "update invoices set status = 'issued', issue_date = '2026-03-10' where id = :draft",
    ],
    [
      "two users with one address, in whatever case",
      DUPLICATE,
      copyOf("users", "'id', :unknown, 'email', upper(email)", "id = :user"),
    ],
  ])("%s", async (_what, code, statement) => {
    expect(await codeOf(statement)).toBe(code);
  });

  it("but allows two accounts to use the same external id", async () => {
    const rows = await world.sql("select account_id from customers where external_id = 'c-1'");
    expect(rows).toHaveLength(2);
  });
});
