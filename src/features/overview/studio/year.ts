/**
 * The year of the studio as a list of steps, which follows from its last day alone: thirteen months, of which eleven are
 * closed, one is ready and one runs. The same day gives the same steps, so a player that was interrupted finds its place again.
 */

import type { Timestamp } from "../../../domain/base/brand.ts";
import {
  addDays,
  type CalendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
  mondayOf,
  monthOf,
} from "../../../domain/base/calendar.ts";
import type { CustomerKey, PersonId } from "./firm.ts";
import { PROJECTS, type Project, RETAINERS, type Retainer } from "./work.ts";

/** The external id of an invoice, or of a retainer. */
type WorkRef = string;

export interface HoursOfDay {
  readonly work: WorkRef;
  readonly person: PersonId;
  readonly date: CalendarDate;
  readonly hours: number;
  readonly note: string | null;
}

type Deed =
  | {
      readonly do: "firm";
      readonly rates: readonly { readonly date: CalendarDate; readonly rate: number }[];
    }
  | { readonly do: "bank_account" | "products" | "customers" | "schedule" | "finish" }
  | {
      readonly do: "retainer";
      readonly retainer: Retainer;
      readonly from: CalendarDate;
      readonly to: CalendarDate | null;
    }
  | { readonly do: "clock" }
  | { readonly do: "close"; readonly month: Month }
  | {
      readonly do: "project";
      readonly project: Project;
      readonly month: Month;
      readonly until: CalendarDate;
    }
  | { readonly do: "hours"; readonly by: PersonId; readonly rows: readonly HoursOfDay[] }
  | { readonly do: "issue" | "complete"; readonly work: WorkRef }
  // The statement of the bank from a first to a last day: it is imported, and booked but for what waits.
  | {
      readonly do: "bank";
      readonly from: CalendarDate;
      readonly to: CalendarDate;
      readonly ends_on: CalendarDate;
    }
  | { readonly do: "remind"; readonly customer: CustomerKey }
  | {
      readonly do: "credit";
      readonly work: WorkRef;
      readonly amount: number;
      readonly date: CalendarDate;
    };

/** One step: what is done, and the time that the clock of the studio shows meanwhile. */
export type YearStep = Deed & { readonly at: Timestamp };

const MONTHS = 13;
/** The months of the year that stay open: one that is ready to close, and the one that runs. */
const OPEN_MONTHS = 2;

/** Who is reminded, and when: on a day of the last month but one, and on the first day of the last. */
const REMINDED: CustomerKey = "gron";
const FIRST_REMINDER = 17;

/** Returns the steps of the year that ends on a day. */
export function stepsOfYear(ends_on: CalendarDate): readonly YearStep[] {
  const months = monthsOfYear(ends_on);
  const at = (month: number): Month => months[month] ?? monthOf(ends_on);
  const begins_on = firstDayOf(at(0));
  const random = randomFrom(7);
  const steps: YearStep[] = [
    { at: timeOn(begins_on, "07:00"), do: "clock" },
    { at: timeOn(begins_on, "07:00"), do: "firm", rates: ratesUntil(months, ends_on, random) },
    { at: timeOn(begins_on, "07:00"), do: "bank_account" },
    { at: timeOn(begins_on, "07:00"), do: "products" },
    { at: timeOn(begins_on, "07:00"), do: "customers" },
    ...RETAINERS.map(
      (retainer): YearStep => ({
        at: timeOn(begins_on, "07:00"),
        do: "retainer",
        retainer,
        ...termOf(retainer, at, ends_on),
      }),
    ),
  ];
  const open: Underway[] = [];
  for (const [index, month] of months.entries()) {
    steps.push(...stepsOfMonth({ index, month, months, ends_on, open, random }));
  }
  const closing = timeOn(ends_on, "17:10");
  const credited = PROJECTS.find(({ is_credited }) => is_credited);
  if (credited === undefined) throw new Error("no project is credited");
  return [
    ...steps,
    { at: closing, do: "credit", work: credited.external_id, amount: 12_000, date: ends_on },
    { at: closing, do: "bank", from: firstDayOf(monthOf(ends_on)), to: ends_on, ends_on },
    { at: closing, do: "finish" },
  ];
}

interface Underway {
  readonly project: Project;
  readonly begun: number;
  /** The hours that are left of its budget. */
  left: number;
  is_issued: boolean;
}

interface Turn {
  readonly index: number;
  readonly month: Month;
  readonly months: readonly Month[];
  readonly ends_on: CalendarDate;
  readonly open: Underway[];
  readonly random: () => number;
}

