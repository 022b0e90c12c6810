/** The file of an e-invoice as the API answers it. */
import { Problem } from "../../../domain/base/problem.ts";
import type { EinvoiceFormat } from "../../../domain/einvoice/einvoice-format.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import { inItsLedger } from "../issued/find-booked-by.ts";
import { fileNameOf, type ShownDocument } from "../issued/issued-documents.ts";
import { printingLedger } from "../issued/read-pdf.ts";
import { einvoiceFileOf, einvoiceWithoutHours } from "./einvoice-files.ts";
import { findLastSent, readReceiver } from "./read-electronic-invoice.ts";

/**
 * Returns the e-invoice of an issued document as `faktura-1001.xml` (Factur-X: `.pdf`): without a format the file that was sent last, else
 * the one that would be sent now. Throws EINVOICE_INCOMPLETE, and EINVOICE_BY_LEDGER where the ledger that booked it prints and sends it.
 */
export async function einvoiceReply(
  cx: Reader,
  { id, snapshot, number, hours_are_own = false }: ShownDocument,
  asked?: EinvoiceFormat,
): Promise<ReplyFile> {
  if (printingLedger(await inItsLedger(cx, id)) !== null) throw new Problem("EINVOICE_BY_LEDGER");
  const which = await fileToShow(cx, id, snapshot.customer.id, asked);
  const { content, sha256 } = await (hours_are_own
    ? einvoiceWithoutHours(cx, id, which)
    : einvoiceFileOf(cx, id, which));
  const is_pdf = which.format === "factur-x";
  return {
    content_type: is_pdf ? "application/pdf" : "application/xml",
    filename: fileNameOf(snapshot, number, is_pdf ? "pdf" : "xml"),
    content,
    etag: sha256.toString("hex"),
  };
}

async function fileToShow(
  cx: Reader,
  document_id: string,
  customer_id: string,
  asked: EinvoiceFormat | undefined,
) {
  const sent = asked === undefined ? await findLastSent(cx, document_id) : undefined;
  if (sent !== undefined) return sent;
  const { address, format } = await readReceiver(cx, customer_id);
  return { format: asked ?? format, receiver: address, corrections: {} };
}
