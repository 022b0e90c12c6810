/** Finds the line for hours that name a customer and a line: a line that waits for the work of the person on that date. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import { occurrenceLineId } from "../../../domain/series/line-id.ts";
import { indexContaining, periodAt } from "../../../domain/series/period.ts";
import { type LineContent, linesAt } from "../../../domain/series/series.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import { findManySeries } from "../../recurring/series/queries.ts";
import { type Series, shownPeriod, uncancelled } from "../../recurring/series/series.ts";
import { linesOfInvoices } from "../../sales/invoices/queries.ts";
import { waitingDrafts, waitingSeries } from "../../work/registrations/queries.ts";

/** The fields of a row that identify its line. */
interface Named {
  readonly customer?: string | undefined;
  readonly title?: string | undefined;
  readonly line?: string | undefined;
  /** A project of a time tracker: the title of an invoice, or the name of a line. */
  readonly project?: string | undefined;
  /** Its task, which is often no line: it only chooses among several. */
  readonly task?: string | undefined;
  readonly date: CalendarDate;
}

/** A line that a row may name. Its id is computed on request, because the id of a period's line is derived. */
interface Candidate {
  readonly content: LineContent;
  readonly customer_id: string;
  readonly title: string | null;
  id(): string;
}

/**
 * Returns a function that finds the line's id for a row; reads the user's lines once. It throws VALIDATION_FAILED: at
 * the customer if no line has that name, else at the line or the project (`unknown_reference`, or `ambiguous` for several).
 */
export async function linesFor(cx: Reader, user_id: string): Promise<(row: Named) => string> {
  const drafts = await waitingDrafts(cx, user_id);
  const ids = drafts.map(({ id }) => id);
  const of_drafts = new Map(drafts.map((one) => [one.id, one]));
  const on_drafts = (await linesOfInvoices(cx, ids)).flatMap(
    ({ invoice_id, line }): Candidate[] => {
      const draft = of_drafts.get(invoice_id);
      if (draft === undefined || !isOf(line, user_id)) return [];
      const { customer_id, title } = draft;
      return [{ content: line, customer_id, title, id: () => line.id }];
    },
  );
  const many = await findManySeries(cx, await waitingSeries(cx, user_id));
  const in_series = [...many.values()].map((series) => candidatesIn(series, user_id));
  const labels = await customerLabels(cx, [
    ...on_drafts.map(({ customer_id }) => customer_id),
    ...[...many.values()].map(({ customer_id }) => customer_id),
  ]);
  const isSame = comparison();
  const isNamed = (customer_id: string, name: string | undefined): boolean => {
    const label = labels.get(customer_id);
    return isSame(name, label?.name ?? "") || isSame(name, label?.external_id ?? null);
  };
  return (row) => {
    const candidates = [
      ...on_drafts.filter(({ customer_id }) => isNamed(customer_id, row.customer)),
      ...in_series.flatMap(({ customer_id, onDay }) =>
        isNamed(customer_id, row.customer) ? onDay(row.date) : [],
      ),
    ];
    return lineOf(candidates, row, isSame);
  };
}

const isOf = ({ assignees }: Pick<LineContent, "assignees">, user_id: string): boolean =>
  assignees.some((one) => one.user_id === user_id);

/** Returns the user's lines of a series, in the period of a date. */
function candidatesIn(series: Series, user_id: string) {
  const all = uncancelled(series);
  const { customer_id } = series;
  const of_period = new Map<number, readonly Candidate[]>();
  const onDay = (date: CalendarDate): readonly Candidate[] => {
    const index = indexContaining(all, date);
    const period = index === undefined ? undefined : periodAt(all, index);
    if (period === undefined) return [];
    const { key } = shownPeriod(series, period);
    const found =
      of_period.get(period.index) ??
      linesAt(series.lines, period.index).flatMap(({ content, ...line }): Candidate[] =>
        isOf(content, user_id)
          ? [{ content, customer_id, title: null, id: () => occurrenceLineId(line, key) }]
          : [],
      );
    of_period.set(period.index, found);
    return found;
  };
  return { customer_id, onDay };
}

/** Returns the id of the only one of a customer's lines that a row names. */
function lineOf(
  candidates: readonly Candidate[],
  { title, line, project, task }: Named,
  isSame: Comparison,
): string {
  if (candidates.length === 0) {
    const message = "This person has no open lines for a customer of this name.";
    throw invalidField("customer", "unknown_reference", message);
  }
  const named = candidates.filter(
    (one) =>
      isCalled(one.content, line, isSame) &&
      (title === undefined || isSame(title, one.title)) &&
      (isCalled(one.content, project, isSame) || isSame(project, one.title)),
  );
  const of_task = named.filter((one) => task !== undefined && isCalled(one.content, task, isSame));
  const [only, ...others] = named.length > 1 && of_task.length > 0 ? of_task : named;
  if (only === undefined) {
    const message =
      "The customer has no line of this name that is open for work of this person on that day.";
    throw invalidField(project === undefined ? "line" : "project", "unknown_reference", message);
  }
  if (others.length > 0) {
    const message = "More than one line has this name: give its title, or its id as line_id.";
    throw invalidField("line", "ambiguous", message);
  }
  return only.id();
}

/** Whether a row names the line, by any of its names or the first row of its text. A row without a name matches all. */
function isCalled(
  { description_override, product_name, product_number }: LineContent,
  named: string | undefined,
  isSame: Comparison,
): boolean {
  if (named === undefined) return true;
  const first = description_override?.split("\n", 1)[0] ?? null;
  return [description_override, first, product_name, product_number].some((name) =>
    isSame(named, name),
  );
}

type Comparison = (typed: string | undefined, name: string | null) => boolean;

/** Whether two names are the same for a person; each name is normalized once for all rows. */
function comparison(): Comparison {
  const read = new Map<string, string>();
  const folded = (name: string): string => {
    const known =
      read.get(name) ?? name.normalize("NFC").replaceAll(/\s+/gu, " ").trim().toLowerCase();
    read.set(name, known);
    return known;
  };
  return (typed, name) => typed !== undefined && name !== null && folded(typed) === folded(name);
}
