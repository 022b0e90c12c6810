/**
 * Explains why the revenue of a line in a month differs from what was booked: by the facts that came after the booking, one after
 * another. The causes always add up to the difference.
 */
import type { Month } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { type ForeignLine, functionalMonths } from "./functional.ts";
import { earnedMonths, type LineFacts, type WorkedHours } from "./recognition.ts";
import type { Convention } from "./spread.ts";

/** The causes within a line, in the order in which they are applied. */
export type LineCause =
  | "changed"
  | "new_invoice"
  | "hours_registered"
  | "hours_changed"
  | "completed"
  | "issued"
  | "credit_note";

/** A line as it is known now, and which of its facts came after the booking. */
export interface DatedLine {
  /** Null for a line that no longer belongs to the customer. */
  readonly facts: LineFacts | null;
  readonly foreign: ForeignLine | null;
  readonly work: WorkAround;
  /** Whether the invoice of the line was made after the booking. */
  readonly is_new: boolean;
  readonly is_issued_late: boolean;
  readonly is_completed_late: boolean;
  /** For each of the credits in `facts`, its id if it came after the booking, otherwise null. */
  readonly late_credits: readonly (string | null)[];
}

/** The work on a line, invoiced or not: at the booking, with what was registered since, and as it is now. */
export interface WorkAround {
  readonly before: readonly WorkedHours[];
  readonly with_registered: readonly WorkedHours[];
  readonly now: readonly WorkedHours[];
}

/** A part of a difference in minor units of the currency of the books; with the credit note that causes it. */
interface DifferencePart {
  readonly cause: LineCause;
  readonly credit_note_id: string | null;
  readonly amount: Money;
}

/**
 * Returns the parts of what a line earns in a month now, less what is booked. Parts of 0 are left out. Null while a closing rate is
 * missing.
 */
export function partsOfDifference(
  line: DatedLine,
  convention: Convention,
  month: Month,
  booked: Money,
): DifferencePart[] | null {
  const parts: DifferencePart[] = [];
  let before = booked;
  for (const { cause, credit_note_id = null, facts } of statesOf(line)) {
    const now = facts === null ? 0n : earnedIn(facts, line, convention, month);
    if (now === null) return null;
    if (now !== before) parts.push({ cause, credit_note_id, amount: now - before });
    before = now;
  }
  return parts;
}

interface State {
  readonly cause: LineCause;
  readonly credit_note_id?: string;
  readonly facts: LineFacts | null;
}

/** Yields the line with more and more of its late facts: the first state is that of the booking, the last the present one. */
function* statesOf({ facts: now, work, ...late }: DatedLine): Generator<State> {
  if (now === null) {
    yield { cause: "changed", facts: null };
    return;
  }
  const early = now.credits.filter((_, index) => (late.late_credits[index] ?? null) === null);
  const issued = { ...now, credits: early };
  if (late.is_new) {
    yield { cause: "changed", facts: null };
    yield { cause: "new_invoice", facts: issued };
  } else {
    const waiting = { issue_date: null, amount: null };
    const begun = late.is_issued_late ? { ...issued, ...waiting } : issued;
    // Work counts until the issue freezes what it has earned.
    const measured = begun.issue_date === null ? null : now.measured;
    const completed_on = late.is_completed_late ? null : now.completed_on;
    const first = { ...begun, measured, completed_on };
    yield { cause: "changed", facts: { ...first, worked: work.before } };
    yield { cause: "hours_registered", facts: { ...first, worked: work.with_registered } };
    yield { cause: "hours_changed", facts: { ...first, worked: work.now } };
    const { completed_on: completion } = now;
    yield { cause: "completed", facts: { ...first, worked: work.now, completed_on: completion } };
    yield { cause: "issued", facts: issued };
  }
  const credits = [...early];
  for (const [index, credit] of now.credits.entries()) {
    const credit_note_id = late.late_credits[index] ?? null;
    if (credit_note_id === null) continue;
    credits.push(credit);
    yield { cause: "credit_note", credit_note_id, facts: { ...now, credits: [...credits] } };
  }
}

/** Returns what a line earns in a month in the currency of the books; null while a closing rate is missing. */
function earnedIn(
  facts: LineFacts,
  { facts: now, foreign }: DatedLine,
  convention: Convention,
  month: Month,
): Money | null {
  const known = foreign && { ...foreign, issue: issueOf(facts, now, foreign) };
  const months = functionalMonths(earnedMonths(facts, convention, month), known);
  const found = months.find((one) => one.month === month);
  return found === undefined ? 0n : found.earned_functional;
}

/** Returns the issue of a line in a foreign currency with the credits of the facts only. */
function issueOf(
  facts: LineFacts,
  now: LineFacts | null,
  { issue }: ForeignLine,
): ForeignLine["issue"] {
  if (issue === null || facts.issue_date === null || now === null) return null;
  const kept = new Set(facts.credits);
  const credits = issue.credits.filter((_, index) => {
    const credit = now.credits[index];
    return credit !== undefined && kept.has(credit);
  });
  return { ...issue, credits };
}
