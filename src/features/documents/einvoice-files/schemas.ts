/** The request for the file of an e-invoice. */
import * as z from "zod";
import { einvoiceFileFormats } from "../../../domain/einvoice/einvoice-format.ts";

export const EinvoiceQuery = z.object({
  format: z
    .enum(einvoiceFileFormats)
    .optional()
    .describe(
      "Default: the file that was sent last, else the format in which the customer gets e-invoices.",
    ),
});
