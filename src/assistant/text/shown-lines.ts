/** Lines as tools answer them: how many of a document, how many people of each, and what may be sent back as it was read. */
import * as z from "zod";
import { invalidField } from "../../domain/base/problem.ts";
import { OccurrenceLine, SeriesLine } from "../../features/recurring/series/schemas.ts";
import { CreditNoteResource } from "../../features/sales/credit-notes/schemas.ts";
import { InvoiceResource, shownLine } from "../../features/sales/invoices/schemas.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { MOST_LINES } from "../protocol/answer-size.ts";

/** Which lines of a document are asked for. */
export const linesArguments = {
  lines_from: z.int().min(1).default(1).describe(`First line shown, of ${MOST_LINES} at most.`),
  line_id: Uuid.optional().describe("One line alone, with all its people."),
};

interface LinesArguments {
  readonly lines_from: number;
  readonly line_id?: string | undefined;
}

/** The lines that are asked for, and whether all of their people are. */
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

/** The sentence about the lines that are not shown; null where there are none. */
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

/** People of a line that are not shown, where they are more than ten: what is cut cannot be sent back. */
const leftOut = { assignees_left_out: z.int().optional() };

/** The names of the people of a line, and how many more there are. */
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
    .describe("For a standard user their own only."),
  /** Of those who registered hours, beyond the first ten. */
  hours_by_user_left_out: z.int().optional(),
});

/** A line of an invoice with what it comes to and what is registered on it. */
export const ShownInvoiceLine = InvoiceLine.extend(leftOut);

/** What a line of a series says in some period. */
const Content = z.object({
  ...shownLine,
  budget_hours: z.number().optional(),
  name: z.string(),
});

export const ShownContent = Content.extend(leftOut);
export const ShownSeriesLine = ShownContent.extend({ line_id: z.string() });

const lines = [InvoiceLine, Content, SeriesLine, OccurrenceLine];

/** Where a document takes lines, and where a series takes one: as tools or the API answer lines of any of both. */
export const takesLinesBack = { lines: [z.array(z.union(lines))] };
export const takesLineBack = { line: lines };
export const takesCreditLinesBack = { lines: [CreditNoteResource.shape.lines] };
