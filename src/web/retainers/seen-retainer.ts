/** A retainer within the view of the reader, with what every page of it shows. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { notFound, Problem } from "../../domain/base/problem.ts";
import type { SeriesPeriod } from "../../domain/series/period.ts";
import { linesAt } from "../../domain/series/series.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
import { requirePeriod } from "../../features/recurring/series/periods.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import { effectiveIndex, firstOpen, type Series } from "../../features/recurring/series/series.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { isSeen, requireSeen } from "../frame/seen.ts";

export const RETAINERS = "/retainers";

export interface SeenRetainer {
  readonly series: Series;
  readonly customer: Awaited<ReturnType<typeof getCustomer>>;
  readonly configuration: Configuration;
  readonly today: CalendarDate;
  /** The text of the first line; the customer's name without one. */
  readonly title: string;
  /** The address of the customer's page; null for a person who sees the retainer and not its customer. */
  readonly customer_href: string | null;
}

/** Returns a retainer that the person sees. Throws NOT_FOUND. */
export async function seenRetainer(cx: PersonContext, id: string): Promise<SeenRetainer> {
  await requireSeen(cx, "recurring_series", id);
  const [{ series }, configuration] = await Promise.all([getSeries(cx, id), getConfiguration(cx)]);
  const customer = await getCustomer(cx, series.customer_id);
  const is_customer_seen = await isSeen(cx, "customer", customer.id);
  return {
    series,
    customer,
    configuration,
    today: todayIn(cx.clock, configuration.time_zone),
    title: titleOf(series) ?? customer.name,
    customer_href: is_customer_seen ? `/customers/${customer.id}` : null,
  };
}

/** Whether the lines may change: not after a cancellation, nor without an open period. */
export function mayChangeLines(series: Series): boolean {
  return series.cancelled_at === null && firstOpen(series) !== undefined;
}

/** Returns the text of the first effective line; null without lines. */
function titleOf(series: Series): string | null {
  const [first] = linesAt(series.lines, effectiveIndex(series), "effective");
  return first ? (first.content.description_override ?? first.content.product_name) : null;
}

/** Returns the period that an address names. Throws NOT_FOUND, also for a text that names no period. */
export function periodIn(series: Series, text = ""): SeriesPeriod {
  try {
    return requirePeriod(series, text);
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === "MALFORMED_REQUEST") {
      throw notFound("occurrence", text);
    }
    throw thrown;
  }
}
