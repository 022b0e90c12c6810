/**
 * What is paid of documents that a real Tryton booked, from the payments that people record there to what callers read here. None of
 * our code is replaced.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { changeMapping } from "../../src/features/ledger/connections/change-mapping.ts";
import { connectAccount } from "../../src/features/ledger/connections/connect-account.ts";
import { readPaymentsStep } from "../../src/features/receivables/ledger-items/read-payments.ts";
import { run } from "../../src/platform/commands/command.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { payInTryton, reconcileInTryton } from "../support/ledger/tryton/pay.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { openStudio, type Studio } from "../support/world/studio.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });

describe("what is paid in Tryton", () => {
  let books: TrytonBooks;
  let studio: Studio;
  let account_id: string;

  beforeAll(async () => {
    if (whyNoTryton() !== undefined) return;
    books = await openTryton();
    world.clock.set("2026-11-20T09:00:00.000Z");
    const account = await world.openAnother();
    account_id = account.account_id;
    studio = await openStudio(world, account);
    const roles = { contract_asset: 6240, contract_liability: 8070, exchange_difference: null };
    await studio.done("PATCH /configuration", { account_roles: roles });
    const operator = await operatorContext(world.services, account_id);
    await connectAccount(operator, "tryton", { ...books.settings, ...books.secrets });
    await run(changeMapping, await operatorContext(world.services, account_id), {
      rows: [
        { account_number: 1010, vat_code: "DK25", ledger_account: "1010", ledger_vat_code: "U25" },
      ],
    });
  });
  beforeEach(requireTryton);
  afterAll(() => books?.close());

  /** A quarter of an hour passes; then the background work is done. */
  async function aWhileLater(): Promise<void> {
    await world.sql("update ledger_connections set next_payments_at = clock_timestamp()");
    await world.sql(
      "update ledger_items set next_read_at = clock_timestamp() where next_read_at is not null",
    );
    const cx = await schedulerContext(world.services, account_id);
    while (await readPaymentsStep(cx));
  }
  const rowOf = async ({ id }: Json): Promise<Json> => {
    const { data } = await studio.done("GET /invoices?include=payment&limit=100");
    return data.find((one: Json) => one.id === id)?.payment;
  };
  const issued = (): Promise<Json> =>
    studio.issued([studio.value(1000)], { issue_date: "2026-11-02" });

  it("is read in the background: open, partly paid, paid, and open again", async () => {
    const invoice = await issued();
    expect(await rowOf(invoice)).toBeNull();
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ state: "open", open: 1250, is_overdue: true });
    const first = await payInTryton(books, invoice.id, "500.00", "2026-11-18");
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ state: "partly_paid", open: 750 });
    const second = await payInTryton(books, invoice.id, "750.00", "2026-11-19");
    await reconcileInTryton(books, [invoice.id], [first, second], "2026-11-19");
    await aWhileLater();
    expect(await rowOf(invoice)).toEqual({
      ...{ state: "paid", open: 0, is_overdue: false },
      paid_on: "2026-11-19",
    });
    expect(await studio.done(`GET /invoices/${invoice.id}/payment`)).toMatchObject({
      source: "ledger",
      as_of: expect.any(String),
      paid: 1250,
      credited: null,
      rounding: null,
    });
  });

  it("counts a credit note for itself until it is settled there", async () => {
    const invoice = await issued();
    const note = await studio.done("POST /credit-notes", {
      invoice: invoice.id,
      external_id: "credit-1",
      kind: "full",
      credit_date: "2026-11-20",
    });
    await aWhileLater();
    const owed = async () => (await studio.done("GET /receivables")).data;
    expect(await owed()).toMatchObject([
      { total: 1250, credit_notes: 1250, customer_credit: 0, balance: 0, days_1_30: 1250 },
    ]);
    const items = await studio.done("GET /open-items");
    expect(items.data.map(({ kind, is_credit, open }: Json) => [kind, is_credit, open])).toEqual([
      ["credit_note", true, 1250],
      ["invoice", false, 1250],
    ]);
    const statement = async () => studio.done(`GET /customers/${studio.customer}/statement`);
    expect((await statement()).aging).toMatchObject({ total: 1250, unapplied: 1250 });
    await reconcileInTryton(books, [invoice.id, note.id], [], "2026-11-20");
    await aWhileLater();
    expect(await owed()).toEqual([]);
    expect((await statement()).aging).toMatchObject({ total: 0, unapplied: 0 });
    expect(await rowOf(invoice)).toMatchObject({ state: "paid", paid_on: "2026-11-20" });
  });

  it("is not reported of a cancelled invoice", async () => {
    const invoice = await issued();
    await aWhileLater();
    await books.sql("update account_invoice set state = 'cancelled' where reference = $1", [
      invoice.id,
    ]);
    await aWhileLater();
    expect(await rowOf(invoice)).toBeNull();
    const payment = await studio.done(`GET /invoices/${invoice.id}/payment`);
    expect(payment).toMatchObject({ state: null, open: null, as_of: expect.any(String) });
  });

  it("is read every night of what is settled, too", async () => {
    const invoice = await issued();
    const payment = await payInTryton(books, invoice.id, "1250.00", "2026-11-18");
    const reconciled = await reconcileInTryton(books, [invoice.id], [payment], "2026-11-18");
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ state: "paid" });
    await books.admin.call("account.move.reconciliation", "delete", [reconciled]);
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ state: "paid" });
    await world.sql(
      "update ledger_connections set payments_whole_at = clock_timestamp() - interval '2 days'",
    );
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ state: "partly_paid" });
  });
});
