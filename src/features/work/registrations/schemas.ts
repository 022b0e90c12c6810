/** The requests and responses of work registrations (spec 6.1). */
import * as z from "zod";
import { workStates } from "../../../domain/work/work.ts";
import {
  component,
  Day,
  decimal,
  ExternalId,
  externalIdFilter,
  FirstDay,
  includeFilter,
  input,
  LastDay,
  listOf,
  pageParameters,
  QueryBoolean,
  Ref,
  shownText,
  text,
  Uuid,
  updatedSince,
} from "../../../platform/http/schemas.ts";

const LineId = Uuid.describe(
  "A line of a draft, of an occurrence, or of a series: then of its occurrence on the date.",
);
const Hours = decimal(2, 0.01, 24);
const Note = text(1000).nullable().optional();

export const WorkCreate = input("WorkRegistrationCreate", {
  line_id: LineId,
  user_id: Uuid,
  hours: Hours,
  date: Day.nullable().optional().describe("Default: today."),
  billable: z.boolean().default(true),
  note: Note,
  external_id: ExternalId.nullable().optional(),
});
export type WorkCreate = z.output<typeof WorkCreate>;

export const WorkUpdate = input("WorkRegistrationUpdate", {
  line_id: LineId.optional(),
  user_id: Uuid.optional(),
  hours: Hours.optional(),
  date: Day.optional(),
  billable: z.boolean().optional(),
  note: Note,
});
export type WorkUpdate = z.output<typeof WorkUpdate>;

export const WorkResource = component("WorkRegistration", {
  object: z.literal("work_registration"),
  id: z.string(),
  external_id: shownText,
  line_id: z.string(),
  invoice_id: shownText,
  series_id: shownText,
  period: shownText,
  customer_id: z.string(),
  user_id: z.string(),
  date: z.string(),
  hours: z.number(),
  billable: z.boolean(),
  note: shownText,
  status: z.enum(workStates),
  hourly_rate: z.number().nullable().meta({
    description: "The hourly rate of the user on the line; null unless the line is by hours.",
  }),
  amount: z.number().nullable().meta({
    description:
      "Hours at that rate less the discount, rounded separately, for information; 0 if not billable.",
  }),
  created_at: z.string(),
  updated_at: z.string(),
  line: z
    .strictObject({
      currency: z.string(),
      product_name: z.string().describe("The name of its product."),
      description_override: shownText,
      recognition_method: z.string(),
    })
    .nullable()
    .optional()
    .describe(
      "The line of the work; null when a dropped period no longer has it. In lists, with `include=line`.",
    ),
});
export type WorkResource = z.output<typeof WorkResource>;

export const WorkList = listOf(WorkResource).meta({ id: "WorkRegistrationList" });

export const WorkQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  customer: Ref.optional(),
  user: Ref.optional(),
  invoice: Ref.optional(),
  series: Ref.optional(),
  period: text(32, 1).optional().describe("The key of a period, as shown."),
  line: Uuid.optional().describe("The line of an invoice or occurrence, as shown."),
  from: FirstDay.optional().describe("First date."),
  to: LastDay.optional().describe("Last date."),
  status: z.enum(workStates).optional(),
  billable: QueryBoolean.optional(),
  updated_since: updatedSince,
  include: includeFilter(["line"], "Adds to each row: `line`."),
});
export type WorkQuery = z.output<typeof WorkQuery>;
