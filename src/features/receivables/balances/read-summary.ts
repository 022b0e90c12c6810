/** What all customers owe on a day, beside the balances of the ledger (spec 13.4): both differences are 0 on every day. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { booksOf } from "../../settings/configuration/accounts.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { owedOn } from "../open-items/require-begun.ts";
import { findTotals, sumOf } from "./find-balances.ts";
import { presentSums } from "./report-balances.ts";
import { ReceivablesSummary } from "./schemas.ts";

/** Returns the summary. The balances of an external ledger are not known, and therefore null. Throws what `owedOn` throws. */
export function readSummary(cx: Reader, at: CalendarDate | undefined): Promise<JsonText> {
  return reading(cx, async (inside) => {
    const { day, is_known, functional_currency } = await owedOn(inside, at);
    const totals = is_known ? await findTotals(inside, day) : [];
    const functional = sumOf(totals.map((one) => one.functional));
    const digits = currencyDigits(functional_currency);
    const money = (amount: Money): number => scaledToNumber(amount, digits);
    const accounts = await balancesOfRoles(inside, day);
    const compared = (role: keyof typeof accounts, sub_ledger: Money) => {
      const { account_number, ledger } = accounts[role];
      return {
        account_role: role,
        account_number,
        sub_ledger: money(sub_ledger),
        ledger: ledger === null ? null : money(ledger),
        difference: ledger === null ? null : money(ledger - sub_ledger),
      };
    };
    return jsonText(
      ReceivablesSummary.parse({
        object: "receivables_summary",
        at: day,
        functional_currency,
        currencies: totals.map(({ currency, sums }) => ({
          currency,
          sums: presentSums(sums, currency),
        })),
        functional: presentSums(functional, functional_currency),
        ledger: [
          compared("receivables", functional.total - functional.credit_notes),
          compared("customer_credit", functional.customer_credit),
        ],
      }),
    );
  });
}

interface BalanceOfRole {
  readonly account_number: number | null;
  /** In the sign of the role: what is owed, or what is held. */
  readonly ledger: Money | null;
}

async function balancesOfRoles(
  cx: Reader,
  day: CalendarDate,
): Promise<Record<"receivables" | "customer_credit", BalanceOfRole>> {
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
