/** The requests and responses of payments and refunds (spec 13.3). */
import * as z from "zod";
import {
  addFaults,
  amount,
  Currency,
  component,
  Day,
  ExternalId,
  externalIdFilter,
  FirstDay,
  input,
  LastDay,
  listOf,
  manyOf,
  pageParameters,
  positiveAmount,
  Ref,
  shownText,
  text,
  updatedSince,
} from "../../../platform/http/schemas.ts";
import { AllocationResource } from "../allocations/schemas.ts";

const MOST_ALLOCATIONS = 100;
const MOST_OF_REFERENCE = 140;
const MOST_OF_REASON = 500;
const FURTHEST_ROUNDING = 1_000_000;

const paymentKinds = ["payment", "refund"] as const;

export const PartInput = input("PaymentAllocationInput", {
  invoice: Ref.nullable().optional().describe("An issued invoice that is paid."),
  reminder: Ref.nullable().optional().describe("A reminder that charges something, by its id."),
  opening: Ref.nullable().optional().describe("An opening item that is paid or refunded."),
  credit_note: Ref.nullable()
    .optional()
    .describe(
      "With an invoice, reminder or opening item, the credit that is applied to it first; of a refund, the credit that is given back.",
    ),
  payment: Ref.nullable().optional().describe("The payment whose credit a refund gives back."),
  amount: positiveAmount()
    .nullable()
    .optional()
    .describe(
      "In the payment's currency. By default as much as is open and the payment still has.",
    ),
  rounding: amount(-FURTHEST_ROUNDING)
    .default(0)
    .describe("What the item loses beyond the amount; below 0 where the customer paid more."),
});
export type PartInput = z.output<typeof PartInput>;

const paymentFields = {
  kind: z.enum(paymentKinds).default("payment"),
  date: Day.describe("The day on which the bank moved the money, not in the future."),
  amount: positiveAmount().describe(
    "What the customer paid, or got back, in the payment's currency.",
  ),
  customer: Ref.nullable().optional().describe("May be omitted where all items have the same one."),
  currency: Currency.nullable()
    .optional()
    .describe("By default that of the items, otherwise the functional currency."),
  bank_account: Ref.nullable().optional().describe("By default the default bank account."),
  bank_amount: positiveAmount()
    .nullable()
    .optional()
    .describe(
      "What the bank credited or debited, in functional currency. Required where neither the payment nor the bank account tells it.",
    ),
  fee: amount(0)
    .default(0)
    .describe("What the bank kept, or took besides, in functional currency."),
  allocations: z.array(PartInput).max(MOST_ALLOCATIONS).default([]),
  remainder: z
    .enum(["refuse", "customer_credit"])
    .default("refuse")
    .describe("What happens to an amount that no item takes up."),
  reference: text(MOST_OF_REFERENCE, 1).nullable().optional(),
};

interface Parts {
  readonly kind: "payment" | "refund";
  readonly allocations: readonly PartInput[];
}

export const PaymentCreate = z
  .object({ external_id: ExternalId.describe("The idempotency key."), ...paymentFields })
  .superRefine(requireParts)
  .meta({ id: "PaymentCreate" });
export type PaymentCreate = z.output<typeof PaymentCreate>;

/** A preview records nothing, so it takes no external id. */
export const PaymentPreviewBody = z
  .object(paymentFields)
  .superRefine(requireParts)
  .meta({ id: "PaymentPreviewInput" });
export type PaymentPreviewBody = z.output<typeof PaymentPreviewBody>;

/** Requires that each part names one item of the side that a payment, or a refund, may be applied to. */
function requireParts({ kind, allocations }: Parts, check: z.core.$RefinementCtx): void {
  for (const [at, part] of allocations.entries()) {
    const { invoice, reminder, opening, credit_note, payment } = part;
    const field = `allocations[${at}]`;
    const named =
      kind === "payment" ? [invoice, reminder, opening] : [payment, credit_note, opening];
    if (named.filter((ref) => ref != null).length !== 1) {
      const items =
        kind === "payment"
          ? "an invoice, reminder or opening item"
          : "a payment, credit note or opening item";
      addFaults(check, [{ field, code: "required", message: `Name ${items}, and one only.` }]);
    }
    const strange = kind === "payment" ? { payment } : { invoice, reminder };
    for (const [name, ref] of Object.entries(strange)) {
      if (ref == null) continue;
      const message = kind === "payment" ? "Only of a refund." : "Only of a payment.";
      addFaults(check, [{ field: `${field}.${name}`, code: "not_allowed", message }]);
    }
    if (kind === "refund" && part.rounding !== 0) {
      const message = "A refund is not rounded.";
      addFaults(check, [{ field: `${field}.rounding`, code: "not_allowed", message }]);
    }
  }
}

