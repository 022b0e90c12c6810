/** Lists invoices as pages show them: drafts and issued invoices, filtered, in the order that a person chooses. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import {
  listSorted,
  type SortedPage,
  type SortOrder,
} from "../../../platform/database/list-sorted.ts";
import type { Condition, Page } from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { DeliveryState } from "../../../platform/database/tables.ts";
import {
  amountKey,
  deliveryCondition,
  foundCondition,
} from "../../documents/issued/find-documents.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { rowsOfInvoices } from "./list.ts";
import { invoiceConditions, SEARCHED } from "./list-conditions.ts";
import type { InvoiceRow } from "./schemas.ts";

export const INVOICE_SORTS = ["number", "day", "customer", "amount"] as const;
export type InvoiceSort = (typeof INVOICE_SORTS)[number];

/** The order of drafts: the last change first. */
const CHANGED: SortOrder = {
  name: "changed",
  type: "timestamptz",
  is_descending: true,
  keyed: (where) => `select id, updated_at as key from invoices where ${where}`,
};

/** The amounts of issued invoices, as the index of their order has them. */
const AMOUNTS = `select d.document_id as id, ${amountKey("d")} as key from issued_documents d
  where d.account_id = $1 and d.kind = 'invoice'`;

const KEYED: Readonly<Record<InvoiceSort, Pick<SortOrder, "type" | "keyed" | "walked">>> = {
  number: {
    type: "bigint",
    keyed: (where) =>
      `select id, coalesce(ledger_year, 0)::bigint * 1000000000000 + ledger_invoice_number as key from invoices where ${where}`,
  },
  day: {
    type: "date",
    keyed: (where) => `select id, issue_date as key from invoices where ${where}`,
  },
  customer: {
    type: "text",
    keyed: (where) => `select i.id, lower(c.name) as key from customers c
      join (select id, customer_id from invoices where ${where}) i on i.customer_id = c.id where c.account_id = $1`,
  },
  amount: {
    type: "text",
    keyed: (where) => `${AMOUNTS} and d.document_id in (select id from invoices where ${where})`,
    walked: {
      all: AMOUNTS,
      // Without the offset, all invoices that meet the condition would be read for a join.
      meets: (where) =>
        `exists (select from invoices where invoices.id = k.id and ${where} offset 0)`,
    },
  },
};

const TOTALLED = ["totals", "customer"] as const;

/** The filters of the lists of documents on pages; all are optional. */
export interface DocumentFilters {
  readonly search?: string | undefined;
  /** The amounts that the search text may mean, in minor units. */
  readonly amounts?: readonly bigint[] | undefined;
  readonly customer?: string | undefined;
  readonly issued_from?: CalendarDate | undefined;
  readonly issued_to?: CalendarDate | undefined;
  readonly currency?: string | undefined;
  readonly delivery_state?: DeliveryState | "none" | undefined;
}

interface ListedInvoices extends DocumentFilters {
  readonly status: "draft" | "issued";
  /** The order of issued invoices; drafts have that of their last change. */
  readonly sort: InvoiceSort;
  readonly is_descending: boolean;
  /** Whether each row has what is paid of it. */
  readonly has_payment?: boolean;
}

/** What a list on a page shows of an invoice besides its row. */
interface BesideInvoice {
  /** The printed text of the first line; null without lines. */
  readonly first_text: string | null;
  /** The registered hours in 1/100, and the first day of those that can be invoiced; null without hours. */
  readonly hours: number | null;
  readonly since: CalendarDate | null;
  /** The period of a retainer; null for a one-time invoice. */
  readonly period: string | null;
  readonly period_from: CalendarDate | null;
  readonly period_to: CalendarDate | null;
}

/** An invoice as a list on a page shows it. */
export type InvoiceOnList = InvoiceRow & Partial<BesideInvoice>;

/**
 * Returns a page of invoices of any origin with totals, customer and period. `seen` are the conditions of the caller's view.
 * Throws VALIDATION_FAILED for a cursor of another order.
 */
export async function listSortedInvoices(
  cx: Reader,
  asked: ListedInvoices,
  page: SortedPage,
  seen: readonly Condition[],
  configuration: Configuration,
): Promise<Page<InvoiceOnList>> {
  const { status, sort, is_descending, search, amounts = [], currency, delivery_state } = asked;
  const { customer, issued_from, issued_to } = asked;
  const conditions = invoiceConditions({ origin: "all", status, customer, issued_from, issued_to });
  if (currency !== undefined) conditions.push(["currency =", currency]);
  if (delivery_state !== undefined)
    conditions.push(deliveryCondition("invoices", [delivery_state]));
  if (search !== undefined) {
    conditions.push(foundCondition("invoices", SEARCHED, search, amounts));
  }
  const order = status === "draft" ? CHANGED : { ...KEYED[sort], name: sort, is_descending };
  const asked_for = [...conditions, ...seen];
  const { texts, next_cursor } = await listSorted(cx, "invoices", order, asked_for, page);
  const include = [...TOTALLED, ...(asked.has_payment ? (["payment"] as const) : [])];
  const rows = await rowsOfInvoices(cx, texts, include, { configuration });
  const beside = await besideInvoices(
    cx,
    rows.map(({ id }) => id),
  );
  const data = rows.map((row) => ({ ...row, ...beside.get(row.id) }));
  return { data, has_more: next_cursor !== null, next_cursor };
}

/** Reads the first lines of invoices, the hours that are registered on them, and their periods. */
async function besideInvoices(
  cx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BesideInvoice>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<
    BesideInvoice & { readonly id: string }
  >(sql`select i.id, l.first_text, w.hours, w.since, i.period, i.period_from, i.period_to from invoices i
    left join lateral (select coalesce(l.description_override, l.product_name) as first_text from invoice_lines l
      where l.account_id = ${account_id} and l.invoice_id = i.id order by l.position limit 1) l on true
    left join lateral (select sum(r.hours)::int as hours, min(r.date) filter (where r.billable) as since
      from work_registrations r where r.account_id = ${account_id} and r.invoice_id = i.id) w on true
    where i.account_id = ${account_id} and i.id = any(${ids})`);
  return new Map(rows.map(({ id, ...beside }) => [id, beside]));
}
