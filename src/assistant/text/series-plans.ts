/** The shared parts of plans of series: activation, and the effect of the scheduler after it. */
import * as z from "zod";
import { unseenWarning } from "../../domain/base/visibility.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
import { upcomingOccurrences } from "../../features/recurring/occurrences/price-periods.ts";
import { activateSeries } from "../../features/recurring/series/activate.ts";
import type { SeriesResource } from "../../features/recurring/series/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import { carryOut } from "../protocol/proposal.ts";
import { quoted } from "../protocol/words.ts";

export const activate = z.boolean().meta({
  description:
    "Activates the series: from then on its periods are issued when they fall due. Earlier due periods wait. Needs the scope mcp:issue.",
});

export async function activated(tx: PersonTx, ref: string): Promise<JsonText> {
  return (await carryOut(activateSeries, tx, { ref, past_periods: "keep" })).committed;
}

/** Returns the customer's name in quotes. */
export async function customerName(
  inside: PersonReader,
  { customer_id }: Pick<SeriesResource, "customer_id">,
): Promise<string> {
  return quoted((await getCustomer(inside, customer_id)).name);
}

export function effectsOf(is_activated: boolean, series: SeriesResource): string[] {
  const is_manual = series.issue_timing.mode === "manual";
  if (!is_activated && series.status === "active" && !is_manual) {
    return [
      "Books nothing now. The series is active: its periods are billed this way when they fall due.",
    ];
  }
  if (!is_activated) return ["Books nothing and sends nothing."];
  if (is_manual) {
    return ["Books nothing now; its periods are issued on request."];
  }
  return [
    "Books nothing now. From then on each period is booked, and e-mailed if the series has auto_send, when it falls due.",
  ];
}

/** Returns the periods that fell due before the series was activated. A person, not the scheduler, issues each. */
export async function waitingPeriods(
  inside: PersonReader,
  series: SeriesResource,
): Promise<string[]> {
  if (series.status !== "active" || series.issue_timing.mode === "manual") return [];
  const upcoming = (await upcomingOccurrences(inside, [series.id])).get(series.id);
  const first = upcoming?.apart.find((words) => words.startsWith(WAITS));
  if (first === undefined) return [];
  return [
    `Periods that fell due before today are not issued automatically, the first being ${first.slice(WAITS.length)}: plan_issue_occurrence issues one.`,
  ];
}

const WAITS = "waits ";

export function warningsOf({ caller }: PersonReader, { lines }: SeriesResource): string[] {
  return [
    ...(lines.length === 0 ? ["It has no lines yet."] : []),
    ...unseenWarning(caller.person, lines),
  ];
}
