/** Which uses of accounts exclude one another. */
import { describe, expect, it } from "vitest";
import { accountsWithoutSales, roleFaults, type UsedAccounts } from "./account-roles.ts";

const usual: UsedAccounts = {
  contract_asset: 6240,
  contract_liability: 8070,
  exchange_difference: 3610,
  customer_credit: 7410,
  rounding: 2720,
  payment_fee: 2390,
  reminder_fee: 1550,
  interest_income: 3490,
  default_revenue: 1000,
};

describe("roleFaults", () => {
  it.each<[string, Partial<UsedAccounts>, string[]]>([
    ["the usual accounts", {}, []],
    ["customer credit on another role's account", { customer_credit: 8070 }, ["customer_credit"]],
    ["customer credit on receivables", { customer_credit: 6190 }, ["customer_credit"]],
    ["customer credit on charged VAT", { customer_credit: 7680 }, ["customer_credit"]],
    ["another role on customer credit", { contract_liability: 7410 }, ["contract_liability"]],
    ["reminder fees on the default revenue", { reminder_fee: 1000 }, ["reminder_fee"]],
    ["the default revenue on interest", { default_revenue: 3490 }, ["default_revenue_account"]],
    ["interest on an account of a product", { interest_income: 1010 }, ["interest_income"]],
    ["the default revenue on an account of a product", { default_revenue: 1010 }, []],
    ["fees and interest together", { interest_income: 1550 }, []],
    ["roundings with exchange differences", { rounding: 3610 }, []],
    ["contract assets on the account of a bank", { contract_asset: 6480 }, ["contract_asset"]],
    ["roles without an account", { customer_credit: null, rounding: null }, []],
  ])("%s", (_, change, fields) => {
    const faults = roleFaults(
      { ...usual, ...change },
      Object.keys(change) as (keyof UsedAccounts)[],
      { control: [6190, 7680], of_banks: [6480], sold_on: [1010] },
    );
    expect(faults.map(({ field }) => field.replace("account_roles.", ""))).toEqual(fields);
    expect(faults.every(({ code }) => code === "not_allowed")).toBe(true);
  });

  it("leaves what a request does not name", () => {
    const none = { control: [], of_banks: [], sold_on: [] };
    expect(roleFaults({ ...usual, customer_credit: 8070 }, ["rounding"], none)).toEqual([]);
  });
});

it("sells nothing on the accounts of reminders and roundings", () => {
  expect([...accountsWithoutSales({ ...usual, rounding: null })]).toEqual([1550, 3490]);
});
