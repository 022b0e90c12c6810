/** Presents invoices as rows of a list, with their net amounts: as data and as a table. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../domain/base/money.ts";
import type { Line } from "../../domain/sales/line.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { DeliveryOfRow } from "../../features/documents/issued/include.ts";
import type { OpenState } from "../../features/ledger/booking/intent-state.ts";
import { openBookings } from "../../features/ledger/booking/queries.ts";
import {
  OPEN_OF_INVOICE,
  openFrom,
  type PackedOpen,
} from "../../features/receivables/payment-states/find-open.ts";
import { periodsOf } from "../../features/sales/invoices/list.ts";
import { netsOfDrafts, pricedLines, sumOf } from "../../features/sales/invoices/price-lines.ts";
import { InvoiceResource } from "../../features/sales/invoices/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { lineColumns } from "../../platform/database/line-columns.ts";
import type { Packed } from "../../platform/database/shape.ts";
import type { Beside } from "../../platform/database/stored-read.ts";
import type { DeliveryState } from "../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../platform/runtime/json.ts";
import { amountText, deliveryCell, moneyText, quoted, table } from "../protocol/words.ts";
import { DeliveryShown, listedRow } from "./listed-row.ts";

/** An invoice with its customer's name, the net total of its lines, and the period of the retainer that it bills. */
export const ListedInvoice = InvoiceResource.omit({ lines: true }).extend({
  line_count: z.int(),
  customer_name: z.string(),
  net: z.number().describe("Net of VAT, in the invoice's currency; of a draft as of now."),
  series_id: z.string().optional().describe("Of an invoice of a retainer."),
  period: z.string().optional(),
  /** The booking state of a draft that the connected ledger is booking; `parked` waits for a person. */
  booking: z.string().optional(),
  /** The state of the last delivery; null if there was none. Only in lists. */
  delivery_state: DeliveryOfRow.optional(),
  /** What is still to be paid of an issued invoice, in its currency; absent where it is not known. Only in lists. */
  open: z.number().optional(),
});

export type ListedInvoice = z.output<typeof ListedInvoice>;

/** A row of a list of invoices. */
export const ListedInvoiceRow = listedRow(ListedInvoice.extend(DeliveryShown), [
  "id",
  "status",
  "booking",
  "ledger_invoice_number",
  "customer_name",
  "title",
  "issue_date",
  "period",
  "delivery_state",
  "net",
  "currency",
  "open",
]);

/** Returns invoices with the names of their customers and their net amounts. */
export async function withAmounts(
  cx: PersonReader,
  invoices: readonly InvoiceResource[],
): Promise<ListedInvoice[]> {
  const ids = invoices.map((invoice) => invoice.id);
  const customer_ids = invoices.map((invoice) => invoice.customer_id);
  const [names, lines, periods, bookings] = await Promise.all([
    customerNames(cx, customer_ids),
    pricedLines(cx, ids),
    periodsOf(cx, ids),
    openBookings(cx, ids),
  ]);
  return invoices.map(({ lines: own, ...invoice }) => {
    const billed = periods.get(invoice.id);
    const booking = bookings.get(invoice.id);
    return {
      ...invoice,
      line_count: own.length,
      customer_name: names.get(invoice.customer_id) ?? "",
      net: scaledToNumber(sumOf(lines.get(invoice.id)), currencyDigits(invoice.currency)),
      ...(billed && { series_id: billed.id, period: billed.period }),
      ...(booking && { booking }),
    };
  });
}

/** A row of a list of invoices, as it is read. */
interface InvoiceRow {
  readonly id: string;
  readonly status: string;
  readonly currency: string;
  readonly ledger_invoice_number: string | null;
  readonly title: string | null;
  readonly issue_date: string | null;
  readonly period: string | null;
  readonly customer_name: string;
  /** The booked amount of an issued invoice's lines, in minor units; null for a draft. */
  readonly booked: Money | null;
  /** The lines of a draft; null for an invoice without lines. */
  readonly lines: readonly Packed<Line>[] | null;
  /** The booking state of a draft that a connected ledger is booking. */
  readonly booking: OpenState | null;
  readonly delivery_state: DeliveryState | null;
  /** What its amount still open is computed from; null where it is not known. */
  readonly open: PackedOpen | null;
}

/** The columns that `INVOICE_ROW` packs. */
type PackedInvoice = readonly [
  id: string,
  status: string,
  currency: string,
  ledger_invoice_number: string | null,
  title: string | null,
  issue_date: string | null,
  period: string | null,
  customer_name: string,
  booked: string | null,
  lines: readonly Packed<Line>[] | null,
  booking: OpenState | null,
  delivery_state: DeliveryState | null,
  open: PackedOpen | null,
];

const OWN_LINES = `from invoice_lines l
  where l.account_id = invoices.account_id and l.invoice_id = invoices.id`;

