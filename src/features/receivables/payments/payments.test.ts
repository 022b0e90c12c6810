/** Payments and refunds (spec 13.3): what they post, what they are applied to, and their reversals, in real books. */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, issued, fullCredit, partCredit, credited } = useSales();

let count = 0;

/** The body of a payment under a new external id. */
function body(amount: number, fields: Json = {}): Json {
  count += 1;
  return { external_id: `pay-${count}`, date: "2026-03-05", amount, ...fields };
}

const pay = (amount: number, fields: Json = {}): Promise<Json> =>
  world.done("POST /payments", body(amount, fields));

/** An issued invoice of a gross amount, dated 2 March. */
const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-03-02", ...fields });

/** The entries of a payment as `[date, "account amount, …"]`, in the order in which they were booked. */
async function entriesOf({ entry_nos }: Json): Promise<[string, string][]> {
  const rows = await world.sql(
    `select e.entry_no, e.entry_date::text as date, p.account_number, p.amount
     from ledger_entries e join ledger_postings p on p.account_id = e.account_id and p.entry_no = e.entry_no
     where e.account_id = $1 and e.entry_no = any($2) order by e.entry_no, p.account_number, p.amount`,
    [world.account.account_id, entry_nos],
  );
  return entry_nos.map((entry_no: number) => {
    const own = rows.filter((row) => Number(row.entry_no) === entry_no);
    const text = own.map(
      ({ account_number, amount }) => `${account_number} ${Number(amount) / 100}`,
    );
    return [own[0]?.date, text.join(", ")];
  });
}

const itemOf = async (id: string): Promise<Json> => {
  const [item] = await world.sql(
    `select open::int, functional_open::int, ended_on::text from open_items where id = $1`,
    [id],
  );
  return item ?? {};
};

const RATES = ["2026-03-01", 7.46] as const;
const inEuro = async (gross: number): Promise<Json> => {
  await world.done(`PUT /exchange-rates/EUR/${RATES[0]}`, { rate: RATES[1] });
  return owed(gross, { currency: "EUR" });
};

