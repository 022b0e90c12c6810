/**
 * What becomes of a period when its invoice is booked, or is not: it is issued, or has failed. Both
 * are written in the transaction that learns of it, whoever carries the booking out. The series is
 * locked before the invoice, as everywhere.
 */
import { periodAt } from "../../domain/series/period.ts";
import type { DocumentBooking } from "../../ledger/ledger.ts";
import { recordAudit } from "../../platform/audit.ts";
import { timestampOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { together, transaction } from "../../platform/database/transaction.ts";
import type { Settlement } from "../booking/settle.ts";
import { getInvoice } from "../invoices/queries.ts";
import { finishIssue, invoiceSettlement } from "../invoices/settlement.ts";
import { getSeries, updateSeries } from "../series/queries.ts";
import { type Happened, type Series, stateOf, uncancelled } from "../series/series.ts";
import { presentOccurrence } from "./present.ts";

/** Settles any invoice: that of a period together with its series, a one-time one as it is. */
export const occurrenceSettlement: Settlement = {
  ...invoiceSettlement,

  async findIssued(inside, id) {
    const billed = await billedBy(inside, id);
    if (billed) await lockSeries(inside, billed.series_id);
    return invoiceSettlement.findIssued(inside, id);
  },

  async finish(inside, booking: DocumentBooking, payload, booked) {
    const billed = await billedBy(inside, booking.guid);
    if (billed === undefined) {
      return invoiceSettlement.finish(inside, booking, payload, booked);
    }
    const { invoice } = await getInvoice(inside, booking.guid);
    const { series } = await getSeries(inside, billed.series_id);
    const after = issuedIn(series, billed.period_index, booking.document.issue_date);
    return finishIssue(inside, invoice, booking, payload, booked, () =>
      storeIssued(inside, after, billed.period_index),
    );
  },

  async release(inside, id, reason) {
    const billed = await billedBy(inside, id);
    const failed =
      billed &&
      (await storeFailure(
        inside,
        billed.series_id,
        billed.period_index,
        codeOf(reason),
        "under_way",
      ));
    await invoiceSettlement.release(inside, id, reason);
    await failed?.();
  },
};

/** The series with a period that was under way as issued. */
export function issuedIn(series: Series, index: number, issue_date: string): Series {
  const pending = series.happened.get(index);
  if (pending?.state !== "pending") throw new Error("the period is not under way");
  const issued = { ...pending, state: "issued", issue_date } as Happened;
  return { ...series, happened: new Map(series.happened).set(index, issued) };
}

/** Writes the series after a period was issued; a failure or a skip that came before is history. */
export function storeIssued(cx: Context, after: Series, index: number): Promise<unknown> {
  return together([
    query(
      cx.db,
      "delete from occurrences where account_id = $1 and series_id = $2 and period_index = $3",
      [cx.caller.account_id, after.id, index],
    ),
    updateSeries(cx, after),
  ]);
}

/** Hours until a failed period is tried again by itself; after the last one only by hand (spec 4.7). */
const HOURS_UNTIL_RETRY = [1, 6, 24, 24, 24, 24, 24];

/**
 * Marks a period as failed, with the time of its next try by the account's clock. `before` is how
 * often it had failed before this attempt: of two runs at once only one counts.
 */
export function recordFailure(
  cx: Context,
  series_id: string,
  index: number,
  code: string,
  before: number,
): Promise<void> {
  return transaction(cx.db, async (db) => {
    const inside: Context = { ...cx, db, locks: true };
    await (await storeFailure(inside, series_id, index, code, before))?.();
  });
}

/**
 * The same inside a transaction, but for the audit event, which the answer records. What was issued,
 * skipped or dropped meanwhile stays so; an attempt `under_way` that comes to nothing leaves a skip
 * that came before it.
 */
async function storeFailure(
  inside: Context,
  series_id: string,
  index: number,
  code: string,
  before: number | "under_way",
): Promise<(() => Promise<void>) | undefined> {
  const { series } = await getSeries(inside, series_id);
  const earlier = await findOccurrence(inside, series_id, index);
  const period = periodAt(uncancelled(series), index);
  const is_pending = series.happened.get(index)?.state === "pending";
  const state = period && stateOf(series, period);
  if (period === undefined || is_pending !== (before === "under_way")) return undefined;
  if (state !== "scheduled" && state !== "failed") return undefined;
  if (earlier?.state === "skipped") {
    const happened = new Map(series.happened).set(index, { state: "skipped" });
    await updateSeries(inside, { ...series, happened });
    return undefined;
  }
  const failures = earlier?.attempts ?? 0;
  if (!is_pending && failures !== before) return undefined;
  const attempts = failures + 1;
  const hours = HOURS_UNTIL_RETRY[attempts - 1];
  const now = Date.parse(inside.clock.now());
  const next_attempt_at = hours === undefined ? null : timestampOf(now + hours * 3_600_000);
  await query(
    inside.db,
    `insert into occurrences (account_id, series_id, period_index, state, failure_code, attempts,
       next_attempt_at)
     values ($1, $2, $3, 'failed', $4, $5, $6)
     on conflict (account_id, series_id, period_index) do update set state = 'failed', reason = null,
       failure_code = $4, attempts = $5, next_attempt_at = $6, updated_at = clock_timestamp()`,
    [inside.caller.account_id, series_id, index, code, attempts, next_attempt_at],
  );
  const failed: Happened = { state: "failed", attempts, next_attempt_at };
  const after: Series = { ...series, happened: new Map(series.happened).set(index, failed) };
  await updateSeries(inside, after);
  return () =>
    recordAudit(inside, {
      action: "failed",
      resource_type: "occurrence",
      resource_id: `${series_id}/${period.key}`,
      before: presentOccurrence(series, period),
      after: presentOccurrence(after, period),
      reason: code,
    });
}

interface OccurrenceRow {
  readonly state: "failed" | "skipped";
  readonly attempts: number;
}

/** What is stored of a period, be it hidden by an invoice that is under way. */
async function findOccurrence(
  cx: Context,
  series_id: string,
  index: number,
): Promise<OccurrenceRow | undefined> {
  const rows = await query<OccurrenceRow>(
    cx.db,
    `select state, attempts from occurrences
     where account_id = $1 and series_id = $2 and period_index = $3`,
    [cx.caller.account_id, series_id, index],
  );
  return rows[0];
}

interface BilledRow {
  readonly series_id: string;
  readonly period_index: number;
}

async function billedBy(cx: Context, invoice_id: string): Promise<BilledRow | undefined> {
  const rows = await query<BilledRow>(
    cx.db,
    `select series_id, period_index from invoices
     where account_id = $1 and id = $2 and series_id is not null`,
    [cx.caller.account_id, invoice_id],
  );
  return rows[0];
}

function lockSeries(cx: Context, id: string): Promise<unknown> {
  return query(
    cx.db,
    "select id from recurring_series where account_id = $1 and id = $2 for no key update",
    [cx.caller.account_id, id],
  );
}

/** The refusal that a caller sees for the reason of a release. */
function codeOf(reason: string): string {
  if (reason === "unauthorized") return "LEDGER_NOT_CONNECTED";
  return reason === "PERIOD_LOCKED" ? reason : "LEDGER_REJECTED";
}
