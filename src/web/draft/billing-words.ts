/** The VAT of a draft's customer and what is said of its e-invoice, in both languages. They are rendered on the server only. */
import type { EinvoiceFormat } from "../../domain/einvoice/einvoice-format.ts";
import type { VatCode } from "../../domain/sales/vat-code.ts";
import { EINVOICE_FORMATS } from "../parts/einvoice-format-names.ts";

export const enBilling = {
  /** A Factur-X goes with the mail. */
  ready: (address: string | null, format: EinvoiceFormat) =>
    address === null || format === "factur-x"
      ? `Ready for an e-mail with the e-invoice in its PDF (${EINVOICE_FORMATS[format]})`
      : `Ready for ${address} (${EINVOICE_FORMATS[format]})`,
  einvoice: (sentence: string) => `E-invoice: ${sentence}`,
  sends_einvoice: (address: string, format: EinvoiceFormat) =>
    `An e-invoice to ${address} (${EINVOICE_FORMATS[format]}).`,
  vat: (country: string, vat_code: VatCode, rate: string) => {
    if (vat_code === "DK25") return `${country}, VAT ${rate}`;
    if (vat_code === "DK0") return `${country}, exempt from VAT`;
    return vat_code.startsWith("EXPORT") ? `${country}, no VAT` : `${country}, reverse charge`;
  },
};

export const daBilling: typeof enBilling = {
  ready: (address, format) =>
    address === null || format === "factur-x"
      ? `Klar til en e-mail med e-fakturaen i sin PDF (${EINVOICE_FORMATS[format]})`
      : `Klar til ${address} (${EINVOICE_FORMATS[format]})`,
  einvoice: (sentence) => `E-faktura: ${sentence}`,
  sends_einvoice: (address, format) => `En e-faktura til ${address} (${EINVOICE_FORMATS[format]}).`,
  vat: (country, vat_code, rate) => {
    if (vat_code === "DK25") return `${country}, moms ${rate}`;
    if (vat_code === "DK0") return `${country}, momsfri`;
    return vat_code.startsWith("EXPORT")
      ? `${country}, uden moms`
      : `${country}, omvendt betalingspligt`;
  },
};
