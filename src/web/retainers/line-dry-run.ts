/** Changes of a line of a retainer by a dry run of the commands: what each scope would touch, with old and new amounts. */
import { groupedBy } from "../../domain/base/group.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { SeriesPeriod } from "../../domain/series/period.ts";
import { type Scope, scopes } from "../../domain/series/series.ts";
import { periodsInRanges } from "../../features/recurring/occurrences/price-range.ts";
import {
  addSeriesLine,
  changeSeriesLine,
  removeSeriesLine,
} from "../../features/recurring/series/edit-line.ts";
import { requirePeriod } from "../../features/recurring/series/periods.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import type { LineAdd, LineChange } from "../../features/recurring/series/schemas.ts";
import { firstOpen, type Series } from "../../features/recurring/series/series.ts";
import { type Command, run } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../platform/commands/tx.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import { refusedBy } from "../frame/submitted.ts";
import { type Refusal, refusalOf } from "../words/refusal.ts";
import { comparedShown, type EffectShown, type LineEffectShown } from "./line-shown.ts";
import { type ComparedPeriod, isTouched } from "./touched.ts";

/** The periods of a card: some before the first one that may change, and a year of months after it. */
const PERIODS_BEFORE = 5;
const PERIODS_AFTER = 12;

/** What is done to a line. */
export type LineDeed =
  | { readonly kind: "add"; readonly line: LineAdd["line"] }
  | { readonly kind: "change"; readonly line_id: string; readonly line: LineChange["line"] }
  | { readonly kind: "remove"; readonly line_id: string };

/** The effect of a change under one scope, or why it is refused. `touched` are the indexes of periods that change. */
type ScopeEffect = { readonly scope: Scope } & (
  | { readonly refusal: Refusal }
  | { readonly periods: readonly ComparedPeriod[]; readonly touched: ReadonlySet<number> }
);

export interface LineChangeShown {
  readonly effects: readonly ScopeEffect[];
  readonly start: SeriesPeriod;
  readonly digest: string;
}

/** Plans the change under each scope and rolls it back. Throws the refusals of the command that no scope can avoid. */
export function dryRunLine(
  cx: Context,
  ref: string,
  deed: LineDeed,
  period: string | undefined,
): Promise<LineChangeShown> {
  return dryRun(cx, (tx) => shownOf(tx, ref, deed, period));
}

/** Changes a line as it was shown. Throws what the command throws, and PLAN_STALE if the effect would now differ. */
export function editLineAsShown(
  cx: Context,
  ref: string,
  deed: LineDeed,
  { scope, period, digest }: { scope: Scope; period: string | undefined; digest: string },
): Promise<unknown> {
  const check = async (tx: Tx): Promise<void> => {
    if ((await shownOf(tx, ref, deed, period)).digest !== digest) throw new Problem("PLAN_STALE");
  };
  return editLine(cx, ref, deed, scope, period, check);
}

/** Changes a line of a draft in all of its periods. Throws what the command throws. */
export function editDraftLine(cx: Context, ref: string, deed: LineDeed): Promise<unknown> {
  return editLine(cx, ref, deed, "all", undefined, async () => {});
}

function editLine(
  cx: Context,
  ref: string,
  deed: LineDeed,
  scope: Scope,
  period: string | undefined,
  check: (tx: Tx) => Promise<void>,
): Promise<unknown> {
  const at = period === undefined ? {} : { period };
  switch (deed.kind) {
    case "add":
      return run(checked(addSeriesLine, check), cx, {
        ref,
        edit: { scope, line: deed.line, ...at },
      });
    case "change": {
      const { line_id, line } = deed;
      return run(checked(changeSeriesLine, check), cx, {
        ref,
        line_id,
        edit: { scope, line, ...at },
      });
    }
    case "remove":
      return run(checked(removeSeriesLine, check), cx, {
        ref,
        line_id: deed.line_id,
        scope,
        ...at,
      });
  }
}

/** Returns the command with a check before its plan, under the same locks. */
function checked<Input, Plan, Committed>(
  command: Command<Input, Plan, Committed, Committed>,
  check: (tx: Tx) => Promise<void>,
): Command<Input, Plan, Committed, Committed> {
  return {
    ...command,
    async plan(tx, input) {
      const plan = await command.plan(tx, input);
      await check(tx);
      return plan;
    },
  };
}

