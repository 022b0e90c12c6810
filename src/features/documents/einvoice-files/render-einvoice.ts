/** Renders the content of an e-invoice to the bytes of a format. */
import type { ElectronicInvoice } from "../../../domain/einvoice/electronic-invoice.ts";
import { writeBis } from "../../../domain/einvoice/write-bis.ts";

const WRITERS = {
  "peppol-bis-3": writeBis,
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

/** Returns the bytes of the file, in UTF-8. */
export function renderEinvoice(invoice: ElectronicInvoice, format: EinvoiceFileFormat): Uint8Array {
  return new TextEncoder().encode(WRITERS[format](invoice));
}
