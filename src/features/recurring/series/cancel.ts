/**
 * Cancels a series (spec 4.10): the series ends on a date. Periods that begin after that date and are not issued are dropped,
 * and issued periods beyond it are credited by days, all in one transaction.
 */

import * as z from "zod";
import { addYears, type CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { type CancelledLine, cancellationCredit } from "../../../domain/sales/cancellation.ts";
import { creditDateOf } from "../../../domain/sales/credit-note.ts";
import { periodAt, periodsFrom, type SeriesPeriod } from "../../../domain/series/period.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { lockRow } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import {
  type CreditNote,
  insertCreditNote,
  presentCreditNote,
} from "../../sales/credit-notes/queries.ts";
import { countsByPeriod, markDropped, openWorkOfSeries } from "../../sales/hours/queries.ts";
import { todayOf } from "./activate.ts";
import { lockSeries } from "./queries.ts";
import { CancelBody, CancelledSeries } from "./schemas.ts";
import { type PeriodEvent, type Series, stateOf, uncancelled } from "./series.ts";
import { updateSeries } from "./store-series.ts";

interface CancelPlan {
  readonly document: JsonText;
  readonly after: Series;
  readonly credit_notes: readonly CreditNote[];
  readonly dropped: readonly SeriesPeriod[];
  /** Waiting registrations, by the index of their period. */
  readonly work: ReadonlyMap<number, number>;
  readonly reason: string | null;
}

/**
 * Ends a series and returns it with the queued credit notes and the dropped occurrences (spec 4.10). A second
 * cancellation may only be earlier. Throws NOT_FOUND, SERIES_ALREADY_CANCELLED, INVOICE_ISSUE_IN_PROGRESS.
 */
export const cancelSeries = defineCommand({
  name: "cancel_series",
  access: "issue",
  input: z.object({ ref: Ref, body: CancelBody }),

  async plan(tx, { ref, body }): Promise<CancelPlan> {
    const { series, document } = await lockSeries(tx, ref);
    const today = await todayOf(tx);
    const wanted = body.end_date ?? today;
    const { end_date: old_end } = series;
    const end_date = old_end !== null && old_end < wanted ? old_end : wanted;
    if (series.cancelled_at !== null && old_end !== null && end_date >= old_end) {
      throw new Problem("SERIES_ALREADY_CANCELLED");
    }
    requireKnownBeyond(series, end_date);
    const is_first = series.cancelled_at === null;
    const ended: Series = {
      ...series,
      end_date,
      cancelled_at: series.cancelled_at ?? tx.clock.now(),
      end_before_cancel: is_first ? old_end : series.end_before_cancel,
    };
    const credit_notes =
      body.credit === "none" ? [] : await creditNotesOf(tx, series, end_date, today);
    const work = countsByPeriod(await openWorkOfSeries(tx, series.id));
    const dropped = series.status === "draft" ? [] : droppedBy(series, end_date, today, work);
    const ever_issued = [...series.period_events.values()].some(
      (period_event) => period_event.state === "issued",
    );
    // A skipped period before the end can still be unskipped and issued.
    const remains = periodAt(ended, 0) !== undefined;
    const discarded = series.status === "draft" || !(ever_issued || remains);
    const after: Series = { ...ended, is_discarded: discarded };
    return { document, after, credit_notes, dropped, work, reason: body.reason ?? null };
  },

  async commit(tx, plan): Promise<JsonText> {
    for (const note of plan.credit_notes) await insertCreditNote(tx, note, null);
    await markDropped(tx, plan.after.id, droppedWork(plan));
    const changed = await updateSeries(tx, plan.after);
    const answer = presentCancelled(changed, plan);
    for (const note of plan.credit_notes) {
      tx.audit("credit_note", note.id, "queued", { before: null, after: presentCreditNote(note) });
    }
    tx.audit("recurring_series", plan.after.id, "cancelled", {
      before: plan.document,
      after: answer,
      reason: plan.reason,
    });
    return answer;
  },
});

function presentCancelled(series: JsonText, plan: CancelPlan): JsonText {
  return jsonText(
    CancelledSeries.parse({
      ...JSON.parse(series),
      discarded: plan.after.is_discarded,
      credit_notes: plan.credit_notes.map((note) => ({
        id: note.id,
        invoice_id: note.invoice_id,
        kind: note.kind,
        amount: scaledToNumber(
          note.lines.reduce((sum, line) => sum + line.amount, 0n),
          note.currency_digits,
        ),
        status: "queued",
      })),
      dropped_occurrences: plan.dropped.map((period) => ({
        period: period.key,
        period_from: period.from,
        period_to: period.to,
        work_registrations: plan.work.get(period.index) ?? 0,
      })),
    }),
  );
}

