/** Adds up the months of all retainers for their strip, at once or, for an account with many, after the page has loaded. */
import * as z from "zod";
import {
  addToMonth,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOf,
  monthsFrom,
} from "../../domain/base/calendar.ts";
import { countPeriods } from "../../domain/series/period.ts";
import { seriesWithin } from "../../features/overview/series-list/list-placed-series.ts";
import { periodsInRanges } from "../../features/recurring/occurrences/price-range.ts";
import { findManySeries } from "../../features/recurring/series/queries.ts";
import { type Series, uncancelled } from "../../features/recurring/series/series.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext, PersonReader } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { type MonthSumsShown, monthSums, sumsShown } from "./month-sums.ts";

const MONTHS_BACK = 6;
const MONTHS_AHEAD = 12;

/** The most retainers whose months are added up before the page is sent. */
export const MOST_AT_ONCE = 60;

/** Returns the months of the strip: six back and twelve ahead. */
function stripMonths(current: Month): readonly Month[] {
  return monthsFrom(addToMonth(current, -MONTHS_BACK), addToMonth(current, MONTHS_AHEAD));
}

/** Returns the ids of the retainers with a period in the strip, within the view of the reader; of one customer, where given. */
export function seriesOfStrip(
  cx: PersonReader,
  current: Month,
  customer_id: string | null,
): Promise<string[]> {
  const months = stripMonths(current);
  const [first = current, last = current] = [months[0], months.at(-1)];
  return seriesWithin(cx, firstDayOf(first), lastDayOf(last), customer_id);
}

/** Returns the periods of retainers that begin in the months of the strip, added up by month and state. */
export async function sumsOfStrip(
  cx: PersonReader,
  current: Month,
  many: readonly Series[],
): Promise<readonly MonthSumsShown[]> {
  const months = stripMonths(current);
  const before = lastDayOf(addToMonth(months[0] ?? current, -1));
  const last = lastDayOf(months.at(-1) ?? current);
  const periods = await periodsInRanges(cx, many, (series) => {
    const whole = uncancelled(series);
    return { first: countPeriods(whole, before), end: countPeriods(whole, last) };
  });
  const sums = monthSums(
    months,
    periods.map(({ series, period, state, net }) => ({
      from: period.from,
      state,
      currency: series.currency,
      net,
    })),
  );
  return sums.map(sumsShown);
}

async function addedUp(
  cx: PersonContext,
  { customer_id }: { readonly customer_id: string | null },
): Promise<readonly MonthSumsShown[]> {
  const { time_zone } = await getConfiguration(cx);
  const current = monthOf(todayIn(cx.clock, time_zone));
  return reading(cx, async (inside) => {
    const ids = await seriesOfStrip(inside, current, customer_id);
    return sumsOfStrip(inside, current, [...(await findManySeries(inside, ids)).values()]);
  });
}

export const stripActions: readonly Action[] = [
  defineAction(
    "/app/retainers/strip",
    "person",
    z.object({ customer_id: Uuid.nullable() }),
    addedUp,
  ),
];
