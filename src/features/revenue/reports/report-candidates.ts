/**
 * Finds the lines that may have rows in a month of the report, in the order of their ids: possibly more lines than the
 * report shows, never fewer. Lines of invoices are found by their dates, so that a page reads few of them. Lines of
 * occurrences without an invoice follow from their series.
 */
import {
  addDays,
  type CalendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
} from "../../../domain/base/calendar.ts";
import { MOST_OFFSET_DAYS } from "../../../domain/series/forecast.ts";
import { isHashed, periodNumber } from "../../../domain/series/line-id.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { numbered, raw, sql } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { linesOfPeriods } from "../../recurring/series/periods.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { waitingPeriods } from "../revenue-facts/list-waiting.ts";
import { type CustomerFacts, type Facts, factsOfSeries } from "../revenue-facts/read-facts.ts";
import { type Ahead, forecastFrom, linesAhead } from "./forecast.ts";
import type { Basis } from "./schemas.ts";

/** The filters of the report, as ids; null for an unset filter. */
export interface ReportScope {
  readonly customer_id: string | null;
  readonly series_id: string | null;
  readonly invoice_id: string | null;
  readonly user_id: string | null;
  readonly product_id: string | null;
}

interface Candidate {
  readonly line_id: string;
  readonly customer_id: string;
}

interface Candidates {
  /** Returns the next lines, each with all its customers: from `line_id` on, or with `<id>+` after that id. */
  from(
    line_id: string,
    limit: number,
  ): Promise<{ readonly lines: readonly Candidate[]; readonly has_more: boolean }>;
}

const CUSTOMERS_AT_A_TIME = 200;

/** Yields the ids of the customers that the filters select, in groups, beginning with `first`. */
export async function* customersInScope(
  cx: Reader,
  scope: ReportScope,
  first: string | null = null,
): AsyncGenerator<readonly string[]> {
  for (let after: string | null = null; ; ) {
    const rows: { id: string }[] = await cx.rows<{ id: string }>(sql`select c.id from customers c
       where c.account_id = ${cx.caller.account_id} and (${after}::uuid is null or c.id > ${after}) and (${first}::uuid is null or c.id >= ${first}) and (${scope.customer_id}::uuid is null or c.id = ${scope.customer_id})
         and (${scope.invoice_id}::uuid is null
           or exists (select from invoices i
             where i.account_id = ${cx.caller.account_id} and i.id = ${scope.invoice_id} and i.customer_id = c.id)
           or exists (select from accrual_rows r
             where r.account_id = ${cx.caller.account_id} and r.invoice_id = ${scope.invoice_id} and r.customer_id = c.id))
         and (${scope.series_id}::uuid is null
           or exists (select from recurring_series s
             where s.account_id = ${cx.caller.account_id} and s.id = ${scope.series_id} and s.customer_id = c.id)
           or exists (select from accrual_rows r
             where r.account_id = ${cx.caller.account_id} and r.series_id = ${scope.series_id} and r.customer_id = c.id))
       order by c.id limit ${raw(CUSTOMERS_AT_A_TIME)}`);
    if (rows.length > 0) yield rows.map((row) => row.id);
    after = rows.at(-1)?.id ?? null;
    if (rows.length < CUSTOMERS_AT_A_TIME) return;
  }
}

/**
 * Returns the candidates of each month. Candidates without an invoice are found once: lines of begun periods for all months,
 * lines of future periods for each month.
 */
export function candidateLines(
  cx: Reader,
  configuration: Configuration,
  scope: ReportScope,
  basis: Basis,
  current: Month,
): (month: Month) => Candidates {
  let waiting: Promise<Waiting> | undefined;
  return (month) => {
    let ahead: Promise<Candidate[]> | undefined;
    return {
      async from(line_id, limit) {
        waiting ??= readAhead(waitingCandidates(cx, scope, current));
        const from = forecastFrom(configuration, basis, current, month);
        ahead ??= readAhead(aheadCandidates(cx, scope, { current, from, to: month }));
        const is_after = line_id.endsWith("+");
        const id = is_after ? line_id.slice(0, -1) : line_id;
        const comes = (one: Candidate): boolean =>
          one.line_id > id || (!is_after && one.line_id === id);
        const stored = await storedCandidates(cx, scope, month, basis, id, limit + 1);
        const begun = waitingFrom(await waiting, id, limit);
        const all = [...stored, ...begun, ...(await ahead)].filter(comes);
        const distinct = new Map(all.map((one) => [`${one.line_id} ${one.customer_id}`, one]));
        const sorted = [...distinct.values()].sort((a, b) => (a.line_id < b.line_id ? -1 : 1));
        return { lines: wholeLines(sorted, limit), has_more: sorted.length > limit };
      },
    };
  };
}

