/** The requests and responses of bank accounts (spec 13.1). */
import * as z from "zod";
import { ibanFrom } from "../../../domain/base/iban.ts";
import { DATE_FORMATS, DELIMITERS, ENCODINGS } from "../../../domain/receivables/csv-profile.ts";
import {
  activeFilter,
  as,
  Currency,
  component,
  ExternalId,
  externalIdFilter,
  input,
  listOf,
  pageParameters,
  shownText,
  text,
  updatedSince,
} from "../../../platform/http/schemas.ts";

/** The highest number of a column, and of lines before the heads. */
const MOST_COLUMNS = 200;

/** The columns of a profile, each of the given kind, with their meaning. */
function columnsOf<Column extends z.ZodType>(column: Column, texts: z.ZodType<z.output<Column>[]>) {
  const optional = (says: string) => column.optional().describe(says);
  return {
    date: column.describe("Column of the day; by its head, or by its number from 1."),
    amount: optional("Column of the amount; above 0 is money in."),
    credit: optional("Column of money in, instead of one of amounts."),
    debit: optional("Column of money out, with or without a sign."),
    text: texts.describe("Columns of the text, which are joined."),
    value_date: optional("Column of the day of interest."),
    balance: optional("Column of the balance after the line."),
    reference: optional("Column of the payer's reference."),
    counterparty: optional("Column of the name of payer or payee."),
    counterparty_account: optional("Column of their bank account."),
    currency: optional("Column of the currency; the bank account's otherwise."),
    id: optional("Column of the bank's own reference of the line, by which it is known again."),
  };
}

const profile = {
  encoding: z.enum(ENCODINGS).default("utf-8"),
  delimiter: z.enum(DELIMITERS).default(";"),
  skip_lines: z.int().min(0).max(MOST_COLUMNS).default(0),
  has_header: z.boolean().default(true),
  decimal: z.enum([",", "."]).default(","),
  date_format: z.enum(DATE_FORMATS).default("dd-MM-yyyy"),
};

const ColumnInput = z.union([text(100, 1), z.int().min(1).max(MOST_COLUMNS)]);

const CsvProfileInput = input("CsvProfileInput", {
  ...profile,
  columns: input("CsvColumnsInput", columnsOf(ColumnInput, z.array(ColumnInput).min(1).max(5))),
});

const Iban = text(60, 1)
  .refine((value) => ibanFrom(value) !== undefined, as("invalid_value", "Not an IBAN."))
  .overwrite((value) => ibanFrom(value) ?? value)
  .describe("Length and check digits are checked; blanks are left out.");

const fields = {
  external_id: ExternalId.nullable().optional(),
  name: text(100, 1),
  currency: Currency.optional().describe("Fixed; by default the functional currency."),
  ledger_account: z
    .int()
    .min(1)
    .max(99_999_999)
    .describe(
      "The asset account of its entries. One that the built-in chart lacks is created; neither receivables nor an account with a role.",
    ),
  iban: Iban.nullable().optional(),
  registration_number: text(20).nullable().optional(),
  account_number: text(40).nullable().optional(),
  is_default: z
    .boolean()
    .optional()
    .describe("`true` takes it from the former default. It cannot be taken away otherwise."),
  active: z.boolean().optional().describe("The default is active."),
  csv_profile: CsvProfileInput.nullable().optional(),
};

export const BankAccountCreate = input("BankAccountCreate", fields);
export type BankAccountCreate = z.output<typeof BankAccountCreate>;

export const BankAccountUpdate = input("BankAccountUpdate", {
  ...fields,
  name: fields.name.optional(),
  ledger_account: fields.ledger_account.optional(),
});
export type BankAccountUpdate = z.output<typeof BankAccountUpdate>;

const ShownColumn = z.union([z.string(), z.int()]);

const CsvProfileResource = component("CsvProfile", {
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS),
  skip_lines: z.int(),
  has_header: z.boolean(),
  decimal: z.enum([",", "."]),
  date_format: z.enum(DATE_FORMATS),
  columns: component("CsvColumns", columnsOf(ShownColumn, z.array(ShownColumn))),
});

export const BankAccountResource = component("BankAccount", {
  object: z.literal("bank_account"),
  id: z.string(),
  external_id: shownText,
  name: z.string(),
  currency: z.string(),
  ledger_account: z.int(),
  iban: shownText,
  registration_number: shownText,
  account_number: shownText,
  is_default: z.boolean(),
  active: z.boolean(),
  csv_profile: CsvProfileResource.nullable(),
  statements_through: shownText,
});

export const BankAccountList = listOf(BankAccountResource).meta({ id: "BankAccountList" });

export const BankAccountQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  updated_since: updatedSince,
  active: activeFilter,
});
export type BankAccountQuery = z.output<typeof BankAccountQuery>;
