/** What is paid of an invoice on a day, and what was applied to what (spec 13.4). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID } from "../../../../test/support/http/target.ts";
import { payInvoice } from "../../../../test/support/world/receivables.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, draft, issued, partCredit, credited } = useSales();

const paymentOf = (invoice: Json, at?: string): Promise<Json> =>
  world.done(`GET /invoices/${invoice.id}/payment${at === undefined ? "" : `?at=${at}`}`);

/** An invoice of 1,250.00 of 10 February 2026 that is due on 24 February; today is 10 March. */
const owed = () => issued([1000], { issue_date: "2026-02-10" });

describe("GET /invoices/{ref}/payment", () => {
  it("says what is paid, credited and open, and how late it is", async () => {
    const invoice = await owed();
    const note = await credited(partCredit(invoice, [200], { credit_date: "2026-02-20" }));
    const { payment_id, allocation_id } = await payInvoice(world, invoice.id, {
      amount: 500_00n,
      date: "2026-02-26",
    });
    const { allocations, ...payment } = await paymentOf(invoice);
    expect(payment).toMatchObject({
      object: "invoice_payment",
      invoice_id: invoice.id,
      state: "partly_paid",
      is_overdue: true,
      days_overdue: 14,
      due_date: "2026-02-24",
      currency: "DKK",
      gross: 1250,
      paid: 500,
      credited: 250,
      rounding: 0,
      open: 500,
      paid_on: null,
      source: "books",
      as_of: null,
      reminders: { level: 0, last_on: null, hold_until: null },
    });
    expect(allocations).toEqual([
      expect.objectContaining({
        credit: { kind: "credit_note", id: note.id, number: `${note.ledger_credit_note_number}` },
        amount: 250,
        date: "2026-02-20",
      }),
      {
        object: "allocation",
        id: allocation_id,
        external_id: null,
        debit: { kind: "invoice", id: invoice.id, number: `${invoice.ledger_invoice_number}` },
        credit: { kind: "payment", id: payment_id, number: expect.any(String) },
        currency: "DKK",
        amount: 500,
        rounding: 0,
        functional_amount: 500,
        exchange_difference: 0,
        date: "2026-02-26",
        reversed_on: null,
        entry_no: expect.any(Number),
      },
    ]);
  });

  it("tells the state of an earlier day, whatever happened later", async () => {
    const invoice = await owed();
    await payInvoice(world, invoice.id, {
      amount: 1249_50n,
      rounding: 50n,
      date: "2026-02-20",
      applied_on: "2026-02-25",
    });
    const days = ["2026-02-24", "2026-02-25", "2026-03-10"];
    const states = await Promise.all(days.map((day) => paymentOf(invoice, day)));
    expect(states.map(({ state, open, is_overdue }) => [state, open, is_overdue])).toEqual([
      ["open", 1250, false],
      ["paid", 0, false],
      ["paid", 0, false],
    ]);
    expect(states.map(({ paid_on, rounding }) => [paid_on, rounding])).toEqual([
      [null, 0],
      ["2026-02-25", 0.5],
      ["2026-02-25", 0.5],
    ]);
    expect(states.map(({ allocations }) => allocations.length)).toEqual([0, 1, 1]);
  });

  it("shows nothing any more of what was reversed", async () => {
    const invoice = await owed();
    const taken = { amount: 1250_00n, date: "2026-02-20", reversed_on: "2026-03-05" };
    await payInvoice(world, invoice.id, taken);
    expect(await paymentOf(invoice, "2026-03-04")).toMatchObject({ state: "paid" });
    expect(await paymentOf(invoice, "2026-03-05")).toMatchObject({
      state: "open",
      allocations: [],
    });
  });

  it("calls an invoice one day late on the day after it was due", async () => {
    const invoice = await owed();
    expect(await paymentOf(invoice, "2026-02-24")).toMatchObject({ days_overdue: 0 });
    expect(await paymentOf(invoice, "2026-02-25")).toMatchObject({
      days_overdue: 1,
      is_overdue: true,
    });
  });

  it("calls an invoice paid that was settled before receivables were begun", async () => {
    const invoice = await owed();
    const settled =
      "update open_items set open = 0, functional_open = 0, ended_on = $2 where id = $1";
    await world.sql(settled, [invoice.id, "2026-02-28"]);
    expect(await paymentOf(invoice, "2026-02-27")).toMatchObject({ state: "open" });
    expect(await paymentOf(invoice)).toMatchObject({ state: "paid", paid_on: null, paid: 1250 });
  });

  it("shows until when no reminder is sent", async () => {
    const invoice = await owed();
    const hold = { until: "2026-04-30", reason: "They dispute it" };
    await world.done(`PUT /invoices/${invoice.id}/reminder-hold`, hold);
    expect((await paymentOf(invoice)).reminders).toMatchObject({ hold_until: "2026-04-30" });
  });

  it("finds an invoice by its external id", async () => {
    const { id } = await issued([80], { external_id: "by-name" });
    const payment = await world.done("GET /invoices/ext:by-name/payment");
    expect(payment).toMatchObject({ invoice_id: id, open: 100, state: "open" });
  });

  it.each<[string, () => Promise<string>, string]>([
    ["an unknown invoice", async () => UNKNOWN_ID, "404 NOT_FOUND"],
    ["a draft", async () => (await draft([1])).id, "409 INVOICE_NOT_ISSUED"],
  ])("refuses %s", async (_case, made, expected) => {
    expect(refusal(await world.rest(`GET /invoices/${await made()}/payment`))).toBe(expected);
  });

  it("refuses a day in the future, by the account's clock", async () => {
    const { id } = await owed();
    const reply = await world.rest(`GET /invoices/${id}/payment?at=2026-03-11`);
    expect(refusal(reply)).toBe("422 VALIDATION_FAILED at too_large");
  });

  it("refuses to say it before receivables are begun", async () => {
    const { id } = await owed();
    await world.sql("delete from receivables_begins");
    const replies = [
      await world.rest(`GET /invoices/${id}/payment`),
      await world.rest(`GET /invoices/${(await draft([1])).id}/payment`),
    ];
    await world.sql(
      "insert into receivables_begins select id, '2026-01-01' from accounts where id = $1",
      [world.account.account_id],
    );
    expect(replies.map(refusal)).toEqual([
      "409 RECEIVABLES_NOT_BEGUN",
      "409 RECEIVABLES_NOT_BEGUN",
    ]);
  });

  it("shows nothing of another account", async () => {
    const { id } = await owed();
    const other = (await world.openAnother()).keys.read;
    expect(refusal(await world.rest(`GET /invoices/${id}/payment`, undefined, other))).toBe(
      "404 NOT_FOUND",
    );
    const { data } = await world.done("GET /allocations", undefined, other);
    expect(data).toEqual([]);
  });
});

