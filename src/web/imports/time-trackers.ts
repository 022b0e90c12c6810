/**
 * Reads the detailed reports of Toggl Track, Clockify and Harvest as they are exported. They have a row for each piece of work, so the
 * rows of one day, person, project, task and note are added up to one.
 */
import { calendarDate } from "../../domain/base/calendar.ts";
import type { FileTable } from "./import-file.ts";

/** The heads of a report by what they mean. Of several names the first that the file has is read. */
interface Report {
  /** Heads that no other file has together. */
  readonly marks: readonly string[];
  readonly date: string;
  readonly duration: readonly string[];
  readonly note: string;
}

const REPORTS: readonly Report[] = [
  // Toggl Track.
  {
    marks: ["Client", "Project", "Description", "Start date", "Duration"],
    date: "Start date",
    duration: ["Duration"],
    note: "Description",
  },
  // Clockify. Its hours and minutes are exact, its decimals are rounded.
  {
    marks: ["Client", "Project", "Description", "Start Date", "Duration (decimal)"],
    date: "Start Date",
    duration: ["Duration (h)", "Duration (decimal)"],
    note: "Description",
  },
  // Harvest.
  {
    marks: ["Client", "Project", "Task", "Notes", "Hours", "First Name", "Last Name"],
    date: "Date",
    duration: ["Hours"],
    note: "Notes",
  },
];

/** The heads of the table that is made of a report: fields of a row of hours. */
const HEADS = ["date", "hours", "customer", "project", "task", "note", "billable", "user"];

/** Returns a report of a time tracker as a table of hours; null for any other file. */
export function tableOfReport({ separator, heads, rows }: FileTable): FileTable | null {
  const report = REPORTS.find(({ marks }) => marks.every((mark) => heads.includes(mark)));
  if (report === undefined) return null;
  const at = (name: string): number => heads.indexOf(name);
  const duration = report.duration.map(at).find((place) => place >= 0) ?? -1;
  const dayOf = dayReader(rows.map(({ cells }) => cells[at(report.date)] ?? ""));
  const merged = new Map<string, { at: number; seconds: number | null; cells: string[] }>();
  for (const { at: number, cells } of rows) {
    const cell = (name: string): string => cells[at(name)] ?? "";
    const typed = cells[duration] ?? "";
    const billable = cell("Billable") || cell("Billable?");
    const day = dayOf(cell(report.date));
    const own = [day, typed, cell("Client"), cell("Project"), cell("Task"), cell(report.note)];
    own.push(billable, personIn(cell));
    const seconds = secondsOf(typed);
    // A duration that can not be read stands alone, so that its row says so.
    const key = JSON.stringify([seconds === null ? number : "", ...own.toSpliced(1, 1)]);
    const same = merged.get(key);
    if (same === undefined) merged.set(key, { at: number, seconds, cells: own });
    else same.seconds = (same.seconds ?? 0) + (seconds ?? 0);
  }
  const table = [...merged.values()].map(({ at: number, seconds, cells }) => ({
    at: number,
    cells: seconds === null ? cells : cells.with(1, clockText(seconds)),
  }));
  return { separator, heads: HEADS, rows: table };
}

/** Returns a person as `Ada Lovelace <ada@studio.example>`, as far as the report names one. */
function personIn(cell: (name: string) => string): string {
  const name = cell("User") || `${cell("First Name")} ${cell("Last Name")}`.trim();
  const email = cell("Email");
  return email === "" || name === "" ? email || name : `${name} <${email}>`;
}

/**
 * Returns a reader of the days of a column. With slashes the day or the month may come first: one day beyond the 12th decides for
 * the whole file. Where none does, the cells stay as they are.
 */
function dayReader(cells: readonly string[]): (cell: string) => string {
  const parts = cells.map((cell) => SLASHED.exec(cell));
  const isBeyond = (place: 1 | 2) => parts.some((found) => Number(found?.[place] ?? 0) > 12);
  const [is_day_first, is_month_first] = [isBeyond(1), isBeyond(2)];
  return (cell) => {
    const [, first = "", second = "", year = ""] = SLASHED.exec(cell) ?? [];
    if (year === "" || is_day_first === is_month_first) return cell;
    const [day, month] = is_day_first ? [first, second] : [second, first];
    return calendarDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`) ?? cell;
  };
}

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Returns a duration such as `1:30:00`, `1:30` or `1.25` hours in seconds; null if it is none. */
function secondsOf(typed: string): number | null {
  const [, hours, minutes, seconds = "0"] = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(typed) ?? [];
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const [, whole, hundredths = ""] = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(typed) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * 3600 + Number(hundredths.padEnd(2, "0")) * 36;
}

function clockText(seconds: number): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
