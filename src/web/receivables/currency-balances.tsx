/** Balances in several currencies, a row for each: what is owed, what of it is late, and what is held. */
import type { Money } from "../../domain/base/money.ts";
import type {
  OwedSums,
  TotalsOfCurrency,
} from "../../features/receivables/balances/find-balances.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { lateOf } from "./balance-columns.tsx";

export function CurrencyBalances(props: {
  label: string;
  rows: readonly Omit<TotalsOfCurrency, "functional">[];
}) {
  const { label, rows } = props;
  const { words: all, language } = useReader();
  const words = all.receivables;
  const amount = (head: string, of: (sums: OwedSums) => Money, fold: "end" | "none") => ({
    head,
    kind: "number" as const,
    fold,
    cell: ({ sums, currency }: (typeof rows)[number]) => amountOf(language, of(sums), currency),
  });
  return (
    <List
      label={label}
      rows={rows}
      empty={null}
      columns={[
        { head: words.currency, fold: "lead", cell: ({ currency }) => currency },
        amount(words.owed, ({ total }) => total, "none"),
        amount(words.late, lateOf, "none"),
        amount(words.held, (sums) => -(sums.credit_notes + sums.customer_credit), "none"),
        amount(words.balance, ({ balance }) => balance, "end"),
      ]}
    />
  );
}