describe("GET /allocations", () => {
  it("lists those of an invoice, a payment, a credit note or a customer, and of days", async () => {
    const acme = await world.done("POST /customers", { name: "Other", external_id: "other" });
    const invoice = await issued([1000], {
      customer_id: acme.id,
      external_id: "allocated",
      issue_date: "2026-02-10",
    });
    const note = await credited(
      partCredit(invoice, [200], { external_id: "of-allocated", credit_date: "2026-02-20" }),
    );
    const { payment_id } = await payInvoice(world, invoice.id, {
      amount: 500_00n,
      date: "2026-02-26",
    });
    const creditsOf = async (filter: string) => {
      const { data } = await world.done(`GET /allocations?${filter}`);
      return data.map(({ credit }: Json) => credit.id);
    };
    const both = [payment_id, note.id];
    expect(await creditsOf(`invoice=${invoice.id}`)).toEqual(both);
    expect(await creditsOf("invoice=ext:allocated")).toEqual(both);
    expect(await creditsOf(`customer=${acme.id}`)).toEqual(both);
    expect(await creditsOf("customer=ext:other")).toEqual(both);
    expect(await creditsOf(`payment=${payment_id}`)).toEqual([payment_id]);
    expect(await creditsOf(`payment=${invoice.id}`)).toEqual([]);
    expect(await creditsOf("credit_note=ext:of-allocated")).toEqual([note.id]);
    expect(await creditsOf("customer=ext:other&from=2026-02-21")).toEqual([payment_id]);
    expect(await creditsOf("customer=ext:other&to=2026-02-20")).toEqual([note.id]);
    expect(await creditsOf("customer=ext:unknown")).toEqual([]);
    expect(await creditsOf(`customer=${customer.id}&invoice=${invoice.id}`)).toEqual([]);
  });

  it("has pages", async () => {
    const first = await world.done("GET /allocations?customer=ext:other&limit=1");
    expect([first.data.length, first.has_more]).toEqual([1, true]);
    const second = await world.done(
      `GET /allocations?customer=ext:other&limit=1&cursor=${first.next_cursor}`,
    );
    expect([second.data.length, second.has_more]).toEqual([1, false]);
    expect(second.data[0].id).not.toBe(first.data[0].id);
  });
});
