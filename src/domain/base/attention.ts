/** What waits for a person: how urgent each kind is, and what is said first. */
import { addDays, type CalendarDate, mondayOf } from "./calendar.ts";
import type { Money } from "./money.ts";

/** The kinds with their ranks: what may cost money or trust today comes before what will be late in weeks. */
const attentionRanks = {
  booking_in_doubt: 1,
  delivery_failed: 2,
  delivery_unknown: 2,
  occurrence_failed: 3,
  plan_waits: 3,
  month_ready: 4,
  rate_missing: 4,
  retainer_draft: 5,
  milestone_open: 6,
  hours_missing: 6,
  work_waits: 7,
  budget: 8,
  retainer_ends: 9,
} as const;

export type AttentionKind = keyof typeof attentionRanks;

/** What orders them. */
export interface Urgent {
  readonly kind: AttentionKind;
  /** Since when it waits, or when it comes. */
  readonly since: CalendarDate;
  readonly subject_id: string;
}

/** The most urgent, at most so many: by rank, then what has waited longest. */
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

/** What a page opens with: how many go out by a day, or how many of a kind wait, with the first of them. */
export type Fact<One> =
  | { readonly fact: "going_out"; readonly count: number; readonly by: CalendarDate }
  | { readonly fact: AttentionKind; readonly count: number; readonly first: One };

const MOST_FACTS = 3;

/**
 * The strongest facts, each kind once: what goes out by itself, and then what waits in the order of its urgency. Empty
 * where nothing is to be said.
 */
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

/** The working day before a day: on a Monday the Friday. */
export function workingDayBefore(day: CalendarDate): CalendarDate {
  const before = addDays(day, -1);
  const friday = addDays(mondayOf(before), 4);
  return before > friday ? friday : before;
}

/** Something that waits, as a person is told of it. */
export interface Attention extends Urgent {
  /** What `subject_id` names: `invoice`, `recurring_series`, … */
  readonly subject: string;
  /** Number, title or sentence of the subject, and who it is about. */
  readonly title: string | null;
  readonly party: string | null;
  readonly party_id: string | null;
  /** Minor units of the currency; null where no amount says anything. */
  readonly amount: Money | null;
  readonly currency: string | null;
  /** What the kind says besides. */
  readonly detail: string | null;
}
