/** What the bank credits or debits, and what must be sent. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import { bankAmountFaults, bankAmountOf, type MoneyFacts, type MovedMoney } from "./bank-amount.ts";

const DAY = "2026-03-10" as CalendarDate;
const OLD = "2026-01-02" as CalendarDate;

const money = (fields: Partial<MovedMoney>): MovedMoney => ({
  kind: "payment",
  date: DAY,
  currency: "DKK",
  amount: 1000_00n,
  bank_amount: null,
  fee: 0n,
  ...fields,
});
const facts = (fields: Partial<MoneyFacts> = {}): MoneyFacts => ({
  functional_currency: "DKK",
  bank_currency: "DKK",
  rate: { date: DAY, rate_micro: 7_460_000n },
  rate_max_age_days: null,
  ...fields,
});
const EUR = { currency: "EUR" };
const EUR_ACCOUNT = facts({ bank_currency: "EUR" });

describe("the amount of the bank", () => {
  it.each<[string, MovedMoney, MoneyFacts, bigint]>([
    ["is the payment", money({}), facts(), 1000_00n],
    ["is the payment less the fee", money({ fee: 15_00n }), facts(), 985_00n],
    ["is the refund plus the fee", money({ kind: "refund", fee: 5_00n }), facts(), 1005_00n],
    ["is what was sent", money({ ...EUR, bank_amount: 7455_00n }), facts(), 7455_00n],
    ["of an account in the currency is at the rate of the day", money(EUR), EUR_ACCOUNT, 7460_00n],
    ["… less the fee", money({ ...EUR, fee: 10_00n }), EUR_ACCOUNT, 7450_00n],
  ])("%s", (_, asked, known, expected) => {
    expect(bankAmountFaults(asked, known)).toEqual([]);
    expect(bankAmountOf(asked, known)).toBe(expected);
  });

  it.each<[string, MovedMoney, MoneyFacts, string]>([
    [
      "another amount in functional currency",
      money({ bank_amount: 999_00n }),
      facts(),
      "bank_amount invalid_value",
    ],
    [
      "nothing sent for an account in another currency",
      money(EUR),
      facts(),
      "bank_amount required",
    ],
    ["a fee of the whole payment", money({ fee: 1000_00n }), facts(), "fee too_large"],
    [
      "a fee of a foreign refund",
      money({ ...EUR, kind: "refund", bank_amount: 5n, fee: 5n }),
      facts(),
      "fee too_large",
    ],
  ])("has a fault: %s", (_, asked, known, expected) => {
    const faults = bankAmountFaults(asked, known).map(({ field, code }) => `${field} ${code}`);
    expect(faults).toEqual([expected]);
  });

  it.each([
    ["is missing", null],
    ["is too old", { date: OLD, rate_micro: 7_460_000n }],
  ])("is refused where the rate %s", (_, rate) => {
    const known = { ...EUR_ACCOUNT, rate, rate_max_age_days: 7 };
    expect(() => bankAmountOf(money(EUR), known)).toThrow(Problem);
  });
});
