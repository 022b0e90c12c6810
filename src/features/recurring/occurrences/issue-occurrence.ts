/**
 * Issues an occurrence: its lines become an invoice with the same line ids, which is booked immediately. The series' lock, and a
 * unique key as a second guard, allow at most one invoice for a period.
 */
import * as z from "zod";
import type { CustomerId, InvoiceId } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import { type IssueTiming, type SeriesPeriod, timesOf } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { bookingCommand } from "../../ledger/booking/booking-command.ts";
import { leaveIfMuchWorked } from "../../sales/hours/count-worked.ts";
import { answerOfIssue, warningsOfDecided } from "../../sales/invoices/issue.ts";
import {
  type IssueBasis,
  type IssueFacts,
  type IssueInputs,
  readIssueBasis,
  readIssueFacts,
} from "../../sales/invoices/issue-inputs.ts";
import { type Configuration, holdConfiguration } from "../../settings/configuration/queries.ts";
import { activated, todayOf } from "../series/activate.ts";
import { linesOfPeriod, requirePeriod } from "../series/periods.ts";
import { type LoadedSeries, lockSeries } from "../series/queries.ts";
import { requireRoomFor } from "../series/require-room.ts";
import { type Series, shownPeriod, stateOf } from "../series/series.ts";
import { type OccurrenceFacts, occurrenceBookable, readOccurrence } from "./bookable.ts";

/**
 * Issues one period, given by its key or its first day; returns the invoice, with `send_error` when the invoice is booked but
 * could not be sent (spec 4.5 and 5.3). Throws NOT_FOUND, MALFORMED_REQUEST, SERIES_CANCELLED, OCCURRENCE_DROPPED,
 * INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS and the refusals of issuing an invoice. Issuing a period of a draft series
 * activates the series (spec 4.1).
 */
export const issueOccurrence = bookingCommand({
  name: "issue_occurrence",
  input: z.object({ ref: Ref, period: z.string() }),
  bookable: occurrenceBookable,

  async read(tx, { ref, period }) {
    const loaded = await lockSeries(tx, ref);
    return readPeriod(tx, loaded, requirePeriod(loaded.series, period));
  },

  keep: warningsOfDecided,
  answer: answerOfIssue,
});

/**
 * Returns the inputs of issuing a period, or its booking in progress, under the series lock. Throws SERIES_CANCELLED,
 * OCCURRENCE_DROPPED, INVOICE_ALREADY_ISSUED, VALIDATION_FAILED for a draft with too many lines to be active.
 */
export async function readPeriod(
  tx: Tx,
  loaded: LoadedSeries,
  named: SeriesPeriod,
): Promise<OccurrenceFacts> {
  const drafted = draftPeriod(loaded, named);
  if ("pending" in drafted) return readOccurrence(tx, drafted.pending);
  await leaveIfMuchWorked(tx, drafted.draft);
  const { series } = loaded;
  if (series.status !== "active") {
    const today = await todayOf(tx);
    await requireRoomFor(tx, series, activated(series, today), today, "lines");
  }
  holdConfiguration(tx);
  const { inputsOf } = await readPeriodFacts(tx, [drafted]);
  return periodFacts(drafted, inputsOf(drafted.draft));
}

/** A period with the invoice that would bill it; the invoice is stored when it is booked. */
export interface DraftedPeriod {
  readonly loaded: LoadedSeries;
  /** The period as shown: cut when a cancellation cuts it. */
  readonly period: SeriesPeriod;
  readonly draft: Invoice;
}

/**
 * Computes the invoice of a period, or returns the id of one being booked. Throws SERIES_CANCELLED, OCCURRENCE_DROPPED,
 * INVOICE_ALREADY_ISSUED.
 */
export function draftPeriod(
  loaded: LoadedSeries,
  named: SeriesPeriod,
): DraftedPeriod | { readonly pending: string } {
  const { series } = loaded;
  const state = stateOf(series, named);
  const period_event = series.period_events.get(named.index);
  if (state === "issued") {
    const details =
      period_event && "invoice_id" in period_event ? { invoice_id: period_event.invoice_id } : {};
    throw new Problem("INVOICE_ALREADY_ISSUED", { details });
  }
  if (series.is_discarded) throw new Problem("SERIES_CANCELLED");
  if (state === "dropped") throw new Problem("OCCURRENCE_DROPPED");
  if (period_event?.state === "pending") return { pending: period_event.invoice_id };
  const period = shownPeriod(series, named);
  return { loaded, period, draft: draftOf(series, period) };
}

/** Reads the inputs of the invoices of periods; each invoice is dated by its period (spec 4.4). */
export function readPeriodFacts(
  cx: Reader,
  drafted: readonly DraftedPeriod[],
): Promise<IssueFacts> {
  return readIssueFacts(cx, draftsOf(drafted), { dateFrom: datesOf(drafted), is_printed: true });
}

/** Reads the inputs of periods' invoices that other transactions may have changed since the inputs were read. */
export function readPeriodBasis(
  cx: Reader,
  drafted: readonly DraftedPeriod[],
): Promise<IssueBasis> {
  return readIssueBasis(cx, draftsOf(drafted), datesOf(drafted));
}

function draftsOf(drafted: readonly DraftedPeriod[]): Invoice[] {
  return drafted.map(({ draft }) => draft);
}

function datesOf(drafted: readonly DraftedPeriod[]) {
  const of_draft = new Map(drafted.map((one) => [one.draft, one]));
  return (draft: Invoice, today: CalendarDate, configuration: Configuration): CalendarDate => {
    const one = of_draft.get(draft);
    if (one === undefined) throw new Error("an invoice of no period");
    return dateOf(one.period, one.loaded.series.timing, today, configuration);
  };
}

/** Computes the inputs of issuing a period from what was read. */
export function periodFacts(
  { loaded: { series, document }, period, draft }: DraftedPeriod,
  inputs: IssueInputs,
): OccurrenceFacts {
  const invoice: Invoice = {
    ...draft,
    issue_date: inputs.issue_date,
    auto_send: series.auto_send ?? inputs.configuration.default_auto_send,
  };
  return {
    state: "draft",
    guid: invoice.id,
    document: null,
    invoice,
    inputs,
    billed: { series, index: period.index, made_of: { document, period } },
  };
}

/** Returns the invoice that would bill a period, without a date: issuing dates the invoice. */
export function draftOf(series: Series, period: SeriesPeriod): Invoice {
  return {
    id: newId<InvoiceId>(),
    external_id: null,
    customer_id: series.customer_id as CustomerId,
    currency: series.currency,
    issue_date: null,
    title: null,
    auto_send: series.auto_send ?? false,
    status: "draft",
    ledger_invoice_guid: null,
    ledger_invoice_number: null,
    issued_at: null,
    lines: linesOfPeriod(series, period).map(({ line }) => line),
    printed: series.printed,
  };
}

/**
 * Returns the date of the invoice (spec 4.4): the period's own date when the invoice is issued on the day on which the period
 * falls due and that date is not locked, otherwise the day of the issue.
 */
function dateOf(
  period: SeriesPeriod,
  timing: IssueTiming,
  today: CalendarDate,
  { period_lock_date }: Configuration,
): CalendarDate {
  const { issue_date, due_on } = timesOf(period, timing);
  const is_locked = period_lock_date !== null && issue_date <= period_lock_date;
  return due_on === today && !is_locked ? issue_date : today;
}
