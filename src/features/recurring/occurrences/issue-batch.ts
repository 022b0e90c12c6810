/**
 * Issues the due periods of many series together, in the built-in ledger: a few queries read their inputs, a few SQL statements
 * write their invoices. A refusal affects only the refused period. A batch reads and decides while the previous batch is
 * written; it writes nothing before its turn, and locks the configuration only from then on.
 */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { SeriesPeriod } from "../../../domain/series/period.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { problemFromDatabase } from "../../../platform/http/problems.ts";
import { inSlices } from "../../../platform/runtime/slices.ts";
import { fitting, LINES_AT_A_TIME } from "../../ledger/booking/book-many.ts";
import { book, isOpen } from "../../ledger/booking/booking-command.ts";
import type { IssueBasis } from "../../sales/invoices/issue-inputs.ts";
import { holdConfiguration } from "../../settings/configuration/queries.ts";
import { countLines, type LoadedSeries, lockManySeries } from "../series/queries.ts";
import type { Series } from "../series/series.ts";
import { updateDue } from "../series/store-due.ts";
import { type DecidedOccurrence, occurrenceBookable } from "./bookable.ts";
import { duePeriods } from "./find-next-due.ts";
import {
  type DraftedPeriod,
  draftPeriod,
  periodFacts,
  readPeriodBasis,
  readPeriodFacts,
} from "./issue-occurrence.ts";
import {
  afterUnissued,
  emptyPeriod,
  failedPeriod,
  storeUnissued,
  type Unissued,
} from "./store-outcomes.ts";

/** The size of a batch in periods; all due periods of the last series are included, even beyond this size. */
export const PERIODS_AT_A_TIME = 200;
/** The most missed periods of a series in one run: a mistaken start date must not cause a flood of invoices. */
export const MOST_PERIODS_OF_A_SERIES = 24;

/** The outcome of a period. */
export type PeriodOutcome = { readonly series_id: string; readonly period: string } & (
  | { readonly kind: "issued"; readonly invoice_id: string }
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
);

export interface BatchOutcome {
  readonly outcomes: readonly PeriodOutcome[];
  /** The deliveries of the invoices to send, in their order. */
  readonly delivery_ids: readonly string[];
  /** Series for which the batch had no room. */
  readonly left: readonly string[];
  /** Series that another transaction had locked. */
  readonly held: readonly string[];
  /** The size of the batch, in periods of average size. */
  readonly cost: number;
}

interface BatchInput {
  readonly series_ids: readonly string[];
  readonly today: CalendarDate;
  /** Whether to wait for series that another transaction has locked. */
  readonly waits: boolean;
  /** Whether the batch may be written after reading; resolves when that is known. */
  readonly turn: Promise<boolean>;
}

/** The due periods of the locked series of a batch. */
interface DuePeriods {
  readonly drafted: readonly DraftedPeriod[];
  /** Periods whose invoice could not be created. */
  readonly failed: readonly Unissued[];
  /** Series without a due period, because their stored due date is or was wrong. */
  readonly healed: readonly Series[];
  readonly left: readonly string[];
  readonly held: readonly string[];
}

/** Decisions about periods, with the inputs that may change before they are written. */
interface Decided {
  readonly basis: IssueBasis | null;
  readonly issued: readonly DecidedOccurrence[];
  readonly unissued: readonly Unissued[];
}

/** Issues due periods of series; null if the batch got no turn. Throws database or ledger errors of the whole batch. */
export const issueBatch = defineCommand({
  name: "issue_batch",
  access: "issue",
  input: z.custom<BatchInput>(),

  async plan(tx, { series_ids, today, waits, turn }) {
    const due = await readDue(tx, series_ids, today, waits);
    const decided = await decideAll(tx, due);
    return { due, decided, has_turn: await turn };
  },

  async commit(tx, { due, decided, has_turn }): Promise<BatchOutcome | null> {
    if (!has_turn) return null;
    const now = await decidedNow(tx, due, decided);
    const begun = now.issued.length === 0 ? [] : await book(tx, occurrenceBookable, now.issued);
    storeUnissued(tx, now.unissued);
    updateDue(tx, [...withoutIssue(now), ...due.healed]);
    return {
      outcomes: [...now.issued.map(issuedOutcome), ...now.unissued.map(unissuedOutcome)],
      delivery_ids: begun.flatMap((one) => (isOpen(one) ? [] : (one.delivery_id ?? []))),
      left: due.left,
      held: due.held,
      cost: costOf(due),
    };
  },
});

async function readDue(
  tx: Tx,
  ids: readonly string[],
  today: CalendarDate,
  waits: boolean,
): Promise<DuePeriods> {
  // Series beyond the batch are neither locked nor read, so that a batch fits into the memory of a thread.
  const lines_of = await countLines(tx, ids);
  const taken = fitting(ids, (id) => lines_of.get(id) ?? 0);
  const locked = await lockManySeries(tx, taken, waits);
  const now = tx.clock.now();
  const drafted: DraftedPeriod[] = [];
  const failed: Unissued[] = [];
  const healed: Series[] = [];
  const left: string[] = [];
  const held: string[] = [];
  let lines = 0;
  await inSlices(taken, (id) => {
    const load = locked.get(id);
    if (load === undefined) held.push(id);
    else if (drafted.length >= PERIODS_AT_A_TIME || lines >= LINES_AT_A_TIME) left.push(id);
    else {
      const loaded = loadedSafely(tx, id, load);
      if (loaded === undefined) return;
      const periods = duePeriods(loaded.series, today, now, MOST_PERIODS_OF_A_SERIES);
      if (periods.length === 0) healed.push(loaded.series);
      for (const period of periods) {
        const made = draftedSafely(tx, loaded, period);
        if (!("draft" in made)) failed.push(made);
        else {
          drafted.push(made);
          lines += made.draft.lines.length;
        }
      }
    }
  });
  return { drafted, failed, healed, left: [...left, ...ids.slice(taken.length)], held };
}