async function shownOf(
  tx: Tx,
  ref: string,
  deed: LineDeed,
  period: string | undefined,
): Promise<LineChangeShown> {
  const { series } = await getSeries(tx, ref);
  const open = firstOpen(series);
  if (open === undefined) throw new Problem("SERIES_HAS_NO_OPEN_OCCURRENCE");
  const start = period === undefined ? open : requirePeriod(series, period);
  const plans: Planned[] = [];
  for (const scope of scopes) plans.push(await planned(tx, series.id, deed, scope, start.key));
  const effects = await effectsOf(tx, series, deed, plans, start, open.index);
  const version = await versionOf(tx, "recurring_series", ref);
  const counted = effects.map((effect) =>
    "touched" in effect ? { ...effect, touched: [...effect.touched] } : effect,
  );
  const digest = sha256(freeze([deed, start.key, counted, version])).toString("base64url");
  return { effects, start, digest };
}

type Planned = { readonly scope: Scope } & (
  | { readonly series: Series }
  | { readonly refusal: Refusal }
);

/** Compares the periods of the series before and after each plan. They are priced together, with few statements. */
async function effectsOf(
  tx: Tx,
  series: Series,
  deed: LineDeed,
  plans: readonly Planned[],
  start: SeriesPeriod,
  first_open: number,
): Promise<ScopeEffect[]> {
  const range = {
    first: Math.max(0, Math.min(first_open, start.index) - PERIODS_BEFORE),
    end: start.index + PERIODS_AFTER,
  };
  const changed = plans.flatMap((plan) => ("series" in plan ? [plan.series] : []));
  const priced = groupedBy(
    await periodsInRanges(tx, [series, ...changed], () => range),
    (one) => one.series,
  );
  const line_id = deed.kind === "add" ? null : deed.line_id;
  const line = series.lines.find((one) => one.line_id === line_id);
  const overridden = new Set(line?.overrides.keys() ?? []);
  return plans.map((plan): ScopeEffect => {
    if ("refusal" in plan) return plan;
    const { scope } = plan;
    const after = priced.get(plan.series) ?? [];
    const periods = (priced.get(series) ?? []).map(({ period, state, net }, at): ComparedPeriod => {
      const { index, key } = period;
      return { index, key, state, before: net, after: after[at]?.net ?? net };
    });
    const touches = { scope, start: start.index, first_open, overridden };
    const touched = periods.filter((one) => isTouched(touches, one)).map(({ index }) => index);
    return { scope, periods, touched: new Set(touched) };
  });
}

/** Returns the series after the change, or why this scope refuses it. */
async function planned(
  tx: Tx,
  ref: string,
  deed: LineDeed,
  scope: Scope,
  period: string,
): Promise<Planned> {
  try {
    const { loaded } = await planOf(tx, ref, deed, scope, period);
    return { scope, series: loaded.series };
  } catch (thrown) {
    // The caller knows the line: it is only absent from the periods of this scope.
    const is_absent = thrown instanceof Problem && thrown.code === "NOT_FOUND";
    const problem = is_absent ? thrown : refusedBy(thrown);
    // Faults of the fields are shown at the fields: the caller shows no scope then.
    if (problem.extras.field_errors !== undefined) throw problem;
    return { scope, refusal: refusalOf(problem) };
  }
}

function planOf(tx: Tx, ref: string, deed: LineDeed, scope: Scope, period: string) {
  switch (deed.kind) {
    case "add":
      return addSeriesLine.plan(tx, { ref, edit: { scope, line: deed.line, period } });
    case "change": {
      const { line_id, line } = deed;
      return changeSeriesLine.plan(tx, { ref, line_id, edit: { scope, line, period } });
    }
    case "remove":
      return removeSeriesLine.plan(tx, { ref, line_id: deed.line_id, scope, period });
  }
}

/** Returns the effect of a change as it travels to the browser. */
export function lineShown({ effects, start, digest }: LineChangeShown): LineEffectShown {
  return {
    start: start.key,
    digest,
    effects: effects.map((effect): EffectShown => {
      if ("refusal" in effect) return { scope: effect.scope, refusal: effect.refusal };
      const { scope, periods, touched } = effect;
      return { scope, periods: periods.map((one) => comparedShown(one, touched.has(one.index))) };
    }),
  };
}
