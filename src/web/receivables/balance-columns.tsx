/** The columns of what each customer owes, on the page and in its file. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { OwedSums } from "../../features/receivables/balances/find-balances.ts";
import type { NamedBalance } from "../../features/receivables/balances/read-owed.ts";
import type { SheetReader } from "../frame/define-sheet.ts";
import { amountCell, dayCell, textCell } from "../frame/sheet.ts";
import { amountOf } from "../parts/format.ts";
import type { Column } from "../parts/list.tsx";

/** The ages of what is owed, from what is not due to what is the latest. */
export const AGES = ["not_due", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const;

/** Returns what is owed and overdue, in the currency of the sums. */
export function lateOf({ total, not_due }: OwedSums): Money {
  return total - not_due;
}

/** Returns the columns. `daysLate` returns how many days have passed since a due date; 0 for none. */
export function balanceColumns(
  { words: all, language }: SheetReader,
  functional: string,
  daysLate: (due: CalendarDate | null) => number,
): readonly Column<NamedBalance>[] {
  const words = all.receivables;
  const amount = (
    head: string,
    of: (sums: OwedSums) => Money,
    fold: "end" | "none",
  ): Column<NamedBalance> => ({
    head,
    kind: "number",
    fold,
    cell: ({ sums, currency }) => {
      const value = of(sums);
      if (fold === "none" && value === 0n) return <span class="quiet">–</span>;
      return (
        <span class="num">
          {fold === "end" && currency !== functional && <span class="quiet">{`${currency} `}</span>}
          {amountOf(language, value, currency)}
        </span>
      );
    },
    file: amountCell(({ sums, currency }) => ({ amount: of(sums), currency })),
  });
  return [
    {
      head: words.customer,
      fold: "lead",
      cell: ({ customer_id, customer_name }) => (
        <a href={`/customers/${customer_id}?tab=account`}>{customer_name}</a>
      ),
      file: textCell(({ customer_name }) => customer_name),
    },
    {
      head: words.oldest,
      kind: "number",
      cell: ({ oldest_due_date, sums, currency }) => {
        const days = daysLate(oldest_due_date);
        if (days === 0) return <span class="quiet">{words.not_late}</span>;
        return (
          <span title={words.late_amount(amountOf(language, lateOf(sums), currency))}>
            {words.days_late(days)}
          </span>
        );
      },
    },
    ...AGES.map((age) => amount(words.ages[age], (sums) => sums[age], "none")),
    amount(
      words.held,
      ({ credit_notes, customer_credit }) => -(credit_notes + customer_credit),
      "none",
    ),
    amount(words.balance, ({ balance }) => balance, "end"),
  ];
}

/** Returns the further columns of the file: the currency of a row, and its balance in functional currency. */
export function fileOnlyColumns({ words: all }: SheetReader, functional: string) {
  const words = all.receivables;
  return [
    {
      head: words.oldest_due,
      file: dayCell<NamedBalance>(({ oldest_due_date }) => oldest_due_date),
    },
    { head: words.currency, file: textCell<NamedBalance>(({ currency }) => currency) },
    {
      head: words.balance_in(functional),
      file: amountCell<NamedBalance>((row) => ({
        amount: row.functional.balance,
        currency: functional,
      })),
    },
  ];
}
