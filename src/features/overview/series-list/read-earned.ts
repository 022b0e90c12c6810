/** What series have earned in periods without an invoice: the part of the contract asset that a retainer carries. */
import type { Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { MOST_LINES_AT_ONCE } from "../../recurring/series/count-waiting.ts";
import { linesOfPeriods } from "../../recurring/series/periods.ts";
import type { Series } from "../../recurring/series/series.ts";
import { waitingPeriods } from "../../revenue/revenue-facts/list-waiting.ts";
import { lineBalancesOf } from "../../revenue/revenue-facts/positions.ts";
import { factsOfCustomers } from "../../revenue/revenue-facts/read-facts.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";

/**
 * Returns what active series have earned through the current month in periods without an invoice, by the ids of the series, in
 * minor units of their currencies. Null where they have more waiting lines than one page processes.
 */
export async function earnedNotInvoiced(
  cx: Reader,
  configuration: Configuration,
  current: Month,
  many: readonly Series[],
): Promise<ReadonlyMap<string, Money> | null> {
  const active = many.filter(({ status, is_discarded }) => status === "active" && !is_discarded);
  const line_ids = await waitingIds(cx, active, current);
  if (line_ids === null) return null;
  if (line_ids.size === 0) return new Map();
  const customer_ids = [...new Set(active.map(({ customer_id }) => customer_id))];
  const facts = await factsOfCustomers(cx, customer_ids, line_ids);
  const earned = new Map<string, Money>();
  const slices = new Slices(cx.signal);
  for (const customer of facts.customers) {
    for (const { series_id, invoice_id, now } of lineBalancesOf(
      cx,
      configuration,
      facts,
      customer,
      current,
      { only: line_ids },
    )) {
      if (slices.isOver) await slices.next();
      if (series_id === null || invoice_id !== null) continue;
      const sum = now.reduce((all, one) => all + one.earned, 0n);
      earned.set(series_id, (earned.get(series_id) ?? 0n) + sum);
    }
  }
  return earned;
}

/** Returns the ids of the lines in begun periods without an invoice; null for too many. */
async function waitingIds(
  cx: Reader,
  many: readonly Series[],
  current: Month,
): Promise<ReadonlySet<string> | null> {
  const ids = new Set<string>();
  const slices = new Slices(cx.signal);
  for (const series of many) {
    const linesOf = linesOfPeriods(series);
    for (const period of waitingPeriods(series, current)) {
      if (slices.isOver) await slices.next();
      for (const { line } of linesOf(period)) ids.add(line.id);
      if (ids.size > MOST_LINES_AT_ONCE) return null;
    }
  }
  return ids;
}
