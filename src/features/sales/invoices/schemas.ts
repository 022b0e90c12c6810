/** The requests and responses of invoices (spec 2.1 and 5.1). */
import * as z from "zod";
import { shownPaymentStates } from "../../../domain/receivables/ledger-payment.ts";
import { type LineInput, lineFaults, recognitionMethods } from "../../../domain/sales/line.ts";
import {
  addFaults,
  amount,
  Currency,
  component,
  Day,
  decimal,
  documentNumber,
  ExternalId,
  externalIdFilter,
  includeFilter,
  input,
  issuedRange,
  listOf,
  manyOf,
  pageParameters,
  QueryBoolean,
  Ref,
  searchFilter,
  shownText,
  text,
  Uuid,
  updatedSince,
} from "../../../platform/http/schemas.ts";
import { CustomerOfRow, printedFields, shownPrinted } from "../../catalogue/customers/schemas.ts";
import { deliveryFilter } from "../../documents/issued/find-documents.ts";
import { DeliveryOfRow, RowTotals, SendingOfRow } from "../../documents/issued/include.ts";
import { Warnings } from "../../documents/issued/schemas.ts";
import { PaymentOfRow } from "../../receivables/payment-states/schemas.ts";

export const MOST_LINES = 500;
const MOST_ASSIGNEES = 100;

export const AssigneeInput = input("AssigneeInput", {
  user_id: Uuid,
  distribution_percentage: decimal(2, 0, 100).nullable().optional(),
  hourly_rate_override: decimal(4, 0.0001, 1_000_000).nullable().optional(),
});

/** An invoice line as a client sends it; lines of series have the same shape. */
export const InvoiceLineInput = input("InvoiceLineInput", {
  id: z.string().optional().meta({
    description: "In a PATCH: the id of an existing line of this invoice. Ignored elsewhere.",
  }),
  product_id: Uuid,
  recognition_method: z.enum(recognitionMethods),
  agreed_value: amount(0).nullable().optional().meta({
    description:
      "Net of VAT. Default: the product's price in this currency times its quantity; required when it has none.",
  }),
  hourly_rate: decimal(4, 0, 1_000_000).nullable().optional().meta({
    description:
      "By hours. Default: the price in this currency of a product in hours; required when it has none.",
  }),
  discount: decimal(2, 0, 100).nullable().optional().describe("Percent; default 0."),
  description_override: text(1000).nullable().optional(),
  position: z.int().min(1).optional().describe("Default: the index in the array."),
  assignees: z.array(AssigneeInput).max(MOST_ASSIGNEES).optional(),
  service_from: Day.nullable().optional(),
  service_to: Day.nullable().optional(),
  budget_hours: decimal(2, 0.01, 1_000_000).nullable().optional(),
});
export type InvoiceLineInput = z.output<typeof InvoiceLineInput>;

const Lines = z
  .array(InvoiceLineInput)
  .max(MOST_LINES)
  .superRefine((lines, check) => {
    // The path of the error is already at `lines` here.
    addFaults(
      check,
      lineFaults(lines as LineInput[], (index) => `[${index}]`),
    );
  });

const MOST_FOOTER = 5000;

/** The printed texts that a client sets on an invoice or series; each overrides the text of the customer. */
export const printedInput = {
  ...printedFields,
  footer: text(MOST_FOOTER).nullable().optional().describe("Text under the lines."),
};
export const printedShown = { ...shownPrinted, footer: z.string().optional() };

const headers = {
  currency: Currency.optional().describe(
    "Default: the customer's preferred currency, otherwise the functional one. A change converts nothing: prices that were sent remain, those of products become their prices in the new currency, or are required.",
  ),
  issue_date: Day.nullable().optional(),
  title: text(200).nullable().optional(),
  auto_send: z.boolean().optional().describe("Default: `default_auto_send`."),
  ...printedInput,
};

export const InvoiceCreate = input("InvoiceCreate", {
  customer_id: Uuid,
  ...headers,
  currency: headers.currency.nullable(),
  auto_send: headers.auto_send.nullable(),
  external_id: ExternalId.nullable().optional(),
  lines: Lines.default([]),
});
export type InvoiceCreate = z.output<typeof InvoiceCreate>;

export const InvoiceUpdate = input("InvoiceUpdate", {
  customer_id: Uuid.optional(),
  ...headers,
  lines: Lines.optional().describe("Replaces all lines."),
});
export type InvoiceUpdate = z.output<typeof InvoiceUpdate>;

/** The fields that lines of invoices and of series share. */
export const shownLine = {
  product_id: z.string(),
  recognition_method: z.enum(recognitionMethods),
  agreed_value: z.number().nullable(),
  hourly_rate: z.number().nullable(),
  discount: z.number(),
  description_override: shownText,
  position: z.int(),
  assignees: manyOf({
    user_id: z.string(),
    distribution_percentage: z.number().nullable(),
    hourly_rate_override: z.number().nullable(),
  }),
};

const InvoiceLine = component("InvoiceLine", {
  id: z.string(),
  ...shownLine,
  service_from: z.string().optional(),
  service_to: z.string().optional(),
  budget_hours: z.number().optional(),
});

