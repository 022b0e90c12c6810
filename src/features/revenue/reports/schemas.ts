/** The requests and responses of the reports on revenue (spec 3.11). */
import * as z from "zod";
import { monthsApart } from "../../../domain/base/calendar.ts";
import {
  addFault,
  component,
  listOf,
  MonthOfTime,
  manyOf,
  pageParameters,
  Ref,
  shownText,
} from "../../../platform/http/schemas.ts";

export const groupings = ["line", "customer", "user", "product", "month"] as const;
export type Grouping = (typeof groupings)[number];

export const bases = ["work_month", "booking_month"] as const;
export type Basis = (typeof bases)[number];

export const MOST_MONTHS = 36;

/** Requires that `to` is not before `from` and that the range, both months included, has at most 36 months. */
export function requireRange(
  range: { readonly from: string; readonly to: string },
  check: z.core.$RefinementCtx,
): void {
  const apart = monthsApart(range.from as never, range.to as never);
  if (apart < 0) addFault(check, "to", "too_small", "The last month is before the first.");
  if (apart > MOST_MONTHS) {
    addFault(check, "to", "too_large", `At most ${MOST_MONTHS} months apart.`);
  }
}

const recognitionFilters = {
  from: MonthOfTime,
  to: MonthOfTime,
  customer: Ref.optional(),
  series: Ref.optional(),
  invoice: Ref.optional(),
  user: Ref.optional(),
  product: Ref.optional(),
  group_by: z.enum(groupings).default("line").meta({
    description: "Rows are always for a month; `line` gives one for each line and user.",
  }),
  basis: z.enum(bases).default("work_month").meta({
    description:
      "`work_month`: the month to which revenue belongs. `booking_month`: the month in whose accrual it is or will be booked.",
  }),
};

export const RecognitionQuery = z
  .object({ ...pageParameters, ...recognitionFilters })
  .superRefine(requireRange);
/** The filters of a file, which has no pages. */
export const RecognitionFileQuery = z.object(recognitionFilters).superRefine(requireRange);
export type RecognitionQuery = z.output<typeof RecognitionQuery>;

const money = z.number().nullable();

export const RecognitionEntry = component("RecognitionEntry", {
  object: z.literal("recognition_entry"),
  month: z.string(),
  customer_id: shownText,
  invoice_id: shownText,
  series_id: shownText,
  period: shownText,
  line_id: shownText,
  product_id: shownText,
  user_id: shownText.describe("Null for unassigned revenue."),
  currency: z
    .string()
    .describe("Of the amounts: the line's own by line, the functional currency otherwise."),
  earned: money.describe("Null while a closing rate is missing."),
  invoiced: money,
  contract_asset: money.describe("At the end of the month."),
  contract_liability: money,
  hours: z.number().describe("Registered hours, billable or not."),
  forecast: z.boolean().describe("True if the month is in the future."),
  // New columns are last, also in the lists as CSV.
  opening_contract_id: shownText,
});

export const RecognitionList = listOf(RecognitionEntry).meta({ id: "RecognitionList" });

export const RollforwardQuery = z
  .object({ ...pageParameters, from: MonthOfTime, to: MonthOfTime, customer: Ref.optional() })
  .superRefine(requireRange);
export type RollforwardQuery = z.output<typeof RollforwardQuery>;

const movement = {
  opening: money,
  earned: money,
  invoiced: money,
  carried: money.describe("The part of the movement that belongs to closed months."),
  exchange_difference: money,
  closing: money,
};

export const RollforwardEntry = z
  .strictObject({
    object: z.literal("rollforward_entry"),
    customer_id: z.string(),
    invoice_id: shownText,
    series_id: shownText,
    currency: z.string(),
    ...movement,
    contract_asset_opening: money,
    contract_asset_closing: money,
    contract_liability_opening: money,
    contract_liability_closing: money,
    opening_contract_id: shownText,
    brought_along: money.describe(
      "What opening contracts brought along, less what they gave back when they ended: it reduces the position as invoicing does.",
    ),
  })
  .meta({
    id: "RollforwardEntry",
    description:
      "Opening + earned − invoiced − brought along + exchange difference = closing; above 0 an asset, below a liability.",
  });

export const RollforwardList = listOf(RollforwardEntry).meta({ id: "RollforwardList" });

/** The revenue schedule of an invoice: what each of its lines earns and has invoiced, by month. */
export const RecognitionSchedule = component("RecognitionSchedule", {
  object: z.literal("recognition_schedule"),
  invoice_id: z.string(),
  currency: z.string(),
  lines: manyOf({
    line_id: z.string(),
    amount: z.number(),
    credited: z.number(),
    earned_to_date: z.number(),
    invoiced_to_date: z.number(),
    completed_on: shownText,
    months: manyOf({
      month: z.string(),
      earned: z.number(),
      invoiced: z.number(),
      users: manyOf({ user_id: shownText, earned: z.number() }),
    }),
  }),
});
export type RecognitionScheduleResource = z.output<typeof RecognitionSchedule>;
