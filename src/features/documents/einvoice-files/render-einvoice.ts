/** Renders the content of an e-invoice to the bytes of a format. */
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
} as const satisfies Record<string, (invoice: ElectronicInvoice) => string>;

export type EinvoiceFileFormat = keyof typeof WRITERS;

export const einvoiceFileFormats = Object.keys(WRITERS) as [
  EinvoiceFileFormat,
  ...EinvoiceFileFormat[],
];

/** Returns the format in which a customer gets e-invoices; null is the usual one, which every receiver in Peppol takes. */
export function formatOf(customers: string | null): EinvoiceFileFormat {
  return einvoiceFileFormats.find((format) => format === customers) ?? "peppol-bis-3";
}

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
  format: EinvoiceFileFormat,
): Promise<Uint8Array> {
  const xml = new TextEncoder().encode(WRITERS[format](invoice));
  return format === "factur-x" ? renderFacturX(cx, snapshot, number, xml) : xml;
}