/** Returns a result that is awaited later, beside other reads: until then its failure must not be an unhandled rejection. */
function readAhead<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => {});
  return result;
}

/** Returns at most `limit` rows, without a line that continues beyond the limit: the line's other customers would be lost. */
function wholeLines(sorted: readonly Candidate[], limit: number): readonly Candidate[] {
  const cut = sorted[limit]?.line_id;
  const lines = sorted.slice(0, limit).filter((one) => one.line_id !== cut);
  return lines.length > 0 ? lines : sorted;
}

/** Returns lines of invoices and opening contracts that have begun and are not settled before the month, and lines that were booked in it. */
function storedCandidates(
  cx: Reader,
  scope: ReportScope,
  month: Month,
  basis: Basis,
  from: string,
  limit: number,
): Promise<Candidate[]> {
  return cx.rows(
    numbered(STORED, [
      cx.caller.account_id,
      from === "" ? null : from,
      firstDayOf(month),
      lastDayOf(month),
      basis === "booking_month" ? month : null,
      scope.customer_id,
      scope.invoice_id,
      scope.series_id,
      scope.product_id,
      limit,
      scope.user_id,
    ]),
  );
}

const STORED = `
  (select l.id as line_id, i.customer_id from invoice_lines l
   join invoices i on i.account_id = $1 and i.id = l.invoice_id
   where l.account_id = $1 and ($2::uuid is null or l.id >= $2)
     and ($6::uuid is null or i.customer_id = $6) and ($7::uuid is null or i.id = $7)
     and ($8::uuid is null or i.series_id = $8) and ($9::uuid is null or l.product_id = $9)
     and ($11::uuid is null
       or exists (select from invoice_line_assignees a
         where a.account_id = $1 and a.line_id = l.id and a.user_id = $11)
       or exists (select from work_registrations w
         where w.account_id = $1 and w.line_id = l.id and w.user_id = $11)
       or exists (select from line_earnings e
         where e.account_id = $1 and e.line_id = l.id and e.content like '%' || $11::text || '%'))
     and (l.service_from <= $4 or (i.status = 'issued' and i.issue_date <= $4)
       or exists (select from work_registrations w
         where w.account_id = $1 and w.line_id = l.id and w.date <= $4)
       -- Work that was moved away after a full credit has left what it had earned.
       or exists (select from line_earnings e where e.account_id = $1 and e.line_id = l.id
         and e.content::json -> 'months' -> 0 ->> 'month' <= to_char($4::date, 'YYYY-MM'))
       or exists (select from line_completions c
         where c.account_id = $1 and c.line_id = l.id and c.completed_on <= $4))
     and ($5::text is not null or i.status = 'draft' or i.issue_date >= $3
       or (l.recognition_method = 'value' and l.service_to >= $3)
       or (l.recognition_method = 'milestone' and not exists (select from line_completions c
         where c.account_id = $1 and c.line_id = l.id and c.completed_on < $3))
       or exists (select from work_registrations w
         where w.account_id = $1 and w.line_id = l.id and w.date >= $3)
       or exists (select from credit_note_lines x
         join credit_notes n on n.account_id = $1 and n.id = x.credit_note_id
         where x.account_id = $1 and x.invoice_line_id = l.id and n.credit_date >= $3))
   order by l.id limit $10)
  union
  (select o.line_id, o.customer_id from opening_contracts o
   where o.account_id = $1 and ($2::uuid is null or o.line_id >= $2)
     and ($6::uuid is null or o.customer_id = $6) and $7::uuid is null and $8::uuid is null
     and ($9::uuid is null or o.product_id = $9)
     and ($11::uuid is null or o.assignees::text like '%' || $11::text || '%')
     and o.cutover <= $4 and ($5::text is not null or o.service_to >= $3)
   order by o.line_id limit $10)
  union
  (select distinct r.line_id, r.customer_id from accruals a
   join accrual_rows r on r.account_id = $1 and r.accrual_id = a.id
   where a.account_id = $1 and a.month <= $5 and ($2::uuid is null or r.line_id >= $2)
     and ($6::uuid is null or r.customer_id = $6) and ($7::uuid is null or r.invoice_id = $7)
     and ($8::uuid is null or r.series_id = $8) and ($9::uuid is null or r.product_id = $9)
     and ($11::uuid is null or r.users like '%' || $11::text || '%')
   order by r.line_id limit $10)
  order by line_id, customer_id limit $10`;

