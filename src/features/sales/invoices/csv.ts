/** `/invoices.csv`: one row for each printed row of an invoice, with the fields of its document. */
import { decimalText } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type CsvColumn, defineCsvFile, number, text } from "../../../platform/http/csv-file.ts";
import {
  accountingCostColumn,
  amountColumns,
  answerColumn,
  currencyColumn,
  customerColumns,
  type DocumentRowOfFile,
  deliveryColumn,
  exampleOfLine,
  lineColumns,
  onFirst,
  portionsOfDocuments,
  priceColumns,
  rowsOfDocuments,
} from "../../documents/issued/csv-columns.ts";
import { type Credited, creditedOf } from "../../documents/issued/include.ts";
import {
  type KnownPayment,
  paymentConditions,
  paymentsOf,
} from "../../receivables/payment-states/find-states.ts";
import { documentsOfInvoices, periodsOf } from "./list.ts";
import { invoiceConditions } from "./list-conditions.ts";
import { InvoiceQuery, type InvoiceResource, type InvoiceRow } from "./schemas.ts";

interface Row extends DocumentRowOfFile {
  readonly of: InvoiceResource;
  readonly line: InvoiceResource["lines"][number] | undefined;
  readonly series: InvoiceRow["series"];
  readonly credited: Credited | undefined;
  /** What is paid today; undefined where it is not known. */
  readonly payment: KnownPayment | undefined;
}

const credited = (row: Row, amount: bigint | undefined): `${number}` | null =>
  row.is_first ? decimalText(amount ?? 0n, row.document.currency_digits) : null;

const owed = (row: Row, amount: bigint | null | undefined): `${number}` | null =>
  row.is_first && typeof amount === "bigint"
    ? decimalText(amount, row.document.currency_digits)
    : null;

const columns: readonly CsvColumn<Row>[] = [
  text("invoice_id", "", (row) => row.of.id),
  text("external_id", "The id that the caller gave.", (row) => row.of.external_id),
  number(
    "number",
    "The invoice's number; empty for a draft.",
    (row) => row.of.ledger_invoice_number,
  ),
  text("status", "`draft` or `issued`.", (row) => row.of.status),
  text("origin", "`one_time`, or `series` for a period of one.", (row) =>
    row.series ? "series" : "one_time",
  ),
  text("series_id", "", (row) => row.series?.id),
  text("series_external_id", "The id that the caller gave.", (row) => row.series?.external_id),
  text("period", "The key of the series' period.", (row) => row.series?.period),
  text("issue_date", "Of a draft without one: today.", (row) => row.document.issue_date),
  text("due_date", "", (row) => row.document.payment.due_date),
  ...customerColumns,
  text("title", "", (row) => row.of.title),
  currencyColumn,
  text("line_id", "", (row) => row.flat?.line.line_id),
  ...lineColumns,
  text("product_id", "", (row) => row.line?.product_id),
  text(
    "recognition_method",
    "When the revenue of the line is earned.",
    (row) => row.line?.recognition_method,
  ),
  ...priceColumns,
  ...amountColumns,
  number("document_credited", onFirst("Credited by issued credit notes, net of VAT"), (row) =>
    credited(row, row.credited?.net),
  ),
  number("document_credited_gross", onFirst("The same with VAT"), (row) =>
    credited(row, row.credited?.gross),
  ),
  deliveryColumn,
  text("issued_at", "When it was booked.", (row) => row.of.issued_at),
  text(
    "payment_state",
    "`open`, `partly_paid`, `paid` or `credited` today; empty for a draft and where it is not known.",
    (row) => row.payment?.state,
  ),
  number("document_paid", onFirst("Paid until today"), (row) => owed(row, row.payment?.paid)),
  number("document_open", onFirst("Open today"), (row) => owed(row, row.payment?.open)),
  text("paid_on", "The day on which nothing was open any more.", (row) => row.payment?.paid_on),
  accountingCostColumn,
  answerColumn,
];

export const invoicesCsv = defineCsvFile({
  path: "/invoices.csv",
  operation: "invoices.export",
  summary: "Invoices as a file, line by line",
  description:
    "One printed row of an invoice in a row, the newest invoice first, with the filters of `GET /invoices`. A line has one row; a line by hours has one for each rate. `net`, `vat`, `gross` and their functional amounts add up to those of the documents, `net_functional` of issued ones to what was booked on revenue accounts. Drafts are computed as of now; leave them out with `status=issued`.",
  query: InvoiceQuery.omit({ limit: true, cursor: true, include: true }),
  columns,
  example: {
    invoice_id: "019a5d2d-1b2c-7d3e-8f40-516273849506",
    number: "1001",
    status: "issued",
    origin: "one_time",
    issue_date: "2026-03-31",
    due_date: "2026-04-14",
    customer_id: "019a5d2c-7c1e-7b52-9f0e-2f6f3f0f4a11",
    customer_country: "DK",
    ...exampleOfLine("9000.00", "2250.00", "11250.00"),
    recognition_method: "hours",
    quantity: "7.5",
    unit: "hours",
    unit_price: "1200.00",
    discount: "0",
    document_credited: "0.00",
    document_credited_gross: "0.00",
    delivery_state: "accepted",
    issued_at: "2026-03-31T08:00:00.000Z",
    payment_state: "partly_paid",
    document_paid: "5000.00",
    document_open: "6250.00",
  },
  refuses: ["RECEIVABLES_NOT_BEGUN"],
  async *rows(cx, query) {
    const conditions = [...invoiceConditions(query), ...(await paymentConditions(cx, query))];
    yield* portionsOfDocuments(cx, "invoices", conditions, query, rowsOf);
  },
});

async function rowsOf(cx: Reader, invoices: readonly InvoiceResource[]): Promise<Row[]> {
  const ids = invoices.map(({ id }) => id);
  const documents = await documentsOfInvoices(cx, ids);
  const periods = await periodsOf(cx, ids);
  const credits = await creditedOf(cx, ids);
  const payments = await paymentsOf(cx, ids);
  const rows = await rowsOfDocuments(cx, invoices, documents, ({ status }) => status === "issued");
  return rows.map((row) => ({
    ...row,
    line: row.of.lines.find(({ id }) => id === row.flat?.line.line_id),
    series: periods.get(row.of.id),
    credited: credits.get(row.of.id),
    payment: payments.get(row.of.id),
  }));
}
