/**
 * Of which open months a customer has drafts, and what the first of them carries: known from one look at each line, so
 * that nothing is kept of lines, however many they are.
 */
import { addToMonth, type Month } from "../../../domain/base/calendar.ts";
import { firstMonth, laterMonth, openRows } from "../../../domain/revenue/accrual.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { piecesOf } from "../revenue-facts/positions.ts";
import type { CustomerFacts, Facts } from "../revenue-facts/read-facts.ts";

interface Drafts {
  /** The first month in which the customer has a row, now or booked; null when there is none. */
  readonly first: Month | null;
  /** The month after the last closed one, else the first with a row. */
  readonly first_open: Month | null;
  /** The closed months of which the first open one would book something. */
  readonly carried: ReadonlySet<Month>;
}

/** The drafts of a customer as the facts are now, through a month; `closed_through` is the last closed one. */
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
  for (const piece of piecesOf(cx, configuration, facts, customer, through)) {
    if (slices.isOver) await slices.next();
    const begun = firstMonth([piece]);
    if (begun !== null && (first === null || begun < first)) first = begun;
    if (carries_by === null) continue;
    for (const row of openRows(piece, carries_by, carries_by)) {
      if (row.carried) carried.add(row.month);
    }
  }
  return { first, first_open: after_closed ?? first, carried };
}

/** The first month of which there is a draft, and there is one of each after it; null for none. */
export function firstDraft({ first, first_open }: Drafts): Month | null {
  // Between the lock date and the first row there is nothing to book yet.
  return first && laterMonth(first, first_open);
}

/** The earliest month that the draft of a month carries; null where it carries none. */
export function originalMonth({ first_open, carried }: Drafts, month: Month): Month | null {
  if (month !== first_open) return null;
  return [...carried].sort()[0] ?? null;
}
