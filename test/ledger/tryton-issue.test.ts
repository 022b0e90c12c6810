/**
 * The whole path from a caller to the books of a real Tryton: an account is connected as an operator does it, sells, credits,
 * recognises revenue and compares its month. None of our code is replaced; the checks read Tryton's own tables.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { changeMapping } from "../../src/features/ledger/connections/change-mapping.ts";
import { connectAccount } from "../../src/features/ledger/connections/connect-account.ts";
import { run } from "../../src/platform/commands/command.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { openStudio, type Studio } from "../support/world/studio.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });

describe("an account that is connected to Tryton", () => {
  let books: TrytonBooks;
  let studio: Studio;

  beforeAll(async () => {
    if (whyNoTryton() !== undefined) return;
    books = await openTryton();
    world.clock.set("2026-11-20T09:00:00.000Z");
    const account = await world.openAnother();
    studio = await openStudio(world, account);
    const roles = { contract_asset: 6240, contract_liability: 8070, exchange_difference: null };
    await studio.done("PATCH /configuration", { account_roles: roles });
    const operator = await operatorContext(world.services, account.account_id);
    await connectAccount(operator, "tryton", { ...books.settings, ...books.secrets });
    await run(changeMapping, await operatorContext(world.services, account.account_id), {
      rows: [
        { account_number: 1010, vat_code: "DK25", ledger_account: "1010", ledger_vat_code: "U25" },
      ],
    });
  });
  beforeEach(requireTryton);
  afterAll(() => books?.close());

  /** The postings under a guid in Tryton, by account, in debit less credit. */
  const posted = async (table: "account_invoice" | "account_move", guid: string) => {
    const moves =
      table === "account_move"
        ? "select id from account_move where description like $1 || '%'"
        : "select move from account_invoice where reference = $1";
    const rows = await books.sql<{ code: string; sum: string }>(
      `select a.code, sum(l.debit - l.credit)::text as sum from account_move_line l
       join account_account a on a.id = l.account
       where l.move in (${moves}) group by a.code order by a.code`,
      [guid],
    );
    return Object.fromEntries(rows.map(({ code, sum }) => [code, Number(sum)]));
  };

  it("books its invoices and credit notes under the numbers from Tryton", async () => {
    const customer = `/customers/${studio.customer}`;
    await studio.done(`PATCH ${customer}`, { email: "ap@acme.example" });
    const invoice = await studio.issued([studio.value(1000)], { auto_send: true });
    const { data } = await studio.done(`GET /invoices/${invoice.id}/deliveries`);
    expect(data).toMatchObject([{ state: "written_to_outbox" }]);
    const [there] = await books.sql<Json>(
      "select number, state from account_invoice where reference = $1",
      [invoice.id],
    );
    expect(there).toMatchObject({ state: "posted" });
    expect(await studio.done("GET /ledger/connection")).toMatchObject({
      kind: "tryton",
      state: "connected",
      organisation: { name: "Nordlys Rådgivning ApS" },
      capabilities: { documents: "service", supplies_rates: true },
    });
    expect(invoice.ledger_invoice_number).toBe(Number(there?.number));
    expect(await posted("account_invoice", invoice.id)).toEqual({
      1010: -1000,
      6190: 1250,
      7680: -250,
    });

    const credit = await studio.done("POST /credit-notes", {
      invoice: invoice.id,
      external_id: "credit-1",
      kind: "partial",
      credit_date: invoice.issue_date,
      lines: [{ invoice_line_id: invoice.lines[0].id, amount: 400 }],
    });
    expect(credit).toMatchObject({ status: "issued" });
    expect(await posted("account_invoice", credit.id)).toEqual({
      1010: 400,
      6190: -500,
      7680: 100,
    });
  });

  it("books earned revenue as a voucher, and reverses it with another", async () => {
    const draft = await studio.draft();
    await studio.work(draft, "2026-10-05", 3);
    const accrual = await studio.booked("2026-10");
    expect(await posted("account_move", accrual.ledger_voucher_guid)).toEqual({
      1010: -3000,
      6240: 3000,
    });
    expect((await studio.reopen(accrual.id)).status).toBe(200);
    const balances = await books.sql<{ sum: string }>(
      `select coalesce(sum(l.debit - l.credit), 0)::text as sum from account_move_line l
       join account_account a on a.id = l.account where a.code = '6240'`,
    );
    expect(Number(balances[0]?.sum)).toBe(0);
  });

  it("agrees with Tryton on its months", async () => {
    for (const month of ["2026-10", "2026-11"]) {
      const { findings, documents, accounts } = await studio.done(
        `GET /ledger/reconciliation?month=${month}`,
      );
      expect(findings).toEqual([]);
      expect(documents).toMatchObject({ here: 2, there: 2, agreeing: 2 });
      expect(accounts.map((one: Json) => one.difference)).toEqual(accounts.map(() => 0));
    }
  });

  it("refuses dates in periods that are closed in Tryton", async () => {
    const september = { __class__: "date", year: 2026, month: 9, day: 30 };
    const periods = await books.admin.search("account.period", ["end_date", "<=", september]);
    await books.admin.call("account.period", "close", periods);
    await studio.done("POST /ledger/connection/check");

    const draft = await studio.draft([studio.value(10)], { issue_date: "2026-09-30" });
    expect(await studio.tried(`POST /invoices/${draft.id}/issue`)).toBe("409 PERIOD_LOCKED");
    expect((await studio.done("GET /configuration")).period_lock_date).toBeNull();
    const later = await studio.draft([studio.value(10)], { issue_date: "2026-11-20" });
    expect(await studio.tried(`POST /invoices/${later.id}/issue`)).toBe("200");
  });
});