const invoiceFields = {
  object: z.literal("invoice"),
  id: z.string(),
  external_id: shownText,
  customer_id: z.string(),
  currency: z.string(),
  issue_date: shownText,
  title: shownText,
  auto_send: z.boolean(),
  status: z.enum(["draft", "issued"]),
  ledger_invoice_guid: shownText,
  ledger_invoice_number: z.int().nullable(),
  issued_at: shownText,
  lines: z.array(InvoiceLine),
  ...printedShown,
};

export const InvoiceResource = component("Invoice", invoiceFields);
export type InvoiceResource = z.output<typeof InvoiceResource>;

/** The response of the issue operations. */
export const IssuedInvoice = component("IssuedInvoice", {
  ...invoiceFields,
  send_error: z
    .string()
    .optional()
    .describe("Present when the invoice was booked but sending it failed."),
  warnings: Warnings,
});

/** The highest number of references in a list. */
const MOST_REFERENCES = 500;

export const IssueList = input("InvoiceIssueList", {
  references: z
    .array(text(160, 1))
    .min(1)
    .max(MOST_REFERENCES)
    .describe("Each a UUID or `ext:` and an external id. A repeat counts once."),
});

/** The outcomes of a list of invoices. */
export const IssueRun = component("InvoiceIssueRun", {
  object: z.literal("invoice_issue_run"),
  outcomes: z
    .array(
      z.strictObject({
        reference: z.string().describe("As it was sent."),
        outcome: z
          .enum(["issued", "refused", "remaining"])
          .describe("`remaining` if the time limit was reached before it: send it again."),
        invoice_id: shownText.describe("Null if there is no such invoice."),
        status: z.enum(["draft", "issued"]).nullable(),
        ledger_invoice_number: z.int().nullable(),
        send_error: z.string().optional().meta({
          description: "Present when the invoice was booked but has not been sent.",
        }),
        code: z.string().optional().meta({
          description: "For a refusal: as `POST /invoices/{ref}/issue` answers it.",
        }),
        message: z.string().optional(),
        details: z.record(z.string(), z.unknown()).optional().meta({
          description: "For a refusal: as the issue of this invoice alone answers them.",
        }),
      }),
    )
    .describe("One for each invoice, in the order of the references."),
  issued: z.int().describe("The number of `issued` outcomes."),
  refused: z.int().describe("The number of `refused` outcomes."),
  remaining: z.int().describe("The number of `remaining` outcomes."),
});
export type IssueRun = z.output<typeof IssueRun>;

const includes = ["totals", "customer", "series", "payment", "delivery"] as const;
export type InvoiceInclude = (typeof includes)[number];

/** An invoice as a list shows it, with the additions that `include` asks for. */
export const InvoiceRow = component("InvoiceRow", {
  ...invoiceFields,
  totals: RowTotals.extend({
    credited: z.number().describe("Credited by issued credit notes, net of VAT."),
    credited_gross: z.number().describe("The same with VAT."),
  })
    .optional()
    .describe("As issued, or for a draft as of now. With `include=totals`."),
  due_date: z.string().optional().describe("With `include=totals`."),
  delivery_state: DeliveryOfRow.optional().describe(
    "The state of the last delivery; null if there was none. With `include=totals`.",
  ),
  delivery: SendingOfRow.nullable()
    .optional()
    .describe("The last delivery; null if there was none. With `include=delivery`."),
  customer: CustomerOfRow.optional().describe("With `include=customer`."),
  series: z
    .strictObject({
      id: z.string(),
      external_id: shownText,
      period: z.string(),
      period_from: z.string(),
      period_to: z.string(),
    })
    .optional()
    .describe("The billed period, if the invoice belongs to a series. With `include=series`."),
  payment: PaymentOfRow.nullable()
    .optional()
    .describe(
      "What is paid today; null for a draft, for an invoice of which a connected ledger has reported nothing, and until receivables are begun. With `include=payment`.",
    ),
});
export type InvoiceRow = z.output<typeof InvoiceRow>;

export const InvoiceList = listOf(InvoiceRow).meta({ id: "InvoiceList" });

/** Origins of an invoice: one-time, or a period of a series. */
const origins = ["one_time", "series", "all"] as const;
export type Origin = (typeof origins)[number];

export const InvoiceQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  customer: Ref.optional(),
  status: z.enum(["draft", "issued"]).optional(),
  updated_since: updatedSince,
  origin: z.enum(origins).default("one_time").meta({
    description: "`series` lists what recurring series have invoiced, `all` every invoice.",
  }),
  ...issuedRange,
  number: documentNumber.describe("`ledger_invoice_number`."),
  delivery_state: deliveryFilter,
  search: searchFilter("number, external id, title or the customer's name"),
  include: includeFilter(
    includes,
    "Adds to each row: `totals` (net, VAT, gross, credited, due date, delivery), `customer`, `series`, `payment` (what is paid today), `delivery` (the last one). `totals` is heavy.",
  ),
  payment_state: z
    .enum(shownPaymentStates)
    .optional()
    .describe(
      "Only invoices in this state today. `overpaid` is reported by a connected ledger alone.",
    ),
  overdue: QueryBoolean.optional().describe(
    "`true`: only invoices that are overdue today. `false`: only others.",
  ),
});
export type InvoiceQuery = z.output<typeof InvoiceQuery>;

export const LineParams = z.object({ ref: Ref, line_id: Uuid });

export const CompleteBody = input("CompleteInput", {
  completed_on: Day.optional().describe("Default: today."),
});
