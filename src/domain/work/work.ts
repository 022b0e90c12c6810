/**
 * Work registrations: who may register which hours on which line, and how they may change (spec 6), checked in the
 * interface's order. An occurrence takes work on its own days and on earlier days whose occurrence takes no more.
 */
import type { CalendarDate } from "../base/calendar.ts";
import { scaledToNumber } from "../base/money.ts";
import { Problem, type ProblemCode } from "../base/problem.ts";
import type { Role } from "../base/user.ts";
import { HOURS_DECIMALS } from "../sales/line.ts";

export const workStates = ["open", "invoiced", "dropped"] as const;
export type WorkState = (typeof workStates)[number];

/** 24 hours, in 1/100. */
export const MOST_HOURS_OF_A_DAY = 2400;

/** The state of a line's invoice or occurrence; only `open` takes work. */
export type HolderState = "open" | "not_active" | "dropped" | "skipped" | "being_issued" | "issued";

/** A line as a target of work. */
export interface WorkTarget {
  readonly state: HolderState;
  /** Ids of the users that are assigned to the line; empty when any user may work on it. */
  readonly assignees: readonly string[];
  /** The period of an occurrence; null on a one-time invoice; `none` when a series has no period for the date. */
  readonly period: WorkedPeriod | "none" | null;
}

export interface WorkedPeriod {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** The first day of the series. */
  readonly start_date: CalendarDate;
  /** The period that contains the date; null before the start and after the end. */
  readonly containing: { readonly key: string; readonly is_open: boolean } | null;
}

export interface Work {
  readonly user_id: string;
  readonly date: CalendarDate;
  /** In 1/100 of an hour. */
  readonly hours: number;
}

/** A person who acts for themselves; null for an API key, which has the rights of an admin. */
export type WorkActor = { readonly role: Role; readonly user_id: string } | null;

export interface WorkFacts {
  readonly actor: WorkActor;
  readonly today: CalendarDate;
  readonly work_lock_date: CalendarDate | null;
  readonly user_is_active: boolean;
  /** The other hours of the user on the date, on any line, in 1/100 of an hour. */
  readonly hours_of_day: number;
}

