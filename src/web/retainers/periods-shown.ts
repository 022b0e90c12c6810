/** The next periods of a draft in the form that travels to the browser. Amounts are minor units, as decimal text. */
import type { Frequency } from "../../domain/series/period.ts";
import type { Refused } from "../browser/send.ts";

interface PeriodShown {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** The date of its invoice. */
  readonly day: string;
  readonly net: string;
}

export interface PeriodsShown {
  readonly currency: string;
  readonly every: Frequency;
  /** The net of a whole period, without lines by hours. */
  readonly each: string;
  readonly has_hours: boolean;
  readonly periods: readonly PeriodShown[];
}

/** The answer to what is typed: its periods, or why it has none yet. A form that is being typed is seldom complete. */
export type PeriodsAnswer = { readonly shown: PeriodsShown } | { readonly refused: Refused };
