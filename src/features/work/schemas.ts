/** What clients send and get of work registrations (spec 6.1). */
import * as z from "zod";
import { workStates } from "../../domain/work/work.ts";
import {
  Day,
  decimal,
  ExternalId,
  externalIdFilter,
  FirstDay,
  LastDay,
  listOf,
  pageParameters,
  QueryBoolean,
  Ref,
  text,
  Uuid,
  updatedSince,
} from "../../platform/http/schemas.ts";

const LineId = Uuid.meta({
  description:
    "A line of a draft, of an occurrence, or of a series: then of its occurrence on the date.",
});
const Hours = decimal(2, 0.01, 24);
const Note = text(1000).nullable().optional();

export const WorkCreate = z
  .object({
    line_id: LineId,
    user_id: Uuid,
    hours: Hours,
    date: Day.nullable().optional().meta({ description: "Default: today." }),
    billable: z.boolean().default(true),
    note: Note,
    external_id: ExternalId.nullable().optional(),
  })
  .meta({ id: "WorkRegistrationCreate" });
export type WorkCreate = z.output<typeof WorkCreate>;

export const WorkUpdate = z
  .object({
    line_id: LineId.optional(),
    user_id: Uuid.optional(),
    hours: Hours.optional(),
    date: Day.optional(),
    billable: z.boolean().optional(),
    note: Note,
  })
  .meta({ id: "WorkRegistrationUpdate" });
export type WorkUpdate = z.output<typeof WorkUpdate>;

export const WorkResource = z
  .strictObject({
    object: z.literal("work_registration"),
    id: z.string(),
    external_id: z.string().nullable(),
    line_id: z.string(),
    invoice_id: z.string().nullable(),
    series_id: z.string().nullable(),
    period: z.string().nullable(),
    customer_id: z.string(),
    user_id: z.string(),
    date: z.string(),
    hours: z.number(),
    billable: z.boolean(),
    note: z.string().nullable(),
    status: z.enum(workStates),
    hourly_rate: z.number().nullable().meta({
      description: "What an hour of the user costs on the line; null unless the line is by hours.",
    }),
    amount: z.number().nullable().meta({
      description:
        "Hours at that rate less the discount, rounded by itself, for information; 0 when not billable.",
    }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "WorkRegistration" });
export type WorkResource = z.output<typeof WorkResource>;

export const WorkList = listOf(WorkResource).meta({ id: "WorkRegistrationList" });

export const WorkQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  customer: Ref.optional(),
  user: Ref.optional(),
  invoice: Ref.optional(),
  series: Ref.optional(),
  period: text(32, 1).optional().meta({ description: "The key of a period, as shown." }),
  line: Uuid.optional().meta({ description: "The line of an invoice or occurrence, as shown." }),
  from: FirstDay.optional().meta({ description: "First date." }),
  to: LastDay.optional().meta({ description: "Last date." }),
  status: z.enum(workStates).optional(),
  billable: QueryBoolean.optional(),
  updated_since: updatedSince,
});
export type WorkQuery = z.output<typeof WorkQuery>;
