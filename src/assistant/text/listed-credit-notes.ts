/** Presents credit notes as rows of a list, with the invoices that they credit: as data and as a table. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { sumOfNumbers } from "../../domain/base/money.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { DeliveryOfRow, lastDeliveries } from "../../features/documents/issued/include.ts";
import { CreditNoteResource } from "../../features/sales/credit-notes/schemas.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { sql } from "../../platform/database/sql.ts";
import { amountText, deliveryCell, quoted, table } from "../protocol/words.ts";
import { DeliveryShown, listedRow } from "./listed-row.ts";

/** A credit note with its customer and its invoice. */
export const ListedCreditNote = CreditNoteResource.omit({ lines: true }).extend({
  line_count: z.int(),
  customer_name: z.string(),
  invoice_number: z.int().nullable(),
  currency: z.string(),
  delivery_state: DeliveryOfRow.optional(),
  amount: z.number().describe("The credited amount, net of VAT; positive."),
});

/** A row of a list of credit notes. */
export const CreditNoteRow = listedRow(ListedCreditNote.extend(DeliveryShown), [
  "id",
  "status",
  "ledger_credit_note_number",
  "kind",
  "customer_name",
  "credit_date",
  "invoice_id",
  "invoice_number",
  "delivery_state",
  "amount",
  "currency",
]);

export type ListedCreditNote = z.output<typeof ListedCreditNote>;

/** Returns credit notes with the names of their customers, and the numbers and currencies of their invoices. */
export async function withInvoices(
  cx: Reader,
  notes: readonly CreditNoteResource[],
): Promise<ListedCreditNote[]> {
  if (notes.length === 0) return [];
  const customer_ids = notes.map((note) => note.customer_id);
  const [names, deliveries, invoices] = await Promise.all([
    customerNames(cx, customer_ids),
    lastDeliveries(
      cx,
      notes.map(({ id }) => id),
    ),
    cx.rows<{ id: string; currency: string; ledger_invoice_number: bigint | null }>(sql`
      select id, currency, ledger_invoice_number from invoices
       where account_id = ${cx.caller.account_id} and id = any(${[...new Set(notes.map((note) => note.invoice_id))]})`),
  ]);
  const invoice_of = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  return notes.map(({ lines, ...note }) => {
    const { currency, ledger_invoice_number } = invoice_of.get(note.invoice_id) ?? {};
    if (currency === undefined) throw new Error("a credit note without its invoice");
    const amounts = lines.map((line) => line.amount);
    return {
      ...note,
      line_count: lines.length,
      customer_name: names.get(note.customer_id) ?? "",
      invoice_number: ledger_invoice_number ? Number(ledger_invoice_number) : null,
      currency,
      delivery_state: deliveries.get(note.id) ?? null,
      amount: sumOfNumbers(amounts, currencyDigits(currency)),
    };
  });
}

const COLUMNS = ["credit note", "status", "number", "kind", "customer", "date", "invoice"];

/** Returns the row of a credit note in a list. */
export function creditNoteRow(note: ListedCreditNote): Readonly<Record<string, unknown>> {
  return CreditNoteRow.of({ ...note, delivery_state: deliveryCell(note) });
}

export function creditNoteTable(notes: readonly ListedCreditNote[], nothing: string): string {
  const rows = notes.map((note) => [
    note.id,
    note.status,
    note.ledger_credit_note_number,
    note.kind,
    quoted(note.customer_name),
    note.credit_date ?? null,
    note.invoice_number === null
      ? note.invoice_id
      : `${note.invoice_id} (number ${note.invoice_number})`,
    deliveryCell(note),
    amountText(note.amount, note.currency),
  ]);
  const columns = [...COLUMNS, "delivery", "net"];
  return table(columns, rows, nothing);
}
