/**
 * The queue of credit notes that cancellations have raised (spec 4.11). The scheduler issues these notes, with retries: a batch
 * in one transaction when the ledger is built in, each note by its own call when the ledger is external.
 */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { transact } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isTransient, isUnavailable } from "../../../platform/database/unavailable.ts";
import { bookMany, fitting, planMany } from "../../ledger/booking/book-many.ts";
import { lockFreeInvoices } from "../invoices/queries.ts";
import { creditNoteBookable } from "./bookable.ts";
import { issueCreditNote } from "./create.ts";
import { postpone } from "./retry.ts";

const NOTES_AT_A_TIME = 100;

/** The credit notes of a scheduler run. */
interface QueueOutcome {
  readonly credit_notes_issued: string[];
  readonly credit_notes_failed: { readonly id: string; readonly code: string }[];
  /** The deliveries that the run has to send. */
  readonly delivery_ids: string[];
}

interface Queued {
  readonly id: string;
  readonly invoice_id: string;
  readonly queue_attempts: number;
}

/** The progress of a run through the queue. */
export class QueueProgress {
  readonly tried = new Set<string>();
  /** Notes with invoices that another transaction had locked. The run issues them last, and waits for the locks. */
  readonly held: Queued[] = [];
}

/**
 * Issues some of the queued notes that are due by the account's clock, oldest first, until the deadline (milliseconds
 * of the real clock). Returns null when this run has tried all. A refused note is tried again later.
 */
export async function issueQueuedCreditNotes(
  cx: Context,
  deadline: number,
  { tried, held }: QueueProgress,
): Promise<QueueOutcome | null> {
  if (Date.now() >= deadline) return null;
  const queued = await nextQueued(cx, [...tried]);
  const waited_for = queued.length === 0 ? held.splice(0, 1) : [];
  if (queued.length + waited_for.length === 0) return null;
  for (const { id } of queued) tried.add(id);
  const outcome: QueueOutcome = {
    credit_notes_issued: [],
    credit_notes_failed: [],
    delivery_ids: [],
  };
  const left = queued.length === 0 ? [] : await issueTogetherSafely(cx, queued, outcome, held);
  for (const note of [...left, ...waited_for]) {
    // Notes that are not begun are due at the next run.
    if (Date.now() >= deadline) break;
    await issueAlone(cx, note, outcome);
  }
  return outcome;
}

/** Counts the notes that are queued and due by the account's clock. */
export async function countQueued(cx: Reader): Promise<number> {
  const found = await cx.row<{ count: bigint }>(sql`select count(*) as count from credit_notes
    where account_id = ${cx.caller.account_id} and queue_state is not null
      and next_attempt_at <= ${cx.clock.now()}`);
  return Number(found?.count ?? 0n);
}

/**
 * Returns due notes, at most one for each invoice, because an earlier credit of an invoice limits the next one. A batch is
 * limited by all lines of its invoices, because each note is decided from them.
 */
async function nextQueued(cx: Reader, tried: readonly string[]): Promise<readonly Queued[]> {
  const rows = await cx.rows<
    Queued & { readonly lines: number }
  >(sql`select q.id, q.invoice_id, q.queue_attempts,
       (select count(*)::int from invoice_lines l
        where l.account_id = ${cx.caller.account_id} and l.invoice_id = q.invoice_id) as lines
     from (
       select distinct on (invoice_id) id, invoice_id, queue_attempts from credit_notes
       where account_id = ${cx.caller.account_id} and queue_state is not null
         and next_attempt_at <= ${cx.clock.now()} and not id = any(${tried})
       order by invoice_id, id) as q
     order by q.id limit ${NOTES_AT_A_TIME}`);
  return fitting(rows, ({ lines }) => lines);
}

/**
 * Issues notes in one transaction, which also postpones the refused ones. Returns the notes that have to be issued alone, and
 * adds those whose invoices another transaction has locked to `held`.
 */
async function issueTogetherSafely(
  cx: Context,
  queued: readonly Queued[],
  outcome: QueueOutcome,
  held: Queued[],
): Promise<readonly Queued[]> {
  if (cx.ledger !== null && !cx.ledger.transactional) return queued;
  try {
    const { issued, refused, under_way, ...done } = await run(issueTogether, cx, queued);
    outcome.credit_notes_issued.push(...issued);
    outcome.credit_notes_failed.push(...refused);
    outcome.delivery_ids.push(...done.delivery_ids);
    held.push(...queued.filter(({ id }) => done.held.includes(id)));
    return queued.filter(({ id }) => under_way.includes(id));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    cx.log.warn({ err: error }, "queued credit notes are issued one by one");
    return queued;
  }
}

const issueTogether = defineCommand({
  name: "issue_queued_credit_notes",
  access: "issue",
  input: z.custom<readonly Queued[]>(),

  async plan(tx, queued) {
    const invoice_ids = queued.map(({ invoice_id }) => invoice_id);
    const free = await lockFreeInvoices(tx, invoice_ids);
    const held = queued.flatMap(({ id, invoice_id }) => (free.has(invoice_id) ? [] : [id]));
    const ids = queued.flatMap(({ id, invoice_id }) => (free.has(invoice_id) ? [id] : []));
    return { queued, held, planned: await planMany(tx, creditNoteBookable, ids) };
  },

  async commit(tx, { queued, held, planned }) {
    const booked = await bookMany(tx, creditNoteBookable, planned);
    const refused = [...planned.refused].flatMap(([id, { code }]) =>
      // A parallel run has issued this note.
      code === "CREDIT_NOTE_ALREADY_ISSUED" ? [] : [{ id, code }],
    );
    const attempts = new Map(queued.map((note) => [note.id, note.queue_attempts]));
    for (const { id } of refused) await postpone(tx, id, attempts.get(id) ?? null);
    return {
      issued: [...booked.keys()],
      refused,
      under_way: planned.under_way,
      held,
      delivery_ids: [...booked.values()].flatMap(({ delivery_id }) => delivery_id ?? []),
    };
  },
});

async function issueAlone(
  cx: Context,
  { id, queue_attempts }: Queued,
  outcome: QueueOutcome,
): Promise<void> {
  try {
    await run(issueCreditNote, cx, { ref: id });
    outcome.credit_notes_issued.push(id);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (isTransient(error)) {
      cx.log.warn({ err: error, credit_note_id: id }, "a credit note waits for the next run");
      return;
    }
    // A parallel run has issued this note.
    if (error instanceof Problem && error.code === "CREDIT_NOTE_ALREADY_ISSUED") return;
    if (!(error instanceof Problem)) {
      cx.log.error({ err: error, credit_note_id: id }, "not issued");
    }
    const code = error instanceof Problem ? error.code : "INTERNAL_ERROR";
    // A booking under way is not a failure: the worker resumes it.
    if (code !== "LEDGER_UNAVAILABLE") {
      await transact(cx, async (tx) => postpone(tx, id, queue_attempts));
    }
    outcome.credit_notes_failed.push({ id, code });
  }
}