/** Lines of occurrences without an invoice: periods, ordered by the period number with which the ids of their lines begin. */
interface Waiting {
  /** In the order of the period numbers. */
  readonly periods: readonly {
    readonly number: number;
    /** Computed on each call. */
    lines(): Candidate[];
  }[];
  /** Lines with hashed ids, which do not begin with a period number. */
  readonly hashed: readonly Candidate[];
}

/** Returns the lines of occurrences that have begun by the current month and have no invoice. */
async function waitingCandidates(cx: Reader, scope: ReportScope, current: Month): Promise<Waiting> {
  const periods: Waiting["periods"][number][] = [];
  const hashed: Candidate[] = [];
  const slices = new Slices(cx.signal);
  for await (const { customer_id, series: own } of customersWithSeries(
    cx,
    scope,
    lastDayOf(current),
  )) {
    for (const series of own) {
      const linesOf = linesOfPeriods(series);
      const has_hashes = series.lines.some((line) => line.hashed_periods !== null);
      for (const period of waitingPeriods(series, current)) {
        if (slices.isOver) await slices.next();
        const lines = (): Candidate[] =>
          linesOf(period).map(({ line }) => ({ line_id: line.id, customer_id }));
        periods.push({ number: periodNumber(period.key), lines });
        if (has_hashes) hashed.push(...lines().filter(({ line_id }) => isHashed(line_id)));
      }
    }
  }
  periods.sort((a, b) => a.number - b.number);
  return { periods, hashed };
}

/** Returns waiting lines: more than `limit` lines with an id of at least `id`, if there are that many. */
function waitingFrom({ periods, hashed }: Waiting, id: string, limit: number): Candidate[] {
  const found = [...hashed];
  let [count, last] = [0, -1];
  for (const { number, lines } of periods) {
    if (number.toString(16).padStart(5, "0") < id.slice(0, 5)) continue;
    if (count > limit && number !== last) break;
    const own = lines().filter(({ line_id }) => !isHashed(line_id));
    found.push(...own);
    count += own.filter(({ line_id }) => line_id > id).length;
    last = number;
  }
  return found;
}

/** Returns the lines of scheduled periods that a forecast counts in the months. */
async function aheadCandidates(cx: Reader, scope: ReportScope, ahead: Ahead): Promise<Candidate[]> {
  if (ahead.to <= ahead.current) return [];
  const started_by = addDays(lastDayOf(ahead.to), MOST_OFFSET_DAYS);
  const found: Candidate[] = [];
  const slices = new Slices(cx.signal);
  for await (const customer of customersWithSeries(cx, scope, started_by)) {
    for (const { line } of linesAhead(customer, ahead)) {
      if (slices.isOver) await slices.next();
      found.push({ line_id: line.id, customer_id: customer.customer_id });
    }
  }
  return found;
}

/** Yields customers with their active series that have started by a date; one customer at a time. */
async function* customersWithSeries(
  cx: Reader,
  scope: ReportScope,
  started_by: CalendarDate,
): AsyncGenerator<CustomerFacts> {
  for await (const { customers } of factsWithSeries(cx, scope, started_by)) yield* customers;
}

/** Yields the series of customers that have an active one in scope, started by a date, with the rates; some customers at a time. */
export async function* factsWithSeries(
  cx: Reader,
  scope: ReportScope,
  started_by: CalendarDate,
): AsyncGenerator<Facts> {
  // Waiting lines belong to no invoice.
  if (scope.invoice_id !== null) return;
  const rows = await cx.rows<{ customer_id: string }>(sql`
    select distinct customer_id from recurring_series
     where account_id = ${cx.caller.account_id} and status = 'active' and not is_discarded and start_date <= ${started_by}
       and (${scope.customer_id}::uuid is null or customer_id = ${scope.customer_id}) and (${scope.series_id}::uuid is null or id = ${scope.series_id})`);
  const ids = rows.map((row) => row.customer_id);
  for (let at = 0; at < ids.length; at += CUSTOMERS_AT_A_TIME) {
    yield await factsOfSeries(cx, ids.slice(at, at + CUSTOMERS_AT_A_TIME));
  }
}
