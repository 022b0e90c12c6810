/** Ranks a person's lines by need of attention (spec 8.3), by each line's first reason in the order of `attentions`. */
import { addDays, type CalendarDate } from "../base/calendar.ts";
import { groupedBy } from "../base/group.ts";
import type { Money } from "../base/money.ts";

export const attentions = ["overdue", "failed", "due_soon", "over_budget", "stale"] as const;
export type WorkAttention = (typeof attentions)[number];

const SOON_DAYS = 7;
const STALE_DAYS = 14;

/** The properties by which a line that waits for its invoice is ranked. */
export interface WaitingLine {
  /** When its invoice falls due; null when it has no due date. */
  readonly due_on: CalendarDate | null;
  /** Whether an attempt to issue it has failed. */
  readonly issue_failed: boolean;
  readonly begun_on: CalendarDate;
  /** Billable hours of all users, in 1/100 of an hour, and the budget for them. */
  readonly billable_hours: bigint;
  readonly budget_hours: bigint | null;
  /** Minor units of the line's currency; for lines by hours, the estimate. */
  readonly amount: Money;
  readonly estimate: Money | null;
  /** The last day on which the person worked on it. */
  readonly last_worked_on: CalendarDate | null;
}

/** Lines that began before this day are stale unless the person has worked on them since. */
export const staleBefore = (today: CalendarDate): CalendarDate => addDays(today, -STALE_DAYS);

/** Returns the reasons why a line needs attention, the most pressing first. */
export function attentionOf(line: WaitingLine, today: CalendarDate): WorkAttention[] {
  const { due_on } = line;
  const stale_before = staleBefore(today);
  const is_over_hours = line.budget_hours !== null && line.billable_hours > line.budget_hours;
  const is_over_estimate = line.estimate !== null && line.amount > line.estimate;
  const worked_lately = line.last_worked_on !== null && line.last_worked_on >= stale_before;
  const holds: Record<WorkAttention, boolean> = {
    overdue: due_on !== null && due_on < today,
    failed: line.issue_failed,
    due_soon: due_on !== null && due_on >= today && due_on <= addDays(today, SOON_DAYS),
    over_budget: is_over_hours || is_over_estimate,
    stale: line.begun_on < stale_before && !worked_lately,
  };
  return attentions.filter((reason) => holds[reason]);
}

/** Returns the rank of a line, from 1 for the most pressing reason to 6 for no reason. */
export function rankOf(attention: readonly WorkAttention[]): number {
  const [first] = attention;
  return first === undefined ? attentions.length + 1 : attentions.indexOf(first) + 1;
}

/** The properties that order lines. */
export interface RankedLine {
  readonly rank: number;
  readonly due_on: CalendarDate | null;
  /** In whole units of its currency: amounts in different currencies are compared as plain numbers. */
  readonly unbilled: number;
  readonly customer_name: string;
  readonly position: number;
}

/**
 * Compares two lines; negative when the first line comes first: by rank, then the earlier due date (lines without one come
 * last), the higher unbilled amount, the customer's name, the position.
 */
export function compareLines(a: RankedLine, b: RankedLine): number {
  return (
    a.rank - b.rank ||
    compareTexts(a.due_on ?? "9999", b.due_on ?? "9999") ||
    b.unbilled - a.unbilled ||
    compareTexts(a.customer_name, b.customer_name) ||
    a.position - b.position
  );
}

/** Lines that are shown together. */
export const MOST_SHOWN = 200;
/** Lines of one group that are shown when not all lines are. */
const MOST_OF_GROUP = 20;

/** Returns how many lines of one group can be shown when this many lines wait in all. */
export function mostOfGroup(waiting: number): number {
  return waiting > MOST_SHOWN ? MOST_OF_GROUP : MOST_SHOWN;
}

interface RankedGroup<Line> {
  readonly key: string;
  readonly rank: number;
  readonly lines: readonly Line[];
}

/** Groups with the lines to show: the first lines of each group, until `most` lines are shown in all. */
export function shownGroups<Group extends { readonly lines: readonly unknown[] }>(
  groups: readonly Group[],
  most_of_group: number,
  most = MOST_SHOWN,
): Group[] {
  let left = most;
  return groups.map((group) => {
    const lines = group.lines.slice(0, Math.min(most_of_group, left));
    left -= lines.length;
    return { ...group, lines };
  });
}

/** Lines in their groups: the lines of each group by rank, groups by their best lines. */
export function rankedGroups<Line extends RankedLine>(
  lines: readonly Line[],
  groupOf: (line: Line) => string,
): RankedGroup<Line>[] {
  // Groups are created in the order of their first lines, which are their best.
  const groups = groupedBy([...lines].sort(compareLines), groupOf);
  return [...groups].map(([key, own]) => ({ key, rank: own[0]?.rank ?? 0, lines: own }));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
