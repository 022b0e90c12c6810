/**
 * What waits for a person's work (spec 8.3): their lines on drafts of one-time invoices, and on
 * occurrences of active series that have begun and are not issued.
 */
import type { UserId } from "../../domain/base/brand.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { groupedBy } from "../../domain/base/group.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { billableHours, type WorkedHours } from "../../domain/revenue/recognition.ts";
import { budgetOf, HOURS_DECIMALS, type Line, netOf } from "../../domain/sales/line.ts";
import { periodsFrom, type SeriesPeriod, timesOf } from "../../domain/series/period.ts";
import type { PlacedContent } from "../../domain/series/series.ts";
import {
  type Attention,
  attentionOf,
  type RankedLine,
  rankedGroups,
  rankOf,
} from "../../domain/work/my-work.ts";
import { todayIn } from "../../platform/clock.ts";
import type { Reader } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";
import { Slices } from "../../platform/slices.ts";
import { getConfiguration } from "../configuration/queries.ts";
import { customerNames } from "../customers/queries.ts";
import { workedByLine } from "../hours/list-worked.ts";
import { linesOfInvoices } from "../invoices/queries.ts";
import { findManySeries } from "../occurrences/price-periods.ts";
import { linesOfPeriods } from "../series/periods.ts";
import { firstUnsettled, isOpen, type Series, stateOf } from "../series/series.ts";
import { countWaiting } from "./count-waiting.ts";

/** A line with the document or period on which it waits. */
interface Waiting {
  readonly line: Line;
  readonly customer_id: string;
  readonly currency: string;
  readonly due_on: CalendarDate | null;
  readonly begun_on: CalendarDate;
  readonly issue_failed: boolean;
  readonly place:
    | { readonly kind: "invoice"; readonly invoice_id: string; readonly title: string | null }
    | {
        readonly kind: "occurrence";
        readonly series_id: string;
        readonly series_name: string | null;
        readonly period: string;
      };
}

/** A waiting line with everything that is shown of it. */
export interface WorkLine extends RankedLine {
  readonly waiting: Waiting;
  readonly customer_name: string;
  /** In 1/100 of an hour, billable or not. */
  readonly own_hours: number;
  readonly total_hours: number;
  readonly last_worked_on: CalendarDate | null;
  readonly attention: readonly Attention[];
}

export interface MyWork {
  readonly groups: readonly {
    readonly key: string;
    readonly rank: number;
    readonly lines: readonly WorkLine[];
  }[];
  readonly in_scope: number;
  readonly beyond_scope: number;
}

/** Everything that waits for the work of a user, the most pressing first. */
export async function workOf(cx: Reader, user_id: UserId): Promise<MyWork> {
  const { time_zone } = await getConfiguration(cx);
  const today = todayIn(cx.clock, time_zone);
  const waiting = [
    ...(await draftLines(cx, user_id)),
    ...(await occurrenceLines(cx, user_id, today)),
  ].filter(({ line }) => line.assignees.some((assignee) => assignee.user_id === user_id));
  const [worked, names, all] = await Promise.all([
    workedByLine(
      cx,
      waiting.map(({ line }) => line.id),
    ),
    customerNames(
      cx,
      waiting.map(({ customer_id }) => customer_id),
    ),
    countWaiting(cx, today),
  ]);
  const lines = waiting.map((one) =>
    ranked(one, worked.get(one.line.id) ?? [], names.get(one.customer_id) ?? "", user_id, today),
  );
  const groups = rankedGroups(lines, ({ waiting: { place, customer_id } }) =>
    place.kind === "invoice" ? `customer ${customer_id}` : `retainer ${place.series_id}`,
  );
  return { groups, in_scope: lines.length, beyond_scope: Math.max(0, all - lines.length) };
}

function ranked(
  waiting: Waiting,
  worked: readonly WorkedHours[],
  customer_name: string,
  user_id: UserId,
  today: CalendarDate,
): WorkLine {
  const { line, currency, due_on } = waiting;
  const digits = currencyDigits(currency);
  const billable = billableHours(worked);
  const amount = netOf(line, digits, billable);
  const budget = budgetOf(line);
  const own = worked.filter((entry) => entry.user_id === user_id);
  const sum = (entries: readonly WorkedHours[]) =>
    entries.reduce((all, { hours }) => all + hours, 0);
  const last_worked_on =
    own
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? null;
  const attention = attentionOf(
    {
      ...waiting,
      billable_hours: billable.reduce((all, { hours }) => all + hours, 0n),
      // Whole hundredths of hours are above the exact budget just when they are above what it holds of whole ones.
      budget_hours: budget === null ? null : budget.part / budget.whole,
      amount,
      estimate: line.recognition_method === "hours" ? line.agreed_value : null,
      last_worked_on,
    },
    today,
  );
  return {
    waiting,
    customer_name,
    own_hours: sum(own),
    total_hours: sum(worked),
    last_worked_on,
    attention,
    rank: rankOf(attention),
    due_on,
    unbilled: scaledToNumber(amount, digits),
    position: line.position,
  };
}

