/** Reads the accounting years of the company in Dinero, and the last date before them. */
import { addDays, type CalendarDate, calendarDate } from "../../../domain/base/calendar.ts";
import type { LockedThrough } from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { type DineroApi, readable } from "./api.ts";
import type { DineroBooks } from "./book-document.ts";
import { readAll } from "./lists.ts";
import { type DineroObject, requiredTextOf } from "./values.ts";

/** Returns the last locked date: nothing can be booked before the first accounting year. Other locks only show as refusals. */
export async function lockedThrough(
  { api }: DineroBooks,
  options: CallOptions,
): Promise<LockedThrough | Failure> {
  const years = await readYears(api, options);
  if (years.state !== "list") return years;
  return readable(() => ({ state: "locked_through", day: beforeYears(years.rows) }));
}

/** Returns the last date before the first accounting year; null without one. */
export function beforeYears(years: readonly DineroObject[]): CalendarDate | null {
  const [first] = years.map((one) => requiredTextOf(one, "FromDate").slice(0, 10)).sort();
  const day = calendarDate(first ?? "");
  return day === undefined ? null : addDays(day, -1);
}

/** Reads the accounting years, in the order of Dinero's response. */
export function readYears(api: DineroApi, options: CallOptions) {
  return readAll(api, "accountingyears", new URLSearchParams(), options);
}
