/** An entry that would be booked: its accounts, with debit and credit. */
import type { Money } from "../../domain/base/money.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf } from "../parts/format.ts";
import { Day } from "../parts/values.tsx";
import type { EntryAhead } from "./payment-dry-run.ts";

/** The names of accounts by their numbers. */
export type AccountNames = ReadonlyMap<number, string>;

/** Returns the names of all accounts. */
export async function accountNames(cx: PersonReader): Promise<AccountNames> {
  const chart = await wholeChart(cx, false);
  return new Map(chart.map(({ number, name }) => [number, name]));
}

/** Shows entries, each with its day where there are several. `label` names the table for screen readers. */
export function EntryTables(props: {
  entries: readonly EntryAhead[];
  label: string;
  currency: string;
  accounts: AccountNames;
}) {
  const { entries, ...others } = props;
  return (
    <>
      {entries.map((entry) => (
        <div class="entry-ahead">
          {entries.length > 1 && (
            <p class="tiny quiet">
              <Day day={entry.date} />
            </p>
          )}
          <EntryTable entry={entry} {...others} />
        </div>
      ))}
    </>
  );
}

function EntryTable(props: {
  entry: EntryAhead;
  label: string;
  currency: string;
  accounts: AccountNames;
}) {
  const { entry, label, currency, accounts } = props;
  const { words: all, language } = useReader();
  const words = all.ledger;
  const side = (amount: Money) => (amount > 0n ? amountOf(language, amount, currency) : "");
  return (
    <table class="entries" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{words.account}</th>
          <th scope="col" class="num">
            {words.debit}
          </th>
          <th scope="col" class="num">
            {words.credit}
          </th>
        </tr>
      </thead>
      <tbody>
        {entry.postings.map(({ account_number, amount }) => (
          <tr>
            <td>{`${account_number} ${accounts.get(account_number) ?? ""}`}</td>
            <td class="num">{side(amount)}</td>
            <td class="num">{side(-amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
