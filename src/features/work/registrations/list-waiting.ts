/**
 * Lists the lines that wait for a person's work, by their draft or period. A line is ranked by data that is cheap to read, and
 * created only when it is shown: most lines of a large number are not shown.
 */
import type { LineId, UserId } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { billableHours, type WorkedHours } from "../../../domain/revenue/recognition.ts";
import { budgetOf, type Line, netOf } from "../../../domain/sales/line.ts";
import { occurrenceLineIds } from "../../../domain/series/line-id.ts";
import { periodsFrom, type SeriesPeriod, timesOf } from "../../../domain/series/period.ts";
import { linesOver, occurrenceLine, type PlacedContent } from "../../../domain/series/series.ts";
import {
  attentionOf,
  type RankedLine,
  rankOf,
  staleBefore,
  type WorkAttention,
} from "../../../domain/work/my-work.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { firstUnsettled, isOpen, type Series, stateOf } from "../../recurring/series/series.ts";
import { periodKey, type Worked } from "../../sales/hours/list-worked.ts";
import { type DraftRow, firstDraftLines } from "./queries.ts";

/** A line with its waiting document or period. */
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

/** A waiting line with all fields that are shown. */
export interface WorkLine extends RankedLine {
  readonly waiting: Waiting;
  readonly customer_name: string;
  /** In 1/100 of an hour, billable or not. */
  readonly own_hours: number;
  readonly total_hours: number;
  readonly last_worked_on: CalendarDate | null;
  readonly attention: readonly WorkAttention[];
}

/** The inputs of ranking and showing a person's lines. */
interface Worker {
  readonly user_id: UserId;
  readonly today: CalendarDate;
  readonly names: ReadonlyMap<string, string>;
  readonly worked: Worked;
}

/** A line that may be shown. It is created only when it is shown, because most lines of a large number are not. */
export interface Candidate extends RankedLine {
  readonly group: string;
  show(): WorkLine;
}

/** A draft or a period with lines of the person. */
export interface OwnPlace {
  readonly group: string;
  /** The number of the person's lines on it. */
  readonly count: number;
  /** Returns the candidates among the lines: `most` of those that only amount and position rank, and all others. */
  candidates(most: number): Candidate[];
}

/** Returns a line as it is ranked and shown, with its registered work. */
function ranked(
  { user_id, today, names }: Worker,
  waiting: Waiting,
  worked: readonly WorkedHours[],
): WorkLine {
  const { line, currency, due_on, customer_id } = waiting;
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
      // Integer hundredths of hours exceed the exact budget exactly when they exceed its integer part.
      budget_hours: budget === null ? null : budget.part / budget.whole,
      amount,
      estimate: line.recognition_method === "hours" ? line.agreed_value : null,
      last_worked_on,
    },
    today,
  );
  return {
    waiting,
    customer_name: names.get(customer_id) ?? "",
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

/**
 * Returns the drafts with a line of the person, with the candidates among these lines. `counts` has the number of the person's
 * lines by draft.
 */
export async function draftPlaces(
  cx: Reader,
  drafts: readonly DraftRow[],
  counts: ReadonlyMap<string, number>,
  worker: Worker,
  most: number,
): Promise<OwnPlace[]> {
  const { user_id, today, worked } = worker;
  const lines = await firstDraftLines(cx, {
    user_id,
    drafts,
    worked_ids: [...worked.by_line.keys()],
    begun_before: staleBefore(today),
    most,
  });
  const of_draft = groupedBy(lines, (line) => line.invoice_id);
  return drafts.map((draft) => {
    const { id, customer_id, issue_date, title, made_on } = draft;
    const group = `customer ${customer_id}`;
    const candidates = (of_draft.get(id) ?? []).map(({ line, currency }): Candidate => {
      const waiting: Waiting = {
        line,
        customer_id,
        currency,
        due_on: issue_date,
        begun_on: line.service_from ?? made_on,
        issue_failed: false,
        place: { kind: "invoice", invoice_id: id, title },
      };
      const work = ranked(worker, waiting, worked.by_line.get(line.id) ?? []);
      return { ...work, group, show: () => work };
    });
    return { group, count: counts.get(id) ?? 0, candidates: () => candidates };
  });
}

/** Yields the begun, open periods of a series, in slices. */
async function* waitingPeriods(
  slices: Slices,
  series: Series,
  today: CalendarDate,
): AsyncGenerator<SeriesPeriod> {
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    if (period.from > today) break;
    if (slices.isOver) await slices.next();
    if (isOpen(series, period.index) && stateOf(series, period) !== "dropped") yield period;
  }
}

