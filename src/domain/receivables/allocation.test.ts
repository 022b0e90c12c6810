/** Allocations: their day, their functional amounts, and what is open on every day before and after. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate } from "../base/calendar.ts";
import { type Allocated, type AskedAllocation, allocateItems } from "./allocation.ts";
import { daysOfChange, type OpenItem, openAtLast, openOn } from "./open-item.ts";

const MARCH = (day: number) => `2026-03-${String(day).padStart(2, "0")}` as CalendarDate;

function item(given: Partial<OpenItem> & Pick<OpenItem, "amount">): OpenItem {
  return {
    id: "item",
    kind: "invoice",
    is_credit: false,
    customer_id: "acme",
    currency: "DKK",
    date: MARCH(1),
    ended_on: null,
    functional: given.amount,
    takes: [],
    ...given,
  };
}

function invoice(amount: bigint, given: Partial<OpenItem> = {}) {
  return item({ amount, ...given });
}

function payment(amount: bigint, given: Partial<OpenItem> = {}) {
  return item({ amount, kind: "payment", is_credit: true, ...given });
}

function allocated(
  asked: Pick<AskedAllocation, "debit" | "credit" | "amount"> & Partial<AskedAllocation>,
) {
  const outcome = allocateItems({ rounding: 0n, date: null, ...asked });
  if (outcome.state !== "allocated") throw new Error(`no room: ${outcome.open}`);
  return outcome;
}

describe("the day of an allocation", () => {
  it("is the later day of both items unless a later one is asked for", () => {
    const debit = invoice(1000n, { date: MARCH(1) });
    const credit = payment(1000n, { date: MARCH(5) });
    expect(allocated({ debit, credit, amount: 500n }).allocation.date).toBe(MARCH(5));
    const later = allocated({ debit, credit, amount: 500n, date: MARCH(9) });
    expect(later.allocation.date).toBe(MARCH(9));
  });

  it("is that of the invoice where the money came before it", () => {
    const debit = invoice(1000n, { date: MARCH(20) });
    const credit = payment(500n, { date: MARCH(10) });
    const { allocation, debit: after } = allocated({ debit, credit, amount: 500n });
    expect(allocation.date).toBe(MARCH(20));
    expect([MARCH(19), MARCH(20)].map((day) => openOn(after, day).open)).toEqual([0n, 500n]);
  });

  it("waits until an allocation that is dated later has been reversed", () => {
    const taken = { date: MARCH(10), reversed_on: MARCH(15), amount: 800n, functional: 800n };
    const debit = invoice(1000n, { takes: [taken] });
    const { allocation } = allocated({ debit, credit: payment(500n), amount: 500n });
    expect(allocation.date).toBe(MARCH(15));
  });

  it("does not exist where less is open: the refusal says how much", () => {
    const asked = { rounding: 0n, date: null };
    const small = allocateItems({
      ...asked,
      debit: invoice(400n),
      credit: payment(500n),
      amount: 500n,
    });
    expect(small).toEqual({ state: "no_room", of: "debit", open: 400n });
    const poor = allocateItems({
      ...asked,
      debit: invoice(500n),
      credit: payment(400n),
      amount: 500n,
    });
    expect(poor).toEqual({ state: "no_room", of: "credit", open: 400n });
  });
});

describe("functional amounts", () => {
  it("follow running totals: the last part takes the rest (EUR 1,000 at 7.46)", () => {
    const debit = invoice(100_000n, { currency: "EUR", functional: 746_000n });
    const first = payment(33_333n, { currency: "EUR", functional: 248_500n });
    const one = allocated({ debit, credit: first, amount: 33_333n });
    expect(one.allocation).toMatchObject({
      debit_functional: 248_664n,
      credit_functional: 248_500n,
      exchange_difference: -164n,
    });
    expect(openAtLast(one.debit)).toEqual({ open: 66_667n, functional: 497_336n });
    const second = payment(66_667n, { currency: "EUR", functional: 497_500n });
    const two = allocated({ debit: one.debit, credit: second, amount: 66_667n });
    expect(two.allocation).toMatchObject({
      debit_functional: 497_336n,
      credit_functional: 497_500n,
      exchange_difference: 164n,
    });
    expect(openAtLast(two.debit)).toEqual({ open: 0n, functional: 0n });
  });

  it("give the rounding its share of what the debit item posted", () => {
    const { allocation } = allocated({
      debit: invoice(100_000n),
      credit: payment(99_950n),
      amount: 99_950n,
      rounding: 50n,
    });
    expect(allocation).toMatchObject({ rounding_functional: 50n, exchange_difference: 0n });
  });

  it("take of the debit item less than the amount where the customer paid more", () => {
    const { debit, credit } = allocated({
      debit: invoice(100_000n),
      credit: payment(100_030n),
      amount: 100_030n,
      rounding: -30n,
    });
    expect([openAtLast(debit).open, openAtLast(credit).open]).toEqual([0n, 0n]);
  });

  it("are those of the credit note where it is the invoice's own, and the rest of the last one", () => {
    const debit = invoice(300n, { currency: "EUR", functional: 2_238n });
    const note = (amount: bigint, functional: bigint) =>
      payment(amount, { kind: "credit_note", currency: "EUR", functional });
    const is_own_credit = true;
    const first = allocated({ debit, credit: note(100n, 745n), amount: 100n, is_own_credit });
    expect(first.allocation).toMatchObject({ debit_functional: 745n, exchange_difference: 0n });
    const last = allocated({
      debit: first.debit,
      credit: note(200n, 1_492n),
      amount: 200n,
      is_own_credit,
    });
    expect(last.allocation).toMatchObject({ debit_functional: 1_493n, exchange_difference: -1n });
  });
});

describe("the state of a day", () => {
  const amount = fc.bigInt(1n, 500n);
  const step = fc.record({
    of: fc.nat(3),
    amount,
    rounding: fc.constantFrom(-1n, 0n, 0n, 1n),
    day: fc.nat(40),
    takes_back: fc.boolean(),
  });

  it("never changes by what is dated later, and is never below 0", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ amount, day: fc.nat(30), functional: fc.bigInt(1n, 4_000n) }), {
          minLength: 4,
          maxLength: 4,
        }),
        fc.array(step, { maxLength: 12 }),
        (credits, steps) => {
          let debit = invoice(1_000n, { currency: "EUR", functional: 7_461n });
          const items = credits.map(({ amount: whole, functional, day }) =>
            payment(whole, { currency: "EUR", functional, date: addDays(MARCH(1), day) }),
          );
          for (const one of steps) {
            const before = debit;
            if (one.takes_back) debit = takenBack(debit, one.of);
            else debit = afterStep(debit, items, one) ?? debit;
            const changed = firstNew(before, debit);
            for (let day = MARCH(1); day < addDays(MARCH(1), 90); day = addDays(day, 1)) {
              const now = openOn(debit, day);
              expect(now.open >= 0n && now.functional >= 0n).toBe(true);
              if (changed === null || day < changed) expect(now).toEqual(openOn(before, day));
            }
          }
        },
      ),
    );
  });

  function afterStep(
    debit: OpenItem,
    items: OpenItem[],
    one: { of: number; amount: bigint; rounding: bigint; day: number },
  ): OpenItem | null {
    const credit = items[one.of];
    if (credit === undefined || one.amount + one.rounding <= 0n) return null;
    const outcome = allocateItems({
      debit,
      credit,
      amount: one.amount,
      rounding: one.rounding,
      date: addDays(MARCH(1), one.day),
    });
    if (outcome.state === "no_room") return null;
    items[one.of] = outcome.credit;
    expectBalanced(outcome);
    return outcome.debit;
  }

  function expectBalanced({ allocation, debit, credit }: Allocated): void {
    const { debit_functional, credit_functional, rounding_functional } = allocation;
    expect(allocation.exchange_difference).toBe(
      credit_functional + rounding_functional - debit_functional,
    );
    for (const one of [debit, credit]) {
      const { open, functional } = openAtLast(one);
      if (open === 0n) expect(functional).toBe(0n);
    }
  }

  function takenBack(debit: OpenItem, at: number): OpenItem {
    const last = daysOfChange(debit).at(-1) ?? debit.date;
    const takes = debit.takes.map((take, index) =>
      index === at && take.reversed_on === null ? { ...take, reversed_on: last } : take,
    );
    return { ...debit, takes };
  }

  function firstNew(before: OpenItem, after: OpenItem): CalendarDate | null {
    if (after.takes.length > before.takes.length) return after.takes.at(-1)?.date ?? null;
    const index = after.takes.findIndex(
      (take, at) => take.reversed_on !== before.takes[at]?.reversed_on,
    );
    return after.takes[index]?.reversed_on ?? null;
  }
});
