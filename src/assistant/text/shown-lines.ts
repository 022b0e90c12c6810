/** Lines in tool results: how many of a document, how many people of each, and which may be sent back as read. */
import * as z from "zod";
import { invalidField } from "../../domain/base/problem.ts";
import { OccurrenceLine, SeriesLine } from "../../features/recurring/series/schemas.ts";
import { CreditNoteResource } from "../../features/sales/credit-notes/schemas.ts";
import { InvoiceResource, shownLine } from "../../features/sales/invoices/schemas.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { MOST_LINES } from "../protocol/answer-size.ts";

/** The arguments that choose lines of a document. */
export const linesArguments = {
  lines_from: z.int().min(1).default(1).describe(`First line shown, of ${MOST_LINES} at most.`),
  line_id: Uuid.optional().describe("One line alone, with all its people."),
};

interface LinesArguments {
  readonly lines_from: number;
  readonly line_id?: string | undefined;
}

/** Returns the lines that the arguments choose. Throws VALIDATION_FAILED for an unknown `line_id`. */
export function askedLines<Line>(
  lines: readonly Line[],
  { lines_from, line_id }: LinesArguments,
  idOf: (line: Line) => string,
): readonly Line[] {
  if (line_id === undefined) return lines.slice(lines_from - 1);
  const found = lines.filter((line) => idOf(line) === line_id);
  if (found.length > 0) return found;
  throw invalidField("line_id", "unknown_reference", "There is no such line.");
}

/** Returns the sentence about the lines that are not shown; null where all are shown. */
export function otherLinesText(
  { lines_from, line_id }: LinesArguments,
  shown: number,
  count: number,
): string | null {
  if (line_id !== undefined || (lines_from === 1 && shown === count)) return null;
  const last = lines_from + shown - 1;
  const which = shown === 0 ? "No lines" : `Lines ${lines_from} to ${last}`;
  const next = last < count && shown > 0 ? `; the next with lines_from ${last + 1}` : "";
  return `${which} of ${count}${next}.`;
}

/** The number of a line's people that are not shown, beyond ten. A line that is cut cannot be sent back. */
const leftOut = { assignees_left_out: z.int().optional() };

/** Returns the names of a line's people, and the number of those left out. */
export function peopleText(
  names: readonly string[],
  left_out: number | undefined,
  without_names: string,
): string {
  const more = left_out === undefined ? [] : [`and ${left_out} more, shown with line_id`];
  return [...names, ...more].join(", ") || without_names;
}

const InvoiceLine = InvoiceResource.shape.lines.element.extend({
  name: z.string(),
  amount: z.number().describe("Net of VAT: as booked, of a draft as of now."),
  hours: z.number().describe("Registered, billable or not."),
  hours_by_user: z
    .array(z.object({ user_id: z.string(), name: z.string(), hours: z.number() }))
    .describe("Standard users see their own only."),
  /** The number of people with hours beyond the first ten. */
  hours_by_user_left_out: z.int().optional(),
});

/** A line of an invoice with its amount and its registered hours. */
export const ShownInvoiceLine = InvoiceLine.extend(leftOut);

/** The content of a line of a series in a period. */
const Content = z.object({
  ...shownLine,
  budget_hours: z.number().optional(),
  name: z.string(),
});

export const ShownContent = Content.extend(leftOut);
export const ShownSeriesLine = ShownContent.extend({ line_id: z.string() });

const lines = [InvoiceLine, Content, SeriesLine, OccurrenceLine];

/** Arguments in which lines of a document or series may be sent back, in any form that tools or the API return. */
export const takesLinesBack = { lines: [z.array(z.union(lines))] };
export const takesLineBack = { line: lines };
export const takesCreditLinesBack = { lines: [CreditNoteResource.shape.lines] };
