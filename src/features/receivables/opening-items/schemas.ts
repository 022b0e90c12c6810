/** The requests and responses of opening items, and of the beginning of receivables (spec 13.4). */
import * as z from "zod";
import {
  amount,
  Currency,
  component,
  Day,
  ExternalId,
  input,
  positiveAmount,
  Ref,
  text,
} from "../../../platform/http/schemas.ts";

const MOST_OF_NUMBER = 40;
const MOST_OF_REASON = 500;
const MOST_NAMED = 10_000;

const AccountNumber = z.int().min(1).max(99_999_999);

export const OpeningItemCreate = input("OpeningItemCreate", {
  external_id: ExternalId.describe("The idempotency key."),
  number: text(MOST_OF_NUMBER, 1).describe("The number in the old system."),
  customer: Ref,
  date: Day.nullable().optional().describe("The date of the entry. Default: today."),
  due_date: Day,
  currency: Currency.nullable().optional().describe("Default: the functional currency."),
  amount: positiveAmount().describe("What is still owed, or held, with VAT, in `currency`."),
  functional_amount: amount(0)
    .nullable()
    .optional()
    .describe("The same in functional currency. Default: at the rate of the date."),
  counter_account: AccountNumber.describe(
    "The account that is posted against receivables: neither receivables nor an account with a role.",
  ),
  is_credit: z.boolean().default(false).describe("Whether it is held for the customer."),
});
export type OpeningItemCreate = z.output<typeof OpeningItemCreate>;

export const OpeningItemReversal = input("OpeningItemReversal", {
  reason: text(MOST_OF_REASON, 1),
  date: Day.nullable().optional().describe("Default: today."),
});

const NamedDocuments = input("OpenDocumentsInput", {
  invoices: z.array(Ref).max(MOST_NAMED).default([]),
  credit_notes: z.array(Ref).max(MOST_NAMED).default([]),
});

export const ReceivablesBeginInput = input("ReceivablesBeginInput", {
  date: Day.describe("The last day of the old bookkeeping of payments, and the date of the entry."),
  counter_account: AccountNumber.describe(
    "The account to which settled documents are moved: neither receivables nor an account with a role.",
  ),
  open: z
    .union([z.literal("all"), NamedDocuments])
    .describe(
      "What is still open of the documents through the date; the others were settled elsewhere.",
    ),
});
export type ReceivablesBeginInput = z.output<typeof ReceivablesBeginInput>;

export const ReceivablesBegin = component("ReceivablesBegin", {
  object: z.literal("receivables_begin"),
  begun_on: z.string(),
  settled: z.int().describe("How many documents were settled elsewhere."),
  settled_amount: z
    .number()
    .describe("What was moved from receivables, in functional currency; credits reduce it."),
  entry_no: z.int().nullable().describe("The journal entry; null where nothing was settled."),
});
