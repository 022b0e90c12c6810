/** Sums the rows of a grouping over all months of the range, the highest earnings first: who earned most this year. */
import type { Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { cursorFrom, positionFrom, type RowsOfPage } from "../../../platform/database/page.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { currentMonth } from "../accruals/queries.ts";
import { type ReportEntry, scopeOf } from "../reports/report.ts";
import { type Entry, groupsOf, withScheduled } from "../reports/report-groups.ts";
import type { RecognitionQuery } from "../reports/schemas.ts";
import { scheduledEntries } from "./list-scheduled.ts";

/**
 * Returns a page of groups in functional currency, each summed over the months of the range; `month` is the last of them, and
 * contract balances are those at its end. A filter with an unknown reference gives an empty list.
 */
export async function pageOfSums(
  cx: Reader,
  page: RecognitionQuery,
): Promise<RowsOfPage<ReportEntry>> {
  const scope = await scopeOf(cx, page);
  if (scope === undefined) return { rows: [], next_cursor: null };
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  const { from, to, group_by } = page;
  const months = await groupsOf(cx, configuration, page, scope, from, to);
  const ahead = { from: from > current ? from : current, to };
  const scheduled =
    current <= to ? await scheduledEntries(cx, configuration, scope, group_by, ahead) : [];
  const after = page.cursor === undefined ? null : positionFrom(page.cursor, POSITION).id;
  const sums = summed(withScheduled(months, scheduled), to).sort(byEarned);
  const rest = after === null ? sums : sums.filter((sum) => isAfter(sum, after));
  const rows = rest.slice(0, page.limit);
  const last = rest.length > rows.length ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => ({ ...row, forecast: from > current })),
    next_cursor: last ? cursorFrom({ id: placeOf(last), horizon: null }) : null,
  };
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const POSITION = new RegExp(`^(?:-?\\d{1,30}|-) (?:${UUID}|-)$`);

function placeOf({ earned, key }: Entry): string {
  return `${earned ?? "-"} ${key}`;
}

function isAfter(sum: Entry, place: string): boolean {
  const [earned = "-", key = ""] = place.split(" ");
  return byEarned(sum, { earned: earned === "-" ? null : BigInt(earned), key }) > 0;
}

type Placed = Pick<Entry, "earned" | "key">;

/** The order of the rows: the highest amount first, unknown amounts last. */
function byEarned(a: Placed, b: Placed): number {
  if (a.earned !== b.earned) {
    if (a.earned === null) return 1;
    if (b.earned === null) return -1;
    return a.earned > b.earned ? -1 : 1;
  }
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

/** Sums the months of each group; a balance is the one of the last month. Nothing is both invoiced and scheduled in a sum. */
function summed(entries: readonly Entry[], to: Month): Entry[] {
  const sums = new Map<string, Entry>();
  for (const { scheduled_ahead = 0n, ...entry } of entries) {
    const { key, month } = entry;
    const { asset, liability } = month === to ? entry : { asset: 0n, liability: 0n };
    const is_twice = month < to && entry.scheduled != null;
    const scheduled = is_twice ? (entry.scheduled ?? 0n) - scheduled_ahead : entry.scheduled;
    const one = {
      ...entry,
      month: to,
      asset,
      liability,
      ...(scheduled !== undefined && { scheduled }),
    };
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? one : added(sum, one));
  }
  return [...sums.values()];
}

function added(sum: Entry, one: Entry): Entry {
  const scheduled = both(sum.scheduled ?? 0n, one.scheduled ?? 0n);
  const is_unknown = sum.scheduled === null || one.scheduled === null;
  return {
    ...sum,
    earned: both(sum.earned, one.earned),
    invoiced: both(sum.invoiced, one.invoiced),
    asset: both(sum.asset, one.asset),
    liability: both(sum.liability, one.liability),
    hours: sum.hours + one.hours,
    scheduled: is_unknown ? null : scheduled,
  };
}

function both(a: Money | null, b: Money | null): Money | null {
  return a === null || b === null ? null : a + b;
}
