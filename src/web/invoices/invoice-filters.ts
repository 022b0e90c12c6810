/** Reads and writes the filters in the address of the lists of invoices and credit notes. */
import { calendarDate } from "../../domain/base/calendar.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { searchIn } from "../parts/list.tsx";

export const INVOICES = "/invoices";
export const TABS = ["drafts", "issued", "credit-notes"] as const;
export type Tab = (typeof TABS)[number];

/** The filters in the address; a value that cannot be read is ignored. */
export interface Filters {
  readonly tab: Tab;
  readonly q?: string;
  readonly customer?: string;
  readonly issued_from?: string;
  readonly issued_to?: string;
}

export function filtersOf({ query }: PageRequest): Filters {
  const tab = TABS.find((one) => one === query.tab) ?? "drafts";
  const q = searchIn(query);
  const { customer, issued_from, issued_to } = query;
  const isDay = (day: string | undefined): day is string =>
    day !== undefined && calendarDate(day) !== undefined;
  return {
    tab,
    ...(q ? { q } : {}),
    ...(isId(customer) ? { customer } : {}),
    ...(isDay(issued_from) ? { issued_from } : {}),
    ...(isDay(issued_to) ? { issued_to } : {}),
  };
}

/** Returns the address of the list, or of a file of its content. */
export function addressOf({ tab, ...filters }: Filters, path: string = INVOICES): string {
  return `${path}?${new URLSearchParams({ tab, ...filters })}`;
}
