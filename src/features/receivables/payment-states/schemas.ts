/** The schemas of what is paid of an invoice. */
import * as z from "zod";
import { shownPaymentStates } from "../../../domain/receivables/ledger-payment.ts";
import { component, shownText } from "../../../platform/http/schemas.ts";
import { AllocationResource } from "../allocations/schemas.ts";
import { atDay } from "../open-items/schemas.ts";

/** The day that is asked about; the last moment of it counts. */
export const AtQuery = z.object({
  at: atDay,
});
export type AtQuery = z.output<typeof AtQuery>;

const amount = z.number().nullable();

/** What is paid of an invoice, in a row of a list. */
export const PaymentOfRow = z.strictObject({
  state: z.enum(shownPaymentStates),
  is_overdue: z.boolean(),
  open: amount,
  paid_on: shownText,
});
export type PaymentOfRow = z.output<typeof PaymentOfRow>;

export const InvoicePaymentResource = component("InvoicePayment", {
  object: z.literal("invoice_payment"),
  invoice_id: z.string(),
  state: z.enum(shownPaymentStates).nullable(),
  is_overdue: z.boolean().nullable(),
  days_overdue: z.int().nullable(),
  due_date: z.string(),
  currency: z.string(),
  gross: amount,
  paid: amount,
  credited: amount,
  rounding: amount,
  open: amount,
  paid_on: shownText,
  source: z.enum(["books", "ledger"]),
  as_of: shownText,
  allocations: z.array(AllocationResource),
  payment_codes: z
    .strictObject({ reference: z.string(), rf: z.string(), fik_line: shownText })
    .nullable(),
  reminders: z.strictObject({
    level: z.int(),
    last_on: shownText,
    hold_until: shownText,
  }),
});
