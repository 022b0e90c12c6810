/** Reads the rows of the list of customers, for the screen and for its file. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { listSortedCustomers } from "../../features/catalogue/customers/queries.ts";
import type { CustomerResource } from "../../features/catalogue/customers/schemas.ts";
import { type UnderWay, underWayOf } from "../../features/overview/today/read-customer-summary.ts";
import { lastInvoices } from "../../features/sales/invoices/list.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { Page } from "../../platform/database/page.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isAdmin, seenBy } from "../frame/seen.ts";
import { searchIn } from "../parts/list.tsx";

/** The filters in the address of the list. */
export interface CustomerFilters {
  readonly search: string | undefined;
  readonly active: "true" | "false";
  readonly sort: "name" | "-name";
}

/** A customer with counts, which only admins get: other people may not see everything that is counted. */
export interface ListedCustomer extends CustomerResource, Partial<UnderWay> {
  readonly last_invoice?: CalendarDate | null | undefined;
}

export function customerFilters({ query }: PageRequest): CustomerFilters {
  return {
    search: searchIn(query),
    active: query.active === "false" ? "false" : "true",
    sort: query.sort === "-name" ? "-name" : "name",
  };
}

/** Reads a page of customers that the person sees. Throws VALIDATION_FAILED for an unknown cursor. */
export async function readCustomerRows(
  cx: PersonReader,
  filters: CustomerFilters,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<Page<ListedCustomer>> {
  const { sort, ...others } = filters;
  const asked = { ...others, is_descending: sort === "-name" };
  const found = await listSortedCustomers(cx, asked, page, seenBy(cx, "customer"));
  if (!isAdmin(cx)) return found;
  const ids = found.data.map(({ id }) => id);
  const [last, under_way] = await Promise.all([lastInvoices(cx, ids), underWayOf(cx, ids)]);
  const data = found.data.map((customer) => ({
    ...customer,
    ...under_way.get(customer.id),
    last_invoice: last.get(customer.id)?.issue_date,
  }));
  return { ...found, data };
}
