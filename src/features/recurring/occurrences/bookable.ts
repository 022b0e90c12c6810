/**
 * Books any invoice: that of a period with its series, a one-time invoice alone. The transaction that gets the
 * outcome writes the period, whichever process books. The series is locked before the invoice, as elsewhere.
 */
import { periodAt, type SeriesPeriod } from "../../../domain/series/period.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import type { Bookable, Outcome } from "../../ledger/booking/bookable.ts";
import {
  type DecidedInvoice,
  decideInvoice,
  type InvoiceFacts,
  invoiceBookable,
  readInvoice,
  storeIssued,
} from "../../sales/invoices/bookable.ts";
import { presentInvoice } from "../../sales/invoices/present.ts";
import { type BilledPeriod, insertBilled } from "../../sales/invoices/queries.ts";
import { activated } from "../series/activate.ts";
import { lockSeries } from "../series/queries.ts";
import {
  type PeriodEvent,
  type Series,
  shownPeriod,
  stateOf,
  uncancelled,
} from "../series/series.ts";
import { updateDue } from "../series/store-due.ts";
import { presentOccurrence } from "./present.ts";
import { afterUnissued, failedPeriod, storeUnissued } from "./store-outcomes.ts";

/** An invoice; with the locked series when the invoice bills a period. */
export interface OccurrenceFacts extends InvoiceFacts {
  readonly billed: Billed | null;
}

interface Billed {
  readonly series: Series;
  readonly index: number;
  /** The series as stored text, and the period whose invoice is not created yet; null when the invoice is stored. */
  readonly made_of: { readonly document: JsonText; readonly period: SeriesPeriod } | null;
}

export type DecidedOccurrence = DecidedInvoice<OccurrenceFacts>;

export const occurrenceBookable: Bookable<OccurrenceFacts, DecidedOccurrence> = {
  in_progress: invoiceBookable.in_progress,
  done: invoiceBookable.done,
  number_constraint: invoiceBookable.number_constraint,

  async read(tx, ids) {
    const facts: OccurrenceFacts[] = [];
    for (const id of ids) facts.push(await readOccurrence(tx, id));
    return facts;
  },

  decide: decideInvoice,

  begun(tx, decided) {
    for (const { facts } of decided) {
      const billed = periodOf(facts);
      if (facts.billed === null || billed === null) continue;
      const { invoice } = facts;
      insertBilled(tx, [{ invoice, billed, document: presentInvoice(invoice), snapshot: null }]);
      recordActivation(tx, facts.billed, updateDue(tx, [withPending(facts)])[0]);
    }
  },

  async booked(tx, outcomes) {
    const issued = await storeIssued(tx, outcomes, periodOf);
    storePeriods(tx, outcomes);
    return issued;
  },

  async refused(tx, facts, reason) {
    await invoiceBookable.refused(tx, facts, reason);
    const { billed } = facts;
    if (billed) await storeFailure(tx, billed.series, billed.index, codeOf(reason), "under_way");
  },
};

/** Returns the invoice with the id, and its series when the invoice bills a period. Throws NOT_FOUND. */
export async function readOccurrence(tx: Tx, id: string): Promise<OccurrenceFacts> {
  const found = await billedBy(tx, id);
  const locked = found && (await lockSeries(tx, found.series_id));
  const billed =
    found && locked ? { series: locked.series, index: found.period_index, made_of: null } : null;
  return { ...(await readInvoice(tx, id)), billed };
}

/** Returns the series with the period in progress; a draft series becomes active today. */
export function withPending({ billed, invoice, inputs }: OccurrenceFacts): Series {
  if (billed === null) throw new Error("the invoice bills no period");
  const { series, made_of, index } = billed;
  if (made_of === null) return series;
  const { key, from, to, is_final_partial } = made_of.period;
  const active = series.status === "active" || !inputs ? series : activated(series, inputs.today);
  const pending = {
    state: "pending",
    invoice_id: invoice.id,
    period: key,
    from,
    to,
    is_final_partial,
  } as const;
  return { ...active, period_events: new Map(series.period_events).set(index, pending) };
}

/** Returns the period whose invoice is still to be stored; null when there is none, or the invoice is stored. */
function periodOf({ billed }: OccurrenceFacts): BilledPeriod | null {
  if (!billed?.made_of) return null;
  const { index, key, from, to, is_final_partial } = billed.made_of.period;
  return { series_id: billed.series.id, index, key, from, to, is_final_partial };
}

