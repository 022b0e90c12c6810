/** The lines of a statement of account: each change of what the customer owes, with the balance after it. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { BalanceChange } from "../../domain/receivables/account-statement.ts";
import type { StatementSnapshot } from "../../domain/receivables/statement-snapshot.ts";
import { statementText } from "../../features/documents/letters/statement-view.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";

/** The balance before the first line that is shown. */
interface Before {
  readonly date: CalendarDate;
  readonly balance: Money;
}

/** Shows the last `most` lines of a statement in the reader's language, below the balance before them. */
export function StatementLines(props: { statement: StatementSnapshot; most: number }) {
  const { statement, most } = props;
  const { words: all, language } = useReader();
  const words = all.statement;
  const { currency, currency_digits, from, opening_balance } = statement;
  const lines = statement.lines.slice(-most);
  const [first] = lines;
  const has_all = lines.length === statement.lines.length;
  const before: Before = {
    date: has_all ? from : (first?.date ?? from),
    balance:
      has_all || first === undefined ? opening_balance : first.balance - first.debit + first.credit,
  };
  const rows: readonly (BalanceChange | Before)[] = [before, ...lines];
  const money = (amount: Money) => amountOf(language, amount, currency);
  const written = (amount: Money) => (amount === 0n ? "" : money(amount));
  return (
    <List
      label={words.lines}
      rows={rows}
      empty={null}
      columns={[
        { head: words.date, cell: ({ date }) => <Day day={date} /> },
        {
          head: words.text,
          fold: "lead",
          cell: (row) =>
            "kind" in row ? statementText(row, { language, currency_digits }) : words.before,
        },
        {
          head: words.due,
          fold: "none",
          cell: (row) => ("kind" in row && row.due_date !== null ? <Day day={row.due_date} /> : ""),
        },
        {
          head: words.debit,
          kind: "number",
          cell: (row) => ("kind" in row ? written(row.debit) : ""),
        },
        {
          head: words.credit,
          kind: "number",
          cell: (row) => ("kind" in row ? written(row.credit) : ""),
        },
        {
          head: words.balance,
          kind: "number",
          fold: "end",
          cell: ({ balance }) => money(balance),
        },
      ]}
    />
  );
}
