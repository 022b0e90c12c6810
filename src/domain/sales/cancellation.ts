/** The credit of a cancellation for a period that was invoiced beyond the new end (spec 4.10). */
import type { LineId } from "../base/brand.ts";
import { addDays, type CalendarDate, daysBetween } from "../base/calendar.ts";
import { type Money, round } from "../base/money.ts";

export interface CancelledLine {
  readonly line_id: LineId;
  /** Only lines recognised by value are credited automatically. */
  readonly is_value: boolean;
  /** The line's amount less issued, queued and pending credits. */
  readonly rest: Money;
  /** The end of service that the credit of an earlier cancellation set. */
  readonly shortened_to: CalendarDate | null;
}

/** Returns the rest's unused part by days through the current end of service; all of it for a period after the end. */
export function cancellationCredit(
  line: CancelledLine,
  period: { readonly from: CalendarDate; readonly to: CalendarDate },
  end_date: CalendarDate,
): Money {
  if (!line.is_value || line.rest <= 0n) return 0n;
  if (end_date < period.from) return line.rest;
  const service_to = line.shortened_to ?? period.to;
  if (service_to <= end_date) return 0n;
  const used = BigInt(daysBetween(period.from, end_date));
  const served = BigInt(daysBetween(period.from, service_to));
  return line.rest - round(line.rest * used, served);
}

/** How a cancellation's credit shortens a line's service; both null for a manual credit. */
export interface ServiceCut {
  /** The last remaining day of service. */
  readonly new_service_to: CalendarDate | null;
  /** The last day of service after an earlier cancellation, if there was one. */
  readonly shortened_to: CalendarDate | null;
}

/** The credited days of a line's service; undefined when no such day is known. */
export function creditedService(
  line: { readonly service_from: string | null; readonly service_to: string | null },
  { new_service_to, shortened_to }: Partial<ServiceCut>,
): { readonly from: string; readonly to: string } | undefined {
  const { service_from, service_to } = line;
  if (service_from === null || service_to === null || !new_service_to) return undefined;
  const next = addDays(new_service_to, 1);
  const from = next > service_from ? next : service_from;
  const to = shortened_to && shortened_to < service_to ? shortened_to : service_to;
  return from > to ? undefined : { from, to };
}
