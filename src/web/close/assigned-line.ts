/**
 * A line whose people are chosen from the close of a month: of a draft, or of the open periods of a retainer. The lines of an
 * issued invoice stay as they are.
 */
import { currencyDigits } from "../../domain/base/currency.ts";
import { invalidField, notFound } from "../../domain/base/problem.ts";
import type { Line } from "../../domain/sales/line.ts";
import type { SeriesPeriod } from "../../domain/series/period.ts";
import { contentAt, inputOf, scopes } from "../../domain/series/series.ts";
import { changeSeriesLine } from "../../features/recurring/series/edit-line.ts";
import { findOccurrenceLine } from "../../features/recurring/series/find-line.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import { LineChange } from "../../features/recurring/series/schemas.ts";
import { changeInvoice } from "../../features/sales/invoices/draft.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import { InvoiceUpdate } from "../../features/sales/invoices/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { isId } from "../frame/reference.ts";
import { submitted } from "../frame/submitted.ts";
import { withVersion } from "../frame/with-version.ts";
import type { TypedFields } from "../parts/fields.tsx";

/** The field of the form with the people. */
export const PEOPLE = "people";

const assignDraft = withVersion(changeInvoice, "invoices");

interface DraftLine {
  readonly kind: "draft";
  readonly line_id: string;
  readonly text: string;
  readonly invoice_id: string;
  readonly lines: readonly Line[];
  readonly currency: string;
  /** The version of the draft. */
  readonly seen: string;
}

interface RetainerLine {
  readonly kind: "retainer";
  readonly line_id: string;
  readonly text: string;
  readonly series_id: string;
  readonly period: SeriesPeriod;
}

interface IssuedLine {
  readonly kind: "issued";
  readonly text: string;
}

/** Returns the line that an address or a form names. Throws NOT_FOUND. */
export async function assignedLine(
  cx: PersonContext,
  { line = "", invoice }: TypedFields,
): Promise<DraftLine | RetainerLine | IssuedLine> {
  if (!isId(line)) throw notFound("invoice_line", line);
  return invoice === undefined ? lineOfRetainer(cx, line) : lineOfInvoice(cx, invoice, line);
}

async function lineOfInvoice(
  cx: PersonContext,
  invoice_id: string,
  line_id: string,
): Promise<DraftLine | IssuedLine> {
  if (!isId(invoice_id)) throw notFound("invoice", invoice_id);
  const { invoice } = await getInvoice(cx, invoice_id);
  const line = invoice.lines.find(({ id }) => id === line_id);
  if (line === undefined) throw notFound("invoice_line", line_id);
  const text = line.description_override ?? line.product_name;
  if (invoice.status !== "draft") return { kind: "issued", text };
  const seen = await versionOf(cx, "invoices", invoice_id);
  const { lines, currency } = invoice;
  return { kind: "draft", line_id, text, invoice_id, lines, currency, seen };
}

async function lineOfRetainer(cx: PersonContext, id: string): Promise<RetainerLine> {
  const found = await findOccurrenceLine(cx, id);
  if (found === undefined) throw notFound("series_line", id);
  const { series_id, line_id, period } = found;
  const { series } = await getSeries(cx, series_id);
  const line = series.lines.find((one) => one.line_id === line_id);
  const content = line === undefined ? null : contentAt(line, period.index);
  if (content === null) throw notFound("series_line", id);
  const text = content.description_override ?? content.product_name;
  return { kind: "retainer", line_id, text, series_id, period };
}

/**
 * Gives a line to people in equal shares, by the command of its place. Returns the faults of the form: without a person nothing
 * changes, and a draft that has changed since `typed.seen` is left as it is.
 */
export function assignPeople(
  cx: PersonContext,
  line: DraftLine | RetainerLine,
  user_ids: readonly string[],
  typed: TypedFields,
) {
  const assignees = user_ids.map((user_id) => ({ user_id }));
  const requirePeople = (): void => {
    if (user_ids.length === 0) throw invalidField(PEOPLE, "required", "No person is chosen.");
  };
  if (line.kind === "retainer") {
    const { series_id, line_id, period } = line;
    const scope = scopes.find((one) => one === typed.scope) ?? "this_and_following";
    const sent = { scope, period: period.key, line: { assignees } };
    return submitted(LineChange, sent, [PEOPLE], {}, async (edit) => {
      requirePeople();
      await run(changeSeriesLine, cx, { ref: series_id, line_id, edit });
    });
  }
  const sent = { lines: linesWith(line, assignees) };
  return submitted(InvoiceUpdate, sent, [PEOPLE], {}, async (changes) => {
    requirePeople();
    const seen = typed.seen ?? line.seen;
    await run(assignDraft, cx, { ref: line.invoice_id, seen, changes });
  });
}

/** Returns the lines of a draft as a client sends them, with the people of one line replaced. */
function linesWith(
  { lines, currency, line_id }: DraftLine,
  assignees: readonly { readonly user_id: string }[],
) {
  const digits = currencyDigits(currency);
  return lines.map((line) => ({
    ...inputOf(line, digits),
    id: line.id,
    service_from: line.service_from,
    service_to: line.service_to,
    ...(line.id === line_id && { assignees }),
  }));
}