/** Writes the series after periods of these series were issued; deletes an earlier failure or skip of the periods. */
function storePeriods(tx: Tx, outcomes: readonly Outcome<OccurrenceFacts>[]): void {
  const after = new Map<string, Series>();
  const activating: Billed[] = [];
  const issued: { readonly series_id: string; readonly index: number }[] = [];
  const billings: { readonly billed: Billed; readonly after: Series }[] = [];
  for (const { facts, booking } of outcomes) {
    const { billed } = facts;
    if (billed === null || booking === null) continue;
    const pending = withPending(facts);
    const period_event = pending.period_events.get(billed.index);
    if (period_event?.state !== "pending") throw new Error("the period has no booking in progress");
    const { issue_date } = booking.intent.document;
    const known = after.get(pending.id)?.period_events ?? pending.period_events;
    const entry = { ...period_event, state: "issued", issue_date } as PeriodEvent;
    const changed = { ...pending, period_events: new Map(known).set(billed.index, entry) };
    after.set(pending.id, changed);
    billings.push({ billed, after: changed });
    issued.push({ series_id: pending.id, index: billed.index });
    if (isActivating(billed)) activating.push(billed);
  }
  if (issued.length === 0) return;
  const { table } = tableOf(issued, {
    series_id: ["uuid", ({ series_id }) => series_id],
    period_index: ["int", ({ index }) => index],
  });
  tx.write(sql`delete from occurrences o using ${table} as n (series_id, period_index)
    where o.account_id = ${tx.caller.account_id} and o.series_id = n.series_id
      and o.period_index = n.period_index`);
  const changed = [...after.values()];
  const documents = updateDue(tx, changed);
  for (const billed of activating) {
    const at = changed.findIndex(({ id }) => id === billed.series.id);
    recordActivation(tx, billed, documents[at]);
  }
  for (const billing of billings) recordIssue(tx, billing.billed, billing.after);
}

/** Records that a period was invoiced. */
function recordIssue(tx: Tx, { series: before, index }: Billed, after: Series): void {
  // The series may have been cancelled while an external ledger booked the period.
  const period = periodAt(after, index) ?? periodAt(uncancelled(after), index);
  if (period === undefined) throw new Error("an issued period is not in its series");
  tx.audit("occurrence", `${after.id}/${shownPeriod(after, period).key}`, "issued", {
    before: presentOccurrence(before, period),
    after: presentOccurrence(after, period),
    customer_id: after.customer_id,
  });
}

function isActivating({ series, made_of }: Billed): boolean {
  return made_of !== null && series.status !== "active";
}

/** Records the activation of a draft series by the issue of a period. */
function recordActivation(tx: Tx, billed: Billed, after: JsonText | undefined): void {
  const { series, made_of } = billed;
  if (after === undefined || made_of === null || !isActivating(billed)) return;
  tx.audit("recurring_series", series.id, "activated", { before: made_of.document, after });
}

/** Marks a period as failed, with its next try in account time. `before` is the earlier count: two runs count once. */
export function recordFailure(
  cx: Context,
  series_id: string,
  index: number,
  code: string,
  before: number,
): Promise<void> {
  return transact(cx, async (tx) => {
    const { series } = await lockSeries(tx, series_id);
    await storeFailure(tx, series, index, code, before);
  });
}

/**
 * Marks a period as failed inside a transaction. A period issued, skipped or dropped in the meantime keeps that state; when an
 * attempt `under_way` fails, an earlier skip of the period applies again.
 */
async function storeFailure(
  tx: Tx,
  series: Series,
  index: number,
  code: string,
  before: number | "under_way",
): Promise<void> {
  const earlier = await findOccurrence(tx, series.id, index);
  const period = periodAt(uncancelled(series), index);
  const is_pending = series.period_events.get(index)?.state === "pending";
  const state = period && stateOf(series, period);
  if (period === undefined || is_pending !== (before === "under_way")) return;
  if (state !== "scheduled" && state !== "failed") return;
  if (earlier?.state === "skipped") {
    const period_events = new Map(series.period_events).set(index, { state: "skipped" });
    updateDue(tx, [{ ...series, period_events }]);
    return;
  }
  const failures = earlier?.attempts ?? 0;
  if (!is_pending && failures !== before) return;
  const failed = failedPeriod(tx, series, period, code, failures + 1);
  storeUnissued(tx, [failed]);
  updateDue(tx, [afterUnissued(failed)]);
}

interface OccurrenceRow {
  readonly state: "failed" | "skipped";
  readonly attempts: number;
}

/** Returns the stored failure or skip of a period, even while an invoice in progress hides it. */
function findOccurrence(
  cx: Reader,
  series_id: string,
  index: number,
): Promise<OccurrenceRow | undefined> {
  return cx.row<OccurrenceRow>(sql`select state, attempts from occurrences
     where account_id = ${cx.caller.account_id} and series_id = ${series_id} and period_index = ${index}`);
}

interface BilledRow {
  readonly series_id: string;
  readonly period_index: number;
}

function billedBy(cx: Reader, invoice_id: string): Promise<BilledRow | undefined> {
  return cx.row<BilledRow>(sql`select series_id, period_index from invoices
     where account_id = ${cx.caller.account_id} and id = ${invoice_id} and series_id is not null`);
}

/** Returns the code of the refusal that a caller sees for the reason of a release. */
function codeOf(reason: string): string {
  if (reason === "unauthorized") return "LEDGER_NOT_CONNECTED";
  if (reason === "RATE_MISSING") return "EXCHANGE_RATE_MISSING";
  return reason === "PERIOD_LOCKED" ? reason : "LEDGER_REJECTED";
}
