/** The formats in which e-invoices are sent. The receiver decides which one it takes. */

export const einvoiceFormats = ["peppol-bis-3", "oioubl-2.1"] as const;

/** The formats of files: those that are sent through a network, and the PDF with its data, which goes by mail. */
export const einvoiceFileFormats = [...einvoiceFormats, "factur-x"] as const;
export type EinvoiceFormat = (typeof einvoiceFileFormats)[number];

/** Returns the format by its stored name. Without one it is the format that every receiver in Peppol takes. */
export function formatOf(stored: string | null): EinvoiceFormat {
  return einvoiceFileFormats.find((format) => format === stored) ?? "peppol-bis-3";
}

interface SendingFields {
  readonly send_method: "email" | "einvoice";
  readonly einvoice_format: string | null;
  readonly einvoice_by_mail: boolean;
}

/** Whether the customer gets e-invoices, through a network or with mails. */
export function getsEinvoices({
  send_method,
  einvoice_by_mail,
}: Pick<SendingFields, "send_method" | "einvoice_by_mail">): boolean {
  return send_method === "einvoice" || einvoice_by_mail;
}

/** Returns the format in which a customer gets e-invoices now. */
export function formatToSend({
  send_method,
  einvoice_format,
  einvoice_by_mail,
}: SendingFields): EinvoiceFormat {
  return send_method === "email" && einvoice_by_mail ? "factur-x" : formatOf(einvoice_format);
}
