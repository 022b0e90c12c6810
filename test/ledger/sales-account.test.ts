/** The account of a sale, by its VAT treatment and by whether the product names an account (spec 9.1 and 9.2). */
import { describe, expect, it } from "vitest";
import { accountAtHome, saleOf, salesAccount } from "../../src/domain/sales/sales-account.ts";
import type { VatCustomer } from "../../src/domain/sales/vat.ts";
import { type VatCode, vatCodes } from "../../src/domain/sales/vat-code.ts";
import { salesAccounts } from "../../src/ledger/connectors/builtin/chart.ts";

describe("the account of a line whose product names no account", () => {
  it.each<[VatCode, number]>([
    ["DK25", 1000],
    ["DK0", 1000],
    ["DK_RC", 1000],
    ["EU_SERVICES_RC", 1150],
    ["EU_GOODS_RC", 1050],
    ["EXPORT_SERVICES", 1200],
    ["EXPORT_GOODS", 1100],
  ])("for %s is %d", (code, expected) => {
    const line = { account_number: 1000, domestic_account: 1000 };
    expect(salesAccount(line, code, salesAccounts)).toBe(expected);
    // Regardless of its earlier account.
    expect(salesAccount({ ...line, account_number: 1200 }, code, salesAccounts)).toBe(expected);
  });

  it("is the domestic account in a ledger without other accounts", () => {
    const line = { account_number: 1150, domestic_account: 1000 };
    expect(vatCodes.map((code) => salesAccount(line, code, new Map()))).toEqual(
      vatCodes.map(() => 1000),
    );
  });
});

it("the account that a product names applies to every sale", () => {
  expect(
    vatCodes.map((code) => salesAccount({ account_number: 1010 }, code, salesAccounts)),
  ).toEqual(vatCodes.map(() => 1010));
});

it("the kind of a sale depends on its domestic account, whatever account the line has", () => {
  expect(accountAtHome({ account_number: 1010 })).toBe(1010);
  expect(accountAtHome({ account_number: 1150, domestic_account: 1050 })).toBe(1050);
});

describe("a sale", () => {
  const at_home: VatCustomer = { country_key: "DK", is_person: false, vat_number: null };
  const facts = {
    vat: { domestic_rate: 25_00, domestic_country: "DK" },
    vat_codes: new Map<number, VatCode>([
      [1000, "DK25"],
      [1050, "EU_GOODS_RC"],
    ]),
    sales_accounts: salesAccounts,
  };
  it.each<[string, Partial<VatCustomer>, number, VatCode, number]>([
    ["at home", {}, 1000, "DK25", 1000],
    [
      "to a German company",
      { country_key: "DE", vat_number: "DE136695976" },
      1000,
      "EU_SERVICES_RC",
      1150,
    ],
    ["to a German person", { country_key: "DE", is_person: true }, 1000, "DK25", 1000],
    ["to the United States", { country_key: "US" }, 1000, "EXPORT_SERVICES", 1200],
    ["of goods to the United States", { country_key: "US" }, 1050, "EXPORT_GOODS", 1100],
    [
      "of goods to a German company",
      { country_key: "DE", vat_number: "DE136695976" },
      1050,
      "EU_GOODS_RC",
      1050,
    ],
  ])("%s", (_what, customer, domestic_account, vat_code, account_number) => {
    const line = { account_number: domestic_account, domestic_account };
    const sale = { ...facts, customer: { ...at_home, ...customer } };
    expect(saleOf(line, sale)).toEqual({ vat_code, account_number });
    const named = saleOf({ account_number: domestic_account }, sale);
    expect(named).toEqual({ vat_code, account_number: domestic_account });
  });
});
