/**
 * The island of the trial balance: each account with its opening, movements and closing. Small books are in the page; of books
 * with many entries the table is computed after the page has loaded.
 */
import { islandOf } from "../browser/island.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";

/** An account over the range; amounts are text in minor units of the functional currency, debit above 0. */
export interface BalanceShown {
  readonly number: number;
  readonly name: string;
  readonly opening: string;
  readonly debit: string;
  readonly credit: string;
}

interface Props {
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** Null until they are computed. */
  readonly rows: readonly BalanceShown[] | null;
}

interface Row {
  readonly account: { readonly number: number; readonly name: string } | null;
  readonly opening: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
}

function BalanceTable({ from, to, currency, rows: first }: Props) {
  const { words: all, language } = useReader();
  const words = all.ledger;
  const { answer, is_lost } = useAnswer<readonly BalanceShown[]>(
    "/app/ledger/balances",
    { from, to },
    first,
  );
  if (answer === null) {
    return (
      <p class="card pad soft" role="status">
        {is_lost ? words.lost : words.adding_up}
      </p>
    );
  }
  const amount = (value: bigint) => amountOf(language, value, currency);
  return (
    <List
      label={words.tabs.trial_balance}
      rows={withSum(answer)}
      empty={<p>{words.no_balances}</p>}
      columns={[
        {
          head: words.account,
          fold: "lead",
          cell: ({ account }) =>
            account === null ? (
              <strong>{words.sum}</strong>
            ) : (
              <a
                href={`/ledger/entries?${new URLSearchParams({ account: `${account.number}`, from, to })}`}
              >
                <span>{account.number}</span> <span>{account.name}</span>
              </a>
            ),
        },
        { head: words.opening, kind: "number", cell: (row) => amount(row.opening) },
        { head: words.debit, kind: "number", cell: (row) => amount(row.debit) },
        { head: words.credit, kind: "number", cell: (row) => amount(row.credit) },
        {
          head: words.closing,
          kind: "number",
          fold: "end",
          cell: (row) => <strong>{amount(row.opening + row.debit - row.credit)}</strong>,
        },
      ]}
    />
  );
}

/** Returns the accounts, and below them their sum. Opening and closing of whole books add up to 0. */
function withSum(shown: readonly BalanceShown[]): Row[] {
  const rows = shown.map(({ number, name, opening, debit, credit }) => ({
    account: { number, name },
    opening: BigInt(opening),
    debit: BigInt(debit),
    credit: BigInt(credit),
  }));
  if (rows.length === 0) return [];
  const sum = (of: "opening" | "debit" | "credit") =>
    rows.reduce((total, row) => total + row[of], 0n);
  return [
    ...rows,
    { account: null, opening: sum("opening"), debit: sum("debit"), credit: sum("credit") },
  ];
}

export const island = islandOf<Props>({ name: "balance-table", View: BalanceTable });
