/**
 * The revenue account of a line: the one that its product names, else the one that the chart keeps
 * for sales that are taxed in this way. It is decided when the line is made and once more, with the
 * document, when it is frozen, so that postings and accruals always mean the same account (spec
 * 9.2).
 */
import type { Line } from "./line.ts";
import { determineVat, type VatCustomer, type VatSettings } from "./vat.ts";
import type { VatCode } from "./vat-code.ts";

/** Where the chart keeps sales of a VAT treatment; the others stay on the line's domestic account. */
export type SalesAccounts = ReadonlyMap<VatCode, number>;

/** What a line says of its account. */
type AccountOfLine = Pick<Line, "account_number" | "domestic_account">;

/** The account that says what is sold, and so how it is taxed: that of a sale at home. */
export function accountAtHome(line: AccountOfLine): number {
  return line.domestic_account ?? line.account_number;
}

/** The account of a line that is taxed in this way. */
export function salesAccount(
  line: AccountOfLine,
  vat_code: VatCode,
  accounts: SalesAccounts,
): number {
  if (line.domestic_account === undefined) return line.account_number;
  return accounts.get(vat_code) ?? line.domestic_account;
}

/** What of the chart and the customer decides where a sale belongs. */
export interface SaleFacts {
  readonly customer: VatCustomer;
  readonly vat: VatSettings;
  /** VAT code of a revenue account; null for an account without one. */
  readonly vat_codes: ReadonlyMap<number, VatCode | null>;
  readonly sales_accounts: SalesAccounts;
}

/** The VAT code and the account of a line that is sold to this customer. */
export function saleOf(
  line: AccountOfLine,
  { customer, vat, vat_codes, sales_accounts }: SaleFacts,
): { readonly vat_code: VatCode; readonly account_number: number } {
  const vat_code = determineVat(vat_codes.get(accountAtHome(line)) ?? null, customer, vat);
  return { vat_code, account_number: salesAccount(line, vat_code, sales_accounts) };
}
