/** The items that wait for a person: how urgent each kind is, and which facts a page states first. */
import { addDays, type CalendarDate, mondayOf } from "./calendar.ts";
import type { Money } from "./money.ts";

/** The kinds with their ranks: risks to money or trust today come before work that will be late in weeks. */
const attentionRanks = {
  booking_in_doubt: 1,
  delivery_failed: 2,
  delivery_rejected: 2,
  delivery_unknown: 2,
  buyer_answered: 2,
  delivery_unconfirmed: 3,
  occurrence_failed: 3,
  plan_waits: 3,
  webhook_failing: 3,
  webhook_disabled: 3,
  month_ready: 4,
  rate_missing: 4,
  bank_lines_wait: 4,
  payments_overdue: 5,
  retainer_draft: 5,
  receivables_not_begun: 6,
  milestone_open: 6,
  hours_missing: 6,
  work_waits: 7,
  credit_waits: 8,
  budget: 8,
  retainer_ends: 9,
} as const;

export type AttentionKind = keyof typeof attentionRanks;

/** The properties that order items. */
export interface Urgent {
  readonly kind: AttentionKind;
  /** The day since when the item waits, or on which it comes. */
  readonly since: CalendarDate;
  readonly subject_id: string;
}

/** Returns the most urgent items, at most `most`: by rank, then those that have waited longest. */
export function mostUrgent<One extends Urgent>(found: readonly One[], most: number): One[] {
  return [...found].sort(compareUrgency).slice(0, most);
}

function compareUrgency(one: Urgent, other: Urgent): number {
  return (
    attentionRanks[one.kind] - attentionRanks[other.kind] ||
    compareTexts(one.since, other.since) ||
    compareTexts(one.subject_id, other.subject_id)
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A statement at the top of a page: how many documents go out by a day, or how many items of a kind wait. */
export type Fact<One> =
  | { readonly fact: "going_out"; readonly count: number; readonly by: CalendarDate }
  | { readonly fact: AttentionKind; readonly count: number; readonly first: One };

const MOST_FACTS = 3;

/** Returns the strongest facts, each kind once: documents that go out automatically, then waiting items by urgency. */
export function strongestFacts<One extends Urgent>(
  waiting: readonly One[],
  going_out: readonly { readonly due_on: CalendarDate }[],
): Fact<One>[] {
  const facts: Fact<One>[] = [];
  const last = going_out.at(-1);
  if (last !== undefined) {
    facts.push({ fact: "going_out", count: going_out.length, by: last.due_on });
  }
  for (const one of [...waiting].sort(compareUrgency)) {
    if (facts.some(({ fact }) => fact === one.kind)) continue;
    const count = waiting.filter(({ kind }) => kind === one.kind).length;
    facts.push({ fact: one.kind, count, first: one });
  }
  return facts.slice(0, MOST_FACTS);
}

/** The working day before a day; for a Monday, the Friday. */
export function workingDayBefore(day: CalendarDate): CalendarDate {
  const before = addDays(day, -1);
  const friday = addDays(mondayOf(before), 4);
  return before > friday ? friday : before;
}

/** An item that waits, as a person sees it. */
export interface Attention extends Urgent {
  /** The kind of resource that `subject_id` names: `invoice`, `recurring_series`, … */
  readonly subject: string;
  /** Number, title or sentence of the subject, and the customer or person that it is about. */
  readonly title: string | null;
  readonly party: string | null;
  readonly party_id: string | null;
  /** Minor units of the currency; null when no amount is useful. */
  readonly amount: Money | null;
  readonly currency: string | null;
  /** Further information that depends on the kind. */
  readonly detail: string | null;
}