/** Returns the steps of a month: the scheduler, the close of the month before, new work, its hours, and what is invoiced. */
function stepsOfMonth(turn: Turn): YearStep[] {
  const { index, month, months, ends_on, open } = turn;
  const is_last = index === months.length - 1;
  const begin = timeOn(firstDayOf(month), "07:30");
  const last_day = is_last ? ends_on : lastDayOf(month);
  const evening = timeOn(last_day, "17:00");
  const steps: YearStep[] = [
    { at: begin, do: "clock" },
    { at: begin, do: "schedule" },
  ];
  const before = months[index - 1];
  if (before !== undefined) {
    // Before the month is locked.
    steps.push({ at: begin, do: "bank", from: firstDayOf(before), to: lastDayOf(before), ends_on });
    if (index <= months.length - OPEN_MONTHS) steps.push({ at: begin, do: "close", month: before });
  }
  if (is_last) steps.push({ at: begin, do: "remind", customer: REMINDED });
  for (const project of PROJECTS.filter(({ begins }) => begins === index)) {
    steps.push({ at: begin, do: "project", project, month, until: twoMonthsLater(month) });
    open.push({ project, begun: index, left: project.budget_hours ?? 41, is_issued: false });
  }
  if (index === months.length - OPEN_MONTHS) {
    const day = addDays(firstDayOf(month), FIRST_REMINDER);
    steps.push({ at: timeOn(day, "08:00"), do: "remind", customer: REMINDED });
  }
  // Each person registers their own hours.
  const by_person = new Map<PersonId, HoursOfDay[]>();
  for (const row of hoursOfMonth(turn, last_day)) {
    const { person: by } = row;
    by_person.set(by, [...(by_person.get(by) ?? []), row]);
  }
  for (const [by, rows] of by_person) steps.push({ at: evening, do: "hours", by, rows });
  // Retainers whose periods begin within the month are issued when it ends.
  steps.push({ at: evening, do: "clock" }, { at: evening, do: "schedule" });
  for (const work of open.filter(({ is_issued }) => !is_issued)) {
    const age = index - work.begun;
    if (is_last || age < (work.project.method === "progress" ? 3 : 1)) continue;
    work.is_issued = true;
    steps.push({ at: evening, do: "issue", work: work.project.external_id });
    if (work.project.is_completed) {
      steps.push({ at: evening, do: "complete", work: work.project.external_id });
    }
  }
  return steps;
}

const NOTES = [
  "Sketches",
  "Review with the customer",
  "Implementation",
  "Tests",
  "Workshop preparation",
  "Accessibility fixes",
  null,
] as const;
const SUPPORT_NOTES = ["Release", "Bug fixing", "Planning"] as const;

/** The most hours of a person on a day. */
const MOST_HOURS = 9;

/** Returns the hours of a month: every third working day, and every working day of the week that runs at the end. */
function hoursOfMonth({ index, month, ends_on, open, random }: Turn, last_day: CalendarDate) {
  const pick = <Of>(from: readonly Of[]): Of => from[Math.floor(random() * from.length)] as Of;
  const rows: HoursOfDay[] = [];
  const running_week = mondayOf(ends_on);
  for (let date = firstDayOf(month); date <= last_day; date = addDays(date, 1)) {
    const is_weekend = date >= addDays(mondayOf(date), 5);
    if (is_weekend || (Number(date.slice(8)) % 3 !== 0 && date < running_week)) continue;
    const load = new Map<PersonId, number>();
    const register = (
      work: WorkRef,
      people: readonly PersonId[],
      hours: number,
      note: string | null,
    ): boolean => {
      const person =
        people.toSorted((a, b) => (load.get(a) ?? 0) - (load.get(b) ?? 0))[0] ?? "owner";
      const of_day = (load.get(person) ?? 0) + hours;
      if (of_day > MOST_HOURS) return false;
      load.set(person, of_day);
      rows.push({ work, person, date, hours, note });
      return true;
    };
    for (const work of open.filter(({ is_issued, left }) => !is_issued && left > 0)) {
      const { external_id, people } = work.project;
      const hours = pick([3, 3.5, 4, 5.5]);
      if (register(external_id, people, hours, pick(NOTES))) work.left -= hours;
    }
    for (const { external_id, begins, supported_by } of RETAINERS) {
      if (supported_by === undefined || index < begins) continue;
      register(external_id, supported_by, pick([2, 2.5, 3]), pick(SUPPORT_NOTES));
    }
  }
  return rows;
}

/** Returns the first and the last day of a retainer. A draft begins after the month that runs. */
function termOf(
  { begins, begins_on_day, ends_after }: Retainer,
  at: (index: number) => Month,
  ends_on: CalendarDate,
): { readonly from: CalendarDate; readonly to: CalendarDate | null } {
  const next = addDays(lastDayOf(monthOf(ends_on)), 1);
  const first = begins < MONTHS ? firstDayOf(at(begins)) : next;
  return {
    from: addDays(first, begins_on_day - 1),
    to: ends_after === undefined ? null : addDays(next, ends_after - 1),
  };
}

/** Returns a rate of the euro for the 28th of each month from the one before the year, as far as the year goes. */
function ratesUntil(months: readonly Month[], ends_on: CalendarDate, random: () => number) {
  const first = monthOf(addDays(firstDayOf(months[0] ?? monthOf(ends_on)), -1));
  return [first, ...months].flatMap((month) => {
    const date = addDays(firstDayOf(month), 27);
    const rate = (74_550 + Math.round((random() - 0.5) * 120)) / 10_000;
    return date > ends_on ? [] : [{ date, rate }];
  });
}

/** Returns the months of the year that ends on a day. */
export function monthsOfYear(ends_on: CalendarDate): readonly Month[] {
  const last = monthOf(ends_on);
  const months = [last];
  while (months.length < MONTHS) {
    months.unshift(monthOf(addDays(firstDayOf(months[0] ?? last), -1)));
  }
  return months;
}

function twoMonthsLater(month: Month): CalendarDate {
  const next = addDays(lastDayOf(month), 1);
  return lastDayOf(monthOf(addDays(lastDayOf(monthOf(next)), 1)));
}

/** Returns a time of a day in UTC. */
export function timeOn(day: CalendarDate, time: string): Timestamp {
  return `${day}T${time}:00.000Z` as Timestamp;
}

/** Returns a sequence of numbers from 0 to 1 that is the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
