/** The columns of letters that a run would send, and of what one letter lists. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../domain/base/money.ts";
import type { ListedItem } from "../../domain/receivables/reminder-snapshot.ts";
import type { FoundLetter } from "../../features/reminders/reminder-runs/find-letters.ts";
import type { PageReader } from "../frame/reader.ts";
import type { Column } from "../parts/list.tsx";
import { Amount, Day, Pill } from "../parts/values.tsx";

/** Returns the columns of letters; `functional` is the currency of the books. */
export function letterColumns(
  { words: all }: PageReader,
  functional: string,
): Column<FoundLetter>[] {
  const words = all.reminders;
  return [
    {
      head: words.customer,
      fold: "lead",
      cell: ({ customer }) => <a href={`/customers/${customer.id}`}>{customer.name}</a>,
    },
    { head: words.level, cell: ({ level }) => <Pill>{words.nth(level)}</Pill> },
    {
      head: words.invoices,
      cell: ({ items }) =>
        words.count(items.length, Math.max(0, ...items.map(({ days_overdue }) => days_overdue))),
    },
    {
      head: words.open,
      kind: "number",
      fold: "none",
      cell: ({ items, currency }) => (
        <Shown
          amount={items.reduce((sum, { open }) => sum + open, 0n)}
          currency={currency}
          functional={functional}
        />
      ),
    },
    {
      head: words.added,
      kind: "number",
      fold: "none",
      cell: ({ fee, interest, compensation, currency }) => (
        <Shown amount={fee + interest + compensation} currency={currency} functional={functional} />
      ),
    },
    {
      head: words.total,
      kind: "number",
      fold: "end",
      cell: ({ total, currency }) => (
        <Shown amount={total} currency={currency} functional={functional} />
      ),
    },
  ];
}

/** Returns the columns of what a letter lists, in its currency. */
export function itemColumns(
  { words: all }: PageReader,
  currency: string,
  functional: string,
): Column<ListedItem>[] {
  const words = all.reminders;
  const money = (amount: Money) => (
    <Shown amount={amount} currency={currency} functional={functional} />
  );
  return [
    {
      head: words.item,
      fold: "lead",
      cell: ({ kind, id, number }) => {
        const name = all.payments.items[kind](number);
        return kind === "invoice" ? <a href={`/invoices/${id}`}>{name}</a> : name;
      },
    },
    { head: words.due_date, cell: ({ due_date }) => <Day day={due_date} /> },
    {
      head: words.days,
      cell: ({ days_overdue }) => (days_overdue === 0 ? "–" : words.days_late(days_overdue)),
    },
    {
      head: words.interest,
      kind: "number",
      fold: "none",
      cell: ({ interest }) => money(interest),
    },
    {
      head: words.compensation,
      kind: "number",
      fold: "none",
      cell: ({ compensation }) => money(compensation),
    },
    { head: words.open, kind: "number", fold: "end", cell: ({ open }) => money(open) },
  ];
}

/** Shows minor units; nothing is a dash. */
export function Shown(props: { amount: Money; currency: string; functional: string }) {
  const { amount, currency, functional } = props;
  const value = amount === 0n ? null : scaledToNumber(amount, currencyDigits(currency));
  return <Amount value={value} currency={currency} functional={functional} />;
}
