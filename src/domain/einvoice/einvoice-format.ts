/** The formats in which e-invoices are sent. The receiver decides which one it takes. */

export const einvoiceFormats = ["peppol-bis-3", "oioubl-2.1"] as const;

/** A format that is sent through a network, or that of the PDF with its data, which goes by mail. */
export type EinvoiceFormat = (typeof einvoiceFormats)[number] | "factur-x";

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

/** Returns the format in which a customer gets e-invoices. Where the field is not set, it is the one that every receiver in Peppol takes. */
export function formatToSend({
  send_method,
  einvoice_format,
  einvoice_by_mail,
}: SendingFields): EinvoiceFormat {
  if (send_method === "email" && einvoice_by_mail) return "factur-x";
  return einvoiceFormats.find((format) => format === einvoice_format) ?? "peppol-bis-3";
}
