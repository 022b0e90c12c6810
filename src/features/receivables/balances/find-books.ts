/** Compares what customers owe with the accounts of the books: both differences are 0 on every day (spec 13.4). */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { booksOf } from "../../settings/configuration/accounts.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import type { OwedSums } from "./find-balances.ts";

type Role = "receivables" | "customer_credit";

/** What the open items of a role add up to, beside its account. The balances of an external ledger are not known. */
export interface ComparedRole {
  readonly account_role: Role;
  readonly account_number: number | null;
  readonly sub_ledger: Money;
  readonly ledger: Money | null;
  readonly difference: Money | null;
}

/** Compares the sums of a day, in functional currency, with the accounts of both roles at its end. */
export async function compareWithBooks(
  cx: Reader,
  day: CalendarDate,
  functional: OwedSums,
): Promise<readonly ComparedRole[]> {
  const accounts = await balancesOfRoles(cx, day);
  const compared = (account_role: Role, sub_ledger: Money): ComparedRole => {
    const { account_number, ledger } = accounts[account_role];
    const difference = ledger === null ? null : ledger - sub_ledger;
    return { account_role, account_number, sub_ledger, ledger, difference };
  };
  return [
    compared("receivables", functional.total - functional.credit_notes),
    compared("customer_credit", functional.customer_credit),
  ];
}

interface BalanceOfRole {
  readonly account_number: number | null;
  /** In the sign of the role: what is owed, or what is held. */
  readonly ledger: Money | null;
}

async function balancesOfRoles(
  cx: Reader,
  day: CalendarDate,
): Promise<Record<Role, BalanceOfRole>> {
  const books = booksOf(cx);
  if (books === undefined) {
    const unknown = { account_number: null, ledger: null };
    return { receivables: unknown, customer_credit: unknown };
  }
  const { customer_credit_account: credit } = await getConfiguration(cx);
  const { receivables } = books.control_accounts;
  const balances = await books.balances(
    credit === null ? [receivables] : [receivables, credit],
    day,
  );
  return {
    receivables: { account_number: receivables, ledger: balances.get(receivables) ?? 0n },
    // A liability is the credit balance of its account. Without one, nothing is held for customers.
    customer_credit: {
      account_number: credit,
      ledger: credit === null ? 0n : -(balances.get(credit) ?? 0n),
    },
  };
}
