/**
 * Issuing an occurrence: its lines become an invoice with the same line ids, which is booked at once.
 * That a period has one invoice at most is kept by the series' lock and a unique key beneath it.
 */
import * as z from "zod";
import type { CustomerId, InvoiceId } from "../../domain/brand.ts";
import type { CalendarDate } from "../../domain/calendar.ts";
import type { DocumentSnapshot } from "../../domain/document.ts";
import { decideIssue, type Invoice } from "../../domain/invoice.ts";
import { type IssueTiming, type SeriesPeriod, timesOf } from "../../domain/period.ts";
import { Problem } from "../../domain/problem.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { findIntent, type Intent } from "../../platform/database/intents.ts";
import { transaction } from "../../platform/database/transaction.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { newId } from "../../platform/id.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import type { Configuration } from "../configuration/queries.ts";
import { type Begun, beginBooking, completeBooking, takeOver } from "../documents/booking.ts";
import { trySend } from "../documents/deliveries.ts";
import { factsOf } from "../invoices/facts.ts";
import { insertInvoice } from "../invoices/queries.ts";
import { finishIssue, invoiceSettlement } from "../invoices/settlement.ts";
import { activated } from "./activate.ts";
import { recordSeries } from "./draft.ts";
import { linesOfPeriod, requirePeriod } from "./occurrences.ts";
import { getSeries, type LoadedSeries, updateSeries } from "./queries.ts";
import { type Series, shownPeriod, stateOf } from "./series.ts";

export interface OccurrencePlan extends LoadedSeries {
  readonly period: SeriesPeriod;
  readonly invoice: Invoice;
  readonly document_to_book: DocumentSnapshot;
  readonly today: CalendarDate;
}

type Planned = OccurrencePlan | { readonly resume: Intent; readonly series_id: string };

interface Committed {
  readonly series_id: string;
  readonly period_index: number | null;
  readonly begun: Begun;
}

export interface IssuedOccurrence {
  readonly document: JsonText;
  readonly send_error: string | null;
}

/**
 * Throws NOT_FOUND, MALFORMED_REQUEST, SERIES_CANCELLED, OCCURRENCE_DROPPED, INVOICE_ALREADY_ISSUED,
 * INVOICE_ISSUE_IN_PROGRESS and what issuing an invoice throws. Issuing a period of a draft series
 * activates it (domain.md 4.1).
 */
export const issueOccurrence = defineCommand({
  name: "issue_occurrence",
  access: "issue",
  input: z.object({ ref: Ref, period: z.string() }),

  async plan(cx, { ref, period: text }): Promise<Planned> {
    const loaded = await getSeries(cx, ref);
    return planOccurrence(cx, loaded, requirePeriod(loaded.series, text));
  },

  async commit(cx, plan): Promise<Committed> {
    if ("resume" in plan) {
      const intent = await takeOver(cx, plan.resume, invoiceSettlement.in_progress);
      return { series_id: plan.series_id, period_index: null, begun: { intent } };
    }
    const begun = await commitOccurrence(cx, plan);
    return { series_id: plan.series.id, period_index: plan.period.index, begun };
  },

  async after(cx, committed): Promise<JsonText> {
    const issued = await completeOccurrence(cx, committed);
    if (issued.send_error === null) return issued.document;
    return jsonText({ ...JSON.parse(issued.document), send_error: issued.send_error });
  },
});

/** What issuing a period would do; inside a transaction the series is locked. */
export async function planOccurrence(
  cx: Context,
  loaded: LoadedSeries,
  named: SeriesPeriod,
): Promise<Planned> {
  const { series } = loaded;
  const state = stateOf(series, named);
  if (state === "issued") throw new Problem("INVOICE_ALREADY_ISSUED");
  if (series.is_discarded) throw new Problem("SERIES_CANCELLED");
  if (state === "dropped") throw new Problem("OCCURRENCE_DROPPED");
  const happened = series.happened.get(named.index);
  if (happened?.state === "pending") {
    return { resume: await findIntent(cx, happened.invoice_id), series_id: series.id };
  }
  const period = shownPeriod(series, named);
  const draft = draftOf(series, period);
  const facts = await factsOf(cx, draft, (today, configuration) =>
    dateOf(period, series.timing, today, configuration),
  );
  const invoice: Invoice = {
    ...draft,
    issue_date: facts.issue_date,
    auto_send: series.auto_send ?? facts.configuration.default_auto_send,
  };
  decideIssue(invoice, {
    today: facts.today,
    is_being_issued: false,
    net: facts.document.totals.net,
    customer_is_active: facts.customer.active,
    period_lock_date: facts.configuration.period_lock_date,
    ledger_is_connected: cx.ledger !== null,
    functional_currency: facts.configuration.functional_currency,
    rate_micro: facts.rate_micro,
  });
  return { ...loaded, period, invoice, document_to_book: facts.document, today: facts.today };
}

