/** The columns of the lists of drafts, issued invoices and credit notes. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText, scaledFromChecked } from "../../domain/base/money.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import type { CreditNoteRow } from "../../features/sales/credit-notes/schemas.ts";
import type { InvoiceSort } from "../../features/sales/invoices/list-sorted.ts";
import type { InvoiceRow } from "../../features/sales/invoices/schemas.ts";
import {
  dayCell,
  numberCell,
  type SheetColumn,
  shownAmountCell,
  textCell,
} from "../frame/sheet.ts";
import { DeliveryPill } from "../parts/delivery.tsx";
import { dayOf, hoursOf, monthOf } from "../parts/format.ts";
import type { Column, SortLink } from "../parts/list.tsx";
import { Amount, Day } from "../parts/values.tsx";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";
import type { InvoiceWithEarned } from "./invoice-rows.ts";
import { PaymentPill } from "./payment-card.tsx";

/** The reader's texts for the columns, and the currency of the books. */
interface Columns {
  readonly words: Words["invoices"];
  readonly deliveries: Words["delivery"];
  /** The label of the box that selects all rows. */
  readonly select_all: string;
  readonly functional: string;
  readonly language: Language;
  /** Whether the reader sees what each invoice has earned. */
  readonly shows_earned: boolean;
  /** The texts of what is paid; null where nothing is known of it. */
  readonly payments: Words["payments"] | null;
  /** Returns the link that sorts by a column; files have none. */
  readonly sortBy?: (by: InvoiceSort) => SortLink;
}

/** Returns the property of a column that sorts by it. */
function sorts({ sortBy }: Columns, by: InvoiceSort): { readonly sort?: SortLink } {
  return sortBy === undefined ? {} : { sort: sortBy(by) };
}

/** The title of an invoice; without one its retainer and period, or the text of its first line. */
function titleOf({ words, language }: Columns, row: InvoiceWithEarned): string {
  const { title, period, period_from, period_to, first_text } = row;
  if (title !== null) return title;
  if (period == null || period_from == null || period_to == null) {
    return first_text ?? words.untitled;
  }
  const is_month = /^\d{4}-\d{2}$/.test(period);
  const days = `${dayOf(language, period_from)} – ${dayOf(language, period_to)}`;
  return words.of_retainer(is_month ? monthOf(language, period) : days);
}

type Totalled = Pick<InvoiceRow | CreditNoteRow, "customer_id" | "customer" | "totals">;

function customerColumn(columns: Columns, is_sorted = true): Column<Totalled> {
  return {
    head: columns.words.customer,
    ...(is_sorted ? sorts(columns, "customer") : {}),
    cell: ({ customer, customer_id }) => (
      <a href={`/customers/${customer_id}`}>{customer?.name ?? "–"}</a>
    ),
    file: textCell(({ customer }) => customer?.name),
  };
}

