/** The responses about documents: totals, and the attempts to send them (spec 10.1 and 10.3). */
import * as z from "zod";
import { warningCodes } from "../../../domain/sales/warning.ts";
import {
  component,
  input,
  listOf,
  MailAddress,
  manyOf,
  pageParameters,
  shownText,
  Warning,
} from "../../../platform/http/schemas.ts";

/** Described here and not in each warning, so that the descriptions for assistants stay short. */
export const Warnings = z.array(Warning).meta({
  description: `Points to check; none of them causes a refusal. Codes are ${warningCodes.join(", ")}; more may be added.`,
});

export const Totals = component("Totals", {
  object: z.literal("totals"),
  currency: z.string(),
  net: z.number(),
  vat: z.number(),
  gross: z.number(),
  lines: manyOf({
    line_id: z.string(),
    net: z.number(),
    rows: manyOf({
      quantity: z.number(),
      unit_price: z.number(),
      discount: z.number(),
      net: z.number(),
    }),
  }),
  vat_breakdown: manyOf({
    vat_code: z.string(),
    rate: z.number(),
    base: z.number(),
    vat: z.number(),
  }),
  rate_date: z
    .string()
    .optional()
    .describe("The day of the exchange rate to the functional currency."),
  warnings: Warnings,
});

export const deliveryStates = [
  "queued",
  "sending",
  "written_to_outbox",
  "accepted",
  "failed_temporary",
  "failed_permanent",
  "unknown",
] as const;

export const Delivery = component("Delivery", {
  object: z.literal("delivery"),
  id: z.string(),
  document_id: z.string(),
  channel: z.enum(["email", "einvoice"]),
  address: shownText,
  state: z.enum(deliveryStates),
  send_error: shownText,
  at: z.string(),
});

export const DeliveryList = listOf(Delivery).meta({ id: "DeliveryList" });

export const DeliveryQuery = z.object(pageParameters);

export const SendBody = input("SendInput", {
  address: MailAddress.optional().describe("Where to send instead of the customer's address."),
});