/** Returns the waiting periods with a line of the person; the lines of whole periods are valued once, until a line changes. */
export async function periodPlaces(
  cx: Reader,
  many: readonly Series[],
  worker: Worker,
): Promise<OwnPlace[]> {
  const slices = new Slices(cx.signal);
  const places: OwnPlace[] = [];
  for (const series of many) {
    const linesIn = linesOver(series.lines);
    const idOf = occurrenceLineIds();
    let known: readonly PlacedContent[] | undefined;
    let own: readonly Valued[] = [];
    for await (const period of waitingPeriods(slices, series, worker.today)) {
      const lines = linesIn(period.index);
      const is_part = period.days < period.nominal_days;
      if (is_part || lines !== known) own = valuedLines(series, period, lines, worker.user_id);
      known = is_part ? undefined : lines;
      if (own.length > 0) places.push(periodPlace(worker, series, period, own, idOf));
    }
  }
  return places;
}

/** A line of the person with its amount without hours. */
interface Valued {
  readonly placed: PlacedContent;
  readonly unbilled: number;
}

/** Returns the person's lines of a period, in descending order of amount. */
function valuedLines(
  series: Series,
  period: SeriesPeriod,
  lines: readonly PlacedContent[],
  user_id: UserId,
): Valued[] {
  const digits = currencyDigits(series.currency);
  return lines
    .filter(({ content }) => content.assignees.some((one) => one.user_id === user_id))
    .map((placed) => {
      const line = occurrenceLine(placed.content, placed.line_id as LineId, period);
      return { placed, unbilled: scaledToNumber(netOf(line, digits, []), digits) };
    })
    .sort(
      (a, b) => b.unbilled - a.unbilled || a.placed.content.position - b.placed.content.position,
    );
}

function periodPlace(
  worker: Worker,
  series: Series,
  period: SeriesPeriod,
  lines: readonly Valued[],
  idOf: ReturnType<typeof occurrenceLineIds>,
): OwnPlace {
  const group = `retainer ${series.id}`;
  return {
    group,
    count: lines.length,
    candidates(most) {
      const of_period = ofPeriod(series, period);
      const has_work = worker.worked.periods.has(periodKey(series.id, period.index));
      const attention = attentionOf({ ...of_period, ...WITHOUT_WORK }, worker.today);
      const quiet = {
        group,
        rank: rankOf(attention),
        due_on: of_period.due_on,
        customer_name: worker.names.get(series.customer_id) ?? "",
      };
      const show = ({ content }: PlacedContent, id: LineId): WorkLine => {
        const waiting = { ...of_period, line: occurrenceLine(content, id, period) };
        return ranked(worker, waiting, worker.worked.by_line.get(id) ?? []);
      };
      const found: Candidate[] = [];
      let left = most;
      for (const { placed, unbilled } of lines) {
        if (left === 0 && !has_work) break;
        const id = has_work ? idOf(placed, period.key) : null;
        if (id !== null && worker.worked.by_line.has(id)) {
          const work = show(placed, id);
          found.push({ ...work, group, show: () => work });
        } else if (left > 0) {
          left -= 1;
          const { position } = placed.content;
          const made = () => show(placed, idOf(placed, period.key));
          found.push({ ...quiet, unbilled, position, show: made });
        }
      }
      return found;
    },
  };
}

/** Within a period, lines without work differ only in amount and position. */
const WITHOUT_WORK = {
  billable_hours: 0n,
  budget_hours: null,
  amount: 0n,
  estimate: null,
  last_worked_on: null,
};

function ofPeriod(series: Series, period: SeriesPeriod): Omit<Waiting, "line"> {
  return {
    customer_id: series.customer_id,
    currency: series.currency,
    due_on: timesOf(period, series.timing).due_on,
    begun_on: period.from,
    issue_failed: series.period_events.get(period.index)?.state === "failed",
    place: {
      kind: "occurrence",
      series_id: series.id,
      series_name: series.external_id,
      period: period.key,
    },
  };
}