function amountColumns(columns: Columns, is_sorted = true): Column<Totalled>[] {
  const { words, functional } = columns;
  const amount = (name: "net" | "gross"): Column<Totalled> => ({
    head: words[name],
    kind: "number",
    ...(is_sorted && name === "gross" ? sorts(columns, "amount") : {}),
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

/** Whether an invoice is paid, and what is open of it; none until receivables are begun. */
function paymentColumns({ payments, functional }: Columns): Column<InvoiceWithEarned>[] {
  if (payments === null) return [];
  const { states } = payments;
  return [
    {
      head: payments.card,
      cell: ({ payment }) => (payment == null ? "–" : <PaymentPill {...payment} />),
      file: textCell(
        ({ payment }) => payment && states[payment.is_overdue ? "overdue" : payment.state],
      ),
    },
    {
      head: payments.open,
      kind: "number",
      fold: "none",
      cell: ({ payment, currency }) => (
        <Amount
          value={payment?.open === 0 ? null : payment?.open}
          currency={currency}
          functional={functional}
        />
      ),
      file: shownAmountCell(({ payment, currency }) => ({ amount: payment?.open, currency })),
    },
  ];
}

/** What an invoice or draft has earned so far, for those who see it, with the part of its amount as a bar. */
function earnedColumn({ words, functional, shows_earned }: Columns): Column<InvoiceWithEarned>[] {
  if (!shows_earned) return [];
  const column: Column<InvoiceWithEarned> = {
    head: words.earned,
    kind: "number",
    fold: "none",
    cell: ({ earned, totals, currency }) =>
      earned == null ? (
        <span class="quiet" title={words.too_many_lines}>
          –
        </span>
      ) : (
        <>
          <Amount value={earned} currency={currency} functional={functional} />
          <EarnedBar percent={percentOf(earned, totals)} />
        </>
      ),
    file: shownAmountCell(({ earned, currency }) => ({ amount: earned ?? undefined, currency })),
  };
  return [column];
}

/** Returns how much of the amount without VAT, less credits, is earned: 0 to 100. Null without an amount. */
function percentOf(earned: number, totals: InvoiceWithEarned["totals"]): bigint | null {
  if (totals === undefined) return null;
  const scaled = (amount: number) => scaledFromChecked(amount, currencyDigits(totals.currency));
  const whole = scaled(totals.net) - scaled(totals.credited ?? 0);
  if (whole <= 0n) return null;
  const percent = (scaled(earned) * 100n) / whole;
  return percent < 0n ? 0n : percent > 100n ? 100n : percent;
}

function EarnedBar({ percent }: { percent: bigint | null }) {
  if (percent === null) return null;
  return (
    <svg class="thin-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="well" width="100" height="4" />
      <rect class="c1" width={`${percent}`} height="4" />
    </svg>
  );
}

/** The label of a checkbox, from the title of its row. */
type BoxLabel = (title: string) => string;

/** The amount with VAT in minor units, for the sum of the selection. */
function minorText(totals: Totalled["totals"]): string | undefined {
  if (totals === undefined) return undefined;
  return `${scaledFromChecked(totals.gross, currencyDigits(totals.currency))}`;
}

function box<Row extends Pick<InvoiceWithEarned | CreditNoteRow, "id" | "totals">>(
  { select_all }: Columns,
  label: BoxLabel,
  textOf: (row: Row) => string,
): Column<Row> {
  return {
    head: "",
    all: select_all,
    cell: (row) => (
      <input
        type="checkbox"
        name={row.id}
        aria-label={label(textOf(row))}
        data-minor={minorText(row.totals)}
        data-currency={row.totals?.currency}
      />
    ),
  };
}

export function draftColumns(columns: Columns, pick: BoxLabel): Column<InvoiceWithEarned>[] {
  const { words, language } = columns;
  const titled = (row: InvoiceWithEarned) =>
    [row.customer?.name, titleOf(columns, row)].filter(Boolean).join(", ");
  return [
    box(columns, pick, titled),
    {
      head: words.title,
      fold: "lead",
      cell: (row) => <a href={`/invoices/${row.id}`}>{titleOf(columns, row)}</a>,
      file: textCell((row) => titleOf(columns, row)),
    },
    customerColumn(columns, false),
    {
      head: words.date,
      cell: ({ issue_date }) => <Day day={issue_date} />,
      file: dayCell(({ issue_date }) => issue_date),
    },
    {
      head: words.hours,
      kind: "number",
      fold: "none",
      cell: ({ hours }) => (hours == null ? "–" : hoursOf(language, hours)),
      file: numberCell(({ hours }) =>
        hours == null ? null : decimalText(BigInt(hours), HOURS_DECIMALS),
      ),
    },
    {
      head: words.waits_since,
      fold: "none",
      cell: ({ since }) => <Day day={since} />,
      file: dayCell(({ since }) => since),
    },
    ...amountColumns(columns, false),
    ...earnedColumn(columns),
  ];
}

export function issuedColumns(columns: Columns, pick: BoxLabel): Column<InvoiceWithEarned>[] {
  const { words } = columns;
  return [
    box(columns, pick, ({ ledger_invoice_number, customer }) =>
      [ledger_invoice_number, customer?.name].filter(Boolean).join(", "),
    ),
    {
      head: words.number,
      ...sorts(columns, "number"),
      fold: "lead",
      cell: ({ id, ledger_invoice_number: number }) => (
        <a href={`/invoices/${id}`}>{number ?? "–"}</a>
      ),
      file: numberCell(({ ledger_invoice_number }) => ledger_invoice_number),
    },
    customerColumn(columns),
    {
      head: words.title,
      cell: (row) => titleOf(columns, row),
      file: textCell((row) => titleOf(columns, row)),
    },
    {
      head: words.date,
      ...sorts(columns, "day"),
      cell: ({ issue_date }) => <Day day={issue_date} />,
      file: dayCell(({ issue_date }) => issue_date),
    },
    ...amountColumns(columns),
    ...paymentColumns(columns),
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
    ...earnedColumn(columns),
  ];
}

export function noteColumns(columns: Columns, pick: BoxLabel): Column<CreditNoteRow>[] {
  const { words } = columns;
  return [
    box(columns, pick, ({ ledger_credit_note_number, customer }) =>
      [ledger_credit_note_number, customer?.name].filter(Boolean).join(", "),
    ),
    {
      head: words.number,
      ...sorts(columns, "number"),
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
      ...sorts(columns, "day"),
      cell: ({ credit_date }) => <Day day={credit_date} />,
      file: dayCell(({ credit_date }) => credit_date),
    },
    ...amountColumns(columns),
    deliveryColumn(columns),
  ];
}
