/** The tool that lists invoices. One invoice with all that belongs to it is shown by the feature `recognition`. */
import * as z from "zod";
import { currencyDigits } from "../../domain/currency.ts";
import { scaledToNumber } from "../../domain/money.ts";
import type { Role } from "../../domain/user.ts";
import { together } from "../../platform/database/transaction.ts";
import { Day } from "../../platform/http/schemas.ts";
import {
  pageArguments,
  reading,
  reference,
  scopeArgument,
  scopedOutput,
  searchArgument,
} from "../../platform/mcp/arguments.ts";
import { defineTool, type PersonContext } from "../../platform/mcp/tool.ts";
import { amountText, quoted, table } from "../../platform/mcp/words.ts";
import { customerNames } from "../customers/queries.ts";
import { answerInView } from "../views/in-view.ts";
import { pricedLines, sumOf } from "./amounts.ts";
import { periodsOf } from "./included.ts";
import { invoiceConditions } from "./queries.ts";
import { InvoiceResource } from "./schemas.ts";

const input = (role: Role) =>
  z.object({
    scope: scopeArgument(role),
    origin: z
      .enum(["all", "one_time", "series"])
      .default("all")
      .describe("one_time, or series: what retainers have invoiced."),
    status: z.enum(["draft", "issued"]).optional(),
    customer: reference("customer").optional(),
    from: Day.optional().describe("First issue date; leaves out drafts without a date."),
    to: Day.optional().describe("Last issue date; leaves out drafts without a date."),
    search: searchArgument,
    ...pageArguments,
  });

/** An invoice with whom it bills, what its lines come to, net of VAT, and the period of a retainer that it bills. */
export const ListedInvoice = InvoiceResource.extend({
  customer_name: z.string(),
  net: z.number().describe("Net of VAT, in the invoice's currency; of a draft as of now."),
  series_id: z.string().optional().describe("Of an invoice of a retainer."),
  period: z.string().optional(),
});
export type ListedInvoice = z.output<typeof ListedInvoice>;

export const listInvoicesTool = defineTool<z.output<ReturnType<typeof input>>>({
  ...reading,
  name: "list_invoices",
  title: "List invoices",
  description:
    "Use it to find invoices and drafts, those of retainers among them, by customer, status, issue date, number or title, with net amounts, the newest first. mine are those with a line assigned to the person. Periods that are not invoiced yet are found with list_occurrences.",
  input,
  output: scopedOutput(ListedInvoice),

  async call(cx, { scope, limit, cursor, ...filters }) {
    const conditions = await invoiceConditions(cx, filters);
    const view = { scope, limit, cursor };
    return answerInView(cx, "invoice", view, conditions, withAmounts, (rows) =>
      invoiceTable(rows, "No invoices."),
    );
  },
});

/** Invoices with the names of their customers and their net amounts. */
export async function withAmounts(
  cx: PersonContext,
  invoices: readonly InvoiceResource[],
): Promise<ListedInvoice[]> {
  const ids = invoices.map((invoice) => invoice.id);
  const [names, lines, periods] = await together([
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