/** Makes the invoice of the period and books it, or begins to. */
export async function commitOccurrence(cx: Context, plan: OccurrencePlan): Promise<Begun> {
  const { series, period, invoice } = plan;
  const active = series.status === "active" ? series : activated(series, plan.today);
  await insertInvoice(cx, invoice, null, {
    series_id: series.id,
    index: period.index,
    key: period.key,
    from: period.from,
    to: period.to,
    is_final_partial: period.is_final_partial,
  });
  await forgetFailure(cx, series, period.index);
  const begun = await beginBooking(cx, plan.document_to_book, (...booking) =>
    finishIssue(cx, invoice, ...booking, () => updateSeries(cx, issuedIn(active, plan))),
  );
  if ("intent" in begun && active !== series) await updateSeries(cx, active);
  if (active !== series) {
    const { document } = await getSeries({ ...cx, locks: false }, series.id);
    await recordSeries(cx, "activated", series.id, plan.document, document);
  }
  return begun;
}

/** Settles what an external ledger has to say, brings the series up to date and sends. */
export async function completeOccurrence(
  cx: Context,
  committed: Committed,
): Promise<IssuedOccurrence> {
  const { begun, series_id, period_index } = committed;
  try {
    const issued = await completeBooking(cx, begun, invoiceSettlement);
    if ("intent" in begun) await refreshSeries(cx, series_id);
    const send_error = issued.delivery_id === null ? null : await trySend(cx, issued.delivery_id);
    return { document: issued.document, send_error };
  } catch (error) {
    if (error instanceof Problem && error.kind === "conflict" && period_index !== null) {
      await recordFailure(cx, series_id, period_index, error.code);
    }
    throw error;
  }
}

/** Writes anew what follows from what happened; after a booking that was settled outside of the series' lock. */
export async function refreshSeries(cx: Context, series_id: string): Promise<void> {
  await transaction(cx.db, async (db) => {
    const inside: Context = { ...cx, db, locks: true };
    await updateSeries(inside, (await getSeries(inside, series_id)).series);
  });
}

/** Hours until a failed period is tried again by itself; after the last one only by hand (domain.md 4.7). */
const HOURS_UNTIL_RETRY = [1, 6, 24, 24, 24, 24, 24];

/** Marks a period as failed, with the time of its next try by the account's clock. */
export async function recordFailure(
  cx: Context,
  series_id: string,
  index: number,
  code: string,
): Promise<void> {
  await transaction(cx.db, async (db) => {
    const inside: Context = { ...cx, db, locks: true };
    const { series } = await getSeries(inside, series_id);
    const happened = series.happened.get(index);
    if (happened?.state === "issued" || happened?.state === "pending") return;
    const attempts = (happened?.state === "failed" ? happened.attempts : 0) + 1;
    const hours = HOURS_UNTIL_RETRY[attempts - 1];
    const next_attempt_at =
      hours === undefined
        ? null
        : new Date(Date.parse(cx.clock.now()) + hours * 3_600_000).toISOString();
    await query(
      db,
      `insert into occurrences (account_id, series_id, period_index, state, failure_code, attempts,
         next_attempt_at)
       values ($1, $2, $3, 'failed', $4, $5, $6)
       on conflict (account_id, series_id, period_index) do update set state = 'failed', reason = null,
         failure_code = $4, attempts = $5, next_attempt_at = $6, updated_at = clock_timestamp()`,
      [cx.caller.account_id, series_id, index, code, attempts, next_attempt_at],
    );
    const failed = new Map(series.happened).set(index, {
      state: "failed",
      attempts,
      next_attempt_at,
    });
    await updateSeries(inside, { ...series, happened: failed });
  });
}

function draftOf(series: Series, period: SeriesPeriod): Invoice {
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
  };
}

/**
 * The date of the invoice (domain.md 4.4): the period's own when it is issued on the day on which it
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

function issuedIn(series: Series, { period, invoice }: OccurrencePlan): Series {
  const happened = new Map(series.happened).set(period.index, {
    state: "issued",
    invoice_id: invoice.id,
    period: period.key,
    from: period.from,
    to: period.to,
    is_final_partial: period.is_final_partial,
    issue_date: invoice.issue_date ?? period.from,
  });
  return { ...series, happened };
}

/** A failure or a skip that came before is history once the period has an invoice. */
async function forgetFailure(cx: Context, series: Series, index: number): Promise<void> {
  if (!series.happened.has(index)) return;
  await query(
    cx.db,
    "delete from occurrences where account_id = $1 and series_id = $2 and period_index = $3",
    [cx.caller.account_id, series.id, index],
  );
}
