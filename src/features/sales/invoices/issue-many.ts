/** Issues a list of invoices: each invoice is issued or refused independently of the others (spec 5.3). */
import * as z from "zod";
import { notFound, Problem } from "../../../domain/base/problem.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { problemFromDatabase } from "../../../platform/http/problems.ts";
import { isRef } from "../../../platform/http/schemas.ts";
import { freeze, type JsonText, jsonText, thaw } from "../../../platform/runtime/json.ts";
import { sendQueued } from "../../documents/deliveries/queue.ts";
import { bookMany, LINES_AT_A_TIME, planMany } from "../../ledger/booking/book-many.ts";
import { invoiceBookable } from "./bookable.ts";
import { issueInvoice } from "./issue.ts";
import { lockFreeInvoices } from "./queries.ts";
import { type InvoiceResource, IssueRun } from "./schemas.ts";

/** The response to a list is sent within 20 s. An invoice not begun within this time has the outcome `remaining`. */
const LIST_MS = 15_000;
/** A booking in an external ledger takes seconds: none begins after `begun`, and the last one has at most the time `last`. */
const THERE_MS = { begun: 12_000, last: 7_000 };
/** One transaction issues at most this many invoices, with about `LINES_AT_A_TIME` lines in total. */
const INVOICES_AT_A_TIME = 200;

type IssueOutcome = IssueRun["outcomes"][number];

/** A committed outcome, before its mail is attempted. */
type Committed = IssueOutcome & { readonly delivery_id?: string | null };

/** An invoice with the reference that names it in the list. */
interface Named {
  readonly reference: string;
  readonly id: string;
  readonly lines: number;
}

/**
 * Issues the invoices that references name, each once, in the order of the list; returns an outcome for each. A refusal of one
 * invoice does not stop the others. With an idempotency key, the outcomes are stored batch by batch. A repetition resumes after
 * the stored outcomes: after a crash, and after a response in which an invoice remains or has a transient refusal.
 */
export async function issueList(
  { once, ...outside }: Context,
  references: readonly string[],
): Promise<JsonText> {
  const cx: Context = { ...outside, once: null };
  const deadline = Date.now() + (isExternal(cx) ? THERE_MS.begun : LIST_MS);
  const { named, unknown } = await resolved(cx, references);
  const kept = once?.committed ?? null;
  const done: Committed[] =
    kept === null ? [] : [...thaw<{ readonly result: Committed[] }>(kept).result];
  const known = new Set(done.map(({ reference }) => reference));
  done.push(...unknown.filter(({ reference }) => !known.has(reference)));
  const todo = named.filter(({ reference }) => !known.has(reference));
  const held: Named[] = [];
  for (const batch of batchesOf(todo)) {
    if (Date.now() >= deadline || cx.signal.aborted) break;
    const keep: NonNullable<typeof once>["keep"] = (tx, text) => {
      const { result } = thaw<{ readonly result: BatchDone }>(text);
      once?.keep(tx, freeze({ result: [...done, ...result.outcomes].filter(isSettled) }));
    };
    done.push(
      ...(await issueSafely(cx, batch, once && { ...once, committed: null, keep }, deadline, held)),
    );
  }
  done.push(...(await issueAlone(cx, held, deadline)));
  const delivery_ids = done.flatMap(({ delivery_id }) => delivery_id ?? []);
  const errors = await sendQueued(cx, delivery_ids, deadline);
  const remaining = named.filter(({ id }) => !done.some(({ invoice_id }) => invoice_id === id));
  const outcomes = [...done, ...remaining.map(remainingOutcome)];
  const settled = outcomes.filter(isSettled);
  if (settled.length < outcomes.length) once?.goOn(freeze({ result: settled }));
  return presentRun(cx, references, outcomes, errors);
}

/** Refusals for reasons outside the invoice: the invoice may be issued when the list is sent again. */
const PASSING: ReadonlySet<string> = new Set([
  "INVOICE_ISSUE_IN_PROGRESS",
  "LEDGER_UNAVAILABLE",
  "RESOURCE_BUSY",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
]);

function isSettled({ outcome, code = "" }: Committed): boolean {
  return outcome !== "remaining" && !PASSING.has(code);
}

