/** The columns of the list of customers. */
import { formatCountry } from "../../features/documents/printing/format.ts";
import type { SheetReader } from "../frame/define-sheet.ts";
import { amountCell, dayCell, numberCell, textCell } from "../frame/sheet.ts";
import { Billed, billedText } from "../parts/billed.tsx";
import { amountOf } from "../parts/format.ts";
import type { Column, SortLink } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import type { ListedCustomer } from "./customer-rows.ts";

/** What the reader sees of each customer: counts are for admins, and balances where the list adds them up. */
interface Shown {
  readonly is_admin: boolean;
  readonly has_balances: boolean;
  /** The currency of the balances. */
  readonly functional: string;
}

/** Returns the columns. `by_name` sorts by name the other way. */
export function customerColumns(
  { words: all, language }: SheetReader,
  { is_admin, has_balances, functional }: Shown,
  by_name?: SortLink,
): readonly Column<ListedCustomer>[] {
  const words = all.customers;
  const country = ({ country_key }: ListedCustomer) => formatCountry(country_key, language);
  const count = (head: string, which: "drafts" | "retainers"): Column<ListedCustomer> => ({
    head,
    kind: "number",
    fold: "none",
    cell: (row) => {
      const many = row[which] || 0;
      if (many === 0) return "–";
      return which === "drafts" ? many : <a href={`/retainers?customer=${row.id}`}>{many}</a>;
    },
    file: numberCell((row) => row[which] ?? 0),
  });
  const balance = (head: string, which: "asset" | "liability"): Column<ListedCustomer> => ({
    head,
    kind: "number",
    fold: "none",
    cell: ({ balances }) => {
      const amount = balances?.[which];
      if (amount === 0n) return <span class="quiet">–</span>;
      // A rate of exchange is missing.
      if (amount == null) return <span title={all.today.no_rate}>?</span>;
      return amountOf(language, amount, functional);
    },
    file: amountCell(({ balances }) => {
      const amount = balances?.[which];
      return amount == null ? null : { amount, currency: functional };
    }),
  });
  const balances = [balance(all.today.asset, "asset"), balance(all.today.liability, "liability")];
  const counts: readonly Column<ListedCustomer>[] = [
    count(words.open_drafts, "drafts"),
    ...(has_balances ? balances : []),
    count(words.retainers, "retainers"),
    {
      head: words.last_invoice,
      kind: "number",
      cell: (row) => <Day day={row.last_invoice} />,
      file: dayCell((row) => row.last_invoice),
    },
  ];
  return [
    {
      head: words.name,
      fold: "lead",
      ...(by_name && { sort: by_name }),
      cell: ({ id, name }) => <a href={`/customers/${id}`}>{name}</a>,
      file: textCell(({ name }) => name),
    },
    {
      head: words.billed,
      cell: (row) => <Billed customer={row} />,
      file: textCell((row) => billedText(words, row)),
    },
    { head: words.country, cell: country, file: textCell(country) },
    ...(is_admin ? counts : []),
  ];
}
