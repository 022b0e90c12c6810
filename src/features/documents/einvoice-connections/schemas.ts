/** The responses about the connection through which an account sends e-invoices. */
import * as z from "zod";
import { einvoiceConnectionKinds } from "../../../einvoice/access-point.ts";
import { component, shownText } from "../../../platform/http/schemas.ts";

export const EinvoiceConnection = component("EinvoiceConnection", {
  object: z.literal("einvoice_connection"),
  id: shownText.describe("Null without a connection."),
  kind: z
    .enum(["none", ...einvoiceConnectionKinds])
    .describe("How e-invoices leave: as files in a folder, over SFTP, or through an access point."),
  state: z.enum(["none", "connected", "unauthorized", "unavailable"]).meta({
    description:
      "The result of the last sending or check: `unauthorized` when the credentials were refused, `unavailable` when the other side does not answer, cannot be written to, or does not send.",
  }),
  sender: shownText.describe(
    "The address from which the seller sends, such as `0184:25313763`; null while none is known.",
  ),
  formats: z
    .array(z.enum(["peppol-bis-3", "oioubl-2.1"]))
    .describe("The formats that the connection carries. Empty without a connection."),
  envelope: z
    .enum(["none", "sbd"])
    .describe("`sbd` if the e-invoice is put into a Standard Business Document."),
  rules: z
    .strictObject({
      en16931: z.string().describe("The European standard's rules."),
      bis: z.string().describe("Peppol BIS Billing 3."),
      oioubl: z.string().describe("The Danish OIOUBL 2.1."),
      factur_x: z.string().describe("Factur-X, as a PDF that carries the e-invoice."),
    })
    .meta({
      description:
        "The releases of the official rules with which the e-invoices of this version were compared. Releases come in May and November and are mandatory three months later.",
    }),
  checked_at: shownText.describe("When it was last checked."),
  last_error: shownText.describe("Why the last sending or check failed, in one sentence."),
});
