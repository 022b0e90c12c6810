/** The filters of lists of invoices as SQL conditions, and the order of the lists that assistants read. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { WaitingFirst } from "../../../platform/database/list-waiting-first.ts";
import { type Condition, CUSTOMER_HAS, has, SCANNED } from "../../../platform/database/page.ts";
import { refersTo } from "../../../platform/database/resources.ts";
import { deliveryCondition } from "../../documents/issued/find-documents.ts";
import type { InvoiceQuery, Origin } from "./schemas.ts";

type InvoiceFilters = Partial<
  Omit<InvoiceQuery, "limit" | "cursor" | "updated_since" | "include">
> & {
  /** The earliest issue date of the list; drafts that have an issue date are filtered too. */
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
};

const OF_ORIGIN: Readonly<Record<Origin, readonly Condition[]>> = {
  one_time: [["series_id is null"]],
  series: [["series_id is not null"]],
  all: [],
};

/** Returns the SQL conditions of the filters of an invoice list: one-time invoices, unless the filters ask for others. */
export function invoiceConditions(filters: InvoiceFilters): Condition[] {
  const conditions: Condition[] = [...OF_ORIGIN[filters.origin ?? "one_time"]];
  if (filters.customer !== undefined) {
    conditions.push(refersTo("customer_id", "customers", filters.customer));
  }
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.status !== undefined) conditions.push(["status =", filters.status]);
  if (filters.number !== undefined) conditions.push(["ledger_invoice_number =", filters.number]);
  const dates: (readonly [string, CalendarDate | undefined])[] = [
    ["issue_date >=", filters.from],
    ["issue_date <=", filters.to],
    ["status = 'issued' and issue_date >=", filters.issued_from],
    ["status = 'issued' and issue_date <=", filters.issued_to],
  ];
  for (const [condition, day] of dates) {
    if (day !== undefined) conditions.push([`${SCANNED}${condition}`, day]);
  }
  if (filters.delivery_state !== undefined) {
    conditions.push(deliveryCondition("invoices", filters.delivery_state));
  }
  if (filters.search !== undefined) conditions.push(has(filters.search, SEARCHED, CUSTOMER_HAS));
  return conditions;
}

/** The columns of an invoice that a search reads. */
export const SEARCHED = ["ledger_invoice_number", "external_id", "title"];

/**
 * Drafts by their last change, then issued invoices by day and number. An issue is the last change of its row, and its time is
 * taken while it holds the books' next numbers: an issue that a page does not see has a later time than those that it sees.
 */
export const INVOICES_WAITING_FIRST: WaitingFirst = {
  changed: "coalesce(drafted_at, updated_at)",
  day: "issue_date",
  number: "coalesce(ledger_invoice_number, 0)",
  moment:
    "coalesce(max(m.updated_at), 'epoch') from invoices m where m.account_id = $1 and m.status = 'issued'",
  issuedAfter: (moment) =>
    `select i.id from invoices i where i.account_id = $1 and i.updated_at > ${moment} and i.status = 'issued'`,
};
