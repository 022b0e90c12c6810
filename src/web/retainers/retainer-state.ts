/** The state of a retainer as a whole, as pages name it. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Series } from "../../features/recurring/series/series.ts";

/** `ending` is active with a last day, or cancelled with a last day to come; `discarded` was never invoiced. */
export type RetainerState = "draft" | "active" | "ending" | "ended" | "discarded";

/** Returns the state of a series on a day. */
export function retainerState(
  { is_discarded, status, end_date }: Pick<Series, "is_discarded" | "status" | "end_date">,
  today: CalendarDate,
): RetainerState {
  if (is_discarded) return "discarded";
  if (end_date !== null && end_date < today) return "ended";
  if (status === "draft") return "draft";
  return end_date === null ? "active" : "ending";
}

/** The number of periods in the strip of a retainer. */
export const STRIP_PERIODS = 24;

/**
 * Returns the indexes of the periods in the strip: 24 around today, or from `asked` on. `begun` is the number of periods that
 * have begun, `known` that of all periods, or null without an end.
 */
export function stripRange(
  begun: number,
  known: number | null,
  asked: number | null,
): { readonly first: number; readonly end: number } {
  const middle = Math.max(0, begun - STRIP_PERIODS / 2);
  const last = known === null ? null : Math.max(0, known - STRIP_PERIODS);
  const wanted = asked ?? (last === null ? middle : Math.min(middle, last));
  const first = known === null ? wanted : Math.min(wanted, Math.max(0, known - 1));
  const end = first + STRIP_PERIODS;
  return { first, end: known === null ? end : Math.min(end, known) };
}
