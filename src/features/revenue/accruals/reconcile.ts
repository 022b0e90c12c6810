/**
 * Compares the ledger's accounts with the accruals (spec 3.9, invariant 6): contract assets and liabilities of all bookings
 * through a month with the accounts of their roles, and documents and earnings with the revenue, VAT and receivables accounts.
 */

import { lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { type AccountRole, accountRoles } from "../../../domain/revenue/accrual.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { hadBooks, isOwnOn } from "../../ledger/moves/find-keeper.ts";
import { findSums } from "../../receivables/allocations/find-sums.ts";
import { ownLedger } from "../../settings/configuration/accounts.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { bookedTotals } from "./find-booked-totals.ts";
import { documentsBesideLedger } from "./reconcile-documents.ts";
import { Reconciliation } from "./schemas.ts";

/**
 * Returns the comparison at the end of a month with the ledger that had the books then. The balances of an external ledger are not
 * known, and therefore null.
 */
export async function readReconciliation(cx: Reader, month: Month): Promise<JsonText> {
  const configuration = await getConfiguration(cx);
  const is_own = await hadBooks(cx, lastDayOf(month));
  const own_month = isOwnOn(
    cx,
    sql`(a.month || '-01')::date + interval '1 month' - interval '1 day'`,
  );
  // Contract balances go over to new books; differences stay where they were booked.
  const totals = await bookedTotals(cx, month, is_own ? own_month : sql`true`);
  const paid = await findSums(cx, lastDayOf(month));
  // A gain is a credit on the account.
  totals.exchange_difference -= paid.exchange;
  const numbers = accountRoles.flatMap((role) => accountOf(configuration, role) ?? []);
  const books = is_own ? ownLedger(cx).books(cx, cx.caller.account_id) : undefined;
  const balances = await books?.balances(numbers, lastDayOf(month));
  const beside = await documentsBesideLedger(cx, configuration, month, paid, books);
  const digits = currencyDigits(configuration.functional_currency);
  const money = (amount: Money): number => scaledToNumber(amount, digits);
  const compared = (sub_ledger: Money, ledger: Money | null) => ({
    sub_ledger: money(sub_ledger),
    ledger: ledger === null ? null : money(ledger),
    difference: ledger === null ? null : money(ledger - sub_ledger),
  });
  return jsonText(
    Reconciliation.parse({
      object: "reconciliation",
      month,
      functional_currency: configuration.functional_currency,
      roles: accountRoles.map((role) => {
        const account_number = accountOf(configuration, role);
        const balance = account_number === null ? undefined : balances?.get(account_number);
        // Assets and exchange losses are debits; a liability is the credit balance of its account.
        const ledger = role === "contract_liability" && balance !== undefined ? -balance : balance;
        return { account_role: role, account_number, ...compared(totals[role], ledger ?? null) };
      }),
      documents: beside.documents.map(({ of, account_number, sub_ledger, ledger }) => ({
        of,
        account_number,
        ...compared(sub_ledger, ledger),
      })),
      earnings: beside.earnings.map(({ account_number, sub_ledger, ledger }) => ({
        account_number,
        ...compared(sub_ledger, ledger),
      })),
    }),
  );
}

function accountOf(configuration: Configuration, role: AccountRole): number | null {
  switch (role) {
    case "contract_asset":
      return configuration.contract_asset_account;
    case "contract_liability":
      return configuration.contract_liability_account;
    case "exchange_difference":
      return configuration.exchange_difference_account;
  }
}
