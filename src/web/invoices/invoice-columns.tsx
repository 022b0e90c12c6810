/** The columns of the lists of drafts, issued invoices and credit notes. */
import type { CreditNoteRow } from "../../features/sales/credit-notes/schemas.ts";
import type { InvoiceRow } from "../../features/sales/invoices/schemas.ts";
import {
  dayCell,
  numberCell,
  type SheetColumn,
  shownAmountCell,
  textCell,
} from "../frame/sheet.ts";
import { DeliveryPill } from "../parts/delivery.tsx";
import type { Column } from "../parts/list.tsx";
import { Amount, Day } from "../parts/values.tsx";
import type { Words } from "../words/en.ts";

/** The reader's texts for the columns, and the currency of the books. */
interface Columns {
  readonly words: Words["invoices"];
  readonly deliveries: Words["delivery"];
  readonly functional: string;
}

type Totalled = Pick<InvoiceRow | CreditNoteRow, "customer_id" | "customer" | "totals">;

function customerColumn({ words }: Columns): Column<Totalled> {
  return {
    head: words.customer,
    cell: ({ customer, customer_id }) => (
      <a href={`/customers/${customer_id}`}>{customer?.name ?? "–"}</a>
    ),
    file: textCell(({ customer }) => customer?.name),
  };
}

function amountColumns({ words, functional }: Columns): Column<Totalled>[] {
  const amount = (name: "net" | "gross"): Column<Totalled> => ({
    head: words[name],
    kind: "number",
    fold: name === "gross" ? "end" : "none",
    cell: ({ totals }) => (
      <Amount
        value={totals?.[name]}
        currency={totals?.currency ?? functional}
        functional={functional}
      />
    ),
    file: shownAmountCell(({ totals }) => ({
      amount: totals?.[name],
      currency: totals?.currency ?? functional,
    })),
  });
  return [amount("net"), amount("gross")];
}

/** The column with the currency of the amounts, which only files have: on the screen it is next to the amount. */
export function currencyColumn({ words, functional }: Columns): SheetColumn<Totalled> {
  return {
    head: words.currency,
    file: textCell(({ totals }) => totals?.currency ?? functional),
  };
}

function deliveryColumn({
  words,
  deliveries,
}: Columns): Column<Pick<InvoiceRow | CreditNoteRow, "delivery_state">> {
  return {
    head: words.delivery,
    cell: (row) => <DeliveryPill state={row.delivery_state ?? null} />,
    file: textCell(({ delivery_state }) => deliveries[delivery_state ?? "none"]),
  };
}

/** The label of a checkbox, from the title of its row. */
type BoxLabel = (title: string) => string;

function box<Row extends { readonly id: string }>(
  label: BoxLabel,
  titleOf: (row: Row) => string,
): Column<Row> {
  return {
    head: "",
    cell: (row) => <input type="checkbox" name={row.id} aria-label={label(titleOf(row))} />,
  };
}

export function draftColumns(columns: Columns, pick: BoxLabel): Column<InvoiceRow>[] {
  const { words } = columns;
  const titleOf = ({ title, customer }: InvoiceRow) =>
    [customer?.name, title].filter(Boolean).join(", ");
  return [
    box(pick, titleOf),
    {
      head: words.title,
      fold: "lead",
      cell: ({ id, title }) => <a href={`/invoices/${id}`}>{title ?? words.untitled}</a>,
      file: textCell(({ title }) => title),
    },
    customerColumn(columns),
    {
      head: words.date,
      cell: ({ issue_date }) => <Day day={issue_date} />,
      file: dayCell(({ issue_date }) => issue_date),
    },
    ...amountColumns(columns),
  ];
}

export function issuedColumns(columns: Columns, pick: BoxLabel): Column<InvoiceRow>[] {
  const { words } = columns;
  return [
    box(pick, ({ ledger_invoice_number, customer }) =>
      [ledger_invoice_number, customer?.name].filter(Boolean).join(", "),
    ),
    {
      head: words.number,
      fold: "lead",
      cell: ({ id, ledger_invoice_number: number }) => (
        <a href={`/invoices/${id}`}>{number ?? "–"}</a>
      ),
      file: numberCell(({ ledger_invoice_number }) => ledger_invoice_number),
    },
    customerColumn(columns),
    {
      head: words.title,
      cell: ({ title }) => title ?? "–",
      file: textCell(({ title }) => title),
    },
    {
      head: words.date,
      cell: ({ issue_date }) => <Day day={issue_date} />,
      file: dayCell(({ issue_date }) => issue_date),
    },
    ...amountColumns(columns),
    deliveryColumn(columns),
    {
      head: words.credited,
      kind: "number",
      fold: "none",
      cell: ({ totals }) => (
        <Amount
          value={totals?.credited === 0 ? null : totals?.credited_gross}
          currency={totals?.currency ?? columns.functional}
          functional={columns.functional}
        />
      ),
      file: shownAmountCell(({ totals }) => ({
        amount: totals?.credited_gross,
        currency: totals?.currency ?? columns.functional,
      })),
    },
  ];
}

export function noteColumns(columns: Columns, pick: BoxLabel): Column<CreditNoteRow>[] {
  const { words } = columns;
  return [
    box(pick, ({ ledger_credit_note_number, customer }) =>
      [ledger_credit_note_number, customer?.name].filter(Boolean).join(", "),
    ),
    {
      head: words.number,
      fold: "lead",
      cell: ({ id, ledger_credit_note_number: number }) => (
        <a href={`/credit-notes/${id}`}>{number ?? words.queued}</a>
      ),
      file: numberCell(({ ledger_credit_note_number }) => ledger_credit_note_number),
    },
    customerColumn(columns),
    {
      head: words.credits,
      cell: ({ invoice_id }) => <a href={`/invoices/${invoice_id}`}>{words.its_invoice}</a>,
    },
    {
      head: words.date,
      cell: ({ credit_date }) => <Day day={credit_date} />,
      file: dayCell(({ credit_date }) => credit_date),
    },
    ...amountColumns(columns),
    deliveryColumn(columns),
  ];
}
