/** An entry that booking a bank line would make. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromChecked } from "../../domain/base/money.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf } from "../parts/format.ts";
import { Day } from "../parts/values.tsx";
import type { BookAhead } from "./book-dry-run.ts";
import { useLineWords } from "./lines-words.ts";

/** Shows an entry that would be booked: its accounts, with debit and credit in the currency of the books. */
export function LineEntry(props: {
  entry: BookAhead["entries"][number];
  currency: string;
  accounts: ReadonlyMap<number, string>;
}) {
  const { entry, currency, accounts } = props;
  const { language, words: all } = useReader();
  const words = useLineWords();
  const side = (amount: bigint) => (amount > 0n ? amountOf(language, amount, currency) : "");
  return (
    <>
      <p class="tiny quiet">
        <Day day={entry.date} />
      </p>
      <table class="entries" aria-label={words.entry}>
        <thead>
          <tr>
            <th scope="col">{all.ledger.account}</th>
            <th scope="col" class="num">
              {words.debit}
            </th>
            <th scope="col" class="num">
              {words.credit}
            </th>
          </tr>
        </thead>
        <tbody>
          {entry.postings.map(({ account_number, amount }) => {
            const minor = scaledFromChecked(amount, currencyDigits(currency));
            return (
              <tr>
                <td>{`${account_number} ${accounts.get(account_number) ?? ""}`}</td>
                <td class="num">{side(minor)}</td>
                <td class="num">{side(-minor)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
