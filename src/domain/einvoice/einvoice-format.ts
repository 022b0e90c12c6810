/** The formats in which e-invoices are sent. The receiver decides which one it takes. */

export const einvoiceFormats = ["peppol-bis-3", "oioubl-2.1"] as const;