describe("what a payment posts", () => {
  it("a whole invoice", async () => {
    const invoice = await owed(12_500);
    const payment = await pay(12_500, { allocations: [{ invoice: invoice.id }] });
    expect(await entriesOf(payment)).toEqual([["2026-03-05", "6190 -12500, 6480 12500"]]);
    expect(payment).toMatchObject({
      object: "payment",
      kind: "payment",
      status: "booked",
      customer_id: customer.id,
      currency: "DKK",
      amount: 12_500,
      bank_amount: 12_500,
      fee: 0,
      functional_amount: 12_500,
      exchange_difference: 0,
      unallocated: 0,
      warnings: [],
      allocations: [
        {
          debit: { kind: "invoice", id: invoice.id, number: `${invoice.ledger_invoice_number}` },
          credit: { kind: "payment", id: payment.id, number: `${payment.number}` },
          amount: 12_500,
          date: "2026-03-05",
        },
      ],
    });
    expect(await itemOf(invoice.id)).toMatchObject({ open: 0, functional_open: 0 });
  });

  it("a foreign invoice in two parts, each with its exchange difference", async () => {
    const invoice = await inEuro(1000);
    const of_invoice = { allocations: [{ invoice: invoice.id }] };
    const first = await pay(333.33, { ...of_invoice, bank_amount: 2485 });
    expect(await entriesOf(first)).toEqual([["2026-03-05", "3610 1.64, 6190 -2486.64, 6480 2485"]]);
    expect([first.currency, first.exchange_difference]).toEqual(["EUR", -1.64]);
    expect(await itemOf(invoice.id)).toMatchObject({ open: 666_67, functional_open: 4973_36 });
    const rest = await pay(666.67, { ...of_invoice, bank_amount: 4975 });
    expect(await entriesOf(rest)).toEqual([["2026-03-05", "3610 -1.64, 6190 -4973.36, 6480 4975"]]);
    expect(await itemOf(invoice.id)).toMatchObject({ open: 0, functional_open: 0 });
  });

  it("more than the invoice, which stays as customer credit, and is applied to another later", async () => {
    const [invoice, other] = [await owed(1000), await owed(250)];
    const allocations = [{ invoice: invoice.id }];
    const payment = await pay(1250, { allocations, remainder: "customer_credit" });
    expect(await entriesOf(payment)).toEqual([["2026-03-05", "6190 -1000, 6480 1250, 7410 -250"]]);
    expect([payment.unallocated, payment.warnings[0].code]).toEqual([250, "PAYMENT_ON_ACCOUNT"]);
    const allocation = await world.done("POST /allocations", {
      external_id: `all-${payment.id}`,
      payment: payment.id,
      invoice: other.id,
    });
    expect(allocation).toMatchObject({ amount: 250, date: "2026-03-05" });
    const after = await world.done(`GET /payments/${payment.id}`);
    expect(after.unallocated).toBe(0);
    expect((await entriesOf(after))[1]).toEqual(["2026-03-05", "6190 -250, 7410 250"]);
  });

  it("less than the invoice, with a rounding", async () => {
    const invoice = await owed(1000);
    const payment = await pay(999.5, { allocations: [{ invoice: invoice.id, rounding: 0.5 }] });
    expect(await entriesOf(payment)).toEqual([["2026-03-05", "2720 0.5, 6190 -1000, 6480 999.5"]]);
  });

  it("less a fee that the card company keeps", async () => {
    const invoice = await owed(1000);
    const payment = await pay(1000, { fee: 15, allocations: [{ invoice: invoice.id }] });
    expect(await entriesOf(payment)).toEqual([["2026-03-05", "2390 15, 6190 -1000, 6480 985"]]);
    expect([payment.bank_amount, payment.functional_amount]).toEqual([985, 1000]);
  });

  it("before the invoice: the money waits as customer credit", async () => {
    const invoice = await owed(500, { issue_date: "2026-03-09" });
    const payment = await pay(500, { allocations: [{ invoice: invoice.id }] });
    expect(await entriesOf(payment)).toEqual([
      ["2026-03-05", "6480 500, 7410 -500"],
      ["2026-03-09", "6190 -500, 7410 500"],
    ]);
  });

  it("a refund of a credit note on a paid invoice", async () => {
    const invoice = await owed(1000);
    await pay(1000, { allocations: [{ invoice: invoice.id }] });
    const note = await credited(partCredit(invoice, [320], { credit_date: "2026-03-06" }));
    const refund = await pay(400, {
      kind: "refund",
      date: "2026-03-07",
      allocations: [{ credit_note: note.id }],
    });
    expect(await entriesOf(refund)).toEqual([["2026-03-07", "6190 400, 6480 -400"]]);
    expect([await itemOf(note.id), await itemOf(refund.id)]).toMatchObject([
      { open: 0 },
      { open: 0 },
    ]);
  });

  it("a refund of customer credit, for which the bank takes something", async () => {
    const payment = await pay(250, { customer: customer.id, remainder: "customer_credit" });
    const allocations = [{ payment: payment.id }];
    const refund = await pay(250, { kind: "refund", fee: 5, date: "2026-03-07", allocations });
    expect(await entriesOf(refund)).toEqual([["2026-03-07", "2390 5, 6480 -255, 7410 250"]]);
    expect((await world.done(`GET /payments/${payment.id}`)).unallocated).toBe(0);
  });

  it("a credit note that is applied to an invoice of another customer", async () => {
    const other = await world.done("POST /customers", { name: "Other" });
    const [invoice, its] = [await owed(1000), await owed(1000, { customer_id: other.id })];
    await pay(1000, { allocations: [{ invoice: invoice.id }] });
    const note = await credited(partCredit(invoice, [320], { credit_date: "2026-03-06" }));
    const payment = await pay(600, {
      customer: other.id,
      date: "2026-03-07",
      allocations: [{ invoice: its.id, credit_note: note.id }, { invoice: its.id }],
    });
    expect(await entriesOf(payment)).toEqual([
      ["2026-03-07", "6190 -600, 6480 600"],
      ["2026-03-07", "6190 -400, 6190 400"],
    ]);
    await world.done(`POST /payments/${payment.id}/reverse`, { reason: "by mistake" });
    expect(await itemOf(its.id)).toMatchObject({ open: 600_00 });
  });

  it("a credit note at another rate than the invoice to which it is applied", async () => {
    const invoice = await inEuro(1000);
    await pay(1000, { bank_amount: 7460, allocations: [{ invoice: invoice.id }] });
    const note = await credited(fullCredit(invoice, { credit_date: "2026-03-06" }));
    await world.done("PUT /exchange-rates/EUR/2026-03-08", { rate: 7.5 });
    const later = await owed(1000, { currency: "EUR", issue_date: "2026-03-08" });
    const allocation = await world.done("POST /allocations", {
      external_id: `rate-${note.id}`,
      credit_note: note.id,
      invoice: later.id,
    });
    expect([allocation.date, allocation.exchange_difference]).toEqual(["2026-03-08", -40]);
    expect(await entriesOf({ entry_nos: [allocation.entry_no] })).toEqual([
      ["2026-03-08", "3610 40, 6190 -40"],
    ]);
    await world.done("PUT /exchange-rates/EUR/2026-03-08", { rate: 7.46 });
  });
});