/** Why work is refused: the code of the refusal, with its details. */
export interface WorkRefusal {
  readonly code: Extract<
    ProblemCode,
    | "SERIES_NOT_ACTIVE"
    | "OCCURRENCE_DROPPED"
    | "OCCURRENCE_SKIPPED"
    | "INVOICE_ALREADY_ISSUED"
    | "INVOICE_ISSUE_IN_PROGRESS"
    | "USER_INACTIVE"
    | "REGISTRATION_FOR_OTHERS_FORBIDDEN"
    | "USER_NOT_ASSIGNED"
    | "WORK_DATE_IN_FUTURE"
    | "WORK_DATE_OUTSIDE_PERIOD"
    | "DAILY_HOURS_EXCEEDED"
    | "WORK_PERIOD_LOCKED"
  >;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Checks that the work may be registered on the line (spec 6.2). Throws SERIES_NOT_ACTIVE, OCCURRENCE_DROPPED,
 * OCCURRENCE_SKIPPED, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS, USER_INACTIVE, REGISTRATION_FOR_OTHERS_FORBIDDEN,
 * USER_NOT_ASSIGNED, WORK_DATE_IN_FUTURE, WORK_DATE_OUTSIDE_PERIOD, DAILY_HOURS_EXCEEDED or WORK_PERIOD_LOCKED, in that order.
 */
export function requireRegistrable(target: WorkTarget, work: Work, facts: WorkFacts): void {
  throwFor(registeringRefused(target, work, facts));
}

/** Returns the first reason, in the order of `requireRegistrable`, for refusing the work; null when it may be registered. */
export function registeringRefused(
  target: WorkTarget,
  work: Work,
  facts: WorkFacts,
): WorkRefusal | null {
  const { actor, today, hours_of_day } = facts;
  return (
    closedRefusal(target.state) ??
    (facts.user_is_active ? null : { code: "USER_INACTIVE" }) ??
    otherRefusal(actor, work.user_id) ??
    unassignedRefusal(actor, target.assignees, work.user_id) ??
    (work.date > today
      ? { code: "WORK_DATE_IN_FUTURE", details: { date: work.date, today } }
      : null) ??
    outsideRefusal(target.period, work.date) ??
    tooMuchRefusal(hours_of_day, work) ??
    lockedRefusal(work.date, facts)
  );
}

/** A change of registered work. */
interface WorkChange {
  readonly is_move: boolean;
  /** Whether anything but the line changes. */
  readonly is_edit: boolean;
  readonly is_fully_credited: boolean;
}

/**
 * Checks that a registration may be changed, moved or deleted (spec 6.3): its invoice or occurrence must be open. A registration
 * in a dropped occurrence may be moved; one on a fully credited invoice may be moved, but not edited. A standard user changes
 * only their own work, and none on or before the work lock date. Throws OCCURRENCE_DROPPED, OCCURRENCE_SKIPPED,
 * INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS, REGISTRATION_FOR_OTHERS_FORBIDDEN or WORK_PERIOD_LOCKED.
 */
export function requireChangeable(
  source: HolderState,
  work: Work,
  change: WorkChange,
  facts: Pick<WorkFacts, "actor" | "work_lock_date">,
): void {
  throwFor(changingRefused(source, work, change, facts));
}

/** Returns the first reason, in the order of `requireChangeable`, for refusing the change; null when the change is allowed. */
export function changingRefused(
  source: HolderState,
  work: Work,
  change: WorkChange,
  facts: Pick<WorkFacts, "actor" | "work_lock_date">,
): WorkRefusal | null {
  const may_leave =
    change.is_move &&
    (source === "dropped" || (source === "issued" && change.is_fully_credited && !change.is_edit));
  return (
    (may_leave ? null : closedRefusal(source)) ??
    otherRefusal(facts.actor, work.user_id) ??
    lockedRefusal(work.date, facts)
  );
}

/** Returns the state of a registration's invoice or occurrence for it: invoiced and dropped work keeps its state. */
export function sourceState(status: WorkState, place: HolderState): HolderState {
  return status === "open" ? place : status === "invoiced" ? "issued" : "dropped";
}

function throwFor(refusal: WorkRefusal | null): void {
  if (refusal === null) return;
  const { code, details } = refusal;
  throw new Problem(code, details === undefined ? {} : { details });
}

const OF_CLOSED = {
  not_active: "SERIES_NOT_ACTIVE",
  dropped: "OCCURRENCE_DROPPED",
  skipped: "OCCURRENCE_SKIPPED",
  issued: "INVOICE_ALREADY_ISSUED",
  being_issued: "INVOICE_ISSUE_IN_PROGRESS",
} as const satisfies Record<Exclude<HolderState, "open">, WorkRefusal["code"]>;

function closedRefusal(state: HolderState): WorkRefusal | null {
  return state === "open" ? null : { code: OF_CLOSED[state] };
}

function otherRefusal(actor: WorkActor, user_id: string): WorkRefusal | null {
  if (actor?.role !== "standard" || actor.user_id === user_id) return null;
  return { code: "REGISTRATION_FOR_OTHERS_FORBIDDEN" };
}

function unassignedRefusal(
  actor: WorkActor,
  assignees: readonly string[],
  user_id: string,
): WorkRefusal | null {
  const is_assigned = assignees.length === 0 || assignees.includes(user_id);
  return actor?.role !== "standard" || is_assigned ? null : { code: "USER_NOT_ASSIGNED" };
}

/**
 * Returns the refusal of work outside its period. Late and preparatory work rolls forward; work on a day of an open occurrence
 * belongs to that occurrence.
 */
function outsideRefusal(period: WorkTarget["period"], date: CalendarDate): WorkRefusal | null {
  if (period === null) return null;
  if (period === "none") return outside(date, null);
  const rolls_forward = date < period.start_date || period.containing?.is_open === false;
  const fits = date >= period.from ? date <= period.to : rolls_forward;
  return fits ? null : outside(date, period.containing?.key ?? null);
}

function outside(date: CalendarDate, period: string | null): WorkRefusal {
  return { code: "WORK_DATE_OUTSIDE_PERIOD", details: { date, period } };
}

function tooMuchRefusal(hours_of_day: number, work: Work): WorkRefusal | null {
  if (hours_of_day + work.hours <= MOST_HOURS_OF_A_DAY) return null;
  const registered = scaledToNumber(BigInt(hours_of_day), HOURS_DECIMALS);
  return { code: "DAILY_HOURS_EXCEEDED", details: { date: work.date, registered } };
}

function lockedRefusal(
  date: CalendarDate,
  { actor, work_lock_date }: Pick<WorkFacts, "actor" | "work_lock_date">,
): WorkRefusal | null {
  if (actor?.role !== "standard" || work_lock_date === null || date > work_lock_date) return null;
  return { code: "WORK_PERIOD_LOCKED", details: { date, work_lock_date } };
}
