/** Explains a record of each kind: the data that decides its state, and sentences with the reason and next step. */
import { type CalendarDate, lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { periodAt, timesOf } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import type { DeliveryState, Tables } from "../../../platform/database/tables.ts";
import { requirePeriod } from "../../recurring/series/periods.ts";
import { getSeries } from "../../recurring/series/queries.ts";
import { shownPeriod, stateOf } from "../../recurring/series/series.ts";
import { countsOf, findClose } from "../../revenue/closes/queries.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import type { Subject } from "./find-subjects.ts";

/** A sentence, or nothing when its condition is false. */
export type Said = string | false | null | undefined;

interface Explained {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly says: readonly Said[];
  /** Documents and vouchers whose bookings and deliveries belong to the record. */
  readonly documents?: readonly Said[];
}

/** Explains a record. Throws NOT_FOUND or MALFORMED_REQUEST for a period that the series does not have. */
export function explainSubject(cx: Reader, { kind, id }: Subject): Promise<Explained> {
  return EXPLAIN[kind](cx, id);
}

const EXPLAIN: Record<Subject["kind"], (cx: Reader, id: string) => Promise<Explained>> = {
  async invoice(cx, id) {
    const facts = await rowOf(cx, "invoices", id);
    const is_draft = facts.status === "draft";
    const says = [
      is_draft && (await lockOn(cx, facts.issue_date)),
      is_draft && facts.series_id === null && `\`POST /invoices/${id}/issue\` issues it.`,
      !is_draft && "It does not change: a credit note corrects errors.",
    ];
    return { facts, says, documents: [id] };
  },

  async credit_note(cx, id) {
    const facts = await rowOf(cx, "credit_notes", id);
    const { status, queue_state, next_attempt_at } = facts;
    const before = sql`next_attempt_at <= ${next_attempt_at} and queue_state is not null and id < ${id}`;
    const turn = (await rowsOf(cx, "credit_notes", before)).length + 1;
    const says = [
      queue_state && "A cancellation has queued it.",
      next_attempt_at &&
        `The scheduler issues it from ${next_attempt_at} on, as number ${turn} of the queue.`,
      queue_state && !next_attempt_at && "The scheduler does not try it again.",
      status === "draft" && (await lockOn(cx, facts.credit_date)),
      status === "draft" && `\`POST /credit-notes/${id}/issue\` issues it.`,
    ];
    return { facts, says, documents: [id] };
  },

  async recurring_series(cx, id) {
    const facts = await rowOf(cx, "recurring_series", id);
    const { series } = await getSeries(cx, id);
    const has_failed = sql`series_id = ${id} and state = 'failed'`;
    const failed = await rowsOf(cx, "occurrences", has_failed);
    const says = [
      ...failed.map(({ period_index, failure_code }) => {
        const { key = "" } = periodAt(series, period_index) ?? {};
        return `Its period ${key} has failed with ${failure_code}: \`inspect ${id}/${key}\` shows the details.`;
      }),
      facts.next_due_on && `Its next period falls due on ${facts.next_due_on}.`,
      facts.next_retry_at && `A failed period is tried again from ${facts.next_retry_at} on.`,
      !facts.next_due_on && !facts.next_retry_at && "The scheduler has nothing to do for it.",
    ];
    return { facts, says };
  },

  async occurrence(cx, id) {
    const [ref = "", text = ""] = id.split("/");
    const { series } = await getSeries(cx, ref);
    const found = requirePeriod(series, text);
    const { from, to, key } = shownPeriod(series, found);
    const [state, period_event] = [stateOf(series, found), series.period_events.get(found.index)];
    const at = sql`series_id = ${ref} and period_index = ${found.index}`;
    const [stored] = await rowsOf(cx, "occurrences", at);
    const { issue_date, due_on } = timesOf({ from, to }, series.timing);
    const invoice_id =
      period_event && "invoice_id" in period_event ? period_event.invoice_id : null;
    const was_due = due_on !== null && due_on < (series.activated_on ?? "");
    const scheduled = state === "scheduled";
    const waits = scheduled || state === "failed";
    const retry = stored?.next_attempt_at;
    const says = [
      waits && series.status === "draft" && "Its series is not active.",
      waits && (await lockOn(cx, issue_date)),
      state === "failed" &&
        (retry
          ? `The scheduler tries it again from ${retry} on.`
          : "The scheduler does not try it again."),
      scheduled && was_due && `It fell due on ${due_on}, before its series was activated.`,
      scheduled && (was_due || due_on === null) && "The scheduler leaves it to a person.",
      scheduled && due_on !== null && !was_due && `It falls due on ${due_on}.`,
      state === "dropped" && `Its series was cancelled at ${series.cancelled_at}.`,
      (waits || state === "skipped") &&
        `\`POST /recurring-series/${ref}/occurrences/${key}/issue\` issues it.`,
    ];
    return {
      facts: { ...stored, state, from, to, issue_date, invoice_id },
      says,
      documents: [invoice_id],
    };
  },

  async accrual(cx, id) {
    const row = await rowOf(cx, "accruals", id);
    const of = sql`accrual_id = ${id} order by revision desc`;
    const [booking] = await rowsOf(cx, "accrual_bookings", of);
    const locked = row.status === "draft" && (await lockOn(cx, lastDayOf(row.month)));
    const says = [
      locked,
      locked && "Its changes are carried into the first open month.",
      row.status === "draft" &&
        !locked &&
        `\`POST /accruals/${id}/book\` or the close of ${row.month} books it.`,
    ];
    const { state, booked_by, reopened_by, reason } = booking ?? {};
    const documents = [booking?.voucher_guid, booking?.reversal_guid];
    return { facts: { ...row, booking: state, booked_by, reopened_by, reason }, says, documents };
  },

  async customer(cx, id) {
    const facts = await rowOf(cx, "customers", id);
    const says = [!facts.active && "Issuing an invoice for it is refused with CUSTOMER_INACTIVE."];
    return { facts, says };
  },

  async delivery(cx, id) {
    const facts = await rowOf(cx, "deliveries", id);
    return {
      facts,
      says: [AFTER[facts.state] ?? `It is attempted from ${facts.next_attempt_at} on.`],
    };
  },

  async work_registration(cx, id) {
    const facts = await rowOf(cx, "work_registrations", id);
    const { work_lock_date } = await getConfiguration(cx);
    const { status, series_id, period, invoice_id } = facts;
    const says = [
      (work_lock_date ?? "") >= facts.date &&
        `Standard users cannot change work through ${work_lock_date}.`,
      status === "open" &&
        `It is invoiced with ${series_id ? `${series_id}/${period}` : invoice_id}.`,
      status === "invoiced" && "It moves only after a full credit of its invoice.",
      status === "dropped" && "Its period was dropped: it may be moved to another line.",
    ];
    return { facts, says };
  },

  async period_close(cx, month) {
    const close = await findClose(cx, month as Month);
    if (close === undefined) throw notFound("period_close", month);
    const { status, begun_at, closed_at, done_name, actor_kind, actor_id } = close;
    const is_held = sql`month = ${month} and status = 'running' and lease_until > clock_timestamp()`;
    const [lease] = await rowsOf(cx, "period_closes", is_held);
    const errors: { customer_id: string; code: string }[] = JSON.parse(close.errors);
    const says = [
      ...errors.map(({ customer_id, code }) => `The customer ${customer_id} was refused: ${code}.`),
      lease && `A process works on it, with a lease until ${lease.lease_until}.`,
      status === "running" &&
        !lease &&
        "No process works on it: the worker or the next call continues.",
      (status === "partial" || status === "reopened") &&
        "`POST /period-closes` books the missing accruals.",
    ];
    const begun_by = `${actor_kind}:${actor_id}`;
    const counts = await countsOf(cx, close);
    return { facts: { status, begun_at, begun_by, closed_at, ...counts, done_name }, says };
  },
};

const AFTER: Partial<Record<DeliveryState, string>> = {
  sending: "An attempt is in progress; if its process ends, it becomes unknown.",
  written_to_outbox: "It is done: the message is in the outbox folder.",
  accepted:
    "What sends it has taken it: the mail server, or the access point that sends e-invoices.",
  delivered: "It is done: the receiver has it.",
  rejected: "The receiver's side has refused it; sending the document again makes a new delivery.",
  failed_permanent: "It is not tried again; sending the document again makes a new delivery.",
  unknown: "It may have arrived and is not tried again: a user has to decide.",
};

/** Returns the account's rows that meet a condition. */
function rowsOf<Name extends keyof Tables>(
  cx: Reader,
  table: Name,
  condition: Sql,
): Promise<Selectable<Tables[Name]>[]> {
  const { account_id } = cx.caller;
  return cx.rows(
    sql`select * from ${raw(table)} where account_id = ${account_id} and ${condition}`,
  );
}

async function rowOf<Name extends keyof Tables>(cx: Reader, table: Name, id: string) {
  const [row] = await rowsOf(cx, table, sql`id = ${id}`);
  if (row === undefined) throw new Error("what was found is gone");
  return row;
}

/** Returns the reason why a document with the date cannot be booked. */
async function lockOn(cx: Reader, day: CalendarDate | null): Promise<Said> {
  const { period_lock_date } = await getConfiguration(cx);
  if (day === null || (period_lock_date ?? "") < day) return null;
  return `Nothing is booked on ${day}: everything through ${period_lock_date} is locked.`;
}
