/** Reads the rows of the list of customers, for the screen and for its file. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { listSortedCustomers } from "../../features/catalogue/customers/queries.ts";
import type { CustomerResource } from "../../features/catalogue/customers/schemas.ts";
import { type UnderWay, underWayOf } from "../../features/overview/today/read-customer-summary.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import {
  type Balances,
  balancesOfCustomers,
} from "../../features/revenue/reports/report-groups.ts";
import { hasTooManyLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { lastInvoices } from "../../features/sales/invoices/list.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
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
  readonly country_key: string | undefined;
  readonly send_method: SendMethod | undefined;
  /** Whether the balances are asked for in an account with so many lines that they are left out otherwise. */
  readonly is_with_balances: boolean;
}

export const SEND_METHODS = ["email", "einvoice"] as const;
type SendMethod = (typeof SEND_METHODS)[number];

/** A customer with counts and balances, which only admins get: other people may not see everything that is counted. */
export interface ListedCustomer extends CustomerResource, Partial<UnderWay> {
  readonly last_invoice?: CalendarDate | null | undefined;
  /** Undefined where the account has too many lines and the balances are not asked for. */
  readonly balances?: Balances;
}

export function customerFilters({ query }: PageRequest): CustomerFilters {
  const { country_key = "" } = query;
  return {
    search: searchIn(query),
    active: query.active === "false" ? "false" : "true",
    sort: query.sort === "-name" ? "-name" : "name",
    country_key: /^[A-Z]{2}$/.test(country_key) ? country_key : undefined,
    send_method: SEND_METHODS.find((one) => one === query.send_method),
    is_with_balances: query.balances === "1",
  };
}

/** Returns the query of an address with the filters: empty for the list of all active customers by name. */
export function customerQuery(filters: CustomerFilters): Record<string, string> {
  const { search, active, sort, country_key, send_method, is_with_balances } = filters;
  return {
    ...(search === undefined ? {} : { q: search }),
    ...(country_key === undefined ? {} : { country_key }),
    ...(send_method === undefined ? {} : { send_method }),
    ...(is_with_balances ? { balances: "1" } : {}),
    ...(sort === "name" ? {} : { sort }),
    active,
  };
}

/** Whether the list shows balances: in an account with few lines, and where they are asked for. Only admins see them. */
export async function showsBalances(
  cx: PersonReader,
  configuration: Configuration,
  { is_with_balances }: CustomerFilters,
): Promise<boolean> {
  if (!isAdmin(cx)) return false;
  return is_with_balances || !(await hasTooManyLines(cx, currentMonth(cx, configuration)));
}

const NO_BALANCES: Balances = { asset: 0n, liability: 0n };

/**
 * Reads a page of customers that the person sees; `balances_of` is the configuration where balances are shown, otherwise null.
 * Throws VALIDATION_FAILED for an unknown cursor.
 */
export async function readCustomerRows(
  cx: PersonReader,
  balances_of: Configuration | null,
  filters: CustomerFilters,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<Page<ListedCustomer>> {
  const { search, active, sort, country_key, send_method } = filters;
  const asked = { search, active, country_key, send_method, is_descending: sort === "-name" };
  const found = await listSortedCustomers(cx, asked, page, seenBy(cx, "customer"));
  if (!isAdmin(cx)) return found;
  const ids = found.data.map(({ id }) => id);
  const [last, under_way, balances] = await Promise.all([
    lastInvoices(cx, ids),
    underWayOf(cx, ids),
    balances_of === null ? null : balancesOfCustomers(cx, balances_of, ids),
  ]);
  const data = found.data.map((customer) => ({
    ...customer,
    ...under_way.get(customer.id),
    ...(balances && { balances: balances.get(customer.id) ?? NO_BALANCES }),
    last_invoice: last.get(customer.id)?.issue_date,
  }));
  return { ...found, data };
}
