/**
 * Determines a line's revenue account: its product's, else the chart's for sales with this VAT treatment. This is
 * done at creation and when the document is frozen, so that postings and accruals use the same account (spec 9.2).
 */
import type { Line } from "./line.ts";
import { determineVat, type VatCustomer, type VatSettings } from "./vat.ts";
import type { VatCode } from "./vat-code.ts";

/** The chart's account for sales of a VAT treatment; other sales stay on the line's domestic account. */
export type SalesAccounts = ReadonlyMap<VatCode, number>;

/** The account fields of a line. */
type AccountOfLine = Pick<Line, "account_number" | "domestic_account">;

/** Returns the account of a domestic sale, which says what is sold and so determines the VAT treatment. */
export function accountAtHome(line: AccountOfLine): number {
  return line.domestic_account ?? line.account_number;
}

/** Returns the account of a line with this VAT treatment. */
export function salesAccount(
  line: AccountOfLine,
  vat_code: VatCode,
  accounts: SalesAccounts,
): number {
  if (line.domestic_account === undefined) return line.account_number;
  return accounts.get(vat_code) ?? line.domestic_account;
}

/** The data of chart and customer that determine the account of a sale. */
export interface SaleFacts {
  readonly customer: VatCustomer;
  readonly vat: VatSettings;
  /** VAT code of a revenue account; null for an account without one. */
  readonly vat_codes: ReadonlyMap<number, VatCode | null>;
  readonly sales_accounts: SalesAccounts;
}

/** Returns the VAT code and the account of a line that is sold to this customer. */
export function saleOf(
  line: AccountOfLine,
  { customer, vat, vat_codes, sales_accounts }: SaleFacts,
): { readonly vat_code: VatCode; readonly account_number: number } {
  const vat_code = determineVat(vat_codes.get(accountAtHome(line)) ?? null, customer, vat);
  return { vat_code, account_number: salesAccount(line, vat_code, sales_accounts) };
}
