/** Reads what the form that sends a document again shows of its e-invoice: what was sent last, else what would be sent now. */
import type { GivenReferences } from "../../../domain/einvoice/corrections.ts";
import { buyerReferences } from "../../../domain/sales/printed.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { findConnection } from "../einvoice-connections/queries.ts";
import {
  electronicInvoiceOf,
  findLastSent,
  readIssued,
  readReceiver,
} from "../einvoice-files/read-electronic-invoice.ts";
import { inItsLedger } from "../issued/find-booked-by.ts";
import { printingLedger } from "../issued/read-pdf.ts";

interface EinvoiceForm extends GivenReferences {
  /** `0088:5798009811578`; null where there is none. */
  readonly receiver: string | null;
}

/** Returns receiver and references; null where the account has no connection, or a ledger sends the document. */
export async function readEinvoiceForm(
  cx: Reader,
  document_id: string,
  customer_id: string,
): Promise<EinvoiceForm | null> {
  if (printingLedger(await inItsLedger(cx, document_id)) !== null) return null;
  if ((await findConnection(cx)) === undefined) return null;
  const sent = await findLastSent(cx, document_id);
  const receiver = sent?.receiver ?? (await readReceiver(cx, customer_id)).address;
  const issued = await readIssued(cx, document_id);
  const stated = electronicInvoiceOf(issued, { receiver, corrections: sent?.corrections ?? {} });
  const references = buyerReferences.map((field) => [field, stated[field]]);
  return { receiver, ...Object.fromEntries(references) };
}
