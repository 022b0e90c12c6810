/**
 * Issuing an occurrence: its lines become an invoice with the same line ids, which is booked at once.
 * That a period has one invoice at most is kept by the series' lock and a unique key beneath it.
 */
import * as z from "zod";
import type { CustomerId, InvoiceId } from "../../domain/base/brand.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { type IssueTiming, type SeriesPeriod, timesOf } from "../../domain/series/period.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { newId } from "../../platform/id.ts";
import type { JsonText } from "../../platform/json.ts";
import {
  type Begun,
  beginBooking,
  completeBooking,
  isOpen,
  takeOver,
} from "../booking/book-document.ts";
import { findIntent, type Intent } from "../booking/intents.ts";
import type { Configuration } from "../configuration/queries.ts";
import { trySend } from "../deliveries/attempt.ts";
import { answerOfIssue, type BegunIssue } from "../invoices/issue.ts";
import { factsOf, requireIssuable } from "../invoices/issue-inputs.ts";
import { insertInvoice } from "../invoices/queries.ts";
import { finishIssue } from "../invoices/settlement.ts";
import { warningsOfIssue } from "../invoices/warnings.ts";
import { activated } from "../series/activate.ts";
import { recordSeries } from "../series/draft.ts";
import { linesOfPeriod, requirePeriod } from "../series/periods.ts";
import { getSeries, type LoadedSeries, updateSeries } from "../series/queries.ts";
import { type Series, shownPeriod, stateOf } from "../series/series.ts";
import { issuedIn, occurrenceSettlement, storeIssued } from "./settlement.ts";

/** The invoice that a period would become, and its document, decided but not stored. */
interface OccurrencePlan extends LoadedSeries {
  readonly period: SeriesPeriod;
  readonly invoice: Invoice;
  readonly document_to_book: DocumentSnapshot;
  readonly today: CalendarDate;
  readonly warnings: readonly Warning[];
}

type Planned = OccurrencePlan | { readonly resume: Intent };

/** The invoice as the API shows it, and why its first sending failed, if it did. */
interface IssuedOccurrence {
  readonly document: JsonText;
  readonly send_error: string | null;
}

/**
 * Issues one period, named by its key or its first day; answers the invoice, with `send_error` when it is
 * booked but could not be sent (spec 4.5 and 5.3). Throws NOT_FOUND,
 * MALFORMED_REQUEST, SERIES_CANCELLED, OCCURRENCE_DROPPED, INVOICE_ALREADY_ISSUED,
 * INVOICE_ISSUE_IN_PROGRESS and what issuing an invoice throws. Issuing a period of a draft series
 * activates it (spec 4.1).
 */
export const issueOccurrence = defineCommand({
  name: "issue_occurrence",
  access: "issue",
  input: z.object({ ref: Ref, period: z.string() }),

  async plan(cx, { ref, period: text }): Promise<Planned> {
    const loaded = await getSeries(cx, ref);
    return planOccurrence(cx, loaded, requirePeriod(loaded.series, text), true);
  },

  async commit(cx, plan): Promise<BegunIssue> {
    if ("resume" in plan) {
      const intent = await takeOver(cx, plan.resume, occurrenceSettlement.in_progress);
      return { intent, warnings: null };
    }
    return { ...(await commitOccurrence(cx, plan)).begun, warnings: plan.warnings };
  },

  is_begun: isOpen,

  async after(cx, begun): Promise<JsonText> {
    return answerOfIssue(cx, await completeOccurrence(cx, begun), begun.warnings);
  },
});

/**
 * What issuing a period would do, or the booking under way that is to be gone on with. Inside a
 * transaction the series is locked. Only what `is_shown` to somebody has warnings. Throws SERIES_CANCELLED, OCCURRENCE_DROPPED, INVOICE_ALREADY_ISSUED
 * and what `decideIssue` throws.
 */
export async function planOccurrence(
  cx: Context,
  loaded: LoadedSeries,
  named: SeriesPeriod,
  is_shown = false,
): Promise<Planned> {
  const { series } = loaded;
  const state = stateOf(series, named);
  const happened = series.happened.get(named.index);
  if (state === "issued") {
    const details = happened && "invoice_id" in happened ? { invoice_id: happened.invoice_id } : {};
    throw new Problem("INVOICE_ALREADY_ISSUED", { details });
  }
  if (series.is_discarded) throw new Problem("SERIES_CANCELLED");
  if (state === "dropped") throw new Problem("OCCURRENCE_DROPPED");
  if (happened?.state === "pending") {
    return { resume: await findIntent(cx, happened.invoice_id) };
  }
  const period = shownPeriod(series, named);
  const draft = draftOf(series, period);
  const facts = await factsOf(cx, draft, {
    dateFrom: (today, configuration) => dateOf(period, series.timing, today, configuration),
    is_printed: true,
  });
  const invoice: Invoice = {
    ...draft,
    issue_date: facts.issue_date,
    auto_send: series.auto_send ?? facts.configuration.default_auto_send,
  };
  requireIssuable(cx, invoice, facts);
  return {
    ...loaded,
    period,
    invoice,
    document_to_book: facts.document,
    today: facts.today,
    warnings: is_shown ? await warningsOfIssue(cx, invoice, facts) : [],
  };
}

/**
 * Makes the invoice of the period and books it, or begins to; inside the transaction of the plan. Answers
 * the series after that, too. Throws LEDGER_REJECTED, PERIOD_LOCKED.
 */
export async function commitOccurrence(
  cx: Context,
  plan: OccurrencePlan,
): Promise<{ readonly begun: Begun; readonly after: Series }> {
  const { series, period, invoice } = plan;
  const active = series.status === "active" ? series : activated(series, plan.today);
  const { index, key, from, to, is_final_partial } = period;
  const billed = { series_id: series.id, index, key, from, to, is_final_partial };
  const pending: Series = {
    ...active,
    happened: new Map(series.happened).set(index, {
      state: "pending",
      invoice_id: invoice.id,
      period: key,
      from,
      to,
      is_final_partial,
    }),
  };
  const issued = issuedIn(pending, index, plan.document_to_book.issue_date);
  // Stored after the booking: the ledger's locks come before the stamp's and the audit trail's.
  const begun = await beginBooking(cx, plan.document_to_book, async (...booking) => {
    await insertInvoice(cx, invoice, null, billed);
    return finishIssue(cx, invoice, ...booking, () => storeIssued(cx, issued, index));
  });
  const after = "intent" in begun ? pending : issued;
  if ("intent" in begun) {
    await insertInvoice(cx, invoice, null, billed);
    await updateSeries(cx, pending);
  }
  if (active !== series) {
    const { document } = await getSeries({ ...cx, locks: false }, series.id);
    await recordSeries(cx, "activated", series.id, plan.document, document);
  }
  return { begun, after };
}

/**
 * Settles what an external ledger has to say, and sends; outside of any transaction. Throws what
 * `settleIntent` throws, never for mail.
 */
export async function completeOccurrence(cx: Context, begun: Begun): Promise<IssuedOccurrence> {
  const issued = await completeBooking(cx, begun, occurrenceSettlement);
  const send_error = issued.delivery_id === null ? null : await trySend(cx, issued.delivery_id);
  return { document: issued.document, send_error };
}

/** The invoice that a period would become; dated when it is issued. */
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
 * The date of the invoice (spec 4.4): the period's own when it is issued on the day on which it
 * falls due and that date is not locked, else the day of the issue.
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
