/** The columns of the lists of drafts, issued invoices and credit notes. */
import type { CreditNoteRow } from "../features/credit-notes/schemas.ts";
import type { InvoiceRow } from "../features/invoices/schemas.ts";
import { DeliveryPill } from "./parts/delivery.tsx";
import type { Column } from "./parts/list.tsx";
import { Amount, Day } from "./parts/values.tsx";
import type { Words } from "./words/en.ts";

/** Whose reader the columns are for, and the currency of the books. */
interface Columns {
  readonly words: Words["invoices"];
  readonly functional: string;
}

type Totalled = Pick<InvoiceRow | CreditNoteRow, "customer_id" | "customer" | "totals">;

function customerColumn({ words }: Columns): Column<Totalled> {
  return {
    head: words.customer,
    cell: ({ customer, customer_id }) => (
      <a href={`/customers/${customer_id}`}>{customer?.name ?? "–"}</a>
    ),
  };
}

function amountColumns({ words, functional }: Columns): Column<Totalled>[] {
  const amount = (name: "net" | "gross"): Column<Totalled> => ({
    head: words[name],
    kind: "number",
    cell: ({ totals }) => (
      <Amount
        value={totals?.[name]}
        currency={totals?.currency ?? functional}
        functional={functional}
      />
    ),
  });
  return [amount("net"), amount("gross")];
}

/** `pick` says what a box is for, of a draft's title. */
export function draftColumns(
  columns: Columns,
  pick: (title: string) => string,
): Column<InvoiceRow>[] {
  const { words } = columns;
  const box = (label: (title: string) => string): Column<InvoiceRow> => ({
    head: "",
    cell: ({ id, title, customer }) => (
      <input
        type="checkbox"
        name={id}
        aria-label={label([customer?.name, title].filter(Boolean).join(", "))}
      />
    ),
  });
  return [
    box(pick),
    {
      head: words.title,
      cell: ({ id, title }) => <a href={`/invoices/${id}`}>{title ?? words.untitled}</a>,
    },
    customerColumn(columns),
    { head: words.date, cell: ({ issue_date }) => <Day day={issue_date} /> },
    ...amountColumns(columns),
  ];
}

export function issuedColumns(columns: Columns): Column<InvoiceRow>[] {
  const { words } = columns;
  return [
    {
      head: words.number,
      cell: ({ id, ledger_invoice_number: number }) => (
        <a href={`/invoices/${id}`}>{number ?? "–"}</a>
      ),
    },
    customerColumn(columns),
    { head: words.title, cell: ({ title }) => title ?? "–" },
    { head: words.date, cell: ({ issue_date }) => <Day day={issue_date} /> },
    ...amountColumns(columns),
    { head: words.delivery, cell: (row) => <DeliveryPill state={row.delivery_state ?? null} /> },
    {
      head: words.credited,
      kind: "number",
      cell: ({ totals }) => (
        <Amount
          value={totals?.credited === 0 ? null : totals?.credited_gross}
          currency={totals?.currency ?? columns.functional}
          functional={columns.functional}
        />
      ),
    },
  ];
}

export function noteColumns(columns: Columns): Column<CreditNoteRow>[] {
  const { words } = columns;
  return [
    {
      head: words.number,
      cell: ({ id, ledger_credit_note_number: number }) => (
        <a href={`/credit-notes/${id}`}>{number ?? words.queued}</a>
      ),
    },
    customerColumn(columns),
    {
      head: words.credits,
      cell: ({ invoice_id }) => <a href={`/invoices/${invoice_id}`}>{words.its_invoice}</a>,
    },
    { head: words.date, cell: ({ credit_date }) => <Day day={credit_date} /> },
    ...amountColumns(columns),
    { head: words.delivery, cell: (row) => <DeliveryPill state={row.delivery_state ?? null} /> },
  ];
}
