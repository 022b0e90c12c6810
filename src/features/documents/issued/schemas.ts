/** The responses about documents: totals, and the attempts to send them (spec 10.1 and 10.3). */
import * as z from "zod";
import { answerCodes } from "../../../domain/einvoice/buyer-answer.ts";
import { warningCodes } from "../../../domain/sales/warning.ts";
import {
  component,
  ElectronicAddress,
  input,
  listOf,
  MailAddress,
  manyOf,
  pageParameters,
  shownText,
  text,
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
  "delivered",
  "rejected",
  "failed_temporary",
  "failed_permanent",
  "unknown",
] as const;

export const deliveryChannels = ["email", "einvoice"] as const;

const EinvoiceResponse = component("EinvoiceResponse", {
  code: z.enum(answerCodes).meta({
    description:
      "`AB` received, `IP` in process, `UQ` under query, `CA` accepted with conditions, `RE` rejected, `AP` accepted, `PD` paid.",
  }),
  at: z.string().describe("When it was received; ISO 8601, UTC."),
  reasons: manyOf({
    code: z.string(),
    text: shownText.describe("The buyer's words for the reason."),
  }).describe("Why, by the codes of the buyer's answer: `REF` references, `PRI` prices."),
  wants: z.array(z.string()).describe("The actions that the buyer asks for, by their codes."),
  conditions: manyOf({
    term: z.string().describe("A business term of the invoice, such as `BT-13`."),
    value: shownText.describe("The value that the buyer expects."),
  }).describe("What the buyer expects of the invoice."),
  note: shownText.describe("The buyer's own words."),
});

export const Delivery = component("Delivery", {
  object: z.literal("delivery"),
  id: z.string(),
  document_id: z.string(),
  channel: z.enum(deliveryChannels),
  address: shownText,
  state: z.enum(deliveryStates),
  send_error: shownText,
  at: z.string(),
  format: z.string().optional().describe("The syntax of an e-invoice, such as `peppol-bis-3`."),
  file_sha256: z.string().optional().describe("The hash of the e-invoice's file, hexadecimal."),
  delivered_at: z
    .string()
    .optional()
    .describe("When the receiver's access point gave its receipt; ISO 8601, UTC."),
  response: EinvoiceResponse.optional().describe("The buyer's newest answer."),
});

export const DeliveryList = listOf(Delivery).meta({ id: "DeliveryList" });

export const DeliveryQuery = z.object(pageParameters);

export const SendBody = input("SendInput", {
  address: MailAddress.optional().describe("Where to send instead of the customer's address."),
});

const reference = text(255).nullable().optional();

/** How an invoice or a credit note is sent again. */
export const SendDocumentBody = input("SendDocumentInput", {
  address: MailAddress.optional().describe(
    "For e-mail: where to send instead of the customer's address.",
  ),
  channel: z
    .enum(deliveryChannels)
    .optional()
    .describe("Default: the customer's `send_method`, or `email` with an `address`."),
  receiver: ElectronicAddress.optional().describe(
    "For e-invoices: where to send instead of the customer's electronic address.",
  ),
  buyer_reference: reference.describe(
    "For e-invoices: stated instead of the buyer's reference (BT-10); null leaves it out.",
  ),
  order_reference: reference.describe(
    "For e-invoices: stated instead of the order number (BT-13); null leaves it out.",
  ),
  accounting_cost: reference.describe(
    "For e-invoices: stated instead of the accounting cost (BT-19); null leaves it out.",
  ),
  again: z
    .boolean()
    .optional()
    .describe("Whether to send an e-invoice although one is in progress or has arrived."),
});
