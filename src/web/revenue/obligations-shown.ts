/** Deferred revenue and remaining obligations in the form that travels to the browser: amounts are text in minor units. */
import type { Month } from "../../domain/base/calendar.ts";

export type ObligationKind = "deferred" | "remaining";

export interface ObligationsAsked {
  readonly kind: ObligationKind;
  readonly month: Month;
  /** From 1. */
  readonly page: number;
}

interface AmountsOfTime {
  /** In the order of the columns. */
  readonly cells: readonly string[];
  readonly later: string;
  readonly undated: string;
  readonly total: string;
}

export interface ObligationsShown extends ObligationsAsked {
  readonly currency: string;
  /** Months (`2026-12`) or years (`2027`). */
  readonly columns: readonly string[];
  /** One page of the customers; the sums are of all. */
  readonly rows: readonly (AmountsOfTime & {
    readonly customer_id: string;
    readonly name: string;
  })[];
  readonly row_count: number;
  readonly sums: AmountsOfTime;
  readonly without_rate: number;
}

export const ROWS_OF_OBLIGATIONS = 50;
