/**
 * Completes a line: records that its milestone is reached, or that its work is done with fewer hours than budgeted (spec 5.4). A
 * completion changes no amount of the invoice, only when revenue is earned.
 */
import type { CalendarDate } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import type { Invoice } from "./invoice.ts";
import type { RecognitionMethod } from "./line.ts";

export interface CompletableLine {
  readonly recognition_method: RecognitionMethod;
  readonly status: Invoice["status"];
  readonly is_being_issued: boolean;
}

/**
 * Checks that the completion of the line may be set or removed: for a milestone always, for progress only on a draft, because an
 * issued line is complete. Throws LINE_NOT_COMPLETABLE, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS.
 */
export function requireCompletable(line: CompletableLine): void {
  const { recognition_method } = line;
  if (recognition_method === "milestone") return;
  if (recognition_method !== "progress") throw new Problem("LINE_NOT_COMPLETABLE");
  if (line.status === "issued") throw new Problem("INVOICE_ALREADY_ISSUED");
  if (line.is_being_issued) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
}

/** Decides whether a completion is new or repeats its date. Throws WORK_DATE_IN_FUTURE, LINE_ALREADY_COMPLETED. */
export function decideCompletion(
  present: CalendarDate | null,
  completed_on: CalendarDate,
  today: CalendarDate,
): boolean {
  if (completed_on > today) {
    throw new Problem("WORK_DATE_IN_FUTURE", { details: { date: completed_on, today } });
  }
  if (present === null) return true;
  if (present === completed_on) return false;
  throw new Problem("LINE_ALREADY_COMPLETED", { details: { completed_on: present } });
}
