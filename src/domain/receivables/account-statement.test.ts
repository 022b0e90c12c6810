/** Statements of account: every kind of change, and that the balance is always what is open. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { accountStatement, type StatedAllocation } from "./account-statement.ts";
import type { NumberedItem } from "./item-of-document.ts";
import { openOn } from "./open-item.ts";

const US = "01990000-0000-7000-8000-0000000000aa";
const THEM = "01990000-0000-7000-8000-0000000000bb";
const day = (text: string): CalendarDate => `2026-${text}` as CalendarDate;

function item(kind: NumberedItem["kind"], number: string, given: Partial<NumberedItem> = {}) {
  const is_credit = kind === "payment" || kind === "credit_note";
  const amount = given.amount ?? 1000n;
  return {
    id: `${kind} ${number}`,
    kind,
    is_credit,
    customer_id: US,
    number,
    currency: "DKK",
    date: day("01-10"),
    due_date: is_credit ? null : day("02-10"),
    ended_on: null,
    functional: amount,
    takes: [],
    ...given,
    amount,
  } satisfies NumberedItem;
}

function allocation(
  debit: NumberedItem,
  credit: NumberedItem,
  amount: Money,
  date: CalendarDate,
  given: Partial<StatedAllocation> = {},
): StatedAllocation {
  return { debit, credit, amount, rounding: 0n, date, reversed_on: null, ...given };
}

/** The items with what the allocations take of them. */
function taken(items: readonly NumberedItem[], allocations: readonly StatedAllocation[]) {
  return items.map(
    (one): NumberedItem => ({
      ...one,
      takes: allocations
        .filter(({ debit, credit }) => [debit.id, credit.id].includes(one.id))
        .map(({ amount, rounding, date, reversed_on }) => ({
          date,
          reversed_on,
          amount: one.is_credit ? amount : amount + rounding,
          functional: 0n,
        })),
    }),
  );
}

interface Books {
  readonly items: readonly NumberedItem[];
  readonly allocations: readonly StatedAllocation[];
}

function stated({ items, allocations }: Books, from = day("01-01"), to = day("12-31")) {
  const own = taken(items, allocations).filter(({ customer_id }) => customer_id === US);
  const statement = accountStatement({ customer_id: US, from, to }, own, allocations);
  const open = own.reduce((sum, one) => {
    const { open: left } = openOn(one, to);
    return one.is_credit ? sum - left : sum + left;
  }, 0n);
  expect(statement.closing_balance).toBe(open);
  expect(statement.aging.total - statement.unapplied).toBe(open);
  return statement;
}

/** The lines in short: day, kind, number, debit less credit, balance. */
const linesOf = (statement: ReturnType<typeof stated>) =>
  statement.lines.map(
    ({ date, kind, number, is_reversal, debit, credit, balance }) =>
      `${date.slice(5)} ${kind} ${number}${is_reversal ? " back" : ""} ${debit - credit} = ${balance}`,
  );

const invoice = item("invoice", "47");
const second = item("invoice", "48", { date: day("03-01"), due_date: day("03-31"), amount: 400n });
const payment = item("payment", "12", { date: day("02-01"), amount: 1250n });