describe("a reversal", () => {
  const reverse = (payment: Json, fields: Json = {}): Promise<Json> =>
    world.done(`POST /payments/${payment.id}/reverse`, { reason: "came back", ...fields });

  it("turns every sign, on the day of the reversal, with the charge of the bank", async () => {
    const invoice = await owed(1000);
    const payment = await pay(1000, { fee: 15, allocations: [{ invoice: invoice.id }] });
    const reversed = await reverse(payment, { fee: 50, date: "2026-03-08" });
    expect((await entriesOf(reversed))[1]).toEqual([
      "2026-03-08",
      "2390 -15, 2390 50, 6190 1000, 6480 -985, 6480 -50",
    ]);
    expect(reversed).toMatchObject({
      status: "reversed",
      reversed_on: "2026-03-08",
      reversal_reason: "came back",
      unallocated: 0,
      allocations: [{ reversed_on: "2026-03-08" }],
    });
    expect(await itemOf(invoice.id)).toMatchObject({ open: 1000_00 });
    const { data } = await world.done("GET /ledger/entries?limit=100");
    const [, last] = reversed.entry_nos;
    const entry = data.find(({ entry_no }: Json) => entry_no === last);
    expect(entry.reverses_guid).toBe(payment.id);
  });

  it("of one allocation gives the money back to the customer's credit, and then the payment can be reversed wholly", async () => {
    const [invoice, other] = [await owed(600), await owed(400)];
    const allocations = [{ invoice: invoice.id }, { invoice: other.id }];
    const payment = await pay(1000, { allocations });
    const [, second] = payment.allocations;
    const ended = await world.done(`POST /allocations/${second.id}/reverse`, {
      reason: "wrong invoice",
      date: "2026-03-06",
    });
    expect(ended.reversed_on).toBe("2026-03-06");
    const after = await world.done(`GET /payments/${payment.id}`);
    expect(after.unallocated).toBe(400);
    expect((await entriesOf(after))[1]).toEqual(["2026-03-06", "6190 400, 7410 -400"]);
    const reversed = await reverse(payment);
    expect((await entriesOf(reversed))[2]).toEqual([
      "2026-03-10",
      "6190 600, 6480 -1000, 7410 400",
    ]);
  });

  it("of a refund opens the credit again", async () => {
    const payment = await pay(250, { customer: customer.id, remainder: "customer_credit" });
    const allocations = [{ payment: payment.id }];
    const refund = await pay(250, { kind: "refund", allocations });
    const refused = await world.rest(`POST /payments/${payment.id}/reverse`, { reason: "no" });
    expect(refusal(refused)).toBe("409 PAYMENT_REFUNDED");
    await reverse(refund);
    expect((await world.done(`GET /payments/${payment.id}`)).unallocated).toBe(250);
    expect((await reverse(payment)).status).toBe("reversed");
  });

  it("happens once", async () => {
    const payment = await pay(10, { customer: customer.id, remainder: "customer_credit" });
    const replies = await Promise.all(
      [1, 2, 3].map(() => world.rest(`POST /payments/${payment.id}/reverse`, { reason: "twice" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe("POST /payments", () => {
  it("answers a repetition with the first payment, and other content with a conflict", async () => {
    const invoice = await owed(1000);
    const sent = body(1000, { allocations: [{ invoice: invoice.id }] });
    const first = await world.rest("POST /payments", sent);
    const again = await world.rest("POST /payments", sent);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    const other = await world.rest("POST /payments", { ...sent, amount: 999 });
    expect(refusal(other)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("of one invoice twenty times at once is one payment", async () => {
    const invoice = await owed(1000);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        world.rest("POST /payments", body(1000, { allocations: [{ invoice: invoice.id }] })),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(await itemOf(invoice.id)).toMatchObject({ open: 0 });
  });

  it("names documents by the external ids of the caller", async () => {
    const invoice = await owed(100, { external_id: "inv/1" });
    const payment = await pay(100, { allocations: [{ invoice: "ext:inv/1" }] });
    expect(payment.allocations[0].debit.id).toBe(invoice.id);
    const found = await world.done(`GET /payments/ext:${payment.external_id}`);
    expect(found.id).toBe(payment.id);
  });

  it.each<[string, () => Promise<Json> | Json, unknown[]]>([
    [
      "an unknown invoice",
      () => body(1, { allocations: [{ invoice: customer.id }] }),
      [422, "allocations[0].invoice unknown_reference"],
    ],
    [
      "an external id that no document has, beside an invoice without one",
      async () => {
        const { id } = await owed(100);
        return body(1, { allocations: [{ invoice: id, amount: 1 }, { invoice: "ext:null" }] });
      },
      [422, "allocations[1].invoice unknown_reference"],
    ],
    ["no customer", () => body(1), [422, "customer required"]],
    [
      "an unknown customer",
      () => body(1, { customer: "ext:unknown" }),
      [422, "customer unknown_reference"],
    ],
    [
      "an unknown bank account",
      () => body(1, { customer: customer.id, bank_account: "ext:none" }),
      [422, "bank_account unknown_reference"],
    ],
    [
      "too many decimals",
      () => body(1.005, { customer: customer.id }),
      [422, "amount too_many_decimals"],
    ],
    ["an amount of 0", () => body(0, { customer: customer.id }), [422, "amount too_small"]],
    [
      "another amount of the bank",
      () => body(10, { customer: customer.id, bank_amount: 9 }),
      [422, "bank_amount invalid_value"],
    ],
    [
      "a foreign currency without the bank's amount",
      () => body(10, { customer: customer.id, currency: "EUR" }),
      [422, "bank_amount required"],
    ],
    [
      "a part without an item",
      () => body(10, { allocations: [{ amount: 1 }] }),
      [422, "allocations[0] required"],
    ],
    [
      "a payment of a payment",
      () => body(10, { allocations: [{ payment: "ext:x" }] }),
      [422, "allocations[0] required"],
    ],
    [
      "a refund of an invoice",
      () => body(10, { kind: "refund", allocations: [{ invoice: "ext:x" }] }),
      [422, "allocations[0] required"],
    ],
    [
      "a rounding above the limit",
      async () => body(98, { allocations: [{ invoice: (await owed(100)).id, rounding: 2 }] }),
      [422, "allocations[0].rounding too_large"],
    ],
    [
      "an invoice in another currency",
      async () =>
        body(100, { currency: "DKK", allocations: [{ invoice: (await inEuro(100)).id }] }),
      [422, "allocations[0] invalid_value"],
    ],
    [
      "more than is open",
      async () => body(200, { allocations: [{ invoice: (await owed(100)).id }] }),
      [409, "PAYMENT_EXCEEDS_OPEN"],
    ],
    [
      "a day in the future",
      () => body(10, { customer: customer.id, remainder: "customer_credit", date: "2026-03-11" }),
      [409, "PAYMENT_DATE_IN_FUTURE"],
    ],
    [
      "a draft",
      async () => {
        const draft = await world.done("POST /invoices", { customer_id: customer.id });
        return body(10, { customer: customer.id, allocations: [{ invoice: draft.id }] });
      },
      [409, "INVOICE_NOT_ISSUED"],
    ],
  ])("refuses %s", async (_, sent, expected) => {
    const reply = await world.rest("POST /payments", await sent());
    const [fault] = reply.body.error.field_errors ?? [];
    const code = fault === undefined ? reply.body.error.code : `${fault.field} ${fault.code}`;
    expect([reply.status, code]).toEqual(expected);
  });

  it("refuses what has no account for it, and records nothing", async () => {
    const invoice = await owed(1000);
    await world.done("PATCH /configuration", { account_roles: { payment_fee: null } });
    const sent = body(1000, { fee: 15, allocations: [{ invoice: invoice.id }] });
    const reply = await world.rest("POST /payments", sent);
    await world.done("PATCH /configuration", { account_roles: { payment_fee: 2390 } });
    expect(reply.body.error).toMatchObject({
      code: "ACCOUNT_ROLE_MISSING",
      details: { roles: ["payment_fee"] },
    });
    expect(await itemOf(invoice.id)).toMatchObject({ open: 1000_00 });
    expect((await world.rest("POST /payments", sent)).status).toBe(201);
  });
});

describe("POST /payments/preview", () => {
  it("shows the payment and its entries, and records nothing", async () => {
    const invoice = await owed(1000);
    const { external_id: _, ...sent } = body(1250, {
      allocations: [{ invoice: invoice.id }],
      remainder: "customer_credit",
    });
    const before = await world.done("GET /configuration");
    const preview = await world.done("POST /payments/preview", sent);
    expect(preview.entries).toEqual([
      {
        date: "2026-03-05",
        postings: [
          { account_number: 6480, amount: 1250, currency_amount: 1250, customer_id: null },
          { account_number: 7410, amount: -250, currency_amount: -250, customer_id: customer.id },
          { account_number: 6190, amount: -1000, currency_amount: -1000, customer_id: customer.id },
        ],
      },
    ]);
    expect(preview.payment.unallocated).toBe(250);
    expect(preview.warnings.map(({ code }: Json) => code)).toEqual(["PAYMENT_ON_ACCOUNT"]);
    expect((await world.done("GET /configuration")).numbering).toEqual(before.numbering);
    expect(await itemOf(invoice.id)).toMatchObject({ open: 1000_00 });
  });
});

describe("GET /payments", () => {
  it("lists by customer, invoice, kind, status, bank account and date", async () => {
    const invoice = await owed(1000);
    const payment = await pay(700, { date: "2026-03-03", allocations: [{ invoice: invoice.id }] });
    const idsOf = async (query: string): Promise<string[]> =>
      (await world.done(`GET /payments?${query}`)).data.map(({ id }: Json) => id);
    expect(await idsOf(`invoice=${invoice.id}`)).toEqual([payment.id]);
    expect(await idsOf(`external_id=${payment.external_id}`)).toEqual([payment.id]);
    expect(await idsOf(`from=2026-03-03&to=2026-03-03`)).toEqual([payment.id]);
    expect(await idsOf(`bank_account=${payment.bank_account_id}&limit=1`)).toEqual([payment.id]);
    const refunds = await world.done("GET /payments?kind=refund&status=booked");
    expect(refunds.data.length).toBeGreaterThan(0);
    for (const { kind, status } of refunds.data)
      expect([kind, status]).toEqual(["refund", "booked"]);
    expect(await idsOf(`customer=${customer.id}&limit=100`)).toContain(payment.id);
  });
});

describe("a credit note of a foreign invoice that is partly paid", () => {
  it("closes the invoice to the last cent: what is left is an exchange difference", async () => {
    const differences: number[] = [];
    await world.done(`PUT /exchange-rates/EUR/${RATES[0]}`, { rate: 7.4613 });
    const parts = [
      [1.26, 798.99],
      [0.82, 799.34],
      [998.06, 1.55],
      [333.75, 533],
    ] as const;
    for (const [part, net] of parts) {
      const invoice = await owed(1000, { currency: "EUR" });
      const bank_amount = Math.round(part * 700 + 100) / 100;
      await pay(part, { bank_amount, allocations: [{ invoice: invoice.id }] });
      await credited(partCredit(invoice, [net]));
      const left = await world.sql(
        `select i.open::int, i.functional_open::int, a.exchange_difference::int as difference, a.entry_no::int
         from open_items i join allocations a on a.account_id = i.account_id and a.debit_id = i.id
         join open_items c on c.account_id = a.account_id and c.id = a.credit_id and c.kind = 'credit_note'
         where i.id = $1`,
        [invoice.id],
      );
      for (const { open, functional_open, difference, entry_no } of left) {
        expect([open, functional_open]).toEqual([0, 0]);
        expect(entry_no === null).toBe(difference === 0);
        differences.push(difference);
      }
    }
    expect(differences).toEqual([-1, 1, 1, 0]);
  });
});

it("the books verify, and exchange differences meet their account", async () => {
  const found = await world.done("GET /ledger/verification?fresh=true");
  expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
  const { roles } = await world.done("GET /accruals/reconciliation?month=2026-03");
  const [exchange] = roles.filter((one: Json) => one.account_role === "exchange_difference");
  expect(exchange.sub_ledger).not.toBe(0);
  expect(exchange.difference).toBe(0);
});

it("open items add up to the accounts of the books, and every number is used once", async () => {
  const [sums] = await world.sql(
    `select
       sum(case when kind in ('payment', 'refund') then 0 when is_credit then -functional_open else functional_open end)::int as receivables,
       sum(case when kind = 'payment' then functional_open when kind = 'refund' then -functional_open else 0 end)::int as credit,
       (select sum(amount)::int from ledger_postings p where p.account_id = $1 and account_number = 6190) as books_receivables,
       (select -sum(amount)::int from ledger_postings p where p.account_id = $1 and account_number = 7410) as books_credit
     from open_items where account_id = $1`,
    [world.account.account_id],
  );
  expect([sums?.receivables, sums?.credit]).toEqual([sums?.books_receivables, sums?.books_credit]);
  const numbers = await world.sql(
    `select number::int from ledger_entries where account_id = $1 and kind = 'payment' order by number`,
    [world.account.account_id],
  );
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, at) => at + 1));
});
