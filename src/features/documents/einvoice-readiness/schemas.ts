/** The response that says whether something could be sent as an e-invoice. */
import * as z from "zod";
import { einvoiceFileFormats, einvoiceFormats } from "../../../domain/einvoice/einvoice-format.ts";
import { readinessWarningCodes } from "../../../domain/einvoice/readiness.ts";
import { component, manyOf, shownText, Warning } from "../../../platform/http/schemas.ts";

export const EinvoiceReadiness = component("EinvoiceReadiness", {
  object: z.literal("einvoice_readiness"),
  ready: z.boolean().describe("Whether nothing is missing. Warnings do not count."),
  format: z
    .enum(einvoiceFileFormats)
    .describe("The format in which the customer gets e-invoices now; `factur-x` by mail."),
  receiver: z
    .strictObject({
      address: z.string().describe("Where the customer's e-invoices go now: `scheme:value`."),
      registered: z
        .enum(["yes", "no", "unknown"])
        .describe("What was found at the last look-up; `unknown` without one."),
      formats: z
        .array(z.enum(einvoiceFormats))
        .describe("Formats of invoices that it is registered for."),
      looked_up_at: shownText.describe(
        "When the register was asked; ISO 8601, UTC. Null without a look-up that is new enough.",
      ),
    })
    .nullable()
    .describe("Null for a customer without an electronic address."),
  missing: manyOf({
    field: z
      .string()
      .describe("What cures it: `seller.registration_number`, `buyer_reference`, `lines[2]…`."),
    rule: z.string().describe("The id of the official rule; `MB-…` for one of the service."),
    message: z.string(),
  }).describe("Broken rules, without which the e-invoice cannot be made."),
  warnings: z.array(Warning).meta({
    description: `Points to check; none of them stops the sending. Codes are ${readinessWarningCodes.join(", ")}; more may be added.`,
  }),
});
