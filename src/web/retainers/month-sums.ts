/** Sums of the periods of all retainers by the month in which they begin, by state and by currency. */
import type { CalendarDate, Month } from "../../domain/base/calendar.ts";
import { monthOf } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { OccurrenceState } from "../../features/recurring/series/schemas.ts";

/** The states in the order in which they are shown. */
const SHOWN_STATES = ["issued", "failed", "scheduled", "skipped", "dropped"] as const;

/** The sign of each state; its word is always next to it. */
export const STATE_SIGNS: Readonly<Record<OccurrenceState, string>> = {
  issued: "●",
  scheduled: "○",
  failed: "▲",
  skipped: "–",
  dropped: "×",
};

interface PeriodToSum {
  readonly from: CalendarDate;
  readonly state: OccurrenceState;
  readonly currency: string;
  readonly net: Money;
}

/** The periods of one state in a month. Amounts are in minor units, one for each currency, in the order of the codes. */
interface StateSum {
  readonly state: OccurrenceState;
  readonly count: number;
  readonly amounts: readonly { readonly currency: string; readonly net: Money }[];
}

interface MonthSums {
  readonly month: Month;
  readonly states: readonly StateSum[];
}

/** The sums of a month in the form that travels to the browser. Amounts are minor units, as decimal text. */
export interface MonthSumsShown {
  readonly month: Month;
  readonly states: readonly {
    readonly state: OccurrenceState;
    readonly count: number;
    readonly amounts: readonly { readonly currency: string; readonly net: string }[];
  }[];
}

/** Returns the sums of a month as they travel. */
export function sumsShown({ month, states }: MonthSums): MonthSumsShown {
  return {
    month,
    states: states.map(({ amounts, ...state }) => ({
      ...state,
      amounts: amounts.map(({ currency, net }) => ({ currency, net: `${net}` })),
    })),
  };
}

/** Returns the sums of each of the months, in order; a month without periods has no states. */
export function monthSums(
  months: readonly Month[],
  periods: readonly PeriodToSum[],
): readonly MonthSums[] {
  const counts = new Map<string, number>();
  const nets = new Map<string, Map<string, Money>>();
  for (const { from, state, currency, net } of periods) {
    const key = `${monthOf(from)} ${state}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const amounts = nets.get(key) ?? new Map<string, Money>();
    amounts.set(currency, (amounts.get(currency) ?? 0n) + net);
    nets.set(key, amounts);
  }
  return months.map((month) => ({
    month,
    states: SHOWN_STATES.flatMap((state): StateSum[] => {
      const count = counts.get(`${month} ${state}`) ?? 0;
      if (count === 0) return [];
      const amounts = [...(nets.get(`${month} ${state}`) ?? [])]
        .map(([currency, net]) => ({ currency, net }))
        .sort((a, b) => (a.currency < b.currency ? -1 : 1));
      return [{ state, count, amounts }];
    }),
  }));
}
