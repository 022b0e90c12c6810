/** A matrix of revenue: a row for each group with its months, the largest first, and the groups of a chart. */
import type { Month } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";

/** What a group earned in a month; null while a closing rate is missing. */
interface GroupMonth {
  readonly month: Month;
  /** Identifies the group. */
  readonly key: string;
  readonly earned: Money | null;
}

export interface MatrixRow<Cell extends GroupMonth> {
  readonly key: string;
  /** The cells of the months; null where the group earned nothing. */
  readonly cells: readonly (Cell | null)[];
  /** Earned in all months; null while a closing rate is missing. */
  readonly total: Money | null;
}

/** Returns the rows with revenue, by their totals: the largest first, unknown totals before them, equal ones by key. */
export function matrixOf<Cell extends GroupMonth>(
  months: readonly Month[],
  cells: readonly Cell[],
): MatrixRow<Cell>[] {
  const place = new Map(months.map((month, at) => [month, at]));
  const rows = new Map<string, (Cell | null)[]>();
  for (const cell of cells) {
    const at = place.get(cell.month);
    if (at === undefined || cell.earned === 0n) continue;
    const row = rows.get(cell.key) ?? months.map(() => null);
    rows.set(cell.key, row);
    row[at] = cell;
  }
  return [...rows].map(([key, row]) => ({ key, cells: row, total: totalOf(row) })).sort(byTotal);
}

function totalOf(row: readonly (GroupMonth | null)[]): Money | null {
  let total = 0n;
  for (const cell of row) {
    if (cell === null) continue;
    if (cell.earned === null) return null;
    total += cell.earned;
  }
  return total;
}

function byTotal(a: MatrixRow<GroupMonth>, b: MatrixRow<GroupMonth>): number {
  if (a.total !== b.total) {
    if (a.total === null) return -1;
    if (b.total === null) return 1;
    return a.total > b.total ? -1 : 1;
  }
  return a.key < b.key ? -1 : 1;
}

/** A series of a chart: a group, or with `key` null the sum of all groups that have no series of their own. */
interface ChartSeries {
  readonly key: string | null;
  /** Earned by month; unknown amounts count as 0, because a bar needs a height. */
  readonly earned: readonly Money[];
}

/** Returns at most `most` series: the first rows, and if there are more rows a last series with the sum of the others. */
export function chartSeries<Cell extends GroupMonth>(
  rows: readonly MatrixRow<Cell>[],
  most: number,
): ChartSeries[] {
  const whole = rows.length <= most ? rows : rows.slice(0, most - 1);
  const series: ChartSeries[] = whole.map(({ key, cells }) => ({
    key,
    earned: cells.map((cell) => cell?.earned ?? 0n),
  }));
  const others = rows.slice(whole.length);
  const [first] = others;
  if (first === undefined) return series;
  const earned = first.cells.map((_, at) =>
    others.reduce((sum, { cells }) => sum + (cells[at]?.earned ?? 0n), 0n),
  );
  return [...series, { key: null, earned }];
}
