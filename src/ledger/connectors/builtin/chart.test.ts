/** The chart of every new account: its numbers are keys, its types determine the signs. */
import { expect, it } from "vitest";
import { ACCOUNT_ROLES, DEFAULT_REVENUE, OUTPUT_VAT, RECEIVABLES, standardChart } from "./chart.ts";

const typeOf = (number: number) => standardChart.find((account) => account.number === number)?.type;

it("has each number once, in ascending order", () => {
  const numbers = standardChart.map((account) => account.number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

it("has the accounts of postings with the types of their signs", () => {
  expect(typeOf(DEFAULT_REVENUE)).toBe("income");
  expect(typeOf(RECEIVABLES)).toBe("asset");
  expect(typeOf(OUTPUT_VAT)).toBe("liability");
  expect(typeOf(ACCOUNT_ROLES.contract_asset)).toBe("asset");
  expect(typeOf(ACCOUNT_ROLES.contract_liability)).toBe("liability");
  expect(typeOf(ACCOUNT_ROLES.exchange_difference)).toBe("expense");
  expect(typeOf(ACCOUNT_ROLES.customer_credit)).toBe("liability");
  expect(typeOf(ACCOUNT_ROLES.rounding)).toBe("expense");
  expect(typeOf(ACCOUNT_ROLES.payment_fee)).toBe("expense");
  expect(typeOf(ACCOUNT_ROLES.reminder_fee)).toBe("income");
  expect(typeOf(ACCOUNT_ROLES.interest_income)).toBe("income");
});

it("has a VAT code for every account of sales and for no other account", () => {
  const { reminder_fee, interest_income } = ACCOUNT_ROLES;
  const sells_nothing: number[] = [reminder_fee, interest_income];
  for (const { number, name, type, vat_code } of standardChart) {
    const is_for_sales = type === "income" && !sells_nothing.includes(number);
    expect(vat_code !== null, name).toBe(is_for_sales);
  }
});

it("maps each account to a number of the public standard chart", () => {
  for (const account of standardChart) {
    expect(account.standard_number).toBeGreaterThanOrEqual(1000);
    expect(account.name.trim()).toBe(account.name);
    expect(account.name).not.toBe("");
  }
  expect(standardChart.find((account) => account.number === 1000)?.standard_number).toBe(1010);
});
