/** The schemas of what each customer owes, and of the sum of all. */
import * as z from "zod";
import {
  Currency,
  component,
  listOf,
  pageParameters,
  Ref,
  shownText,
} from "../../../platform/http/schemas.ts";
import { atDay } from "../open-items/schemas.ts";

const sums = {
  not_due: z.number(),
  days_1_30: z.number(),
  days_31_60: z.number(),
  days_61_90: z.number(),
  over_90: z.number(),
  total: z.number(),
  credit_notes: z.number(),
  customer_credit: z.number(),
  balance: z.number(),
};

export const ReceivableResource = component("Receivable", {
  object: z.literal("receivable"),
  customer_id: z.string(),
  customer_name: z.string(),
  currency: z.string(),
  ...sums,
  oldest_due_date: shownText,
  functional: z.strictObject(sums),
});
export type ReceivableResource = z.output<typeof ReceivableResource>;

export const ReceivableList = listOf(ReceivableResource).meta({ id: "ReceivableList" });

const filters = { at: atDay, customer: Ref.optional(), currency: Currency.optional() };

export const ReceivableQuery = z.object({ ...pageParameters, ...filters });
export type ReceivableQuery = z.output<typeof ReceivableQuery>;

export const SummaryQuery = z.object({ at: atDay });

export const ReceivablesSummary = component("ReceivablesSummary", {
  object: z.literal("receivables_summary"),
  at: z.string(),
  functional_currency: z.string(),
  currencies: z.array(z.strictObject({ currency: z.string(), sums: z.strictObject(sums) })),
  functional: z.strictObject(sums),
  ledger: z.array(
    z.strictObject({
      account_role: z.enum(["receivables", "customer_credit"]),
      account_number: z.int().nullable(),
      sub_ledger: z.number(),
      ledger: z.number().nullable(),
      difference: z.number().nullable(),
    }),
  ),
});
