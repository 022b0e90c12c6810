/**
 * Which accounts of the configuration must differ (spec 7.3). What is on customer credit is what customers are owed, so that
 * nothing else may be posted there; what is on a bank's account is what the bank says; and nothing is sold on the accounts of
 * reminders and roundings, which have no VAT.
 */
import type { FieldError } from "../base/problem.ts";

/** The account of each role and of the default revenue, by number; null where none is set. */
export interface UsedAccounts {
  readonly contract_asset: number | null;
  readonly contract_liability: number | null;
  readonly exchange_difference: number | null;
  readonly customer_credit: number | null;
  readonly rounding: number | null;
  readonly payment_fee: number | null;
  readonly reminder_fee: number | null;
  readonly interest_income: number | null;
  readonly default_revenue: number | null;
}

type Use = keyof UsedAccounts;

/** The roles whose income is not that of sales. */
const WITHOUT_SALES = ["rounding", "reminder_fee", "interest_income"] as const;

/** Returns the numbers of the accounts on which nothing is sold. */
export function accountsWithoutSales(
  accounts: Pick<UsedAccounts, (typeof WITHOUT_SALES)[number]>,
): ReadonlySet<number> {
  return new Set(WITHOUT_SALES.flatMap((role) => accounts[role] ?? []));
}

/** The accounts that have a use outside of the configuration, by number. */
interface TakenAccounts {
  /** Those for receivables and VAT. */
  readonly control: readonly number[];
  /** Those of bank accounts. */
  readonly of_banks: readonly number[];
  /** Those of products, among the accounts of `WITHOUT_SALES`. */
  readonly sold_on: readonly number[];
}

/** Returns a fault for each use that a request names, and whose account has another use that excludes it. */
export function roleFaults(
  accounts: UsedAccounts,
  named: readonly Use[],
  { control, of_banks, sold_on }: TakenAccounts,
): FieldError[] {
  return named.flatMap((use) => {
    const number = accounts[use];
    if (number === null) return [];
    const is_control = use === "customer_credit" && control.includes(number);
    const is_taken = is_control || of_banks.includes(number);
    const is_sold_on = isWithoutSales(use) && sold_on.includes(number);
    const excludes = (Object.keys(accounts) as Use[]).some(
      (other) => other !== use && accounts[other] === number && isApart(use, other),
    );
    if (!is_taken && !is_sold_on && !excludes) return [];
    return [
      { field: fieldOf(use), code: "not_allowed", message: `Account ${number} has another use.` },
    ];
  });
}

function isWithoutSales(use: Use): boolean {
  return WITHOUT_SALES.some((role) => role === use);
}

/** Whether two uses may not have the same account. */
function isApart(one: Use, other: Use): boolean {
  const uses = [one, other];
  if (uses.includes("customer_credit")) return true;
  return uses.includes("default_revenue") && uses.some(isWithoutSales);
}

function fieldOf(use: Use): string {
  return use === "default_revenue" ? "default_revenue_account" : `account_roles.${use}`;
}