/** Returns the periods whose work is dropped with them. */
function droppedWork({ after, work }: CancelPlan): number[] {
  return [...work.keys()].filter((index) => {
    const period = periodAt(uncancelled(after), index);
    return period !== undefined && stateOf(after, period) === "dropped";
  });
}

/**
 * Returns the occurrences that the new end drops, through the earlier of the old end and twelve months from today, because an
 * open-ended series has no last occurrence. Later occurrences are included if work is registered in them.
 */
function droppedBy(
  series: Series,
  end_date: CalendarDate,
  today: CalendarDate,
  work: CancelPlan["work"],
): SeriesPeriod[] {
  const in_a_year = addYears(today, 1);
  const last_with_work = Math.max(-1, ...work.keys());
  const dropped: SeriesPeriod[] = [];
  for (const period of periodsFrom(series, 0)) {
    const is_named = period.from <= in_a_year || work.has(period.index);
    if (!is_named && period.index > last_with_work) break;
    const is_dropped = period.from > end_date && stateOf(series, period) !== "issued";
    if (is_named && is_dropped) dropped.push(period);
  }
  return dropped;
}

/** Requires that no booking beyond the end has an unknown outcome. Its period can be neither credited nor dropped. */
function requireKnownBeyond(series: Series, end_date: CalendarDate): void {
  const is_unknown = [...series.period_events.values()].some(
    (period_event) => period_event.state === "pending" && period_event.to > end_date,
  );
  if (is_unknown) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
}

type IssuedPeriod = Extract<PeriodEvent, { state: "issued" }>;

async function creditNotesOf(
  tx: Tx,
  series: Series,
  end_date: CalendarDate,
  today: CalendarDate,
): Promise<CreditNote[]> {
  const beyond = [...series.period_events.values()]
    .filter((period_event): period_event is IssuedPeriod => period_event.state === "issued")
    .filter((period_event) => period_event.to > end_date)
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  const notes: CreditNote[] = [];
  for (const issued of beyond) {
    const lines = await linesToCredit(tx, issued);
    const credits = lines.flatMap((line) => {
      const amount = cancellationCredit(line, issued, end_date);
      return amount === 0n ? [] : [{ line, amount }];
    });
    if (credits.length === 0) continue;
    const is_full = lines.every((line) => {
      const credit = credits.find((candidate) => candidate.line === line)?.amount ?? 0n;
      return line.rest === credit;
    });
    notes.push({
      id: newId<string>(),
      external_id: null,
      invoice_id: issued.invoice_id,
      customer_id: series.customer_id,
      kind: is_full ? "full" : "partial",
      status: "draft",
      credit_date: creditDateOf(today, issued.issue_date),
      ledger_credit_note_guid: null,
      ledger_credit_note_number: null,
      issued_at: null,
      send_error: null,
      queue_state: "queued",
      reason: null,
      lines: credits.map(({ line, amount }, index) => ({
        id: newId<string>(),
        invoice_line_id: line.line_id,
        amount,
        position: index + 1,
        new_service_to: end_date,
        shortened_to: line.shortened_to,
      })),
      currency_digits: currencyDigits(series.currency),
    });
  }
  return notes;
}

/** Returns the lines of an issued period with their remaining amounts; locks the invoice. */
async function linesToCredit(tx: Tx, issued: IssuedPeriod): Promise<CancelledLine[]> {
  lockRow(tx, "invoices", issued.invoice_id);
  return tx.rows<CancelledLine>(sql`select l.id as line_id, l.recognition_method = 'value' as is_value,
       (coalesce(l.amount, 0) - coalesce(sum(c.amount), 0))::bigint as rest,
       min(c.new_service_to) as shortened_to
     from invoice_lines l
     left join credit_note_lines c on c.account_id = l.account_id and c.invoice_line_id = l.id
     where l.account_id = ${tx.caller.account_id} and l.invoice_id = ${issued.invoice_id}
     group by l.account_id, l.id, l.position, l.recognition_method, l.amount order by l.position`);
}
