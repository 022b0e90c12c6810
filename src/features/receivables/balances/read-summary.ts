/** What all customers owe on a day, beside the balances of the ledger (spec 13.4): both differences are 0 on every day. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { isAnyKnown, owedOn } from "../open-items/require-begun.ts";
import { findTotals, sumOf } from "./find-balances.ts";
import { compareWithBooks } from "./find-books.ts";
import { presentSums } from "./report-balances.ts";
import { ReceivablesSummary } from "./schemas.ts";

/** Returns the summary. The balances of an external ledger are not known, and therefore null. Throws what `owedOn` throws. */
export function readSummary(cx: Reader, at: CalendarDate | undefined): Promise<JsonText> {
  return reading(cx, async (inside) => {
    const { day, functional_currency, ...sources } = await owedOn(inside, at);
    const totals = isAnyKnown(sources) ? await findTotals(inside, day, sources) : [];
    const functional = sumOf(totals.map((one) => one.functional));
    const digits = currencyDigits(functional_currency);
    const money = (amount: Money): number => scaledToNumber(amount, digits);
    const shown = (amount: Money | null) => (amount === null ? null : money(amount));
    const compared = await compareWithBooks(inside, day, functional);
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
        ledger: compared.map(({ sub_ledger, ledger, difference, ...account }) => ({
          ...account,
          sub_ledger: money(sub_ledger),
          ledger: shown(ledger),
          difference: shown(difference),
        })),
      }),
    );
  });
}
