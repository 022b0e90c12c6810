/** What is paid of an invoice on a day. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { type Given, paymentAt } from "./payment-state.ts";

const day = (text: string) => text as CalendarDate;
const INVOICE = { gross: 1_000n, due_date: day("2026-03-10"), settled_on: null };

function given(by: Given["by"], amount: bigint, more: Partial<Given> = {}): Given {
  return { by, amount, rounding: 0n, date: day("2026-03-05"), reversed_on: null, ...more };
}

describe("an invoice", () => {
  it.each<[string, Given[], string, object]>([
    [
      "nothing came, due today",
      [],
      "2026-03-10",
      { state: "open", is_overdue: false, open: 1_000n },
    ],
    [
      "nothing came, due yesterday",
      [],
      "2026-03-11",
      { state: "open", is_overdue: true, days_overdue: 1 },
    ],
    [
      "a part came",
      [given("payment", 400n)],
      "2026-03-11",
      { state: "partly_paid", open: 600n, is_overdue: true },
    ],
    [
      "a part before its day",
      [given("payment", 400n)],
      "2026-03-04",
      { state: "open", open: 1_000n },
    ],
    [
      "all came",
      [given("payment", 1_000n)],
      "2026-03-11",
      { state: "paid", paid_on: "2026-03-05", is_overdue: false },
    ],
    [
      "all but a rounding",
      [given("payment", 999n, { rounding: 1n })],
      "2026-03-11",
      { state: "paid", rounding: 1n, open: 0n },
    ],
    [
      "credited in part",
      [given("credit", 400n)],
      "2026-03-05",
      { state: "open", credited: 400n, open: 600n },
    ],
    [
      "credited in full",
      [given("credit", 1_000n)],
      "2026-03-05",
      { state: "credited", paid_on: null },
    ],
    [
      "credited and paid",
      [given("credit", 400n), given("payment", 600n)],
      "2026-03-05",
      { state: "paid", paid: 600n },
    ],
    [
      "reversed later, asked about before",
      [given("payment", 1_000n, { reversed_on: day("2026-03-20") })],
      "2026-03-19",
      { state: "paid" },
    ],
    [
      "reversed",
      [given("payment", 1_000n, { reversed_on: day("2026-03-20") })],
      "2026-03-20",
      { state: "open", days_overdue: 10, paid_on: null },
    ],
  ])("%s", (_name, all, at, expected) => {
    const payment = paymentAt(INVOICE, all, day(at));
    expect(payment).toMatchObject(expected);
    expect(payment.paid + payment.credited + payment.rounding + payment.open).toBe(payment.gross);
  });
});

describe("an invoice that was settled before receivables were begun", () => {
  const settled = { ...INVOICE, settled_on: day("2026-03-20") };

  it.each<[string, Given[], string, object]>([
    ["before", [], "2026-03-19", { state: "open", open: 1_000n, is_overdue: true }],
    ["on that day", [], "2026-03-20", { state: "paid", paid: 1_000n, open: 0n, paid_on: null }],
    [
      "and credited in part",
      [given("credit", 400n)],
      "2026-03-31",
      { state: "paid", paid: 600n, credited: 400n, is_overdue: false, paid_on: null },
    ],
    [
      "and credited in full",
      [given("credit", 1_000n)],
      "2026-03-31",
      { state: "credited", paid: 0n, credited: 1_000n },
    ],
  ])("%s", (_name, all, at, expected) => {
    expect(paymentAt(settled, all, day(at))).toMatchObject(expected);
  });
});
