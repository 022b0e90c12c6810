/** Computes revenue as pages show it: the groups with their months, and the sums of all groups by month, in one pass. */
import { type Month, monthsFrom } from "../../../domain/base/calendar.ts";
import { type MatrixRow, matrixOf } from "../../../domain/revenue/matrix.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { scopeOf } from "./report.ts";
import { type Entry, type GroupCell, sumsOf } from "./report-groups.ts";
import type { Basis, Grouping, RecognitionQuery } from "./schemas.ts";

/** The filters of `GET /recognition`, by which a page shows revenue. */
export interface MatrixQuery
  extends Pick<RecognitionQuery, "customer" | "series" | "invoice" | "user" | "product"> {
  readonly group_by: Exclude<Grouping, "month">;
  readonly basis: Basis;
  readonly from: Month;
  readonly to: Month;
}

export interface RevenueMatrix {
  readonly months: readonly Month[];
  readonly rows: readonly MatrixRow<Entry>[];
  /** The sums of all rows by month, with the balances netted by contract; null for a month without amounts. */
  readonly sums: readonly (Entry | null)[];
  /** The lines behind one amount, the largest first. */
  readonly lines: readonly Entry[];
}

/**
 * Returns the revenue of a range, in functional currency, with the lines behind one of its amounts. A filter with an unknown
 * reference gives no rows.
 */
export async function readMatrix(
  cx: Reader,
  configuration: Configuration,
  query: MatrixQuery,
  cell: Pick<GroupCell, "group" | "month"> | null,
): Promise<RevenueMatrix> {
  const { from, to, basis, group_by } = query;
  const months = monthsFrom(from, to);
  const scope = await scopeOf(cx, query);
  if (scope === undefined) return { months, rows: [], sums: months.map(() => null), lines: [] };
  const [groups = [], sums = [], lines = []] = await sumsOf(
    cx,
    configuration,
    basis,
    [group_by, "month"],
    scope,
    from,
    to,
    cell && { ...cell, group_by },
  );
  const by_month = new Map(sums.map((entry) => [entry.month, entry]));
  return {
    months,
    rows: matrixOf(months, groups),
    sums: months.map((month) => by_month.get(month) ?? null),
    lines:
      cell === null ? [] : matrixOf([cell.month], lines).flatMap(({ cells }) => cells[0] ?? []),
  };
}
