/** Revenue in the form that travels to the browser: amounts are text in minor units of the account's currency. */
import type { Month } from "../../domain/base/calendar.ts";
import type { RecognitionMethod } from "../../domain/sales/line.ts";
import type { ExplanationShown } from "./explanation-shown.ts";
import type { FilterName, RevenueAsked } from "./revenue-address.ts";

/** Null while a closing rate is missing. */
export type AmountShown = string | null;

interface RangeMonth {
  readonly month: Month;
  /** Whether the month is closed or locked; whether it is after the current one. */
  readonly is_closed: boolean;
  readonly is_forecast: boolean;
}

/** The sums of all groups in a month, with the balances at its end. */
export interface SumsShown {
  readonly earned: AmountShown;
  readonly invoiced: AmountShown;
  readonly asset: AmountShown;
  readonly liability: AmountShown;
}

export interface RowShown {
  /** The id of the group or line; null for revenue without a person. */
  readonly id: string | null;
  /** Null for revenue without a person, and for a line that was removed. */
  readonly name: string | null;
  /** The document of a line. */
  readonly beside: string | null;
  readonly method: RecognitionMethod | null;
  /** By month; undefined-like `"0"` for a month without revenue. */
  readonly earned: readonly AmountShown[];
  readonly total: AmountShown;
  /** Whether the reader may see the lines or the explanation behind the amounts. */
  readonly opens: boolean;
}

/** A part of the bars. `name` is null for the sum of the groups without a series of their own. */
interface SeriesShown {
  readonly name: string | null;
  /** The place of the row in the matrix; null for the others. */
  readonly row: number | null;
  readonly earned: readonly string[];
}

/** The lines behind one amount. */
interface CellShown {
  readonly id: string | null;
  readonly name: string | null;
  readonly month: Month;
  readonly lines: readonly CellLine[];
  readonly more: number;
  readonly total: AmountShown;
}

export interface CellLine {
  readonly line_id: string;
  readonly text: string | null;
  readonly beside: string | null;
  readonly method: RecognitionMethod | null;
  readonly earned: AmountShown;
  readonly opens: boolean;
}

export interface RevenueShown {
  readonly asked: RevenueAsked;
  readonly currency: string;
  readonly months: readonly RangeMonth[];
  readonly sums: readonly SumsShown[];
  /** One page of the rows; `row_count` counts all. */
  readonly rows: readonly RowShown[];
  readonly row_count: number;
  readonly series: readonly SeriesShown[];
  readonly filters: readonly { readonly filter: FilterName; readonly name: string | null }[];
  readonly cell: CellShown | null;
  readonly explained: ExplanationShown | null;
  /** Whether these are the reader's own earnings: then nothing is shown of what others earned or was invoiced. */
  readonly is_own: boolean;
}
