/**
 * GET /accruals/reconciliation beyond the roles: revenue, VAT and receivables compared with documents and earnings, and
 * each kind of difference.
 */

import { describe, expect, it } from "vitest";
import { afterTampering } from "../../../../test/support/database/tampering.ts";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { txOf } from "../../../platform/commands/tx.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { readReconciliation } from "./reconcile.ts";

const { world, studio } = useStudios();

/** `[of, account, sub-ledger, ledger, difference]` of each row. */
const documentsOf = (reconciliation: Json): Json[] =>
  reconciliation.documents.map((row: Json) => [
    row.of,
    row.account_number,
    row.sub_ledger,
    row.ledger,
    row.difference,
  ]);
const earningsOf = (reconciliation: Json): Json[] =>
  reconciliation.earnings.map((row: Json) => [row.account_number, row.sub_ledger, row.difference]);
const read = ({ done }: Studio, month: string): Promise<Json> =>
  done(`GET /accruals/reconciliation?month=${month}`);

/** Three months of service for 3,000, invoiced and partly credited in February, booked through March. */
async function quarter(): Promise<Studio & { readonly invoice: Json }> {
  const one = await studio("2026-04-10");
  const service = one.service(3000, "2026-02-01", "2026-04-30");
  const invoice = await one.issued([service], { issue_date: "2026-02-10" });
  await one.done("POST /credit-notes", {
    external_id: "part",
    invoice: invoice.id,
    kind: "partial",
    credit_date: "2026-02-20",
    lines: [{ invoice_line_id: invoice.lines[0].id, amount: 300 }],
  });
  await one.booked("2026-02");
  await one.booked("2026-03");
  return { ...one, invoice };
}

describe("documents and earnings compared with the ledger", () => {
  it("agree month by month, with vouchers and credit notes", async () => {
    const one = await quarter();

    expect(documentsOf(await read(one, "2026-01"))).toEqual([
      ["vat", 7680, 0, 0, 0],
      ["receivables", 6190, 0, 0, 0],
    ]);
    expect(documentsOf(await read(one, "2026-02"))).toEqual([
      ["revenue", 1010, 900, 900, 0],
      ["vat", 7680, 675, 675, 0],
      ["receivables", 6190, 3375, 3375, 0],
    ]);
    expect(documentsOf(await read(one, "2026-03"))[0]).toEqual(["revenue", 1010, 1800, 1800, 0]);
    expect(earningsOf(await read(one, "2026-02"))).toEqual([[1010, 900, 0]]);
    expect(earningsOf(await read(one, "2026-03"))).toEqual([[1010, 1800, 0]]);
  });

  it("agree when invoices are paid, in part and with customer credit", async () => {
    const one = await quarter();
    const pay = (external_id: string, date: string, amount: number) =>
      one.done("POST /payments", {
        external_id,
        date,
        amount,
        allocations: [{ invoice: one.invoice.id }],
        remainder: "customer_credit",
        customer: one.invoice.customer_id,
      });
    await pay("a part", "2026-02-25", 1000);
    await pay("too much", "2026-03-20", 2500);
    const receivables = async (month: string) => documentsOf(await read(one, month)).at(-1);
    expect(await receivables("2026-02")).toEqual(["receivables", 6190, 2375, 2375, 0]);
    expect(await receivables("2026-03")).toEqual(["receivables", 6190, 0, 0, 0]);
  });

  it("agree in a foreign currency, to the minor unit", async () => {
    const one = await studio("2026-04-10");
    await one.rate("EUR", "2026-01-01", 7.460012);
    const { id } = await one.done("POST /customers", { name: "Dane with euros" });
    const lines = [one.value(0.99), one.value(33.33)];
    const fields = { customer_id: id, currency: "EUR", issue_date: "2026-02-10" };
    const invoice = await one.issued(lines, fields);
    for (const part of [1, 2, 3]) {
      await one.done("POST /credit-notes", {
        external_id: `part ${part}`,
        invoice: invoice.id,
        kind: "partial",
        credit_date: "2026-03-01",
        lines: [{ invoice_line_id: invoice.lines[1].id, amount: 11.11 }],
      });
    }

    for (const month of ["2026-02", "2026-03"]) {
      const { documents } = await read(one, month);
      expect(documents.map(({ difference }: Json) => difference)).toEqual([0, 0, 0]);
    }
  });

  it("agree where exchange differences are booked on an income account", async () => {
    const one = await studio("2026-04-10");
    await one.done("PATCH /configuration", { account_roles: { exchange_difference: 1100 } });
    await one.rate("EUR", "2026-02-28", 7.5);
    await one.rate("EUR", "2026-03-10", 7.6);
    const draft = await one.draft(undefined, { currency: "EUR", issue_date: "2026-03-15" });
    await one.work(draft, "2026-02-10", 3);
    await one.booked("2026-02");
    await one.done(`POST /invoices/${draft.id}/issue`);
    await one.booked("2026-03");

    const march = await read(one, "2026-03");

    expect(documentsOf(march).slice(0, 2)).toEqual([
      ["revenue", 1010, 22500, 22500, 0],
      ["revenue", 1100, 300, 300, 0],
    ]);
    expect(earningsOf(march)).toEqual([
      [1010, 22500, 0],
      [1100, 300, 0],
    ]);
  });

  it("have no balances where an external ledger has the books", async () => {
    const one = await quarter();
    const { account_id } = one.account;
    const connect = (kind: string) =>
      world.sql("update accounts set ledger_kind = $1 where id = $2", [kind, account_id]);
    await connect("elsewhere");

    const reconciliation = await read(one, "2026-02");

    await connect("builtin");
    expect(documentsOf(reconciliation)).toEqual([
      ["revenue", 1010, 900, null, null],
      ["vat", null, 675, null, null],
      ["receivables", null, 3375, null, null],
    ]);
  });
});

