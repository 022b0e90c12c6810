/** The answer to what an access point hands over (spec 14.9). */
import * as z from "zod";
import { component } from "../../../platform/http/schemas.ts";

export const InboundResource = component("EinvoiceInbound", {
  object: z.literal("einvoice_inbound"),
  outcome: z
    .enum(["stored", "known", "refused"])
    .describe("`known`: it was stored before. `refused`: it changes nothing and never will."),
  delivery_id: z.string().nullable().describe("The delivery that it is about; null for none."),
  countryCodeC4: z.string().describe("The country of the seller, for access points."),
  retry: z.literal("none").optional().describe("With `refused`: sending it again is useless."),
  errorMessage: z.string().optional().describe("With `refused`: why."),
});
export type InboundResource = z.output<typeof InboundResource>;
