/** Reads and writes the filters and the order in the address of the lists of invoices and credit notes. */
import { calendarDate } from "../../domain/base/calendar.ts";
import { isCurrency } from "../../domain/base/currency.ts";
import { INVOICE_SORTS, type InvoiceSort } from "../../features/sales/invoices/list-sorted.ts";
import type { DeliveryState } from "../../platform/database/tables.ts";
import { dayAsked } from "../frame/day-asked.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { type SortLink, searchIn } from "../parts/list.tsx";

export const INVOICES = "/invoices";
export const TABS = ["drafts", "issued", "credit-notes"] as const;
export type Tab = (typeof TABS)[number];

/** The states of the last delivery that a list can be filtered by; `none` was never sent. */
export const DELIVERIES = [
  "none",
  "queued",
  "sending",
  "written_to_outbox",
  "accepted",
  "delivered",
  "rejected",
  "failed_temporary",
  "failed_permanent",
  "unknown",
] as const satisfies readonly (DeliveryState | "none")[];

/** The states of payment that a list can be filtered by. */
export const PAYMENT_FILTERS = [
  "open",
  "partly_paid",
  "overdue",
  "paid",
  "credited",
  "overpaid",
] as const;

/** The filters in the address, each as it is written there; a value that cannot be read is ignored. */
export interface Filters {
  readonly tab: Tab;
  readonly q?: string;
  readonly customer?: string;
  /** A person who is on a line. */
  readonly user?: string;
  readonly issued_from?: string;
  readonly issued_to?: string;
  readonly delivery_state?: (typeof DELIVERIES)[number];
  readonly currency?: string;
  /** Only where the account knows what is paid. */
  readonly payment_state?: (typeof PAYMENT_FILTERS)[number];
  /** The order, with a minus for descending; the newest number first without it. Drafts have their own. */
  readonly sort?: InvoiceSort | `-${InvoiceSort}`;
}

const USUAL = "-number";

export function filtersOf(request: Pick<PageRequest, "query" | "cx" | "reader">): Filters {
  const { query } = request;
  const tab = TABS.find((one) => one === query.tab) ?? "drafts";
  const q = searchIn(query);
  const { customer, user, currency } = query;
  const issued_from = dayAsked(request, query.issued_from);
  const issued_to = dayAsked(request, query.issued_to);
  const delivery_state = DELIVERIES.find((one) => one === query.delivery_state);
  const wanted = query.overdue === "true" ? "overdue" : query.payment_state;
  const payment_state = PAYMENT_FILTERS.find((one) => one === wanted);
  const sort = SORTS.find((one) => one === query.sort && one !== USUAL);
  const isDay = (day: string) => calendarDate(day) !== undefined;
  const is_issued = tab !== "drafts";
  return {
    tab,
    ...(q ? { q } : {}),
    ...(isId(customer) ? { customer } : {}),
    ...(isId(user) ? { user } : {}),
    ...(is_issued && isDay(issued_from) ? { issued_from } : {}),
    ...(is_issued && isDay(issued_to) ? { issued_to } : {}),
    ...(is_issued && delivery_state !== undefined ? { delivery_state } : {}),
    ...(currency !== undefined && isCurrency(currency) ? { currency } : {}),
    ...(tab === "issued" && payment_state !== undefined ? { payment_state } : {}),
    ...(is_issued && sort !== undefined ? { sort } : {}),
  };
}

const SORTS = INVOICE_SORTS.flatMap((sort) => [sort, `-${sort}`] as const);

/** Returns the order of a list: the column, and whether the highest comes first. */
export function sortOf({ sort = USUAL }: Filters): {
  readonly by: InvoiceSort;
  readonly is_descending: boolean;
} {
  const by = INVOICE_SORTS.find((one) => sort.endsWith(one)) ?? "number";
  return { by, is_descending: sort.startsWith("-") };
}

/** Returns the link that sorts the list by a column: the other way if it is sorted by it, customers from A. */
export function sortLink(filters: Filters, by: InvoiceSort): SortLink {
  const now = sortOf(filters);
  const is_now = now.by === by;
  const descends = is_now ? !now.is_descending : by !== "customer";
  const href = addressOf({ ...filters, sort: descends ? `-${by}` : by });
  return { href, is: is_now ? (now.is_descending ? "descending" : "ascending") : null };
}

/** Whether the list shows less than everything. */
export function isFiltered({ tab: _, sort: __, ...filters }: Filters): boolean {
  return Object.keys(filters).length > 0;
}

/** Returns the address of the list, or of a file of its content. */
export function addressOf({ tab, ...filters }: Filters, path: string = INVOICES): string {
  return `${path}?${new URLSearchParams({ tab, ...filters })}`;
}
