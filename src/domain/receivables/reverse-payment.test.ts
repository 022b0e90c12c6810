/** The day of a reversal, and what cannot be reversed. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import { requireAllocationReversible, requireReversible } from "./reverse-payment.ts";

const MARCH = (day: number) => `2026-03-${String(day).padStart(2, "0")}` as CalendarDate;
const facts = (asked: CalendarDate | null, fields: object = {}) => ({
  asked,
  today: MARCH(20),
  lock: { period_lock_date: MARCH(8) },
  ...fields,
});
const allocation = (fields: object = {}) => ({
  date: MARCH(5),
  reversed_on: null,
  debit: { kind: "invoice" },
  ...fields,
});
const payment = (...allocations: ReturnType<typeof allocation>[]) => ({
  kind: "payment" as const,
  date: MARCH(5),
  reversed_on: null,
  allocations,
});

const codeOf = (work: () => unknown): string | null => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.extras.field_errors?.[0]?.code ?? error.code;
  }
  return null;
};

describe("the day of a reversal", () => {
  it.each([
    ["is today", payment(allocation()), null, MARCH(20)],
    ["is the one asked for", payment(allocation()), MARCH(9), MARCH(9)],
    [
      "is that of its last allocation where that is later",
      payment(allocation({ date: MARCH(25) })),
      null,
      MARCH(25),
    ],
    [
      "is that of the end of an allocation",
      payment(allocation({ reversed_on: MARCH(28) })),
      null,
      MARCH(28),
    ],
  ])("%s", (_, one, asked, expected) => {
    expect(requireReversible(one, facts(asked))).toBe(expected);
  });

  it.each([
    [
      "before its last allocation",
      payment(allocation({ date: MARCH(12) })),
      MARCH(11),
      "too_small",
    ],
    ["in the future", payment(allocation()), MARCH(21), "PAYMENT_DATE_IN_FUTURE"],
    ["in a locked period", payment(allocation()), MARCH(8), "PERIOD_LOCKED"],
    ["of a reversed payment", { ...payment(), reversed_on: MARCH(9) }, null, "PAYMENT_REVERSED"],
    [
      "of a refunded payment",
      payment(allocation({ debit: { kind: "refund" } })),
      null,
      "PAYMENT_REFUNDED",
    ],
  ])("is refused %s", (_, one, asked, expected) => {
    expect(codeOf(() => requireReversible(one, facts(asked)))).toBe(expected);
  });

  it("of a payment whose refund is reversed is free again", () => {
    const given = allocation({ debit: { kind: "refund" }, reversed_on: MARCH(10) });
    expect(requireReversible(payment(given), facts(null))).toBe(MARCH(20));
  });
});

describe("one allocation", () => {
  const items = (kind: "invoice" | "refund", ended_on: CalendarDate | null = null) => [
    { kind, ended_on },
  ];
  it.each([
    [
      "is reversed already",
      allocation({ reversed_on: MARCH(9) }),
      items("invoice"),
      "ALLOCATION_REVERSED",
    ],
    ["is what a refund gave back", allocation(), items("refund"), "PAYMENT_REFUNDED"],
    [
      "is of a document that was settled elsewhere",
      allocation(),
      items("invoice", MARCH(9)),
      "ITEM_SETTLED",
    ],
  ])("cannot be reversed where it %s", (_, one, of, expected) => {
    expect(codeOf(() => requireAllocationReversible(one, of, facts(null)))).toBe(expected);
  });

  it("is reversed not before it began", () => {
    const one = allocation({ date: MARCH(12) });
    expect(requireAllocationReversible(one, items("invoice"), facts(MARCH(12)))).toBe(MARCH(12));
    const early = () => requireAllocationReversible(one, items("invoice"), facts(MARCH(11)));
    expect(codeOf(early)).toBe("too_small");
  });
});
