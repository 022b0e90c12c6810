/** Opening items, and the beginning of receivables of an account with documents from before (spec 13.4). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, issued, partCredit, credited } = useSales();

let count = 0;

function body(amount: number, fields: Json = {}): Json {
  count += 1;
  return {
    external_id: `open-${count}`,
    number: `A-${count}`,
    customer: customer.id,
    date: "2026-03-05",
    due_date: "2026-02-28",
    amount,
    counter_account: 6950,
    ...fields,
  };
}

const opening = (amount: number, fields: Json = {}): Promise<Json> =>
  world.done("POST /opening-items", body(amount, fields));

async function postingsOf(guid: string): Promise<string> {
  const rows = await world.sql(
    `select p.account_number, p.amount from ledger_postings p
     join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
     where e.guid = $1 or e.reverses_guid = $1 order by e.entry_no, p.account_number, p.amount`,
    [guid],
  );
  return rows
    .map(({ account_number, amount }) => `${account_number} ${Number(amount) / 100}`)
    .join(", ");
}

/** The account as if its documents were from before receivables existed. */
async function forget(): Promise<void> {
  await world.sql("delete from receivables_begins where account_id = $1", [
    world.account.account_id,
  ]);
}

const begin = (fields: Json = {}) =>
  world.rest("POST /receivables/begin", {
    date: "2026-03-04",
    counter_account: 6950,
    open: "all",
    ...fields,
  });

