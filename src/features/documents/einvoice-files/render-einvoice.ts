/** Renders the content of an e-invoice to the bytes of a format. */
import type { EinvoiceFormat } from "../../../domain/einvoice/einvoice-format.ts";
import type { ElectronicInvoice } from "../../../domain/einvoice/electronic-invoice.ts";
import { writeBis } from "../../../domain/einvoice/write-bis.ts";
import { writeCii } from "../../../domain/einvoice/write-cii.ts";
import { writeOioubl } from "../../../domain/einvoice/write-oioubl.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { renderFacturX } from "../issued/render-document.ts";

/** The writer of each format. The XML of Factur-X is attached to the pages of the document. */
const WRITERS = {
  "peppol-bis-3": writeBis,
  "oioubl-2.1": writeOioubl,
  "factur-x": writeCii,
} as const satisfies Record<EinvoiceFormat, (invoice: ElectronicInvoice) => string>;

/** An issued document, with the number that its pages have. */
interface IssuedContent {
  readonly invoice: ElectronicInvoice;
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint;
}

/** Returns the bytes of the file: XML in UTF-8, or the PDF of Factur-X. */
export async function renderEinvoice(
  cx: Reader,
  { invoice, snapshot, number }: IssuedContent,
  format: EinvoiceFormat,
): Promise<Uint8Array> {
  const xml = new TextEncoder().encode(WRITERS[format](invoice));
  return format === "factur-x" ? renderFacturX(cx, snapshot, number, xml) : xml;
}
