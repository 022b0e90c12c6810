/** The schemas of allocations: what was applied to what. */
import * as z from "zod";
import {
  component,
  FirstDay,
  LastDay,
  listOf,
  pageParameters,
  Ref,
  shownText,
} from "../../../platform/http/schemas.ts";

/** An item of an allocation. Numbers are text, because an opening item has the number of the old system. */
const AllocatedItem = {
  id: z.string(),
  number: z.string(),
};

export const AllocationResource = component("Allocation", {
  object: z.literal("allocation"),
  id: z.string(),
  external_id: shownText,
  debit: z.strictObject({
    kind: z.enum(["invoice", "reminder", "opening", "refund"]),
    ...AllocatedItem,
  }),
  credit: z.strictObject({
    kind: z.enum(["credit_note", "payment", "opening"]),
    ...AllocatedItem,
  }),
  currency: z.string(),
  amount: z.number(),
  rounding: z.number(),
  functional_amount: z.number(),
  exchange_difference: z.number(),
  date: z.string(),
  reversed_on: shownText,
  entry_no: z.int().nullable(),
});
export type AllocationResource = z.output<typeof AllocationResource>;

export const AllocationList = listOf(AllocationResource).meta({ id: "AllocationList" });

export const AllocationQuery = z.object({
  ...pageParameters,
  customer: Ref.optional().describe("Only allocations of an item of this customer."),
  invoice: Ref.optional(),
  payment: Ref.optional().describe("A payment or a refund."),
  credit_note: Ref.optional(),
  from: FirstDay.optional().describe("First date, a day or a month."),
  to: LastDay.optional().describe("Last date, a day or a month."),
});
export type AllocationQuery = z.output<typeof AllocationQuery>;