describe("an opening item", () => {
  it("is owed from its entry on, and is paid like an invoice", async () => {
    const item = await opening(5000);
    expect(item).toMatchObject({
      object: "open_item",
      kind: "opening",
      is_credit: false,
      document_id: null,
      number: "A-1",
      date: "2026-03-05",
      due_date: "2026-02-28",
      currency: "DKK",
      amount: 5000,
      open: 5000,
      functional_open: 5000,
      days_overdue: 10,
    });
    expect(await postingsOf(item.id)).toBe("6190 5000, 6950 -5000");
    const allocations = [{ opening: "ext:open-1" }];
    const paid = { external_id: "paid-1", date: "2026-03-06", amount: 5000, allocations };
    const payment = await world.done("POST /payments", paid);
    expect(payment.allocations[0].debit).toEqual({ kind: "opening", id: item.id, number: "A-1" });
  });

  it("that is a credit is turned, and is applied to an invoice", async () => {
    const credit = await opening(125, { is_credit: true });
    expect(await postingsOf(credit.id)).toBe("6190 -125, 6950 125");
    const invoice = await issued([100], { issue_date: "2026-03-06" });
    const applied = { external_id: "applied-1", opening: credit.id, invoice: invoice.id };
    expect(await world.done("POST /allocations", applied)).toMatchObject({ amount: 125 });
  });

  it("that is a credit is applied to another opening item, of another customer too", async () => {
    const other = await world.done("POST /customers", { name: "Sister" });
    const credit = await opening(125, { is_credit: true });
    const [owed, its] = [await opening(100), await opening(50, { customer: other.id })];
    const apply = (external_id: string, opening: string, more: Json = {}) =>
      world.done("POST /allocations", {
        ...{ external_id, opening, opening_credit: credit.id, ...more },
      });
    const first = await apply("two-1", owed.id);
    expect(first).toMatchObject({
      amount: 100,
      date: "2026-03-05",
      debit: { kind: "opening", id: owed.id },
      credit: { kind: "opening", id: credit.id },
      entry_no: null,
    });
    const second = await apply("two-2", its.id, { amount: 20 });
    expect(second.amount).toBe(20);
    expect(await postingsOf(second.id)).toBe("6190 -20, 6190 20");
    const { data } = await world.done(`GET /open-items?customer=${other.id}`);
    expect(data).toMatchObject([{ id: its.id, open: 30 }]);
    await world.done(`POST /allocations/${first.id}/reverse`, { reason: "the other one" });
    const { data: left } = await world.done("GET /open-items?kind=opening");
    const open = (id: string) => left.find((item: Json) => item.id === id)?.open;
    expect([open(credit.id), open(owed.id)]).toEqual([105, 100]);
  });

  it("that is a credit may be named so beside an invoice", async () => {
    const credit = await opening(25, { is_credit: true });
    const invoice = await issued([100], { issue_date: "2026-03-06" });
    const applied = { external_id: "applied-2", opening_credit: credit.id, invoice: invoice.id };
    expect(await world.done("POST /allocations", applied)).toMatchObject({ amount: 25 });
  });

  describe("is not applied", () => {
    let items: Record<"owed" | "more" | "credit" | "held" | "euro" | "payment" | "none", string>;
    beforeAll(async () => {
      const [owed, more] = [await opening(10), await opening(10)];
      const [credit, held] = [
        await opening(10, { is_credit: true }),
        await opening(10, { is_credit: true }),
      ];
      const euro = await opening(10, { currency: "EUR", functional_amount: 75 });
      const payment = await world.done("POST /payments", {
        ...{ external_id: "held-2", date: "2026-03-06", amount: 10, customer: customer.id },
        remainder: "customer_credit",
      });
      items = {
        ...{ owed: owed.id, more: more.id, credit: credit.id, held: held.id, euro: euro.id },
        ...{ payment: payment.id, none: "ext:none" },
      };
    });

    it.each<[string, Record<string, keyof typeof items>, string]>([
      ["alone", { opening_credit: "credit" }, "opening required"],
      ["to another credit", { opening: "held", opening_credit: "credit" }, "opening not_allowed"],
      [
        "where it is owed",
        { opening: "owed", opening_credit: "more" },
        "opening_credit not_allowed",
      ],
      ["to itself", { opening: "credit", opening_credit: "credit" }, "opening not_allowed"],
      [
        "to itself, owed",
        { opening: "owed", opening_credit: "owed" },
        "opening_credit not_allowed",
      ],
      [
        "the wrong way",
        { opening: "credit", opening_credit: "owed" },
        "opening_credit not_allowed",
      ],
      ["with a payment", { payment: "payment", opening_credit: "credit" }, "opening not_allowed"],
      [
        "beside a payment",
        { opening: "owed", payment: "payment", opening_credit: "credit" },
        "opening not_allowed",
      ],
      [
        "in another currency",
        { opening: "euro", opening_credit: "credit" },
        "opening invalid_value",
      ],
      [
        "when it is unknown",
        { opening: "owed", opening_credit: "none" },
        "opening_credit unknown_reference",
      ],
    ])("%s", async (name, named, expected) => {
      const refs = Object.entries(named).map(([field, item]) => [field, items[item]]);
      const sent = { external_id: `no ${name}`, ...Object.fromEntries(refs) };
      const { status, body: reply } = await world.rest("POST /allocations", sent);
      const [fault] = reply.error.field_errors;
      expect([status, `${fault.field} ${fault.code}`]).toEqual([422, expected]);
    });

    it("to a draft", async () => {
      const { id } = await world.done("POST /invoices", { customer_id: customer.id });
      const sent = { external_id: "draft", invoice: id, opening_credit: items.credit };
      expect(refusal(await world.rest("POST /allocations", sent))).toBe("409 INVOICE_NOT_ISSUED");
    });

    it("for more than is open of either", async () => {
      const sent = { opening: items.owed, opening_credit: items.credit };
      const of = async (external_id: string, fields: Json) =>
        refusal(await world.rest("POST /allocations", { external_id, ...sent, ...fields }));
      expect(await of("over-1", { amount: 10.01 })).toBe("409 PAYMENT_EXCEEDS_OPEN");
      await world.done("POST /allocations", { external_id: "over-2", ...sent });
      expect(await of("over-3", { opening: items.more })).toBe("409 CREDIT_EXCEEDS_OPEN");
      expect(await of("over-4", { opening_credit: items.held })).toBe("409 PAYMENT_EXCEEDS_OPEN");
    });
  });

  it("in another currency is at the rate of its date, or at what is named", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.46 });
    expect((await opening(100, { currency: "EUR" })).functional_amount).toBe(746);
    const named = await opening(100, { currency: "EUR", functional_amount: 740 });
    expect(named.functional_amount).toBe(740);
  });

  it("answers a repetition with the first item", async () => {
    const sent = body(10);
    const [first, again] = [
      await world.rest("POST /opening-items", sent),
      await world.rest("POST /opening-items", sent),
    ];
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
  });

  it("is reversed while nothing is applied to it", async () => {
    const item = await opening(300);
    const allocations = [{ opening: item.id }];
    const part = { external_id: "paid-2", date: "2026-03-06", amount: 100, allocations };
    const payment = await world.done("POST /payments", part);
    const reverse = () =>
      world.rest(`POST /opening-items/${item.id}/reverse`, { reason: "typed wrongly" });
    expect(refusal(await reverse())).toBe("409 ITEM_APPLIED");
    await world.done(`POST /payments/${payment.id}/reverse`, { reason: "first" });
    const reversed = await reverse();
    expect([reversed.status, reversed.body.open]).toEqual([200, 0]);
    expect(await postingsOf(item.id)).toBe("6190 300, 6950 -300, 6190 -300, 6950 300");
    expect(refusal(await reverse())).toBe("409 ITEM_REVERSED");
  });

  it.each<[string, Json, string]>([
    ["an unknown customer", { customer: "ext:none" }, "customer unknown_reference"],
    ["receivables as counter account", { counter_account: 6190 }, "counter_account not_allowed"],
    ["a role as counter account", { counter_account: 7410 }, "counter_account not_allowed"],
    ["an unknown counter account", { counter_account: 6999 }, "counter_account unknown_account"],
    ["another functional amount", { functional_amount: 9 }, "functional_amount invalid_value"],
    ["too many decimals", { amount: 1.005 }, "amount too_many_decimals"],
  ])("is refused with %s", async (_, fields, expected) => {
    const { status, body: reply } = await world.rest("POST /opening-items", body(10, fields));
    const [fault] = reply.error.field_errors;
    expect([status, `${fault.field} ${fault.code}`]).toEqual([422, expected]);
  });

  it.each<[string, Json, string]>([
    ["in the future", { date: "2026-03-11" }, "409 PAYMENT_DATE_IN_FUTURE"],
    ["without a rate", { currency: "USD" }, "409 EXCHANGE_RATE_MISSING"],
  ])("is refused %s", async (_, fields, expected) => {
    expect(refusal(await world.rest("POST /opening-items", body(10, fields)))).toBe(expected);
  });
});

