/** The requests and responses of batches. */
import * as z from "zod";
import { component, QueryBoolean, shownText } from "../../../platform/http/schemas.ts";

export const BatchQuery = z.object({
  dry_run: QueryBoolean.default(false).describe(
    "Answers what would become of the rows, and changes nothing.",
  ),
});

export const BatchRow = component("BatchRow", {
  row: z.int().describe("The number of the line, from 1."),
  outcome: z
    .enum(["created", "updated", "unchanged", "refused", "remaining"])
    .describe("`remaining`: the time was over before this row was begun."),
  id: shownText.describe("Null if the row was not saved, and for a new one of a dry run."),
  external_id: shownText,
  code: shownText.describe("Of a refusal: as the call for one row would answer."),
  message: shownText,
  field_errors: z
    .array(z.strictObject({ field: z.string(), code: z.string(), message: z.string() }))
    .nullable()
    .describe("At most ten of a row."),
});
export type BatchRow = z.output<typeof BatchRow>;