const Warnings = manyOf({ code: z.enum(["PAYMENT_ON_ACCOUNT"]), message: z.string() });

export const PaymentResource = component("Payment", {
  object: z.literal("payment"),
  id: z.string(),
  external_id: shownText,
  kind: z.enum(paymentKinds),
  number: z.int(),
  status: z.enum(["booked", "reversed"]),
  customer_id: z.string(),
  date: z.string(),
  currency: z.string(),
  amount: z.number(),
  bank_account_id: z.string(),
  bank_amount: z.number(),
  fee: z.number(),
  functional_amount: z.number(),
  exchange_difference: z.number(),
  unallocated: z.number(),
  allocations: z.array(AllocationResource),
  reference: shownText,
  bank_line_id: shownText,
  entry_nos: z.array(z.int()),
  reversed_on: shownText,
  reversal_reason: shownText,
  created_at: z.string(),
});

/** The answer to a POST: the payment with its warnings. */
export const RecordedPayment = PaymentResource.extend({ warnings: Warnings }).meta({
  id: "RecordedPayment",
});

export const PaymentList = listOf(PaymentResource).meta({ id: "PaymentList" });

/** The entries that a preview shows; amounts are in functional currency, and in that of the entry. */
export const EntriesOfPreview = manyOf({
  date: z.string(),
  postings: manyOf({
    account_number: z.int(),
    amount: z.number(),
    currency_amount: z.number(),
    customer_id: shownText,
  }),
});

export const PaymentPreview = component("PaymentPreview", {
  object: z.literal("payment_preview"),
  payment: PaymentResource,
  entries: EntriesOfPreview,
  warnings: Warnings,
});

export const PaymentQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  customer: Ref.optional(),
  invoice: Ref.optional().describe("Only payments that were applied to this invoice."),
  kind: z.enum(paymentKinds).optional(),
  status: z.enum(["booked", "reversed"]).optional(),
  bank_account: Ref.optional(),
  from: FirstDay.optional().describe("First date, a day or a month."),
  to: LastDay.optional().describe("Last date, a day or a month."),
  updated_since: updatedSince,
});
export type PaymentQuery = z.output<typeof PaymentQuery>;

/** Exactly one item that is owed, and one that is a credit. `opening` is either; beside `opening_credit` it is what is owed. */
export const AllocationCreate = z
  .object({
    external_id: ExternalId.describe("The idempotency key."),
    invoice: Ref.nullable().optional(),
    payment: Ref.nullable().optional(),
    credit_note: Ref.nullable().optional(),
    reminder: Ref.nullable().optional().describe("A reminder that charges something, by its id."),
    opening: Ref.nullable()
      .optional()
      .describe("An opening item, as the side that is not named otherwise."),
    opening_credit: Ref.nullable()
      .optional()
      .describe(
        "An opening item that is a credit. With `opening` it joins two opening items: `opening` is then the one that is owed.",
      ),
    amount: positiveAmount()
      .nullable()
      .optional()
      .describe("In the currency of both. By default all that is open."),
    rounding: amount(-FURTHEST_ROUNDING).default(0),
    date: Day.nullable()
      .optional()
      .describe("By default the first open day on which both have room."),
  })
  .superRefine((sent, check) => {
    const { invoice, reminder, payment, credit_note, opening, opening_credit } = sent;
    const credits = [payment, credit_note, opening_credit].filter((ref) => ref != null).length;
    const named = [invoice, reminder, opening].filter((ref) => ref != null).length + credits;
    if (named === 2 && credits < 2) return;
    const message = "Name one item that is owed, and one credit.";
    const fault = named < 2 ? "required" : "not_allowed";
    addFaults(check, [{ field: credits === 0 ? "payment" : "opening", code: fault, message }]);
  })
  .meta({ id: "AllocationCreate" });
export type AllocationCreate = z.output<typeof AllocationCreate>;

/** The reversal of a payment or an allocation. */
const reversalFields = {
  reason: text(MOST_OF_REASON, 1),
  date: Day.nullable()
    .optional()
    .describe(
      "By default today, or the last day on which one of its allocations began or ended where that is later.",
    ),
};

export const PaymentReversal = input("PaymentReversal", {
  ...reversalFields,
  fee: amount(0).default(0).describe("What the bank takes for it, in functional currency."),
});
export type PaymentReversal = z.output<typeof PaymentReversal>;

export const AllocationReversal = input("AllocationReversal", reversalFields);
