/** The request and response of look-ups of receivers of e-invoices. */
import * as z from "zod";
import { component, ElectronicAddress } from "../../../platform/http/schemas.ts";

export const ReceiverQuery = z.object({
  address: ElectronicAddress.describe(
    "Electronic address, `scheme:value` by the EAS list of Peppol.",
  ),
});

export const ReceiverResource = component("EinvoiceReceiver", {
  object: z.literal("einvoice_receiver"),
  address: z.string().describe("The address that was asked for."),
  registered: z
    .enum(["yes", "no", "unknown"])
    .describe("`unknown` says nothing: look-ups are off, or the register did not answer."),
  formats: z
    .array(z.enum(["peppol-bis-3", "oioubl-2.1"]))
    .describe(
      "Formats of invoices that it is registered for; the register of Peppol knows BIS 3 alone.",
    ),
  answers: z
    .boolean()
    .describe("Whether it is registered for answers to invoices, as those who know them are."),
  source: z
    .string()
    .nullable()
    .describe("The register: `peppol`, `peppol-test` or a DNS zone; null while look-ups are off."),
  looked_up_at: z
    .string()
    .nullable()
    .describe(
      "When the register was asked, by the real clock; ISO 8601, UTC. Null while look-ups are off.",
    ),
});
export type ReceiverResource = z.output<typeof ReceiverResource>;
