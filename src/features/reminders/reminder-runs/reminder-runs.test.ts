/** Runs of reminders over REST: who gets a letter, what it charges, and that none is sent twice (spec 13.7). */
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { payInvoice } from "../../../../test/support/world/receivables.ts";
import { useReminders } from "../../../../test/support/world/reminders.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, someone, late, at, settings, preview, sendableRows, post, remind, postingsOf } =
  useReminders();

beforeEach(() => at("2026-03-10"));

const firstRow = async (customer: Json, fields: Json = {}): Promise<Json> =>
  (await preview(customer, fields)).rows[0];

describe("POST /reminder-runs/preview", () => {
  it("shows one letter with everything that is overdue", async () => {
    const customer = await someone();
    const first = await late(customer, 1000);
    const second = await late(customer, 100, { issue_date: "2026-02-20" });
    const shown = await preview(customer);
    expect(shown).toEqual({
      object: "reminder_run",
      date: "2026-03-10",
      bank_through: null,
      warnings: [{ code: "BANK_NOT_UP_TO_DATE", message: expect.any(String) }],
      rows: [
        {
          customer_id: customer.id,
          currency: "DKK",
          level: 1,
          fee: 0,
          interest: 0,
          compensation: 0,
          total: 1375,
          items: [
            {
              invoice_id: first.id,
              opening_id: null,
              number: `${first.ledger_invoice_number}`,
              due_date: "2026-03-01",
              open: 1250,
              days_overdue: 9,
              interest: 0,
              compensation: 0,
              counts: true,
            },
            {
              invoice_id: second.id,
              opening_id: null,
              number: `${second.ledger_invoice_number}`,
              due_date: "2026-03-06",
              open: 125,
              days_overdue: 4,
              interest: 0,
              compensation: 0,
              counts: true,
            },
          ],
          left_out: null,
          agreed: expect.stringMatching(/^[\w-]{43}$/),
        },
      ],
    });
    expect(await firstRow(customer, { date: "2026-03-03" })).toBeUndefined();
    expect((await firstRow(customer, { date: "2026-03-08" })).items).toMatchObject([
      { counts: true },
      { counts: false },
    ]);
  });

  it("has no letter for what was paid yesterday, also on a day before", async () => {
    const customer = await someone();
    const { id } = await late(customer, 1000);
    await payInvoice(world, id, { amount: 1250_00n, date: "2026-03-09" });
    expect((await preview(customer)).rows).toEqual([]);
    expect((await preview(customer, { date: "2026-03-08" })).rows).toEqual([]);
  });

  it("has one letter for each currency", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
    const customer = await someone();
    await late(customer, 1000);
    await late(customer, 80, { currency: "EUR" });
    const { rows } = await preview(customer);
    expect(rows.map(({ currency, level, total }: Json) => [currency, level, total])).toEqual([
      ["DKK", 1, 1250],
      ["EUR", 1, 100],
    ]);
  });

  it.each<[string, (customer: Json, invoice: Json) => Promise<unknown>]>([
    [
      "REMINDERS_OFF",
      (customer) => world.done(`PATCH /customers/${customer.id}`, { reminders: false }),
    ],
    [
      "ON_HOLD",
      (_, { id }) =>
        world.done(`PUT /invoices/${id}/reminder-hold`, { until: "2026-03-10", reason: "Talks" }),
    ],
    [
      "COVERED_BY_CREDIT",
      ({ id }) =>
        world.done("POST /payments", {
          external_id: `held-${id}`,
          customer: id,
          date: "2026-03-09",
          amount: 1250,
          remainder: "customer_credit",
        }),
    ],
    ["BELOW_MINIMUM", () => settings({ minimum_amount: 1250.01 })],
  ])("leaves out with %s", async (reason, change) => {
    const customer = await someone();
    const invoice = await late(customer, 1000);
    await change(customer, invoice);
    const row = await firstRow(customer);
    expect([row.left_out, row.agreed]).toEqual([reason, null]);
    await settings({ minimum_amount: 0 });
  });

  it.each([
    [{ date: "2026-03-11" }, "422 VALIDATION_FAILED date too_large"],
    [{ customer: "ext:unknown" }, "422 VALIDATION_FAILED customer unknown_reference"],
  ])("refuses %j", async (body, expected) => {
    expect(refusal(await world.rest("POST /reminder-runs/preview", body))).toBe(expected);
  });
});

