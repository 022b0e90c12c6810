/** The columns of the list of customers. */
import { formatCountry } from "../../features/documents/printing/format.ts";
import type { SheetReader } from "../frame/define-sheet.ts";
import { dayCell, numberCell, textCell } from "../frame/sheet.ts";
import { Billed, billedText } from "../parts/billed.tsx";
import type { Column, SortLink } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import type { ListedCustomer } from "./customer-rows.ts";

/** Returns the columns; those with counts are for admins. `by_name` sorts by name the other way. */
export function customerColumns(
  { words: all, language }: SheetReader,
  is_admin: boolean,
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
  const counts: readonly Column<ListedCustomer>[] = [
    count(words.open_drafts, "drafts"),
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
