/** Invoices as rows of a list, with their net amounts: as data and as a table. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { customerNames } from "../../features/customers/queries.ts";
import { periodsOf } from "../../features/invoices/list.ts";
import { pricedLines, sumOf } from "../../features/invoices/price-lines.ts";
import { InvoiceResource } from "../../features/invoices/schemas.ts";
import type { PersonReader } from "../protocol/tool.ts";
import { amountText, quoted, table } from "../protocol/words.ts";

/** An invoice with whom it bills, what its lines come to, net of VAT, and the period of a retainer that it bills. */
export const ListedInvoice = InvoiceResource.extend({
  customer_name: z.string(),
  net: z.number().describe("Net of VAT, in the invoice's currency; of a draft as of now."),
  series_id: z.string().optional().describe("Of an invoice of a retainer."),
  period: z.string().optional(),
});

export type ListedInvoice = z.output<typeof ListedInvoice>;

/** Invoices with the names of their customers and their net amounts. */
export async function withAmounts(
  cx: PersonReader,
  invoices: readonly InvoiceResource[],
): Promise<ListedInvoice[]> {
  const ids = invoices.map((invoice) => invoice.id);
  const [names, lines, periods] = await Promise.all([
    customerNames(
      cx,
      invoices.map((invoice) => invoice.customer_id),
    ),
    pricedLines(cx, ids),
    periodsOf(cx, ids),
  ]);
  return invoices.map((invoice) => {
    const billed = periods.get(invoice.id);
    return {
      ...invoice,
      customer_name: names.get(invoice.customer_id) ?? "",
      net: scaledToNumber(sumOf(lines.get(invoice.id)), currencyDigits(invoice.currency)),
      ...(billed && { series_id: billed.id, period: billed.period }),
    };
  });
}

export function invoiceTable(invoices: readonly ListedInvoice[], nothing: string): string {
  const rows = invoices.map((invoice) => [
    invoice.id,
    invoice.status,
    invoice.ledger_invoice_number,
    quoted(invoice.customer_name),
    quoted(invoice.title),
    invoice.issue_date,
    invoice.period ?? null,
    amountText(invoice.net, invoice.currency),
  ]);
  const columns = ["invoice", "status", "number", "customer", "title", "date", "period", "net"];
  return table(columns, rows, nothing);
}
