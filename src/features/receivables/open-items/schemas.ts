/** The schemas of open items. */
import * as z from "zod";
import {
  Currency,
  component,
  Day,
  listOf,
  pageParameters,
  Ref,
  shownText,
  updatedSince,
} from "../../../platform/http/schemas.ts";

/** The kinds that a list shows. A refund is applied at once, so that nothing of it is ever open. */
const kinds = ["invoice", "credit_note", "payment", "reminder", "opening"] as const;

export const OpenItemResource = component("OpenItem", {
  object: z.literal("open_item"),
  id: z.string(),
  kind: z.enum(kinds),
  is_credit: z.boolean(),
  document_id: shownText,
  number: z.string(),
  customer_id: z.string(),
  date: z.string(),
  due_date: shownText,
  currency: z.string(),
  amount: z.number(),
  open: z.number(),
  functional_amount: z.number(),
  functional_open: z.number(),
  days_overdue: z.int(),
});
export type OpenItemResource = z.output<typeof OpenItemResource>;

export const OpenItemList = listOf(OpenItemResource).meta({ id: "OpenItemList" });

/** The day of a report on what is owed. */
export const atDay = Day.optional().describe(
  "The state at the end of this day. Default: today; not later.",
);

export const OpenItemQuery = z.object({
  ...pageParameters,
  customer: Ref.optional(),
  kind: z.enum(kinds).optional(),
  state: z.enum(["open", "closed", "all"]).default("open").meta({
    description: "`open`: something is open on the day. `closed`: nothing is. `all`: both.",
  }),
  currency: Currency.optional(),
  at: atDay,
  updated_since: updatedSince,
});
export type OpenItemQuery = z.output<typeof OpenItemQuery>;
