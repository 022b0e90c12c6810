/** An entry that would be booked: its accounts, with debit and credit. */
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { useReader } from "../frame/reader.ts";
import { DebitCredit } from "../parts/debit-credit.tsx";
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
  const { entries, label, currency, accounts } = props;
  const { words } = useReader();
  return (
    <>
      {entries.map((entry) => (
        <div class="entry-ahead">
          {entries.length > 1 && (
            <p class="tiny quiet">
              <Day day={entry.date} />
            </p>
          )}
          <DebitCredit
            label={label}
            heads={words.ledger}
            postings={entry.postings.map(({ account_number, amount }) => ({
              account: `${account_number} ${accounts.get(account_number) ?? ""}`,
              amount,
            }))}
            currency={currency}
          />
        </div>
      ))}
    </>
  );
}
