/** The schemas of statements of account. */
import * as z from "zod";
import { statementLineKinds } from "../../../domain/receivables/account-statement.ts";
import {
  Currency,
  component,
  Day,
  FirstDay,
  input,
  LastDay,
  listOf,
  MailAddress,
  manyOf,
  pageParameters,
  shownText,
} from "../../../platform/http/schemas.ts";

const FROM = "The first day. Default: the first day of the year of `to`.";
const TO = "The last day. Default: today, and never later.";

const currency = Currency.optional().describe("Default: the functional currency.");

export const StatementQuery = z.object({
  currency,
  from: FirstDay.optional().describe(FROM),
  to: LastDay.optional().describe(TO),
});
export type StatementQuery = z.output<typeof StatementQuery>;

export const StatementBody = input("StatementInput", {
  currency,
  from: Day.optional().describe(FROM),
  to: Day.optional().describe(TO),
  address: MailAddress.optional().describe(
    "The recipient. Default: the customer's e-mail address.",
  ),
});
export type StatementBody = z.output<typeof StatementBody>;

const aged = (what: string) => z.number().describe(`${what}, in \`currency\`.`);

const shownFields = {
  object: z.literal("statement"),
  id: shownText,
  customer_id: z.string(),
  currency: z.string(),
  from: z.string(),
  to: z.string(),
  opening_balance: z
    .number()
    .describe(
      "Balance before the period, in `currency`: above 0 is owed, below 0 is held for the customer.",
    ),
  closing_balance: z.number().describe("Balance at the end of the period, in `currency`."),
  aging: z
    .strictObject({
      not_due: aged("Not late"),
      days_1_30: aged("1 to 30 days late"),
      days_31_60: aged("31 to 60 days late"),
      days_61_90: aged("61 to 90 days late"),
      over_90: aged("More than 90 days late"),
      total: aged("All that is owed"),
      unapplied: aged("Held for the customer and not applied"),
    })
    .describe("What is open on the last day, by days after the due date."),
  created_at: shownText.describe("Null for a statement that is only read."),
};

/** A statement without its lines. */
export const StatementRow = component("StatementRow", shownFields);

export const StatementResource = component("Statement", {
  ...shownFields,
  lines: manyOf({
    date: z.string(),
    kind: z.enum(statementLineKinds),
    number: shownText.describe("Null for a payment that a connected ledger records."),
    text: z.string().describe("The change in the language of the customer's documents."),
    due_date: shownText,
    debit: z.number(),
    credit: z.number(),
    balance: z.number(),
  }),
});
export type StatementResource = z.output<typeof StatementResource>;

export const SentStatement = component("SentStatement", {
  ...StatementResource.shape,
  send_error: shownText,
});

export const StatementListQuery = z.object(pageParameters);
export type StatementListQuery = z.output<typeof StatementListQuery>;

export const StatementList = listOf(StatementRow).meta({ id: "StatementList" });
