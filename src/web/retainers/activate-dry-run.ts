/** The activation of a retainer by a dry run of the command: what goes out at once, what waits for a person, and what is next. */
import * as z from "zod";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import { countPeriods, timesOf } from "../../domain/series/period.ts";
import { nextDue } from "../../features/recurring/occurrences/find-next-due.ts";
import { periodsInRanges } from "../../features/recurring/occurrences/price-range.ts";
import { activateSeries, todayOf } from "../../features/recurring/series/activate.ts";
import type { Series } from "../../features/recurring/series/series.ts";
import { defineCommand } from "../../platform/commands/command.ts";
import type { Context, Reader } from "../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../platform/commands/tx.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { Ref, text } from "../../platform/http/schemas.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";

export const pastChoices = ["keep", "skip"] as const;
export type PastChoice = (typeof pastChoices)[number];

/** A period with its net amount in minor units and the planned date of its invoice. */
interface ActivatedPeriod {
  readonly key: string;
  readonly day: CalendarDate;
  readonly net: Money;
}

/** The effect of an activation under one choice for the periods that have passed. */
export interface ActivationEffect {
  /** Fall due today: the scheduler issues them within the hour. */
  readonly out: readonly ActivatedPeriod[];
  /** Fell due before today: they wait for a person. */
  readonly late: readonly ActivatedPeriod[];
  /** The first period that falls due later; null where none does. */
  readonly next: ActivatedPeriod | null;
}

export interface ActivationShown {
  /** The number of periods that ended before today. */
  readonly past: number;
  readonly effects: Readonly<Record<PastChoice, ActivationEffect>>;
  readonly digest: string;
}

/** Runs the activation under both choices and rolls it back. Throws what `activateSeries` throws. */
export function dryRunActivation(cx: Context, ref: string): Promise<ActivationShown> {
  return dryRun(cx, (tx) => activationOf(tx, ref));
}

/** Activates a series as shown. Also throws PLAN_STALE if the effect would now differ. */
export const activateAsShown = defineCommand({
  ...activateSeries,
  input: z.object({ ref: Ref, past_periods: z.enum(pastChoices), digest: text(100) }),

  async plan(
    tx: Tx,
    sent: { readonly ref: string; readonly past_periods: PastChoice; readonly digest: string },
  ) {
    const plan = await activateSeries.plan(tx, sent);
    if ((await activationOf(tx, sent.ref)).digest !== sent.digest) throw new Problem("PLAN_STALE");
    return plan;
  },
});

async function activationOf(tx: Tx, ref: string): Promise<ActivationShown> {
  const keep = await activateSeries.plan(tx, { ref, past_periods: "keep" });
  const skip = await activateSeries.plan(tx, { ref, past_periods: "skip" });
  const today = await todayOf(tx);
  const effects = {
    keep: await effectOf(tx, keep.after, today),
    skip: await effectOf(tx, skip.after, today),
  };
  const shown = { past: skip.skipped.length, effects };
  const version = await versionOf(tx, "recurring_series", ref);
  return { ...shown, digest: sha256(freeze([shown, version])).toString("base64url") };
}

async function effectOf(
  cx: Reader,
  series: Series,
  today: CalendarDate,
): Promise<ActivationEffect> {
  const begun = countPeriods(series, today);
  const upcoming = nextAfter(series, today);
  const end = Math.max(begun, (upcoming ?? -1) + 1);
  const periods = await periodsInRanges(cx, [series], () => ({ first: 0, end }));
  const out: ActivatedPeriod[] = [];
  const late: ActivatedPeriod[] = [];
  let next: ActivatedPeriod | null = null;
  for (const { period, state, net } of periods) {
    if (state !== "scheduled") continue;
    const { due_on, issue_date: day } = timesOf(period, series.timing);
    const one = { key: period.key, day, net };
    if (due_on !== null && due_on === today) out.push(one);
    else if (due_on !== null && due_on < today) late.push(one);
    else if (due_on === null && period.to < today) late.push(one);
    else if (due_on !== null && period.index === upcoming) next = one;
  }
  return { out, late, next };
}

/** Returns the index of the first waiting period that falls due after today; undefined where none does. */
function nextAfter(series: Series, today: CalendarDate): number | undefined {
  const tried = new Set<number>();
  for (;;) {
    const due = nextDue(series, "9999-12-31" as CalendarDate, "", tried);
    if (due === undefined) return undefined;
    const { due_on } = timesOf(due, series.timing);
    if (due_on !== null && due_on > today) return due.index;
    tried.add(due.index);
  }
}
