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
  encoding: z.enum(ENCODINGS).describe("The encoding of the characters."),
  delimiter: z.enum(DELIMITERS).describe("The sign between columns."),
  skip_lines: z.int().describe("Number of lines before the heads, or before the first row."),
  has_header: z.boolean().describe("Whether the first line has the heads of the columns."),
  decimal: z.enum([",", "."]).describe("The sign before decimals."),
  date_format: z.enum(DATE_FORMATS).describe("The form of days."),
};

const COLUMNS = "The columns, each by its head or by its number from 1.";

/** A head of digits alone would be mistaken for a number. */
const Head = text(100, 1).refine(
  (head) => !/^\d+$/.test(head),
  as("invalid_value", "Send a number as a number."),
);
const ColumnInput = z.union([Head, z.int().min(1).max(MOST_COLUMNS)]);

const CsvProfileInput = input("CsvProfileInput", {
  encoding: profile.encoding.default("utf-8"),
  delimiter: profile.delimiter.default(";"),
  skip_lines: profile.skip_lines.min(0).max(MOST_COLUMNS).default(0),
  has_header: profile.has_header.default(true),
  decimal: profile.decimal.default(","),
  date_format: profile.date_format.default("dd-MM-yyyy"),
  columns: input(
    "CsvColumnsInput",
    columnsOf(ColumnInput, z.array(ColumnInput).min(1).max(5)),
  ).describe(COLUMNS),
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
  ...profile,
  columns: component("CsvColumns", columnsOf(ShownColumn, z.array(ShownColumn))).describe(COLUMNS),
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
