/**
 * Finds which facts of lines came after the booking of a month, by the order of the audit trail: it holds for every clock, and it
 * has what was changed and deleted since.
 */
import { groupedBy } from "../../../domain/base/group.ts";
import { scaledFromNumber } from "../../../domain/base/money.ts";
import type { DatedLine, WorkAround } from "../../../domain/revenue/difference.ts";
import type { WorkedHours } from "../../../domain/revenue/recognition.ts";
import { HOURS_DECIMALS } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { LineBalanceAtMonth } from "../revenue-facts/positions.ts";
import type { BookedCredit } from "../revenue-facts/shapes.ts";

/** A line whose revenue is not as it was booked, and the place of its booking in the audit trail. */
export interface LineSince {
  readonly balance: LineBalanceAtMonth;
  readonly booked_seq: bigint;
}

/** Returns the lines with their late facts, in the same order. */
export async function withLateFacts(
  cx: Reader,
  lines: readonly LineSince[],
): Promise<{ readonly since: LineSince; readonly dated: DatedLine }[]> {
  if (lines.length === 0) return [];
  const events = await eventsOf(cx, lines);
  const workOf = await workAround(cx, lines);
  return lines.map((since) => {
    const { balance, booked_seq } = since;
    const { facts, foreign, invoice_id, line_id } = balance;
    const isLate = (place: string): boolean => (events.get(place) ?? 0n) > booked_seq;
    const is_made = invoice_id !== null && isLate(`invoice ${invoice_id} created`);
    const credits = (facts?.credits ?? []) as readonly BookedCredit[];
    const dated: DatedLine = {
      facts,
      foreign,
      work: workOf(since),
      is_new: is_made,
      is_issued_late: invoice_id !== null && isLate(`invoice ${invoice_id} issued`),
      is_completed_late: isLate(`invoice_line ${line_id} completed`),
      late_credits: credits.map(({ credit_note_id: id }) =>
        id !== null && isLate(`credit_note ${id} issued`) ? id : null,
      ),
    };
    return { since, dated };
  });
}

interface EventRow {
  readonly place: string;
  readonly seq: bigint;
}

/** Returns the last place in the audit trail of each event on the lines, by `<type> <id> <action>`. */
async function eventsOf(
  cx: Reader,
  lines: readonly LineSince[],
): Promise<ReadonlyMap<string, bigint>> {
  const of_type = {
    invoice: lines.flatMap(({ balance }) => balance.invoice_id ?? []),
    invoice_line: lines.map(({ balance }) => balance.line_id),
    credit_note: lines.flatMap(({ balance }) =>
      ((balance.facts?.credits ?? []) as readonly BookedCredit[]).flatMap(
        (one) => one.credit_note_id ?? [],
      ),
    ),
  };
  const found = new Map<string, bigint>();
  for (const [type, ids] of Object.entries(of_type)) {
    const rows = await cx.rows<EventRow>(sql`
      select resource_type || ' ' || resource_id || ' ' || action as place, max(seq)::bigint as seq
      from audit_events
      where account_id = ${cx.caller.account_id} and resource_type = ${type}
        and resource_id = any(${[...new Set(ids)]}) and action in ('created', 'issued', 'completed')
      group by 1`);
    for (const { place, seq } of rows) found.set(place, seq);
  }
  return found;
}

interface WorkRow extends WorkedHours {
  readonly id: string;
  readonly line_id: string;
}

interface WorkEventRow {
  readonly id: string;
  readonly seq: bigint;
  readonly payload: string;
}

/** A registration of work in the audit trail. */
interface AuditedWork extends Omit<WorkRow, "hours"> {
  readonly hours: number;
}

/** Returns a function that gives the work around a booking on each of the lines. */
async function workAround(
  cx: Reader,
  lines: readonly LineSince[],
): Promise<(line: LineSince) => WorkAround> {
  const { account_id } = cx.caller;
  const line_ids = [...new Set(lines.map(({ balance }) => balance.line_id))];
  const first = lines.reduce(
    (seq, { booked_seq }) => (booked_seq < seq ? booked_seq : seq),
    lines[0]?.booked_seq ?? 0n,
  );
  const rows = await cx.rows<WorkRow>(sql`
    select id, line_id, user_id, date, hours, billable from work_registrations
    where account_id = ${account_id} and line_id = any(${line_ids}) and status <> 'dropped'
    order by created_at, id`);
  const events = await cx.rows<WorkEventRow>(sql`
    select resource_id as id, seq, payload from audit_events
    where account_id = ${account_id} and seq > ${first} and resource_type = 'work_registration'
      and (payload::json -> 'before' ->> 'line_id' = any(${line_ids})
        or payload::json -> 'after' ->> 'line_id' = any(${line_ids})
        or resource_id = any(${rows.map(({ id }) => id)}))
    order by seq`);
  const of_line = groupedBy(rows, ({ line_id }) => line_id);
  return ({ balance: { line_id }, booked_seq }) => {
    const now = of_line.get(line_id) ?? [];
    const was = versionsBefore(events, booked_seq);
    const kept = now.filter(({ id }) => !was.has(id));
    const earlier = [...was.values()].flatMap((one) => (one?.line_id === line_id ? [one] : []));
    const registered = now.filter(({ id }) => was.get(id) === null);
    const before = [...kept, ...earlier];
    return { before, with_registered: [...before, ...registered], now };
  };
}

/** Returns registrations that have changed since, as they were before; null for those that were made since. */
function versionsBefore(
  events: readonly WorkEventRow[],
  booked_seq: bigint,
): ReadonlyMap<string, WorkRow | null> {
  const versions = new Map<string, WorkRow | null>();
  for (const { id, seq, payload } of events) {
    if (seq <= booked_seq || versions.has(id)) continue;
    const { before } = JSON.parse(payload) as { readonly before: AuditedWork | null };
    versions.set(id, before === null ? null : workFrom(before));
  }
  return versions;
}

function workFrom({ id, line_id, user_id, date, hours, billable }: AuditedWork): WorkRow {
  const scaled = scaledFromNumber(hours, HOURS_DECIMALS);
  if (typeof scaled === "string") throw new Error("the audit trail has hours with three decimals");
  return { id, line_id, user_id, date, hours: Number(scaled), billable };
}

/** Returns the numbers of invoices and credit notes by id; drafts have none. */
export async function numbersOf(
  cx: Reader,
  causes: readonly { readonly invoice_id: string | null; readonly credit_note_id: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const { account_id } = cx.caller;
  const invoice_ids = causes.flatMap(({ invoice_id }) => invoice_id ?? []);
  const credit_note_ids = causes.flatMap(({ credit_note_id }) => credit_note_id ?? []);
  const rows = await cx.rows<{ readonly id: string; readonly number: string }>(sql`
    select id, ledger_invoice_number::text as number from invoices
    where account_id = ${account_id} and id = any(${invoice_ids}) and ledger_invoice_number is not null
    union all
    select id, ledger_credit_note_number::text from credit_notes
    where account_id = ${account_id} and id = any(${credit_note_ids}) and ledger_credit_note_number is not null`);
  return new Map(rows.map(({ id, number }) => [id, number]));
}
