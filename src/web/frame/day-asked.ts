/** Reads the days that a person typed in a form or an address, by the rule of the field for a day. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import type { PageRequest } from "./page.tsx";

type Asking = Pick<PageRequest, "cx" | "reader">;

/** Returns today in the account's time zone. */
export function todayFor({ cx, reader }: Asking): CalendarDate {
  return todayIn(cx.clock, reader.time_zone ?? "UTC");
}

/** Returns the typed day as `YYYY-MM-DD`; a text that means no day is returned as it is, for the refusal at its field. */
export function dayAsked(request: Asking, typed: string | undefined): string {
  return readDay(typed ?? "", todayFor(request)) ?? typed?.trim() ?? "";
}
