/** The list of invoices: stored texts passed on unparsed, or with what is asked for beside them. */
import type { Context } from "../../platform/context.ts";
import { envelope, listDocuments, listStored } from "../../platform/database/page.ts";
import type { JsonText } from "../../platform/json.ts";
import { withIncluded } from "./included.ts";
import { invoiceConditions } from "./queries.ts";
import type { InvoiceQuery } from "./schemas.ts";

/**
 * Invoices, one-time ones unless the page asks for others, from the newest to the oldest. A customer that nobody
 * knows has none. Throws VALIDATION_FAILED for a cursor that is not ours.
 */
export async function listInvoices(cx: Context, page: InvoiceQuery): Promise<JsonText> {
  const conditions = await invoiceConditions(cx, page);
  const { account_id } = cx.caller;
  if (page.include === undefined) {
    return listDocuments(cx.db, "invoices", account_id, conditions, page);
  }
  const { rows, next_cursor } = await listStored(cx.db, "invoices", account_id, conditions, page);
  return envelope(await withIncluded(cx, rows, page.include), next_cursor);
}