const CASES: readonly (readonly [string, Books, readonly string[]])[] = [
  ["nothing", { items: [], allocations: [] }, []],
  [
    "an invoice with a payment for it",
    {
      items: [invoice, item("payment", "12", { date: day("02-01") })],
      allocations: [allocation(invoice, item("payment", "12"), 1000n, day("02-01"))],
    },
    ["01-10 invoice 47 1000 = 1000", "02-01 payment 12 -1000 = 0"],
  ],
  [
    "a payment of more, of which the rest is applied later",
    {
      items: [invoice, second, payment],
      allocations: [
        allocation(invoice, payment, 1000n, day("02-01")),
        allocation(second, payment, 250n, day("03-02")),
      ],
    },
    ["01-10 invoice 47 1000 = 1000", "02-01 payment 12 -1250 = -250", "03-01 invoice 48 400 = 150"],
  ],
  [
    "a rounding, which is reversed with its payment",
    {
      items: [
        invoice,
        item("payment", "12", { date: day("02-01"), amount: 995n, ended_on: day("02-20") }),
      ],
      allocations: [
        allocation(invoice, item("payment", "12"), 995n, day("02-01"), {
          rounding: 5n,
          reversed_on: day("02-20"),
        }),
      ],
    },
    [
      "01-10 invoice 47 1000 = 1000",
      "02-01 payment 12 -995 = 5",
      "02-01 rounding 47 -5 = 0",
      "02-20 payment 12 back 995 = 995",
      "02-20 rounding 47 back 5 = 1000",
    ],
  ],
  [
    "a credit note on a paid invoice, which is refunded",
    {
      items: [
        invoice,
        item("payment", "12", { date: day("02-01") }),
        item("credit_note", "5", { date: day("02-10"), amount: 400n }),
        item("refund", "13", { date: day("02-11"), amount: 400n, due_date: null }),
      ],
      allocations: [
        allocation(invoice, item("payment", "12"), 1000n, day("02-01")),
        allocation(item("refund", "13"), item("credit_note", "5"), 400n, day("02-11")),
      ],
    },
    [
      "01-10 invoice 47 1000 = 1000",
      "02-01 payment 12 -1000 = 0",
      "02-10 credit_note 5 -400 = -400",
      "02-11 refund 13 400 = 0",
    ],
  ],
  [
    "another customer's payment, and a payment of another customer's invoice",
    {
      items: [invoice, item("payment", "14", { date: day("02-03"), amount: 70n })],
      allocations: [
        allocation(invoice, item("payment", "13", { customer_id: THEM }), 600n, day("02-02")),
        allocation(
          item("invoice", "9", { customer_id: THEM }),
          item("payment", "14"),
          70n,
          day("02-03"),
          { reversed_on: day("02-05") },
        ),
      ],
    },
    [
      "01-10 invoice 47 1000 = 1000",
      "02-02 transfer 47 -600 = 400",
      "02-03 payment 14 -70 = 330",
      "02-03 transfer 14 70 = 400",
      "02-05 transfer 14 back -70 = 330",
    ],
  ],
  [
    "an invoice that was settled before, less what was credited",
    {
      items: [
        item("invoice", "47", { ended_on: day("06-30") }),
        item("credit_note", "5", { date: day("02-10"), amount: 400n }),
      ],
      allocations: [allocation(invoice, item("credit_note", "5"), 400n, day("02-10"))],
    },
    [
      "01-10 invoice 47 1000 = 1000",
      "02-10 credit_note 5 -400 = 600",
      "06-30 invoice 47 back -600 = 0",
    ],
  ],
  [
    "a cancelled reminder, and numbers of one day in their order",
    {
      items: [
        item("invoice", "100"),
        item("invoice", "99"),
        item("reminder", "3", { ended_on: day("01-10"), amount: 100n }),
      ],
      allocations: [],
    },
    [
      "01-10 invoice 99 1000 = 1000",
      "01-10 invoice 100 1000 = 2000",
      "01-10 reminder 3 100 = 2100",
      "01-10 reminder 3 back -100 = 2000",
    ],
  ],
];

describe("accountStatement", () => {
  it.each(CASES)("shows %s", (_what, books, lines) => {
    expect(linesOf(stated(books))).toEqual(lines);
  });

  it.each(CASES)("begins on any day with what was open before: %s", (_what, books) => {
    const whole = stated(books);
    for (const from of [day("01-10"), day("02-01"), day("02-02"), day("02-20"), day("07-01")]) {
      const before = [...whole.lines].reverse().find(({ date }) => date < from);
      const part = stated(books, from);
      expect(part.opening_balance).toBe(before?.balance ?? 0n);
      expect(part.lines).toEqual(whole.lines.filter(({ date }) => date >= from));
      expect(stated(books, day("01-01"), from).closing_balance).toBe(
        stated(books, from, from).closing_balance,
      );
    }
  });

  it("names what a payment is applied to on the last day", () => {
    const [, books] = CASES[2] ?? [];
    if (books === undefined) throw new Error("no case");
    const appliedUntil = (to: CalendarDate) =>
      stated(books, day("01-01"), to).lines.find(({ kind }) => kind === "payment")?.applied;
    const first = { kind: "invoice", number: "47", amount: 1000n };
    expect(appliedUntil(day("03-01"))).toEqual([first]);
    expect(appliedUntil(day("03-02"))).toEqual([
      first,
      { kind: "invoice", number: "48", amount: 250n },
    ]);
  });

  it("shows what is owed by age, and what is held", () => {
    const held = item("payment", "12", { date: day("03-05"), amount: 70n });
    const { aging, unapplied, closing_balance } = stated(
      { items: [invoice, second, held], allocations: [] },
      day("01-01"),
      day("03-20"),
    );
    expect(aging).toMatchObject({ not_due: 400n, days_31_60: 1000n, total: 1400n });
    expect([unapplied, closing_balance]).toEqual([70n, 1330n]);
  });
});