describe("a difference is shown", () => {
  /** The reconciliation of a month after statements that the role of the service may not run; `:account` is the account. */
  const tampered = async (one: Studio, month: string, statements: string): Promise<Json> => {
    const { account_id } = one.account;
    const cx = await operatorContext(world.services, account_id);
    const tables = ["ledger_entries", "ledger_postings", "credit_notes"];
    return afterTampering(
      world.owner,
      tables,
      statements.replaceAll(":account", `'${account_id}'`),
      async (tx) => JSON.parse(await readReconciliation(txOf(cx, tx), month as never)),
    );
  };
  const entry = (kind: string): string =>
    `account_id = :account and entry_no in (select entry_no from ledger_entries
       where account_id = :account and kind = '${kind}')`;

  it("where postings were changed so that they still balance", async () => {
    const one = await quarter();

    const statements = `update ledger_postings set amount = amount + 100 where ${entry("invoice")} and account_number = 6190;
      update ledger_postings set amount = amount - 100 where ${entry("invoice")} and account_number = 1010`;

    expect(documentsOf(await tampered(one, "2026-02", statements))).toEqual([
      ["revenue", 1010, 900, 901, 1],
      ["vat", 7680, 675, 675, 0],
      ["receivables", 6190, 3375, 3376, 1],
    ]);
  });

  it("where revenue was moved to an account that no document has", async () => {
    const one = await quarter();

    const statements = `update ledger_postings set account_number = 1000 where ${entry("invoice")} and account_number = 1010`;

    expect(documentsOf(await tampered(one, "2026-02", statements)).slice(0, 2)).toEqual([
      ["revenue", 1000, 0, 3000, 3000],
      ["revenue", 1010, 900, -2100, -3000],
    ]);
  });

  it("where a credit note is booked in a month before its invoice", async () => {
    const one = await quarter();

    const statements = `update ledger_entries set entry_date = '2026-01-20' where ${entry("credit_note")};
      update credit_notes set credit_date = '2026-01-20' where account_id = :account`;

    expect(documentsOf(await tampered(one, "2026-01", statements))).toEqual([
      ["revenue", 1010, 0, -300, -300],
      ["vat", 7680, 0, -75, -75],
      ["receivables", 6190, 0, -375, -375],
    ]);
    const { documents } = await tampered(one, "2026-02", statements);
    expect(documents.map(({ difference }: Json) => difference)).toEqual([0, 0, 0]);
  });

  it("where a voucher is dated in another month", async () => {
    const one = await quarter();

    const statements = `update ledger_entries set entry_date = '2026-01-31'
      where account_id = :account and kind = 'voucher' and entry_date = '2026-02-28'`;

    expect(documentsOf(await tampered(one, "2026-01", statements))[0]).toEqual([
      "revenue",
      1010,
      0,
      -1800,
      -1800,
    ]);
  });

  it("between earnings and a month in which an entry was booked after its close", async () => {
    const one = await quarter();
    await one.closed("2026-03");
    expect(earningsOf(await read(one, "2026-03"))).toEqual([[1010, 1800, 0]]);
    await world.sql("update configurations set period_lock_date = null where account_id = $1", [
      one.account.account_id,
    ]);

    await one.issued([one.value(500)], { issue_date: "2026-03-15" });

    const march = await read(one, "2026-03");
    expect(earningsOf(march)).toEqual([[1010, 1800, 500]]);
    expect(documentsOf(march)[0]).toEqual(["revenue", 1010, 2300, 2300, 0]);
  });
});
