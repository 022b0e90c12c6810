/**
 * Finds the open months for which a customer has drafts, and the closed months that the first draft carries. One pass over the
 * lines finds both and keeps no line in memory, however many there are.
 */
import { addToMonth, type Month } from "../../../domain/base/calendar.ts";
import { firstMonth, laterMonth, openRows } from "../../../domain/revenue/accrual.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { lineBalancesOf } from "../revenue-facts/positions.ts";
import type { CustomerFacts, Facts } from "../revenue-facts/read-facts.ts";

interface Drafts {
  /** The first month in which the customer has a row, current or booked; null when there is none. */
  readonly first: Month | null;
  /** The month after the last closed one, or else the first with a row. */
  readonly first_open: Month | null;
  /** The closed months whose changes the first open one would book. */
  readonly carried: ReadonlySet<Month>;
}

/** Finds the drafts of a customer by current facts, through a month; `closed_through` is the last closed month. */
export async function findDrafts(
  cx: Reader,
  configuration: Configuration,
  facts: Facts,
  customer: CustomerFacts,
  closed_through: Month | null,
  through: Month,
): Promise<Drafts> {
  const slices = new Slices(cx.signal);
  const after_closed = closed_through === null ? null : addToMonth(closed_through, 1);
  const carries_by = after_closed !== null && after_closed <= through ? after_closed : null;
  const carried = new Set<Month>();
  let first: Month | null = null;
  for (const line_balance of lineBalancesOf(cx, configuration, facts, customer, through)) {
    if (slices.isOver) await slices.next();
    const begun = firstMonth([line_balance]);
    if (begun !== null && (first === null || begun < first)) first = begun;
    if (carries_by === null) continue;
    for (const row of openRows(line_balance, carries_by, carries_by)) {
      if (row.carried) carried.add(row.month);
    }
  }
  return { first, first_open: after_closed ?? first, carried };
}

/** Returns the first month with a draft, after which every month has one; null when there is none. */
export function firstDraft({ first, first_open }: Drafts): Month | null {
  // Between the lock date and the first row there is nothing to book yet.
  return first && laterMonth(first, first_open);
}

/** Returns the earliest month that the draft of a month carries; null when the draft carries none. */
export function originalMonth({ first_open, carried }: Drafts, month: Month): Month | null {
  if (month !== first_open) return null;
  return [...carried].sort()[0] ?? null;
}
