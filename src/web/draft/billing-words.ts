/** The VAT of a draft's customer in a few words, in both languages. They are rendered on the server only. */
import type { VatCode } from "../../domain/sales/vat-code.ts";

export const enBilling = {
  vat: (country: string, vat_code: VatCode, rate: string) => {
    if (vat_code === "DK25") return `${country}, VAT ${rate}`;
    if (vat_code === "DK0") return `${country}, exempt from VAT`;
    return vat_code.startsWith("EXPORT") ? `${country}, no VAT` : `${country}, reverse charge`;
  },
};

export const daBilling: typeof enBilling = {
  vat: (country, vat_code, rate) => {
    if (vat_code === "DK25") return `${country}, moms ${rate}`;
    if (vat_code === "DK0") return `${country}, momsfri`;
    return vat_code.startsWith("EXPORT")
      ? `${country}, uden moms`
      : `${country}, omvendt betalingspligt`;
  },
};
