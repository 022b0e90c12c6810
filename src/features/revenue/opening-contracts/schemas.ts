/** The requests and responses of opening contracts (spec 3.13). */
import * as z from "zod";
import { RATE_DECIMALS } from "../../../domain/base/money.ts";
import { vatCodes } from "../../../domain/sales/vat-code.ts";
import {
  amount,
  Currency,
  component,
  Day,
  decimal,
  ExternalId,
  externalIdFilter,
  input,
  listOf,
  manyOf,
  pageParameters,
  positiveAmount,
  Ref,
  shownText,
  text,
  updatedSince,
} from "../../../platform/http/schemas.ts";
import { AssigneeInput } from "../../sales/invoices/schemas.ts";

const MOST_OF_REASON = 500;
const MOST_ASSIGNEES = 100;

const AccountNumber = z.int().min(1).max(99_999_999);

export const OpeningContractCreate = input("OpeningContractCreate", {
  external_id: ExternalId.describe("The idempotency key."),
  customer: Ref,
  product: Ref,
  currency: Currency.nullable().optional().describe("Default: the functional currency."),
  invoiced: positiveAmount().describe(
    "What was invoiced elsewhere, net of VAT and of credit notes, in `currency`.",
  ),
  earned: amount(0).describe(
    "What of it was earned by the end of the cutover: less than `invoiced`.",
  ),
  service_from: Day.nullable().optional().describe("Default: the day after the cutover."),
  service_to: Day.describe("The last day of the service, after the cutover."),
  cutover: Day.describe(
    "The last day of the old books, which ends a month, and the date of the entry.",
  ),
  rate: decimal(RATE_DECIMALS, 0.000001, 1_000_000_000)
    .nullable()
    .optional()
    .describe(
      "Units of functional currency for one of `currency`; it never changes. Default: the rate of the cutover.",
    ),
  counter_account: AccountNumber.nullable()
    .optional()
    .describe(
      "The account that is debited; required in the built-in ledger. Not receivables, VAT, revenue or an account with a role. With a connected ledger, whose books have the liability already, it is not allowed, and nothing is posted.",
    ),
  assignees: z.array(AssigneeInput).max(MOST_ASSIGNEES).default([]),
});
export type OpeningContractCreate = z.output<typeof OpeningContractCreate>;

export const OpeningContractEnd = input("OpeningContractEnd", {
  date: Day.describe("The last day of a month, from the cutover on: nothing is earned after it."),
  reason: text(MOST_OF_REASON, 1),
  counter_account: AccountNumber.nullable()
    .optional()
    .describe(
      "Only for a contract that has none, and whose books are those of the built-in ledger now: then required, by the same rules.",
    ),
});

export const OpeningContract = component("OpeningContract", {
  object: z.literal("opening_contract"),
  id: z.string(),
  external_id: z.string(),
  customer_id: z.string(),
  product_id: z.string(),
  line_id: z.string().describe("The line that earns what was left, in all reports on revenue."),
  currency: z.string(),
  invoiced: z.number().describe("Invoiced elsewhere, net of VAT, in `currency`."),
  earned: z.number().describe("By the end of the cutover in the old books, in `currency`."),
  service_from: shownText,
  service_to: z.string(),
  cutover: z.string().describe("The last day of the old books, and the date of the entry."),
  rate: z.number().nullable().describe("Null in functional currency."),
  counter_account: z
    .int()
    .nullable()
    .describe("The account that was debited; null where nothing was posted."),
  account_number: z.int().describe("The revenue account of the line."),
  vat_code: z.enum(vatCodes).describe("As on a draft; no VAT is booked."),
  assignees: manyOf({
    user_id: z.string(),
    distribution_percentage: z.number().nullable(),
    hourly_rate_override: z.number().nullable(),
  }),
  status: z.enum(["running", "ended"]),
  ended_on: shownText.describe("The last day on which it earned; null while it runs."),
  entry_no: z
    .int()
    .nullable()
    .describe("The journal entry of the cutover; null where nothing was posted."),
  created_at: z.string(),
});

export const OpeningContractList = listOf(OpeningContract).meta({ id: "OpeningContractList" });

export const OpeningContractQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  customer: Ref.optional(),
  status: z.enum(["running", "ended"]).optional(),
  updated_since: updatedSince,
});
export type OpeningContractQuery = z.output<typeof OpeningContractQuery>;
