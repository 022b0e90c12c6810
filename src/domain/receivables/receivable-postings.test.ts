/** The entries of payments, allocations, reminders and opening items: the rows of spec 13.3. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import {
  type DatedPostings,
  entryOfAllocation,
  entryOfOpening,
  entryOfPayment,
  entryOfReminder,
  type PostedAllocation,
  type PostedPayment,
  reversalOf,
} from "./receivable-postings.ts";

const DAY = "2026-01-10" as CalendarDate;
const LATER = "2026-01-20" as CalendarDate;

function payment(given: Partial<PostedPayment> & Pick<PostedPayment, "amount">): PostedPayment {
  return {
    kind: "payment",
    date: DAY,
    customer_id: "acme",
    is_foreign: false,
    bank_amount: given.amount,
    fee: 0n,
    allocations: [],
    ...given,
  };
}

function allocation(amount: bigint, given: Partial<PostedAllocation> = {}): PostedAllocation {
  return {
    date: DAY,
    amount,
    rounding: 0n,
    debit_functional: amount + (given.rounding ?? 0n),
    credit_functional: amount,
    rounding_functional: given.rounding ?? 0n,
    exchange_difference: 0n,
    debit: { account: "receivables", customer_id: "acme" },
    credit: { account: "customer_credit", customer_id: "acme" },
    ...given,
  };
}

/** Returns an entry as text: `bank 1000, receivables -1000`. Expects that it is balanced in both currencies. */
function textOf({ postings }: DatedPostings): string {
  expect(postings.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
  expect(postings.reduce((sum, one) => sum + one.currency_amount, 0n)).toBe(0n);
  return postings.map(({ role, amount }) => `${role} ${amount}`).join(", ");
}

/** The entry of a payment, and those of its allocations that begin later. */
function entriesOfPayment(one: PostedPayment): DatedPostings[] {
  const later = one.allocations.filter(({ date }) => date !== one.date);
  return [entryOfPayment(one), ...later.map(entryOfAllocation)];
}

const NOTE = { account: "receivables", customer_id: "acme" } as const;

describe("a payment", () => {
  it.each<[string, PostedPayment, string[]]>([
    [
      "of an invoice",
      payment({ amount: 1_250_000n, allocations: [allocation(1_250_000n)] }),
      ["bank 1250000, receivables -1250000"],
    ],
    [
      "of a part in a foreign currency, with a loss",
      payment({
        amount: 33_333n,
        is_foreign: true,
        bank_amount: 248_500n,
        allocations: [
          allocation(33_333n, {
            debit_functional: 248_664n,
            credit_functional: 248_500n,
            exchange_difference: -164n,
          }),
        ],
      }),
      ["bank 248500, receivables -248664, exchange_difference 164"],
    ],
    [
      "of which something is left",
      payment({ amount: 125_000n, allocations: [allocation(100_000n)] }),
      ["bank 125000, customer_credit -25000, receivables -100000"],
    ],
    [
      "with a rounding",
      payment({ amount: 99_950n, allocations: [allocation(99_950n, { rounding: 50n })] }),
      ["bank 99950, receivables -100000, rounding 50"],
    ],
    [
      "of which a card company keeps a fee",
      payment({
        amount: 100_000n,
        bank_amount: 98_500n,
        fee: 1_500n,
        allocations: [allocation(100_000n)],
      }),
      ["bank 98500, payment_fee 1500, receivables -100000"],
    ],
    [
      "that came before its invoice",
      payment({ amount: 50_000n, allocations: [allocation(50_000n, { date: LATER })] }),
      ["bank 50000, customer_credit -50000", "customer_credit 50000, receivables -50000"],
    ],
  ])("%s", (_name, one, expected) => {
    expect(entriesOfPayment(one).map(textOf)).toEqual(expected);
  });
});

describe("a refund", () => {
  const refunded = (credit: PostedAllocation["credit"], amount: bigint) =>
    allocation(amount, { credit, debit: { account: "customer_credit", customer_id: "acme" } });

  it("of a credit note on a paid invoice", () => {
    const one = payment({
      kind: "refund",
      amount: 40_000n,
      allocations: [refunded(NOTE, 40_000n)],
    });
    expect(entriesOfPayment(one).map(textOf)).toEqual(["bank -40000, receivables 40000"]);
  });

  it("of customer credit, of which the bank takes a fee", () => {
    const one = payment({
      kind: "refund",
      amount: 25_000n,
      bank_amount: 25_500n,
      fee: 500n,
      allocations: [refunded({ account: "customer_credit", customer_id: "acme" }, 25_000n)],
    });
    expect(entriesOfPayment(one).map(textOf)).toEqual([
      "bank -25500, payment_fee 500, customer_credit 25000",
    ]);
  });
});

describe("an allocation by itself", () => {
  it("of customer credit", () => {
    expect(textOf(entryOfAllocation(allocation(25_000n)))).toBe(
      "customer_credit 25000, receivables -25000",
    );
  });

  it("of a credit note of the same customer moves nothing", () => {
    expect(entryOfAllocation(allocation(40_000n, { credit: NOTE })).postings).toEqual([]);
  });

  it("of a credit note of another customer moves the receivable", () => {
    const credit = { account: "receivables", customer_id: "beta" } as const;
    const { postings } = entryOfAllocation(allocation(40_000n, { credit }));
    expect(postings.map(({ customer_id, amount }) => [customer_id, amount])).toEqual([
      ["beta", 40_000n],
      ["acme", -40_000n],
    ]);
  });

  it("of a credit note at another rate posts the difference", () => {
    const one = allocation(10_000n, {
      credit: NOTE,
      credit_functional: 74_700n,
      debit_functional: 74_600n,
      exchange_difference: 100n,
    });
    expect(textOf(entryOfAllocation(one))).toBe("receivables 100, exchange_difference -100");
  });
});

describe("what posts without a payment", () => {
  const both = (amount: bigint) => ({ functional: amount, currency: amount });

  it("is a reminder", () => {
    const entry = entryOfReminder({
      date: DAY,
      customer_id: "acme",
      charges: both(41_000n),
      interest: both(8_342n),
    });
    expect(textOf(entry)).toBe("receivables 49342, reminder_fee -41000, interest_income -8342");
  });

  it("is an opening item, turned for a credit", () => {
    const item = { date: DAY, customer_id: "acme", amount: both(500_000n) };
    expect(textOf(entryOfOpening({ ...item, is_credit: false }))).toBe(
      "receivables 500000, counter_account -500000",
    );
    expect(textOf(entryOfOpening({ ...item, is_credit: true }))).toBe(
      "receivables -500000, counter_account 500000",
    );
  });
});

describe("a reversal", () => {
  const entries = entriesOfPayment(
    payment({ amount: 50_000n, allocations: [allocation(50_000n, { date: LATER })] }),
  );

  it("turns every sign in one entry of its day", () => {
    const reversal = reversalOf(entries, LATER);
    expect(reversal.date).toBe(LATER);
    expect(textOf(reversal)).toBe("bank -50000, receivables 50000");
  });

  it("posts what the bank charges for it", () => {
    expect(textOf(reversalOf(entries, LATER, 5_000n))).toBe(
      "bank -55000, receivables 50000, payment_fee 5000",
    );
  });
});
