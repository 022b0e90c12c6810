/**
 * Work registrations: who may register which hours on which line, and what may become of what is
 * registered (spec 6). The order of the checks is the contract's. An occurrence is open for work
 * of its own days, and of earlier ones whose own occurrence can take none any more.
 */
import type { CalendarDate } from "../base/calendar.ts";
import { scaledToNumber } from "../base/money.ts";
import { Problem } from "../base/problem.ts";
import type { Role } from "../base/user.ts";
import { HOURS_DECIMALS } from "../sales/line.ts";

export const workStates = ["open", "invoiced", "dropped"] as const;
export type WorkState = (typeof workStates)[number];

/** 24 hours, in 1/100. */
const MOST_HOURS_OF_A_DAY = 2400;

/** What the invoice or occurrence of a line is ready for; `open` takes work. */
export type HolderState = "open" | "not_active" | "dropped" | "skipped" | "being_issued" | "issued";

/** A line as work meets it. */
export interface WorkTarget {
  readonly state: HolderState;
  /** Ids of the users that the line names; empty where anybody may work. */
  readonly assignees: readonly string[];
  /** Of an occurrence; null on a one-time invoice; `none` where a series has no period for the date. */
  readonly period: WorkedPeriod | "none" | null;
}

export interface WorkedPeriod {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** The first day of the series. */
  readonly start_date: CalendarDate;
  /** The period in which the date lies; null before the start and after the end. */
  readonly containing: { readonly key: string; readonly is_open: boolean } | null;
}

export interface Work {
  readonly user_id: string;
  readonly date: CalendarDate;
  /** In 1/100 of an hour. */
  readonly hours: number;
}

/** A person who acts for themselves; null for an API key, which may do what an admin may. */
export type WorkActor = { readonly role: Role; readonly user_id: string } | null;

export interface WorkFacts {
  readonly actor: WorkActor;
  readonly today: CalendarDate;
  readonly work_lock_date: CalendarDate | null;
  readonly user_is_active: boolean;
  /** What else the user has registered on the date, on any line, in 1/100 of an hour. */
  readonly hours_of_day: number;
}

/**
 * Returns when the work may be registered on the line (spec 6.2). Throws SERIES_NOT_ACTIVE,
 * OCCURRENCE_DROPPED, OCCURRENCE_SKIPPED, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS,
 * USER_INACTIVE, REGISTRATION_FOR_OTHERS_FORBIDDEN, USER_NOT_ASSIGNED, WORK_DATE_IN_FUTURE,
 * WORK_DATE_OUTSIDE_PERIOD, DAILY_HOURS_EXCEEDED or WORK_PERIOD_LOCKED, in that order.
 */
export function requireRegistrable(target: WorkTarget, work: Work, facts: WorkFacts): void {
  requireOpen(target.state);
  if (!facts.user_is_active) throw new Problem("USER_INACTIVE");
  const { actor, today } = facts;
  const is_standard = actor?.role === "standard";
  if (is_standard) {
    requireOwn(actor, work.user_id);
    if (target.assignees.length > 0 && !target.assignees.includes(work.user_id)) {
      throw new Problem("USER_NOT_ASSIGNED");
    }
  }
  if (work.date > today) {
    throw new Problem("WORK_DATE_IN_FUTURE", { details: { date: work.date, today } });
  }
  requireWithin(target.period, work.date);
  if (facts.hours_of_day + work.hours > MOST_HOURS_OF_A_DAY) {
    const registered = scaledToNumber(BigInt(facts.hours_of_day), HOURS_DECIMALS);
    throw new Problem("DAILY_HOURS_EXCEEDED", { details: { date: work.date, registered } });
  }
  requireUnlocked(work.date, facts);
}

/**
 * Returns when what is registered may be changed, moved or deleted (spec 6.3): where it lies must be
 * open. What lies in a dropped occurrence may be moved, and what lies on a fully credited invoice moved
 * and nothing else. A standard user changes their own work only, and none before the work lock date.
 * Throws OCCURRENCE_DROPPED, OCCURRENCE_SKIPPED, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS,
 * REGISTRATION_FOR_OTHERS_FORBIDDEN or WORK_PERIOD_LOCKED.
 */
export function requireChangeable(
  source: HolderState,
  work: Work,
  change: {
    readonly is_move: boolean;
    /** Whether anything but the line changes. */
    readonly is_edit: boolean;
    readonly is_fully_credited: boolean;
  },
  facts: Pick<WorkFacts, "actor" | "work_lock_date">,
): void {
  const may_leave =
    change.is_move &&
    (source === "dropped" || (source === "issued" && change.is_fully_credited && !change.is_edit));
  if (!may_leave) requireOpen(source);
  requireOwn(facts.actor, work.user_id);
  requireUnlocked(work.date, facts);
}

function requireOpen(state: HolderState): void {
  switch (state) {
    case "open":
      return;
    case "not_active":
      throw new Problem("SERIES_NOT_ACTIVE");
    case "dropped":
      throw new Problem("OCCURRENCE_DROPPED");
    case "skipped":
      throw new Problem("OCCURRENCE_SKIPPED");
    case "issued":
      throw new Problem("INVOICE_ALREADY_ISSUED");
    case "being_issued":
      throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
  }
}

function requireOwn(actor: WorkActor, user_id: string): void {
  if (actor?.role !== "standard" || actor.user_id === user_id) return;
  throw new Problem("REGISTRATION_FOR_OTHERS_FORBIDDEN");
}

/** Late and preparatory work rolls forward; what belongs to an open occurrence goes there. */
function requireWithin(period: WorkTarget["period"], date: CalendarDate): void {
  if (period === null) return;
  if (period === "none") {
    throw new Problem("WORK_DATE_OUTSIDE_PERIOD", { details: { date, period: null } });
  }
  const rolls_forward = date < period.start_date || period.containing?.is_open === false;
  const fits = date >= period.from ? date <= period.to : rolls_forward;
  if (fits) return;
  const right = period.containing?.key ?? null;
  throw new Problem("WORK_DATE_OUTSIDE_PERIOD", { details: { date, period: right } });
}

function requireUnlocked(
  date: CalendarDate,
  { actor, work_lock_date }: Pick<WorkFacts, "actor" | "work_lock_date">,
): void {
  if (actor?.role !== "standard" || work_lock_date === null || date > work_lock_date) return;
  throw new Problem("WORK_PERIOD_LOCKED", { details: { date, work_lock_date } });
}