describe("POST /receivables/begin", () => {
  it("settles what is not named as open, customer by customer, once", async () => {
    const other = await world.done("POST /customers", { name: "Other" });
    const dated = { issue_date: "2026-03-02" };
    const [kept, gone] = [await issued([100], dated), await issued([200], dated)];
    const its = await issued([400], { ...dated, customer_id: other.id });
    const half = await issued([800], dated);
    await credited(partCredit(half, [400], { credit_date: "2026-03-03" }));
    const later = await credited(partCredit(gone, [80], { credit_date: "2026-03-08" }));
    const after = await issued([1000], { issue_date: "2026-03-09" });
    await forget();
    const refused = await world.rest(`GET /invoices/${kept.id}/payment`);
    expect(refusal(refused)).toBe("409 RECEIVABLES_NOT_BEGUN");
    const blocked = await world.rest("POST /opening-items", body(10));
    expect(refusal(blocked)).toBe("409 RECEIVABLES_NOT_BEGUN");

    const open = { invoices: [kept.id] };
    const preview = await world.done("POST /receivables/begin/preview", {
      date: "2026-03-04",
      counter_account: 6950,
      open,
    });
    const begun = await begin({ open });
    const settled = { begun_on: "2026-03-04", settled: 3, settled_amount: 250 + 500 + 500 };
    expect(begun.body).toMatchObject({ object: "receivables_begin", ...settled });
    expect(preview).toEqual(begun.body);
    const postings = await world.sql(
      `select p.account_number, p.customer_id, p.amount::int from ledger_postings p
       where p.account_id = $1 and p.entry_no = $2 order by p.account_number, p.amount`,
      [world.account.account_id, begun.body.entry_no],
    );
    expect(postings).toEqual([
      { account_number: 6190, customer_id: customer.id, amount: -750_00 },
      { account_number: 6190, customer_id: other.id, amount: -500_00 },
      { account_number: 6950, customer_id: null, amount: 1250_00 },
    ]);
    const stateOf = async ({ id }: Json): Promise<unknown[]> => {
      const { state, open: left, paid_on } = await world.done(`GET /invoices/${id}/payment`);
      return [state, left, paid_on];
    };
    expect(await stateOf(kept)).toEqual(["open", 125, null]);
    for (const one of [gone, its, half]) expect(await stateOf(one)).toEqual(["paid", 0, null]);
    expect(await stateOf(after)).toEqual(["open", 1250, null]);
    const [credit] = await world.sql("select open::int from open_items where id = $1", [later.id]);
    expect(credit?.open).toBe(100_00);
    expect((await world.done("GET /configuration")).receivables_begun_on).toBe("2026-03-04");
    expect(refusal(await begin())).toBe("409 RECEIVABLES_BEGUN");
  });

  it.each<[string, Json, string]>([
    [
      "an unknown document",
      { open: { invoices: ["ext:none"] } },
      "open.invoices[0] unknown_reference",
    ],
    ["a role as counter account", { counter_account: 8070 }, "counter_account not_allowed"],
  ])("refuses %s", async (_, fields, expected) => {
    const { status, body: reply } = await begin(fields);
    const [fault] = reply.error.field_errors;
    expect([status, `${fault.field} ${fault.code}`]).toEqual([422, expected]);
  });

  it("happens once for callers at the same time, and refuses a day in the future", async () => {
    await forget();
    expect(refusal(await begin({ date: "2026-03-11" }))).toBe("409 PAYMENT_DATE_IN_FUTURE");
    const replies = await Promise.all([begin(), begin(), begin()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

it("the books verify after all of it", async () => {
  const found = await world.done("GET /ledger/verification?fresh=true");
  expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
});
