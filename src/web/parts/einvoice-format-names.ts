/** The names of the formats of e-invoices, which are the same in both languages. Only the server has them. */
import type { EinvoiceFormat } from "../../domain/einvoice/einvoice-format.ts";

export const EINVOICE_FORMATS: Readonly<Record<EinvoiceFormat, string>> = {
  "peppol-bis-3": "Peppol BIS 3",
  "oioubl-2.1": "OIOUBL 2.1",
  "factur-x": "Factur-X",
};
