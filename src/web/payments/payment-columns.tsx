/** The columns of the list of payments, on the screen and in its file. */
import { dayCell, numberCell, shownAmountCell, textCell } from "../frame/sheet.ts";
import type { Column } from "../parts/list.tsx";
import { Amount, Day, Pill } from "../parts/values.tsx";
import type { Words } from "../words/en.ts";
import type { PaymentListed } from "./payment-rows.ts";

/** The reader's texts, the currency of the books, and the names of the bank accounts. */
interface PaymentColumns {
  readonly words: Words;
  readonly functional: string;
  readonly banks: ReadonlyMap<string, string>;
}

export function paymentColumns({
  words: all,
  functional,
  banks,
}: PaymentColumns): Column<PaymentListed>[] {
  const words = all.payments;
  const stateOf = (row: PaymentListed) =>
    row.status === "reversed" ? words.reversed : words.kinds[row.kind];
  return [
    {
      head: all.invoices.number,
      fold: "lead",
      cell: ({ id, number }) => <a href={`/payments/${id}`}>{number}</a>,
      file: numberCell(({ number }) => number),
    },
    {
      head: all.invoices.customer,
      cell: ({ customer_id, customer_name }) => (
        <a href={`/customers/${customer_id}`}>{customer_name}</a>
      ),
      file: textCell(({ customer_name }) => customer_name),
    },
    {
      head: words.state,
      cell: (row) => (
        <Pill {...(row.status === "reversed" ? { kind: "bad" } : {})}>{stateOf(row)}</Pill>
      ),
      file: textCell(stateOf),
    },
    {
      head: words.date,
      cell: ({ date }) => <Day day={date} />,
      file: dayCell(({ date }) => date),
    },
    {
      head: words.bank_account,
      fold: "none",
      cell: ({ bank_account_id }) => banks.get(bank_account_id) ?? "–",
      file: textCell(({ bank_account_id }) => banks.get(bank_account_id)),
    },
    {
      head: words.reference,
      fold: "none",
      cell: ({ reference }) => reference ?? "–",
      file: textCell(({ reference }) => reference),
    },
    {
      head: words.amount,
      kind: "number",
      fold: "end",
      cell: ({ amount, currency }) => (
        <Amount value={amount} currency={currency} functional={functional} />
      ),
      file: shownAmountCell(({ amount, currency }) => ({ amount, currency })),
    },
    {
      head: words.not_applied,
      kind: "number",
      fold: "none",
      cell: ({ unallocated, currency }) => (
        <Amount
          value={unallocated === 0 ? null : unallocated}
          currency={currency}
          functional={functional}
        />
      ),
      file: shownAmountCell(({ unallocated, currency }) => ({ amount: unallocated, currency })),
    },
  ];
}
