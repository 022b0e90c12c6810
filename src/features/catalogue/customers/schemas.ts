/** The requests and responses of customers (spec 7.2). */
import * as z from "zod";
import { einvoiceFormats } from "../../../domain/einvoice/einvoice-format.ts";
import { paymentTypes } from "../../../domain/sales/payment.ts";
import {
  activeFilter,
  Country,
  Currency,
  component,
  ElectronicAddress,
  ExternalId,
  externalIdFilter,
  input,
  LanguageTag,
  listOf,
  MailAddress,
  pageParameters,
  searchFilter,
  shownText,
  text,
  updatedSince,
  Warning,
} from "../../../platform/http/schemas.ts";

const optionalText = text(255).nullable().optional();

/** The buyer's own texts on documents; an invoice or series overrides the text of its customer. */
export const printedFields = {
  buyer_reference: text(255).nullable().optional().describe("Printed as the buyer's reference."),
  order_reference: text(255).nullable().optional().describe("The buyer's order number, printed."),
  accounting_cost: text(255)
    .nullable()
    .optional()
    .describe("The account, project or cost centre in the buyer's books, printed."),
  hours_specification: z.boolean().nullable().optional().meta({
    description: "Prints registered hours on separate pages.",
  }),
};

/** The printed texts in requests of assistants, in short form and without null: an empty text and false also mean none. */
export const printedByTool = {
  buyer_reference: text(255).optional(),
  order_reference: text(255).optional(),
  accounting_cost: text(255).optional(),
  hours_specification: z.boolean().optional().describe("Lists hours on separate pages."),
};

/** The printed texts in responses: each only when it is set. */
export const shownPrinted = {
  buyer_reference: z.string().optional(),
  order_reference: z.string().optional(),
  accounting_cost: z.string().optional(),
  hours_specification: z.boolean().optional(),
};

const fields = {
  external_id: ExternalId.nullable().optional(),
  name: text(255, 1).describe("Printed on documents."),
  country_key: Country.optional().describe("Default DK."),
  is_person: z.boolean().optional(),
  send_method: z.enum(["email", "einvoice"]).optional(),
  street: optionalText,
  zip_code: optionalText,
  city: optionalText,
  phone: optionalText,
  email: MailAddress.nullable().optional(),
  webpage: optionalText,
  att_person: optionalText,
  vat_number: optionalText.describe("The country prefix of the customer's country may be omitted."),
  se_number: optionalText,
  p_number: optionalText,
  ean_number: optionalText.describe("A GLN: 13 digits, the last of them a check digit."),
  use_cvr: z.boolean().optional(),
  company_type_key: optionalText,
  preferred_invoice_language_key: LanguageTag.meta({ example: "da-DK" }).nullable().optional(),
  preferred_invoice_currency_key: Currency.nullable().optional(),
  external_reference: optionalText,
  payment_condition_type: z.enum(paymentTypes).nullable().optional(),
  payment_condition_number_of_days: z.int().min(0).max(3650).nullable().optional(),
  invoice_mail_out_option_key: optionalText,
  payment_mean: optionalText,
  reminders: z
    .boolean()
    .optional()
    .describe("Whether the customer is reminded of overdue invoices. Default true."),
  einvoice_address: ElectronicAddress.nullable().optional(),
  einvoice_format: z.enum(einvoiceFormats).nullable().optional(),
  einvoice_by_mail: z.boolean().optional(),
  ...printedFields,
};

export const CustomerCreate = input("CustomerCreate", fields);
export type CustomerCreate = z.output<typeof CustomerCreate>;

export const CustomerUpdate = input("CustomerUpdate", { ...fields, name: fields.name.optional() });
export type CustomerUpdate = z.output<typeof CustomerUpdate>;

export const CustomerResource = component("Customer", {
  object: z.literal("customer"),
  id: z.string(),
  external_id: shownText,
  name: z.string(),
  country_key: z.string(),
  is_person: z.boolean(),
  send_method: z.enum(["email", "einvoice"]),
  street: shownText,
  zip_code: shownText,
  city: shownText,
  phone: shownText,
  email: shownText,
  webpage: shownText,
  att_person: shownText,
  vat_number: shownText,
  se_number: shownText,
  p_number: shownText,
  ean_number: shownText,
  use_cvr: z.boolean(),
  company_type_key: shownText,
  preferred_invoice_language_key: shownText,
  preferred_invoice_currency_key: shownText,
  external_reference: shownText,
  payment_condition_type: shownText,
  payment_condition_number_of_days: z.int().nullable(),
  invoice_mail_out_option_key: shownText,
  payment_mean: shownText,
  ...shownPrinted,
  warnings: z.array(Warning).optional().meta({
    description: "Present when the check of the VAT number at the time of saving found a fault.",
  }),
  reminders: z
    .boolean()
    .optional()
    .describe("False if the customer is not reminded of overdue invoices; otherwise absent."),
  einvoice_address: z.string().optional(),
  einvoice_format: z.enum(einvoiceFormats).optional(),
  einvoice_by_mail: z.boolean().optional(),
});
export type CustomerResource = z.output<typeof CustomerResource>;

/** The fields that lists add to `customer_id` on request. */
export const CustomerOfRow = z.strictObject({
  id: z.string(),
  external_id: shownText,
  name: z.string().describe("The current name; documents keep the name at the time of issue."),
});

export const CustomerList = listOf(CustomerResource).meta({ id: "CustomerList" });

export const CustomerQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  updated_since: updatedSince,
  search: searchFilter("name, external id, VAT number, e-mail, city or contact"),
  active: activeFilter,
});
export type CustomerQuery = z.output<typeof CustomerQuery>;