interface DraftRow {
  readonly id: string;
  readonly customer_id: string;
  readonly issue_date: CalendarDate | null;
  readonly title: string | null;
  readonly made_on: CalendarDate;
}

/** Drafts of one-time invoices on which the user has a line. */
export function waitingDrafts(cx: Reader, user_id: string): Promise<DraftRow[]> {
  return cx.rows<DraftRow>(sql`select i.id, i.customer_id, i.issue_date, i.title,
       (to_timestamp(('x' || lpad(left(replace(i.id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint
         / 1000.0) at time zone 'UTC')::date as made_on
     from invoices i
     where i.account_id = ${cx.caller.account_id} and i.status = 'draft' and i.series_id is null and exists (
       select from invoice_lines l
       join invoice_line_assignees a on a.account_id = l.account_id and a.line_id = l.id
       where l.account_id = i.account_id and l.invoice_id = i.id and a.user_id = ${user_id}
       -- Asked of each draft: drafts are few, and lines that somebody has worked on are many.
       offset 0)`);
}

/** The lines of drafts on which the user has one. */
async function draftLines(cx: Reader, user_id: UserId): Promise<Waiting[]> {
  const drafts = await waitingDrafts(cx, user_id);
  const lines = await linesOfInvoices(
    cx,
    drafts.map(({ id }) => id),
  );
  const of_invoice = groupedBy(lines, (line) => line.invoice_id);
  return drafts.flatMap(({ id, customer_id, issue_date, title, made_on }) =>
    (of_invoice.get(id) ?? []).map(({ line, currency }) => ({
      line,
      customer_id,
      currency,
      due_on: issue_date,
      begun_on: line.service_from ?? made_on,
      issue_failed: false,
      place: { kind: "invoice" as const, invoice_id: id, title },
    })),
  );
}

/** The ids of active series in which the user has a line. */
export async function waitingSeries(cx: Reader, user_id: string): Promise<string[]> {
  const rows = await cx.rows<{ id: string }>(sql`select id from recurring_series
     where account_id = ${cx.caller.account_id} and status = 'active' and not is_discarded and id in (
       select l.series_id from series_line_assignees a
       join series_lines l on l.account_id = a.account_id and l.line_id = a.line_id
       where a.account_id = ${cx.caller.account_id} and a.user_id = ${user_id})`);
  return rows.map(({ id }) => id);
}

interface WaitingOccurrence {
  readonly series: Series;
  readonly period: SeriesPeriod;
  readonly line: Line;
}

/** The lines of the user in begun, open periods of series. */
export async function waitingOccurrences(
  cx: Reader,
  many: Iterable<Series>,
  user_id: string,
  today: CalendarDate,
): Promise<WaitingOccurrence[]> {
  const waiting: WaitingOccurrence[] = [];
  const slices = new Slices(cx.signal);
  const isOwn = ({ content }: PlacedContent): boolean =>
    content.assignees.some((assignee) => assignee.user_id === user_id);
  for (const series of many) {
    const linesOf = linesOfPeriods(series);
    for (const period of periodsFrom(series, firstUnsettled(series))) {
      if (period.from > today) break;
      if (slices.isOver) await slices.next();
      if (!isOpen(series, period.index) || stateOf(series, period) === "dropped") continue;
      for (const { line } of linesOf(period, isOwn)) waiting.push({ series, period, line });
    }
  }
  return waiting;
}

async function occurrenceLines(
  cx: Reader,
  user_id: UserId,
  today: CalendarDate,
): Promise<Waiting[]> {
  const many = await findManySeries(cx, await waitingSeries(cx, user_id));
  const waiting = await waitingOccurrences(cx, many.values(), user_id, today);
  return waiting.map(({ series, period, line }) => ({
    line,
    customer_id: series.customer_id,
    currency: series.currency,
    due_on: timesOf(period, series.timing).due_on,
    begun_on: period.from,
    issue_failed: series.happened.get(period.index)?.state === "failed",
    place: {
      kind: "occurrence",
      series_id: series.id,
      series_name: series.external_id,
      period: period.key,
    },
  }));
}

/** Hours in 1/100 as JSON numbers. */
export const hoursNumber = (hours: number): number => scaledToNumber(BigInt(hours), HOURS_DECIMALS);
