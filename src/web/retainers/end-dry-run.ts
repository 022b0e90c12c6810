/** The end of a retainer by a dry run of the cancellation: credit notes, dropped periods with their hours, and revenue by month. */
import * as z from "zod";
import type { Money } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { SeriesPeriod } from "../../domain/series/period.ts";
import {
  openWorkOfPeriods,
  type WorkToDrop,
} from "../../features/recurring/occurrences/read-record.ts";
import { todayOf } from "../../features/recurring/series/activate.ts";
import { cancelSeries } from "../../features/recurring/series/cancel.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import { CancelBody } from "../../features/recurring/series/schemas.ts";
import {
  type CancelledMonth,
  revenueOfCancel,
} from "../../features/revenue/reports/preview-cancel.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { defineCommand } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../platform/commands/tx.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { Ref, text } from "../../platform/http/schemas.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";

/** A credit note that the end would queue. The amount is net, in minor units. */
interface CreditShown {
  readonly invoice_id: string;
  readonly period: string;
  readonly is_full: boolean;
  readonly amount: Money;
}

export interface EndShown {
  /** The last day of service after the end. */
  readonly last_day: string;
  readonly credits: readonly CreditShown[];
  readonly dropped: readonly SeriesPeriod[];
  /** The open registrations in dropped periods. */
  readonly work: readonly WorkToDrop[];
  readonly is_discarded: boolean;
  /** Null where there are too many lines to add up. */
  readonly months: readonly CancelledMonth[] | null;
  readonly digest: string;
}

interface Ending {
  readonly ref: string;
  readonly body: CancelBody;
}

type EndPlan = Awaited<ReturnType<typeof cancelSeries.plan>>;

/** Plans the cancellation and rolls it back. Throws what `cancelSeries` throws. */
export function dryRunEnd(cx: Context, ending: Ending): Promise<EndShown> {
  return dryRun(cx, async (tx) => shownOf(tx, ending, await cancelSeries.plan(tx, ending)));
}

/** Ends a retainer as it was shown. Also throws PLAN_STALE if the effect would now differ. */
export const endAsShown = defineCommand({
  ...cancelSeries,
  input: z.object({ ref: Ref, body: CancelBody, digest: text(100) }),

  async plan(tx: Tx, { digest, ...ending }: Ending & { readonly digest: string }) {
    const plan = await cancelSeries.plan(tx, ending);
    if ((await shownOf(tx, ending, plan)).digest !== digest) throw new Problem("PLAN_STALE");
    return plan;
  },
});

async function shownOf(tx: Tx, { ref, body }: Ending, plan: EndPlan): Promise<EndShown> {
  const { series } = await getSeries(tx, ref);
  const { after, credit_notes, dropped } = plan;
  const [configuration, today] = await Promise.all([getConfiguration(tx), todayOf(tx)]);
  const periods = new Map(
    [...series.period_events.values()].flatMap((event) =>
      "invoice_id" in event ? [[event.invoice_id, event.period] as const] : [],
    ),
  );
  const indexes = dropped.map(({ index }) => index);
  const shown = {
    last_day: after.end_date ?? today,
    credits: credit_notes.map((note) => ({
      invoice_id: note.invoice_id,
      period: periods.get(note.invoice_id) ?? "",
      is_full: note.kind === "full",
      amount: note.lines.reduce((sum, { amount }) => sum + amount, 0n),
    })),
    dropped,
    work: await openWorkOfPeriods(tx, series.id, indexes),
    is_discarded: after.is_discarded,
    months:
      series.status === "draft"
        ? []
        : await revenueOfCancel(tx, configuration, { before: series, after, credit_notes }, today),
  };
  const version = await versionOf(tx, "recurring_series", ref);
  const digest = sha256(freeze([shown, body, version])).toString("base64url");
  return { ...shown, digest };
}
