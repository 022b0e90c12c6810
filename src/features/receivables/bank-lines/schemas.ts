/** The requests and responses of bank lines (spec 13.5). */

import * as z from "zod";
import { confidences, matchReasons } from "../../../domain/receivables/suggest-match.ts";
import {
  addFaults,
  amount,
  Currency,
  component,
  Day,
  ExternalId,
  FirstDay,
  includeFilter,
  input,
  LastDay,
  listOf,
  manyOf,
  pageParameters,
  positiveAmount,
  Ref,
  searchFilter,
  shownText,
  text,
  Uuid,
  updatedSince,
} from "../../../platform/http/schemas.ts";
import { EntriesOfPreview, PartInput } from "../payments/schemas.ts";

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

const confidence = z.enum(confidences);

const Suggestions = manyOf({
  confidence: confidence.describe(
    "`exact`: by reference or numbers, of one customer, just what is open, and no other choice is as good.",
  ),
  reasons: z.array(z.enum(matchReasons)).describe("Why it is suggested."),
  payment: z
    .strictObject({
      customer: z.string().describe("UUID of the customer."),
      currency: z.string(),
      amount: z.number().describe("What the customer paid, in `currency`."),
      allocations: manyOf({
        invoice: z.string().optional().describe("UUID of an invoice."),
        reminder: z.string().optional().describe("UUID of a reminder."),
        opening: z.string().optional().describe("UUID of an opening item."),
        credit_note: z
          .string()
          .optional()
          .describe("UUID of the credit note that is applied, or given back."),
        payment: z.string().optional().describe("UUID of the payment whose credit is given back."),
        amount: z.number().describe("In `currency` of the payment."),
      }).describe("What it would be applied to."),
    })
    .nullable()
    .describe("The payment or refund that the line could be booked as; null with `reverse`."),
  reverse: z
    .string()
    .optional()
    .describe("UUID of the payment that the line of money out may bring back."),
  fee: z
    .number()
    .optional()
    .describe(
      "With `reverse`: what the line takes beyond what the payment brought, in functional currency.",
    ),
});

export const BankLineRow = BankLineResource.extend({
  suggestions: Suggestions.optional().describe(
    "At most three, the best first, of an open line. With `include=suggestions`.",
  ),
}).meta({ id: "BankLineRow" });

export const BankLineList = listOf(BankLineRow).meta({ id: "BankLineList" });

const filters = {
  state: z.enum(states).optional().describe("Only lines in this state."),
  bank_account: Ref.optional().describe("Only lines of this bank account."),
  from: FirstDay.optional().describe("First day, a day or a month."),
  to: LastDay.optional().describe("Last day, a day or a month."),
  search: searchFilter("text, reference, name or account of the other party"),
  updated_since: updatedSince,
};

export const BankLineQuery = z.object({
  ...pageParameters,
  ...filters,
  include: includeFilter(["suggestions"], "`suggestions`: what an open line probably is."),
});
export type BankLineQuery = z.output<typeof BankLineQuery>;

export const BankLineFileQuery = z.object(filters);

export const BankLineParams = z.object({ id: Uuid });

const MOST_LINES = 500;
const MOST_ALLOCATIONS = 100;

/** A payment or refund without what the line says. */
const LinePaymentInput = input("LinePaymentInput", {
  external_id: ExternalId.nullable().optional().describe("Default: made from the line's id."),
  kind: z
    .enum(["payment", "refund"])
    .nullable()
    .optional()
    .describe("Default: `payment` for money in, `refund` for money out."),
  date: Day.nullable().optional().describe("Only where the line's own day is locked."),
  amount: positiveAmount()
    .nullable()
    .optional()
    .describe(
      "In the currency of the items. Default: the line's, with the fee; of items in another currency the instructed one.",
    ),
  customer: Ref.nullable().optional(),
  currency: Currency.nullable().optional(),
  fee: amount(0)
    .default(0)
    .describe("What the bank kept, or took besides, in functional currency."),
  allocations: z
    .array(PartInput)
    .max(MOST_ALLOCATIONS)
    .default([])
    .describe("What it is applied to, in this order."),
  remainder: z
    .enum(["refuse", "customer_credit"])
    .default("refuse")
    .describe("What happens to an amount that no item takes up."),
  reference: text(140, 1).nullable().optional().describe("A text of the caller."),
});

const BookedLineInput = z
  .object({
    bank_line: Uuid.describe("UUID of the line."),
    accept: z
      .literal(true)
      .nullable()
      .optional()
      .describe("Books the suggestion, if one is exact then."),
    payment: LinePaymentInput.nullable().optional().describe("What the line is."),
    reverse: Ref.nullable()
      .optional()
      .describe("The payment or refund that came back by the line."),
    ignore: text(500, 1).nullable().optional().describe("Why the line is no payment."),
  })
  .superRefine(({ accept, payment, reverse, ignore }, check) => {
    const chosen = [accept, payment, reverse, ignore].filter((one) => one != null);
    if (chosen.length === 1) return;
    const message = "Choose one of accept, payment, reverse and ignore.";
    addFaults(check, [{ field: "accept", code: "required", message }]);
  })
  .meta({ id: "BookedLineInput" });
export type BookedLineInput = z.output<typeof BookedLineInput>;

export const BankLinesBook = z
  .object({
    lines: z.array(BookedLineInput).min(1).max(MOST_LINES).describe("What each line is."),
  })
  .superRefine(({ lines }, check) => {
    const seen = new Set<string>();
    for (const [at, { bank_line }] of lines.entries()) {
      if (seen.has(bank_line)) {
        const field = `lines[${at}].bank_line`;
        addFaults(check, [{ field, code: "duplicate", message: "The line is named twice." }]);
      }
      seen.add(bank_line);
    }
  })
  .meta({ id: "BankLinesBook" });
export type BankLinesBook = z.output<typeof BankLinesBook>;

export const BankLineRun = component("BankLineRun", {
  object: z.literal("bank_line_run"),
  outcomes: manyOf({
    bank_line_id: z.string().describe("UUID of the line."),
    state: z.enum(["booked", "ignored", "refused"]),
    payment_id: shownText.describe("UUID of the payment; null unless the line is booked."),
    code: shownText.describe("Why the line was refused; null otherwise."),
    message: shownText.describe("The refusal in a sentence."),
    details: z.unknown().describe("The details of the refusal, as of other calls; null otherwise."),
    entries: EntriesOfPreview.optional().describe(
      "In a preview, the entries that the line would make.",
    ),
  }).describe("One for each line, in the order of the request."),
  booked: z.int().describe("How many lines are booked."),
  ignored: z.int().describe("How many lines are ignored."),
  refused: z.int().describe("How many lines were refused."),
  remaining: z.int().describe("How many lines were not looked at; repeat the call with these."),
});
export type BankLineRun = z.output<typeof BankLineRun>;