/** Returns the size of a batch in periods; a long invoice counts as several periods. */
function costOf({ drafted, failed }: DuePeriods): number {
  const lines = drafted.reduce((sum, { draft }) => sum + draft.lines.length, 0);
  const as_periods = Math.ceil((lines * PERIODS_AT_A_TIME) / LINES_AT_A_TIME);
  return Math.max(1, drafted.length + failed.length, as_periods);
}

/** Reads a series; an unreadable series stays unchanged, and does not block others. */
function loadedSafely(
  cx: Reader,
  series_id: string,
  load: () => LoadedSeries,
): LoadedSeries | undefined {
  try {
    return load();
  } catch (error) {
    cx.log.error({ err: error, series_id }, "a series could not be looked at");
    return undefined;
  }
}

function draftedSafely(
  cx: Reader,
  loaded: LoadedSeries,
  period: SeriesPeriod,
): DraftedPeriod | Unissued {
  try {
    const drafted = draftPeriod(loaded, period);
    if ("pending" in drafted) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
    return drafted;
  } catch (error) {
    return failureOf(cx, loaded.series, period, error);
  }
}

/** Decides each period by current data. A refusal affects only the refused period. */
async function decideAll(tx: Tx, { drafted, failed }: DuePeriods): Promise<Decided> {
  if (drafted.length === 0) return { basis: null, issued: [], unissued: failed };
  const { basis, inputsOf } = await readPeriodFacts(tx, drafted);
  const decided: DecidedOccurrence[] = [];
  const unissued: Unissued[] = [...failed];
  await inSlices(drafted, (one) => {
    const { loaded, period, draft } = one;
    try {
      decided.push(occurrenceBookable.decide(periodFacts(one, inputsOf(draft))));
    } catch (error) {
      const is_empty = error instanceof Problem && error.code === "INVOICE_EMPTY";
      unissued.push(
        is_empty ? emptyPeriod(loaded.series, period) : failureOf(tx, loaded.series, period, error),
      );
    }
  });
  const changed = seriesAfter(unissued);
  return { basis, issued: decided.map((one) => upon(one, changed)), unissued };
}

/**
 * Returns the decisions; makes them again when the configuration, a customer or a rate has changed, because a whole batch may
 * have been written since these were read. From here on the configuration is locked.
 */
async function decidedNow(tx: Tx, due: DuePeriods, decided: Decided): Promise<Decided> {
  if (decided.basis === null) return decided;
  holdConfiguration(tx);
  const basis = await readPeriodBasis(tx, due.drafted);
  return isDeepStrictEqual(basis, decided.basis) ? decided : decideAll(tx, due);
}

/** Returns series with their failed and skipped periods, by their ids. */
function seriesAfter(unissued: readonly Unissued[]): Map<string, Series> {
  const after = new Map<string, Series>();
  for (const one of unissued) {
    const series = after.get(one.series.id) ?? one.series;
    after.set(series.id, afterUnissued({ ...one, series }));
  }
  return after;
}

/** Returns the decision with the series as it is after the other periods of the batch. */
function upon(decided: DecidedOccurrence, after: ReadonlyMap<string, Series>): DecidedOccurrence {
  const { billed } = decided.facts;
  const series = billed === null ? undefined : after.get(billed.series.id);
  if (billed === null || series === undefined) return decided;
  return { ...decided, facts: { ...decided.facts, billed: { ...billed, series } } };
}

/** Returns the series without an issued period: the other series are written with their invoices. */
function withoutIssue({ issued, unissued }: Decided): Series[] {
  const written = new Set(issued.map(({ facts }) => facts.billed?.series.id));
  return [...seriesAfter(unissued).values()].filter(({ id }) => !written.has(id));
}

function failureOf(cx: Reader, series: Series, period: SeriesPeriod, error: unknown): Unissued {
  const { code, message } = reportFailure(cx, series.id, error);
  const before = series.period_events.get(period.index);
  const attempts = before?.state === "failed" ? before.attempts + 1 : 1;
  return failedPeriod(cx, series, period, code, attempts, message);
}

/** Returns the failure of a period for the report of the run; logs unexpected errors. */
export function reportFailure(cx: Reader, series_id: string, error: unknown) {
  const refusal = problemFromDatabase(error);
  const problem = refusal instanceof Problem ? refusal : undefined;
  if (problem === undefined) {
    cx.log.error({ err: error, series_id }, "a period could not be issued");
  }
  const code = problem?.code ?? "INTERNAL_ERROR";
  const message = problem?.message ?? "Something went wrong on our side.";
  return { kind: "failed", code, message } as const;
}

function issuedOutcome({ facts: { invoice, billed } }: DecidedOccurrence): PeriodOutcome {
  const series_id = billed?.series.id ?? "";
  const period = billed?.made_of?.period.key ?? "";
  return { kind: "issued", series_id, period, invoice_id: invoice.id };
}

function unissuedOutcome({
  series,
  period,
  period_event,
  reason,
  message,
}: Unissued): PeriodOutcome {
  const known = { series_id: series.id, period: period.key };
  return period_event.state === "skipped"
    ? { kind: "skipped", ...known, reason }
    : { kind: "failed", ...known, code: reason, message };
}
