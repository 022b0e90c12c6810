/** The requests and responses of accruals (spec 3). */
import * as z from "zod";
import { month } from "../../../domain/base/calendar.ts";
import { accountRoles } from "../../../domain/revenue/accrual.ts";
import {
  addFault,
  component,
  input,
  listOf,
  manyOf,
  pageParameters,
  Ref,
  readAs,
  shownText,
  text,
  Uuid,
} from "../../../platform/http/schemas.ts";
import { forms, withForm } from "../../../platform/http/written-forms.ts";

/** A month, `YYYY-MM`. */
export const MonthText = withForm(
  readAs(month, "Not a month of the form YYYY-MM."),
  forms.month,
).meta({
  type: "string",
  example: "2026-03",
});

/** A month in a path; any other text is malformed. */
export const MonthParams = z.object({ month: MonthText });

export const AccrualQuery = z
  .object({
    customer: Ref.optional().describe("Without it, the accruals of all customers, as a list."),
    month: MonthText,
    ...pageParameters,
  })
  .superRefine(({ customer, cursor }, check) => {
    if (customer === undefined || cursor === undefined) return;
    addFault(
      check,
      "cursor",
      "not_allowed",
      "A single accrual has no pages; omit cursor or customer.",
    );
  });
export const AccrualParams = z.object({ id: Uuid });
export const CustomerAccrualsQuery = z.object({ ...pageParameters });
export type CustomerAccrualsQuery = z.output<typeof CustomerAccrualsQuery>;

/** Why a booked accrual or a closed month is reopened: 1 to 500 characters. */
export const reasonText = text(500, 1);
export const ReasonBody = input("ReopenReason", { reason: reasonText });

const accrualFields = {
  object: z.literal("accrual"),
  id: z.string(),
  customer_id: z.string(),
  accrual_month: z.string(),
  original_accrual_month: shownText.describe(
    "The earliest closed month whose changes are carried into this accrual.",
  ),
  status: z.enum(["draft", "booked"]),
  ledger_voucher_guid: shownText,
  ledger_voucher_number: z.int().nullable(),
  booked_at: shownText,
};

/** Exactly the fields of the interface. */
export const AccrualResource = component("Accrual", {
  ...accrualFields,
  pending: z.literal(true).optional().meta({
    description:
      "Present only if a connected ledger has accepted a booking or reopening and executes it later.",
  }),
});
export const AccrualList = listOf(AccrualResource).meta({ id: "AccrualList" });
/** The response: one accrual when the query names a customer, otherwise a list. */
export const AccrualOrList = z.union([AccrualResource, AccrualList]).meta({ id: "AccrualOrList" });

const money = z.number().nullable();

export const AccrualDetail = component("AccrualDetail", {
  ...accrualFields,
  functional_currency: z.string(),
  totals: z
    .strictObject({
      earned: z.number(),
      invoiced: z.number(),
      exchange_difference: z.number(),
      contract_asset_opening: z.number(),
      contract_asset_movement: z.number(),
      contract_asset_closing: z.number(),
      contract_liability_opening: z.number(),
      contract_liability_movement: z.number(),
      contract_liability_closing: z.number(),
    })
    .nullable()
    .describe("In functional currency; null while an exchange rate is missing."),
  contracts: manyOf({
    invoice_id: shownText,
    series_id: shownText,
    opening_contract_id: shownText,
    contract_asset_before: z.number(),
    contract_asset_after: z.number(),
    contract_asset_movement: z.number(),
    contract_liability_before: z.number(),
    contract_liability_after: z.number(),
    contract_liability_movement: z.number(),
  }).nullable(),
  lines: manyOf({
    line_id: z.string(),
    invoice_id: shownText,
    series_id: shownText,
    opening_contract_id: shownText,
    period: shownText,
    product_id: z.string(),
    account_number: z.int(),
    currency: z.string(),
    earned_to_date: z.number(),
    invoiced_to_date: z.number(),
    balance_before: money,
    balance_after: money,
    movement: money,
    months: manyOf({
      month: z.string(),
      earned: z.number(),
      invoiced: z.number(),
      carried: z.boolean(),
      earned_functional: money.optional(),
      invoiced_functional: money.optional(),
      exchange_difference_functional: money.optional(),
    }),
  }),
  entries: manyOf({
    account_role: z.enum([...accountRoles, "revenue"]),
    account_number: z.int().nullable(),
    debit: z.number(),
    credit: z.number(),
  }).nullable(),
  revision: z.int(),
  pending: z.boolean().describe("True if the ledger has not answered a booking or reopening yet."),
});

export const AccrualHistory = listOf(
  z.strictObject({
    at: z.string(),
    actor: z.strictObject({ kind: z.string(), id: z.string() }),
    action: z.enum(["booked", "reopened"]),
    revision: z.int(),
    voucher: z.strictObject({ guid: z.string(), number: z.int() }).nullable(),
    reversal_voucher: z.strictObject({ guid: z.string(), number: z.int() }).nullable(),
    reason: shownText,
  }),
).meta({ id: "AccrualHistory" });

export const ReconciliationQuery = z.object({ month: MonthText });

const reconciled = {
  ledger: money.describe(
    "The account's balance on the last day; null for a connected accounting system.",
  ),
  difference: money,
};

export const Reconciliation = component("Reconciliation", {
  object: z.literal("reconciliation"),
  month: z.string(),
  functional_currency: z.string(),
  roles: manyOf({
    account_role: z.enum(accountRoles),
    account_number: z.int().nullable(),
    sub_ledger: z.number().describe("The total of the booked accruals."),
    ledger: money.describe(
      "The account's balance on the last day; null for a connected accounting system, or without an account.",
    ),
    difference: money,
  }),
  documents: manyOf({
    of: z.enum(["revenue", "vat", "receivables"]),
    account_number: z.int().nullable(),
    sub_ledger: z.number().meta({
      description:
        "Of all documents through the last day: their net, with the movements of booked accruals; their VAT; their gross. A credit note counts from its own date or its invoice's, whichever is later.",
    }),
    ...reconciled,
  }).describe(
    "Issued documents, and for receivables the open items, compared with the accounts to which they post, with the signs of a sale: credits of revenue and VAT, and debits of receivables, are above 0.",
  ),
  earnings: manyOf({
    account_number: z.int(),
    sub_ledger: z.number().describe("Revenue earned according to booked accruals."),
    ...reconciled,
  }).describe(
    "Booked earnings compared with the revenue accounts. They are equal once the month is booked for all customers; a document dated into the month afterwards makes a difference until the next accrual carries it.",
  ),
});
