/** An entry that booking a bank line would make. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromChecked } from "../../domain/base/money.ts";
import { Day } from "../parts/values.tsx";
import { type AccountNames, EntryTables } from "../payments/entry-table.tsx";
import type { BookAhead } from "./book-dry-run.ts";
import { useLineWords } from "./lines-words.ts";

/** Shows an entry that would be booked with its day: its accounts, with debit and credit in the currency of the books. */
export function LineEntry(props: {
  entry: BookAhead["entries"][number];
  currency: string;
  accounts: AccountNames;
}) {
  const { entry, currency, accounts } = props;
  const { date } = entry;
  const words = useLineWords();
  const postings = entry.postings.map(({ account_number, amount }) => ({
    account_number,
    amount: scaledFromChecked(amount, currencyDigits(currency)),
  }));
  return (
    <>
      <p class="tiny quiet">
        <Day day={date} />
      </p>
      <EntryTables
        entries={[{ date: date as CalendarDate, postings }]}
        label={words.entry}
        currency={currency}
        accounts={accounts}
      />
    </>
  );
}
