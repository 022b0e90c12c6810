/** What a payment or refund takes of which items, and its faults and refusals. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import { type OpenItem, openAtLast } from "./open-item.ts";
import { type AskedPart, type AskedPayment, decidePayment, partFaults } from "./record-payment.ts";

const MARCH = (day: number) => `2026-03-${String(day).padStart(2, "0")}` as CalendarDate;
const TODAY = MARCH(20);
const OPEN = { today: TODAY, lock: { period_lock_date: MARCH(1) } };

function item(fields: Partial<OpenItem> & Pick<OpenItem, "id" | "amount">): OpenItem {
  const usual = {
    kind: "invoice",
    is_credit: false,
    customer_id: "acme",
    currency: "DKK",
  } as const;
  const money = { functional: fields.amount, date: MARCH(5), ended_on: null, takes: [] };
  return { ...usual, ...money, ...fields };
}

const invoice = (id: string, amount: bigint, fields: Partial<OpenItem> = {}) =>
  item({ id, amount, ...fields });
const credit = (id: string, amount: bigint) =>
  item({ id, amount, kind: "credit_note", is_credit: true });

function payment(
  amount: bigint,
  parts: readonly Partial<AskedPart>[],
  fields: object = {},
): AskedPayment {
  const own = item({
    id: "payment",
    amount,
    kind: "payment",
    is_credit: true,
    date: MARCH(10),
    ...fields,
  });
  const whole = parts.map((part, at): AskedPart => {
    const field = `allocations[${at}]`;
    return { field, item: invoice("a", 1000n), credit: null, amount: null, rounding: 0n, ...part };
  });
  return { item: own, parts: whole, remainder: "refuse" };
}

const refund = (amount: bigint, parts: readonly Partial<AskedPart>[]) =>
  payment(amount, parts, { kind: "refund", is_credit: false });

function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.extras.details];
    throw error;
  }
  return null;
}

describe("a payment", () => {
  it("takes as much as is open, in the order given, and leaves out what gets nothing", () => {
    const items = [invoice("a", 600n), invoice("b", 300n), invoice("c", 500n)];
    const { own, remainder } = decidePayment(
      payment(
        900n,
        items.map((one) => ({ item: one })),
      ),
      OPEN,
    );
    expect(own.map(({ debit, allocation }) => [debit.id, allocation.amount])).toEqual([
      ["a", 600n],
      ["b", 300n],
    ]);
    expect(remainder).toBe(0n);
  });

  it("applies a credit first: three invoices of 1,000 less a credit of 400 are one payment of 2,600", () => {
    const parts = [
      { item: invoice("a", 1000n) },
      { item: invoice("b", 1000n) },
      { item: invoice("c", 1000n) },
      { item: invoice("c", 1000n), credit: credit("n", 400n) },
    ];
    const { applied, own, remainder } = decidePayment(payment(2600n, parts), OPEN);
    expect(applied.map(({ allocation }) => allocation.amount)).toEqual([400n]);
    expect(own.map(({ allocation }) => allocation.amount)).toEqual([1000n, 1000n, 600n]);
    expect(own.map(({ debit }) => openAtLast(debit).open)).toEqual([0n, 0n, 0n]);
    expect(remainder).toBe(0n);
  });

  it("keeps the rest on customer credit where that is allowed", () => {
    const asked = { ...payment(1250n, [{}]), remainder: "customer_credit" as const };
    expect(decidePayment(asked, OPEN).remainder).toBe(250n);
  });

  it("begins on its own day, and on that of an invoice that is dated later", () => {
    const later = invoice("b", 1000n, { date: MARCH(25) });
    const { own } = decidePayment(payment(1500n, [{}, { item: later }]), OPEN);
    expect(own.map(({ allocation }) => allocation.date)).toEqual([MARCH(10), MARCH(25)]);
  });

  it("settles a whole invoice with a rounding, in both directions", () => {
    for (const rounding of [50n, -50n]) {
      const { own, remainder } = decidePayment(payment(1000n - rounding, [{ rounding }]), OPEN);
      expect([openAtLast(own[0]?.debit as OpenItem).open, remainder]).toEqual([0n, 0n]);
    }
  });

  it.each<[string, AskedPayment, unknown]>([
    [
      "is dated tomorrow",
      payment(1000n, [{}], { date: MARCH(21) }),
      ["PAYMENT_DATE_IN_FUTURE", { date: MARCH(21), today: TODAY }],
    ],
    [
      "is dated in a locked period",
      payment(1000n, [{}], { date: MARCH(1) }),
      ["PERIOD_LOCKED", { date: MARCH(1), period_lock_date: MARCH(1) }],
    ],
    [
      "names more than is open",
      payment(2000n, [{ amount: 1500n }]),
      ["PAYMENT_EXCEEDS_OPEN", { document_id: "a", open: 10 }],
    ],
    [
      "leaves something that was not allowed to stay",
      payment(1250n, [{}]),
      ["PAYMENT_EXCEEDS_OPEN", { remainder: 2.5 }],
    ],
    [
      "applies more of a credit than it has",
      payment(1000n, [{ credit: credit("n", 400n), amount: 500n }]),
      ["CREDIT_EXCEEDS_OPEN", { document_id: "n", open: 4 }],
    ],
  ])("is refused if it %s", (_, asked, expected) => {
    expect(refusal(() => decidePayment(asked, OPEN))).toEqual(expected);
  });
});

describe("a refund", () => {
  it("gives back credits, wholly", () => {
    const parts = [{ item: credit("n", 300n) }, { item: credit("m", 500n) }];
    const { own, remainder } = decidePayment(refund(400n, parts), OPEN);
    expect(own.map(({ credit: of, allocation }) => [of.id, allocation.amount])).toEqual([
      ["n", 300n],
      ["m", 100n],
    ]);
    expect(remainder).toBe(0n);
  });

  it.each<[string, AskedPayment, unknown]>([
    [
      "of more than is held",
      refund(800n, [{ item: credit("n", 300n) }]),
      ["CREDIT_EXCEEDS_OPEN", { remainder: 5 }],
    ],
    [
      "that names more than is held",
      refund(800n, [{ item: credit("n", 300n), amount: 800n }]),
      ["CREDIT_EXCEEDS_OPEN", { document_id: "n", open: 3 }],
    ],
  ])("%s is refused", (_, asked, expected) => {
    expect(refusal(() => decidePayment(asked, OPEN))).toEqual(expected);
  });
});

describe("the faults of a request", () => {
  it.each<[string, AskedPayment, string[]]>([
    ["none", payment(1000n, [{}]), []],
    [
      "another currency",
      payment(1000n, [{ item: invoice("a", 1n, { currency: "EUR" }) }]),
      ["allocations[0] invalid_value"],
    ],
    ["an invoice twice", payment(1000n, [{}, {}]), ["allocations[1] duplicate"]],
    [
      "a credit as what is paid",
      payment(1000n, [{ item: credit("n", 1n) }]),
      ["allocations[0] not_allowed"],
    ],
    ["an invoice as what is refunded", refund(1000n, [{}]), ["allocations[0] not_allowed"]],
    [
      "a rounding above the limit",
      payment(1000n, [{ rounding: -101n }]),
      ["allocations[0].rounding too_large"],
    ],
    [
      "named amounts above the payment",
      payment(1000n, [{ amount: 1001n }]),
      ["allocations too_large"],
    ],
    ["a refund of nothing", refund(1000n, []), ["allocations required"]],
    [
      "a refund with a remainder",
      { ...refund(1000n, [{ item: credit("n", 1n) }]), remainder: "customer_credit" },
      ["remainder not_allowed"],
    ],
  ])("%s", (_, asked, expected) => {
    const faults = partFaults(asked, 100n).map(({ field, code }) => `${field} ${code}`);
    expect(faults).toEqual(expected);
  });
});
