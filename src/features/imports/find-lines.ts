/** Which line hours are meant for that name a customer and what the line is called: one that waits for the work of the person on that day. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { invalidField } from "../../domain/base/problem.ts";
import type { Line } from "../../domain/sales/line.ts";
import { indexContaining, periodAt } from "../../domain/series/period.ts";
import type { Reader } from "../../platform/context.ts";
import { type CustomerLabel, customerLabels } from "../customers/queries.ts";
import { linesOfInvoices } from "../invoices/queries.ts";
import { findManySeries } from "../occurrences/price-periods.ts";
import { linesOfPeriod } from "../series/periods.ts";
import { type Series, shownPeriod, uncancelled } from "../series/series.ts";
import { waitingDrafts, waitingSeries } from "../work/my-work.ts";

/** What a row says of its line. */
interface Named {
  readonly customer?: string | undefined;
  readonly title?: string | undefined;
  readonly line?: string | undefined;
  readonly date: CalendarDate;
}

interface Candidate {
  readonly line: Line;
  readonly customer_id: string;
  readonly title: string | null;
}

/**
 * Finds the id of the line for a row of the user's; reads what waits for them once. What it answers throws VALIDATION_FAILED, at the
 * customer where none of theirs is called so, else at the line: `unknown_reference` for none, `ambiguous` for several.
 */
export async function linesFor(cx: Reader, user_id: string): Promise<(row: Named) => string> {
  const drafts = await waitingDrafts(cx, user_id);
  const ids = drafts.map(({ id }) => id);
  const of_drafts = new Map(drafts.map((one) => [one.id, one]));
  const on_drafts = (await linesOfInvoices(cx, ids)).flatMap(
    ({ invoice_id, line }): Candidate[] => {
      const draft = of_drafts.get(invoice_id);
      return draft === undefined || !isOf(line, user_id)
        ? []
        : [{ line, customer_id: draft.customer_id, title: draft.title }];
    },
  );
  const series = await findManySeries(cx, await waitingSeries(cx, user_id));
  const customers = await customerLabels(cx, [
    ...on_drafts.map(({ customer_id }) => customer_id),
    ...[...series.values()].map(({ customer_id }) => customer_id),
  ]);
  return (row) => {
    const running = [...series.values()].flatMap((one) => candidatesIn(one, row.date, user_id));
    return lineOf([...on_drafts, ...running], customers, row);
  };
}

const isOf = ({ assignees }: Line, user_id: string): boolean =>
  assignees.some((one) => one.user_id === user_id);

/** The lines of the period in which the day is. */
function candidatesIn(series: Series, date: CalendarDate, user_id: string): Candidate[] {
  const all = uncancelled(series);
  const index = indexContaining(all, date);
  const period = index === undefined ? undefined : periodAt(all, index);
  if (period === undefined) return [];
  return linesOfPeriod(series, shownPeriod(series, period)).flatMap(({ line }) =>
    isOf(line, user_id) ? [{ line, customer_id: series.customer_id, title: null }] : [],
  );
}

function lineOf(
  candidates: readonly Candidate[],
  customers: ReadonlyMap<string, CustomerLabel>,
  { customer, title, line }: Named,
): string {
  const theirs = candidates.filter(({ customer_id }) => {
    const { name, external_id } = customers.get(customer_id) ?? { name: "", external_id: null };
    return isSame(customer, name) || isSame(customer, external_id);
  });
  if (theirs.length === 0) {
    const message = "Nothing waits for work of this person for a customer of this name.";
    throw invalidField("customer", "unknown_reference", message);
  }
  const named = theirs.filter(
    (one) => isCalled(one.line, line) && (title === undefined || isSame(title, one.title)),
  );
  const [only, ...others] = named;
  if (only === undefined) {
    const message =
      "The customer has no line of this name that waits for work of this person on that day.";
    throw invalidField("line", "unknown_reference", message);
  }
  if (others.length > 0) {
    const message = "More than one line is called so: give its title, or its id as line_id.";
    throw invalidField("line", "ambiguous", message);
  }
  return only.line.id;
}

/** By any of its names, or by the first row of its text; without a name it is whichever there is. */
function isCalled(
  { description_override, product_name, product_number }: Line,
  named?: string,
): boolean {
  if (named === undefined) return true;
  const first = description_override?.split("\n", 1)[0] ?? null;
  return [description_override, first, product_name, product_number].some((name) =>
    isSame(named, name),
  );
}

function isSame(typed: string | undefined, name: string | null): boolean {
  return typed !== undefined && name !== null && folded(typed) === folded(name);
}

const folded = (name: string): string =>
  name.normalize("NFC").replaceAll(/\s+/gu, " ").trim().toLowerCase();
