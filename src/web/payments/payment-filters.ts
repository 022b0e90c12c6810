/** Reads and writes the filters in the address of the list of payments. */
import { calendarDate } from "../../domain/base/calendar.ts";
import { dayAsked } from "../frame/day-asked.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";

const KINDS = ["payment", "refund"] as const;
const STATES = ["booked", "reversed"] as const;

/** The filters, each as it is written in the address; a value that cannot be read is ignored. */
export interface PaymentFilters {
  readonly customer?: string;
  readonly bank_account?: string;
  readonly kind?: (typeof KINDS)[number];
  readonly status?: (typeof STATES)[number];
  readonly from?: string;
  readonly to?: string;
}

export function filtersOf(request: Pick<PageRequest, "query" | "cx" | "reader">): PaymentFilters {
  const { customer, bank_account, ...query } = request.query;
  const kind = KINDS.find((one) => one === query.kind);
  const status = STATES.find((one) => one === query.status);
  const [from, to] = [dayAsked(request, query.from), dayAsked(request, query.to)];
  const isDay = (day: string) => calendarDate(day) !== undefined;
  return {
    ...(isId(customer) ? { customer } : {}),
    ...(isId(bank_account) ? { bank_account } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
  };
}

export function isFiltered(filters: PaymentFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** Returns the address of the list, or of the file of its content. */
export function addressOf(filters: PaymentFilters, path: string): string {
  const query = new URLSearchParams({ ...filters }).toString();
  return query === "" ? path : `${path}?${query}`;
}