describe("POST /reminder-runs", () => {
  it("sends a letter that charges nothing: without number, entry and open item", async () => {
    const customer = await someone();
    await late(customer, 1000);
    const { status, body } = await post(await preview(customer));
    const [{ reminder_id, ...outcome }] = body.outcomes;
    expect([status, outcome, body.issued, body.refused, body.remaining]).toEqual([
      200,
      {
        customer: customer.id,
        currency: "DKK",
        outcome: "issued",
        number: null,
        code: null,
        message: null,
        send_error: null,
      },
      1,
      0,
      0,
    ]);
    expect(await world.done(`GET /reminders/${reminder_id}`)).toMatchObject({
      object: "reminder",
      number: null,
      status: "issued",
      date: "2026-03-10",
      due_date: "2026-03-20",
      entry_no: null,
      level: 1,
      total: 1250,
      payment_codes: null,
    });
    const items = await world.done(`GET /open-items?customer=${customer.id}&kind=reminder`);
    expect(items.data).toEqual([]);
    const mail = (await world.mails()).find(({ to }) =>
      JSON.stringify(to).includes(customer.email),
    );
    expect(mail?.subject).toMatch(/^Payment reminder from /);
    expect(mail?.text).toContain("1,250.00 DKK");
    expect(JSON.stringify(mail)).toContain("reminder-2026-03-10.pdf");
  });

  it("books fee, compensation and interest, as an open item with its own due date and codes", async () => {
    await world.done("PUT /reference-rates/2026-01-01", { rate: 2.15 });
    await settings({
      interest: "statutory",
      levels: [{ days_after_due: 3, fee: 100, compensation: true }],
    });
    at("2026-03-31");
    const customer = await someone();
    const invoice = await late(customer, 8000);
    const reminder = await remind(customer);
    expect(reminder).toMatchObject({
      number: 1,
      due_date: "2026-04-10",
      fee: 100,
      compensation: 310,
      interest: 83.42,
      total: 10_493.42,
      items: [{ invoice_id: invoice.id, interest: 83.42, compensation: 310, days_overdue: 30 }],
      payment_codes: { reference: "RF59R1", rf: "RF59R1", fik_line: null },
    });
    expect(await postingsOf(reminder.id)).toEqual([
      [6190, 493.42],
      [1550, -410],
      [3490, -83.42],
    ]);
    const { data } = await world.done(`GET /open-items?customer=${customer.id}&kind=reminder`);
    expect(data).toMatchObject([
      {
        document_id: reminder.id,
        number: "1",
        due_date: "2026-04-10",
        amount: 493.42,
        open: 493.42,
      },
    ]);
    // Interest is charged once, and never on fees or interest: one day more of 10,000.00.
    at("2026-04-11");
    await settings({ levels: [{ days_after_due: 3 }, { days_after_due: 4 }] });
    expect(await firstRow(customer)).toMatchObject({ level: 2, interest: 30.59, total: 10_030.59 });
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });

  it("charges interest of past days also when the invoice is paid by that time", async () => {
    await settings({ interest: { rate: 10.15 }, levels: [{ days_after_due: 3 }] });
    const customer = await someone();
    const { id } = await late(customer, 8000);
    const first = await remind(customer);
    expect(first.interest).toBe(25.03);
    at("2026-03-12");
    await payInvoice(world, id, { amount: 10_000_00n, date: "2026-03-12" });
    at("2026-03-20");
    const second = await remind(customer);
    expect(second).toMatchObject({
      level: 1,
      fee: 0,
      interest: 2.78,
      total: 2.78,
      items: [{ invoice_id: id, open: 0, interest: 2.78, counts: false }],
    });
    at("2026-04-20");
    expect((await preview(customer)).rows).toEqual([]);
  });

  it("keeps ten days between reminders, and has no more of them than levels", async () => {
    await settings({
      interest: "none",
      levels: [3, 13, 23, 33]
        .map((days_after_due) => ({ days_after_due, fee: 100 }))
        .map(({ days_after_due }, n) => ({ days_after_due, fee: n === 0 ? 0 : 100 })),
    });
    const customer = await someone();
    await late(customer, 1000);
    const days = [
      "2026-03-10",
      "2026-03-19",
      "2026-03-20",
      "2026-03-30",
      "2026-04-09",
      "2026-05-30",
    ];
    const letters: (readonly number[] | null)[] = [];
    for (const day of days) {
      at(day);
      const row = await firstRow(customer);
      letters.push(row === undefined ? null : [row.level, row.fee, row.items.length]);
      if (row !== undefined) await remind(customer);
    }
    // Fees and interest of reminders are no items of letters.
    expect(letters).toEqual([[1, 0, 1], null, [2, 100, 1], [3, 100, 1], [4, 100, 1], null]);
  });

  it("is repeated without a second letter, and refuses another letter than was agreed to", async () => {
    const customer = await someone();
    const invoice = await late(customer, 1000);
    const shown = await preview(customer);
    await late(customer, 100);
    const changed = await post(shown);
    expect(changed.body.outcomes).toMatchObject([
      { outcome: "refused", code: "CHANGED_MEANWHILE", reminder_id: null },
    ]);
    const again = await preview(customer);
    const [first, second] = [await post(again), await post(again)];
    expect(second.body.outcomes[0].reminder_id).toBe(first.body.outcomes[0].reminder_id);
    const { data } = await world.done(`GET /reminders?invoice=${invoice.id}`);
    expect(data).toHaveLength(1);
  });

  it("refuses a letter when a payment came between", async () => {
    const customer = await someone();
    const { id } = await late(customer, 1000);
    const shown = await preview(customer);
    await payInvoice(world, id, { amount: 1_00n, date: "2026-03-10" });
    expect((await post(shown)).body.outcomes[0].code).toBe("CHANGED_MEANWHILE");
    expect((await preview(customer)).rows[0].total).toBe(1249);
  });

  it("sends no letter twice when runs meet, and leaves no gap in the numbers", async () => {
    await settings({ levels: [{ days_after_due: 3, fee: 100 }] });
    const customers = await Promise.all(Array.from({ length: 4 }, () => someone()));
    for (const customer of customers) await late(customer, 1000);
    const shown: Json[] = await Promise.all(customers.map((customer) => preview(customer)));
    const rows = shown.flatMap(sendableRows);
    const runs = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        world.done("POST /reminder-runs", { rows: [...rows.slice(n), ...rows.slice(0, n)] }),
      ),
    );
    const ids = runs.map(({ outcomes }) =>
      outcomes.map(({ reminder_id }: Json) => reminder_id).sort(),
    );
    expect(new Set(ids.map(String)).size).toBe(1);
    expect(new Set(ids[0]).size).toBe(4);
    const deliveries = await world.sql(
      "select count(*)::int as count from deliveries where document_id = any($1)",
      [ids[0]],
    );
    expect(deliveries[0]?.count).toBe(4);
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });

  it("refuses what cannot be booked, row by row", async () => {
    await settings({ levels: [{ days_after_due: 3, fee: 100 }] });
    const customer = await someone();
    await late(customer, 1000);
    const [row] = sendableRows(await preview(customer));
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-10" });
    const { outcomes } = await world.done("POST /reminder-runs", {
      rows: [{ customer: "ext:unknown", currency: "DKK", agreed: "x".repeat(43) }, row],
    });
    expect(outcomes.map(({ outcome, code }: Json) => [outcome, code])).toEqual([
      ["refused", "NOT_FOUND"],
      ["refused", "PERIOD_LOCKED"],
    ]);
    await world.done("PATCH /configuration", { period_lock_date: null });
    const twice = await world.rest("POST /reminder-runs", { rows: [row, row] });
    expect(refusal(twice)).toBe("422 VALIDATION_FAILED rows[1] duplicate");
  });

  it("is not of another account", async () => {
    const customer = await someone();
    await late(customer, 1000);
    const rows = sendableRows(await preview(customer));
    const { keys } = await world.openAnother();
    const { body } = await world.rest("POST /reminder-runs", { rows }, keys.read_write);
    expect(body.error?.code ?? body.outcomes[0].code).toMatch(/NOT_FOUND|RECEIVABLES_NOT_BEGUN/);
  });
});