interface BatchDone {
  readonly outcomes: readonly Committed[];
  readonly under_way: readonly string[];
  /** Invoices that another transaction had locked. */
  readonly held: readonly string[];
}

/** Issues invoices in one transaction; an invoice whose refusal depends on the other invoices is issued alone. */
const issueTogether = defineCommand({
  name: "issue_invoices",
  access: "issue",
  input: z.custom<readonly Named[]>(),

  async plan(tx, named) {
    const ids = named.map(({ id }) => id);
    const free = await lockFreeInvoices(tx, ids);
    const held = ids.filter((id) => !free.has(id));
    const locked = ids.filter((id) => free.has(id));
    return { named, held, planned: await planMany(tx, invoiceBookable, locked) };
  },

  async commit(tx, { named, held, planned }): Promise<BatchDone> {
    const issued = await bookMany(tx, invoiceBookable, planned);
    const outcomes = named.flatMap(({ reference, id }): Committed[] => {
      const booked = issued.get(id);
      if (booked) return [issuedOutcome(reference, booked.document, booked.delivery_id)];
      const problem = planned.refused.get(id);
      return problem === undefined ? [] : [refusedOutcome(reference, id, problem)];
    });
    return { outcomes, under_way: planned.under_way, held };
  },
});

/** Issues a batch, or its invoices one by one if it fails. Locked invoices go to `held`. Throws without a database. */
async function issueSafely(
  cx: Context,
  named: readonly Named[],
  once: Context["once"],
  deadline: number,
  held: Named[],
): Promise<Committed[]> {
  if (isExternal(cx)) return issueAlone(cx, named, deadline);
  try {
    const { outcomes, under_way, ...done } = await run(issueTogether, { ...cx, once }, named);
    held.push(...named.filter(({ id }) => done.held.includes(id)));
    const left = named.filter(({ id }) => under_way.includes(id));
    return [...outcomes, ...(await issueAlone(cx, left, deadline))];
  } catch (error) {
    if (isUnavailable(error)) throw error;
    cx.log.warn({ err: error }, "a list of invoices is issued one by one");
    return issueAlone(cx, named, deadline);
  }
}

function isExternal({ ledger }: Context): boolean {
  return ledger !== null && !ledger.transactional;
}

/** Issues each invoice in its own transaction, with a separate call of an external ledger. */
async function issueAlone(
  cx: Context,
  named: readonly Named[],
  deadline: number,
): Promise<Committed[]> {
  const done: Committed[] = [];
  const in_list = { until_ms: deadline + THERE_MS.last };
  for (const { reference, id } of named) {
    if (Date.now() >= deadline) break;
    try {
      const text = await run(issueInvoice, { ...cx, in_list }, { ref: id });
      const { send_error } = JSON.parse(text) as { readonly send_error?: string };
      done.push({ ...issuedOutcome(reference, text, null), ...(send_error && { send_error }) });
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const refusal = problemFromDatabase(error);
      if (!(refusal instanceof Problem)) {
        cx.log.error({ err: error, invoice_id: id }, "not issued");
      }
      done.push(refusedOutcome(reference, id, refusal));
    }
  }
  return done;
}

/** Finds the invoices that references name, each once; a reference that names none gives a refused outcome. */
async function resolved(
  cx: Reader,
  references: readonly string[],
): Promise<{ readonly named: readonly Named[]; readonly unknown: Committed[] }> {
  const sent = [...new Set(references)];
  const refs = sent.filter(isRef).map((ref) => (ref.startsWith("ext:") ? ref : ref.toLowerCase()));
  const ids = refs.filter((ref) => !ref.startsWith("ext:"));
  const external_ids = refs.filter((ref) => ref.startsWith("ext:")).map((ref) => ref.slice(4));
  const rows = await cx.rows<{ id: string; external_id: string | null; lines: number }>(sql`
    select i.id, i.external_id, (select count(*)::int from invoice_lines l
       where l.account_id = ${cx.caller.account_id} and l.invoice_id = i.id) as lines
     from invoices i where i.account_id = ${cx.caller.account_id}
       and (i.id = any(${ids}) or i.external_id = any(${external_ids}))`);
  const by_id = new Map(rows.map((row) => [row.id, row]));
  const by_external_id = new Map(rows.map((row) => [row.external_id, row]));
  const named = new Map<string, Named>();
  const unknown: Committed[] = [];
  for (const reference of sent) {
    const row = reference.startsWith("ext:")
      ? by_external_id.get(reference.slice(4))
      : by_id.get(reference.toLowerCase());
    if (row === undefined)
      unknown.push(refusedOutcome(reference, null, notFound("invoice", reference)));
    else if (!named.has(row.id)) named.set(row.id, { reference, id: row.id, lines: row.lines });
  }
  return { named: [...named.values()], unknown };
}