export const INVOICE_ROW: Beside<InvoiceRow> = {
  document: "id::text",
  packed: `json_build_array(id, status, currency, ledger_invoice_number::text, title, issue_date, period,
    (select c.name from customers c where c.account_id = invoices.account_id and c.id = invoices.customer_id),
    case when status = 'issued' then (select coalesce(sum(l.amount), 0)::text ${OWN_LINES}) end,
    case when status = 'draft' then (select json_agg(${lineColumns.packed("l")}) ${OWN_LINES}) end,
    case when status = 'draft' then (select t.state from intents t where t.account_id = invoices.account_id
      and t.document_id = invoices.id and t.state in ('booking', 'unknown', 'pending', 'parked')) end,
    (select d.state from deliveries d where d.account_id = invoices.account_id and d.document_id = invoices.id
      order by d.id desc limit 1), ${OPEN_OF_INVOICE})`,
  read(packed) {
    const [id, status, currency, ledger_invoice_number, title, issue_date, period, ...more] =
      packed as PackedInvoice;
    const [customer_name, amount, lines, booking, delivery_state, open] = more;
    const booked = amount === null ? null : BigInt(amount);
    return {
      id,
      status,
      currency,
      ledger_invoice_number,
      title,
      issue_date,
      period,
      customer_name,
      booked,
      lines,
      booking,
      delivery_state,
      open,
    };
  },
};

interface Shown {
  readonly data: readonly JsonText[];
  readonly table: string;
}

/** Returns a function that shows rows as data and as a table with their deliveries; without rows it shows the given sentence. */
export function showRows(
  nothing: string,
): (cx: PersonReader, rows: readonly InvoiceRow[]) => Promise<Shown> {
  return (cx, rows) => shownRows(cx, rows, nothing);
}

async function shownRows(
  cx: PersonReader,
  rows: readonly InvoiceRow[],
  nothing: string,
): Promise<Shown> {
  const drafts = rows.map(({ currency, lines }) => ({
    currency,
    lines: (lines ?? []).map((line) => lineColumns.parse(line)),
  }));
  const of_drafts = await netsOfDrafts(cx, drafts);
  const nets = rows.map(({ booked }, at) => booked ?? of_drafts[at] ?? 0n);
  const net = (at: number): Money => nets[at] ?? 0n;
  const opens = rows.map(({ open }) => (open === null ? null : openFrom(open, cx.clock)));
  const openText = ({ currency }: InvoiceRow, at: number): string | null => {
    const open = opens[at] ?? null;
    return open === null ? null : moneyText(open, currency);
  };
  return {
    data: rows.map((row, at) => textOfRow(row, net(at), opens[at] ?? null)),
    table: tableOf(rows, (row, at) => moneyText(net(at), row.currency), nothing, {
      deliveryOf: deliveryCell,
      ...(opens.some((open) => open !== null) && { openOf: openText }),
    }),
  };
}

function textOfRow(row: InvoiceRow, net: Money, open: Money | null): JsonText {
  const { ledger_invoice_number: number } = row;
  const shown = ListedInvoiceRow.of({
    ...row,
    ledger_invoice_number: number === null ? null : Number(number),
    delivery_state: deliveryCell(row),
    net: scaledToNumber(net, currencyDigits(row.currency)),
    open: open === null ? null : scaledToNumber(open, currencyDigits(row.currency)),
  });
  return jsonText(shown);
}

export function invoiceTable(invoices: readonly ListedInvoice[], nothing: string): string {
  return tableOf(invoices, ({ net, currency }) => amountText(net, currency), nothing);
}

/** Returns `being booked`, or that the booking is in doubt. */
function bookingText(state: string): string {
  return state === "parked" ? "booking uncertain" : "being booked";
}

const COLUMNS = ["invoice", "status", "number", "customer", "title", "date", "period"];

interface TableRow extends Pick<InvoiceRow, "id" | "status" | "customer_name" | "title"> {
  readonly ledger_invoice_number: string | number | null;
  readonly issue_date: string | null;
  readonly period?: string | null | undefined;
  readonly booking?: string | null | undefined;
}

/** The columns that only some tables have. */
interface MoreColumns<Row> {
  readonly deliveryOf?: (row: Row) => string | null;
  readonly openOf?: (row: Row, at: number) => string | null;
}

function tableOf<Row extends TableRow>(
  invoices: readonly Row[],
  netText: (row: Row, at: number) => string,
  nothing: string,
  { deliveryOf, openOf }: MoreColumns<Row> = {},
): string {
  const rows = invoices.map((invoice, at) => [
    invoice.id,
    invoice.booking ? `${invoice.status}, ${bookingText(invoice.booking)}` : invoice.status,
    invoice.ledger_invoice_number,
    quoted(invoice.customer_name),
    quoted(invoice.title),
    invoice.issue_date,
    invoice.period ?? null,
    ...(deliveryOf === undefined ? [] : [deliveryOf(invoice)]),
    netText(invoice, at),
    ...(openOf === undefined ? [] : [openOf(invoice, at)]),
  ]);
  const delivery = deliveryOf === undefined ? [] : ["delivery"];
  const open = openOf === undefined ? [] : ["open"];
  return table([...COLUMNS, ...delivery, "net", ...open], rows, nothing);
}
