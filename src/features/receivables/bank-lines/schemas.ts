/** The requests and responses of bank lines (spec 13.5). */
import * as z from "zod";
import {
  component,
  FirstDay,
  LastDay,
  listOf,
  pageParameters,
  Ref,
  searchFilter,
  shownText,
  Uuid,
  updatedSince,
} from "../../../platform/http/schemas.ts";

const states = ["open", "booked", "ignored"] as const;

export const BankLineResource = component("BankLine", {
  object: z.literal("bank_line"),
  id: z.string(),
  bank_statement_id: z.string().describe("UUID of the statement in which it came first."),
  bank_account_id: z.string().describe("UUID of the bank account."),
  date: z.string().describe("Day of its booking by the bank, `YYYY-MM-DD`."),
  value_date: shownText.describe("Day of interest, `YYYY-MM-DD`; null where the bank gives none."),
  amount: z.number().describe("Above 0 is money in, in the currency of the bank account."),
  currency: z.string(),
  instructed_amount: z
    .number()
    .nullable()
    .describe("What was instructed, in `instructed_currency`; null in the same currency."),
  instructed_currency: shownText.describe("ISO 4217."),
  text: z.string().describe("What payer or bank wrote."),
  reference: shownText.describe("The payer's structured reference."),
  end_to_end_id: shownText.describe("The payer's own id of the payment."),
  counterparty: z
    .strictObject({
      name: shownText.describe("Name of payer or payee."),
      account: shownText.describe("Their bank account."),
    })
    .describe("The other party."),
  state: z.enum(states).describe("`open` until it is booked or ignored."),
  payment_id: shownText.describe("UUID of the payment that it was booked as."),
  ignored_reason: shownText.describe("Why it is ignored."),
});

export const BankLineList = listOf(BankLineResource).meta({ id: "BankLineList" });

const filters = {
  state: z.enum(states).optional().describe("Only lines in this state."),
  bank_account: Ref.optional().describe("Only lines of this bank account."),
  from: FirstDay.optional().describe("First day, a day or a month."),
  to: LastDay.optional().describe("Last day, a day or a month."),
  search: searchFilter("text, reference, name or account of the other party"),
  updated_since: updatedSince,
};

export const BankLineQuery = z.object({ ...pageParameters, ...filters });
export type BankLineQuery = z.output<typeof BankLineQuery>;

export const BankLineFileQuery = z.object(filters);

export const BankLineParams = z.object({ id: Uuid });