function batchesOf(named: readonly Named[]): Named[][] {
  const batches: Named[][] = [];
  let lines = 0;
  for (const one of named) {
    const batch = batches.at(-1);
    lines += one.lines;
    if (batch === undefined || batch.length >= INVOICES_AT_A_TIME || lines > LINES_AT_A_TIME) {
      batches.push([one]);
      lines = one.lines;
    } else batch.push(one);
  }
  return batches;
}

function issuedOutcome(reference: string, text: JsonText, delivery_id: string | null): Committed {
  const { id, status, ledger_invoice_number } = JSON.parse(text) as InvoiceResource;
  const shown = { invoice_id: id, status, ledger_invoice_number };
  return { reference, outcome: "issued", ...shown, delivery_id };
}

function refusedOutcome(reference: string, invoice_id: string | null, error: unknown): Committed {
  const problem = error instanceof Problem ? error : undefined;
  const { details } = problem?.extras ?? {};
  return {
    reference,
    outcome: "refused",
    invoice_id,
    status: null,
    ledger_invoice_number: null,
    code: problem?.code ?? "INTERNAL_ERROR",
    message: problem?.message ?? "Something went wrong on our side.",
    ...(details && { details }),
  };
}

function remainingOutcome({ reference, id }: Named): Committed {
  const shown = { invoice_id: id, status: null, ledger_invoice_number: null };
  return { reference, outcome: "remaining", ...shown };
}

/** Returns the outcomes in the order of the list; an outcome that is not issued shows the invoice's current status. */
async function presentRun(
  cx: Reader,
  references: readonly string[],
  outcomes: readonly Committed[],
  errors: ReadonlyMap<string, string | null>,
): Promise<JsonText> {
  const ids = outcomes.flatMap(({ outcome, invoice_id }) =>
    outcome === "issued" ? [] : (invoice_id ?? []),
  );
  const rows = await cx.rows<{
    id: string;
    status: "draft" | "issued";
    ledger_invoice_number: bigint | null;
  }>(sql`select id, status, ledger_invoice_number from invoices
     where account_id = ${cx.caller.account_id} and id = any(${ids})`);
  const now = new Map(rows.map((row) => [row.id, row]));
  const of = new Map(outcomes.map((one) => [one.reference, one]));
  const shown = [...new Set(references)].flatMap((reference) => {
    const one = of.get(reference);
    return one === undefined ? [] : [shownOutcome(one, now.get(one.invoice_id ?? ""), errors)];
  });
  const count = (outcome: IssueOutcome["outcome"]): number =>
    shown.filter((one) => one.outcome === outcome).length;
  return jsonText(
    IssueRun.parse({
      object: "invoice_issue_run",
      outcomes: shown,
      issued: count("issued"),
      refused: count("refused"),
      remaining: count("remaining"),
    }),
  );
}

function shownOutcome(
  { delivery_id, ...outcome }: Committed,
  now:
    | { readonly status: "draft" | "issued"; readonly ledger_invoice_number: bigint | null }
    | undefined,
  errors: ReadonlyMap<string, string | null>,
): IssueOutcome {
  const send_error = delivery_id ? errors.get(delivery_id) : undefined;
  if (send_error) return { ...outcome, send_error };
  if (now === undefined) return outcome;
  const { status, ledger_invoice_number: number } = now;
  return { ...outcome, status, ledger_invoice_number: number === null ? null : Number(number) };
}
