/** Reads the rows of the lists of drafts, issued invoices and credit notes, for the screen and for its file. */
import { calendarDate } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { TypedAmounts } from "../../features/overview/search/read-number.ts";
import { earnedOfInvoices } from "../../features/overview/today/report-earned.ts";
import { ownCondition } from "../../features/overview/views/queries.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { paymentConditionsOn } from "../../features/receivables/payment-states/find-states.ts";
import { listSortedNotes } from "../../features/sales/credit-notes/list.ts";
import type { CreditNoteRow } from "../../features/sales/credit-notes/schemas.ts";
import {
  type InvoiceOnList,
  listSortedInvoices,
} from "../../features/sales/invoices/list-sorted.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { Condition, Page } from "../../platform/database/page.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { isAdmin, seenBy } from "../frame/seen.ts";
import { type Filters, sortOf } from "./invoice-filters.ts";

interface PageAt {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** A row of the list; only admins see what an invoice has earned, because that includes the work of all people. */
export interface InvoiceWithEarned extends InvoiceOnList {
  /** What it has earned through this month, in its currency; null where the page has too many lines. */
  readonly earned?: number | null;
}

/** Reads a page of drafts or of issued invoices, with totals and customers. Throws VALIDATION_FAILED for an unknown cursor. */
export async function readInvoiceRows(
  cx: PersonReader,
  configuration: Configuration,
  filters: Filters,
  page: PageAt,
): Promise<Page<InvoiceWithEarned>> {
  const status = filters.tab === "drafts" ? "draft" : "issued";
  const seen = [
    ...seenBy(cx, "invoice"),
    ...withUser("invoice", filters),
    ...ofPayment(cx, configuration, filters),
  ];
  const found = await listSortedInvoices(
    cx,
    { ...asked(filters), status, has_payment: status === "issued" },
    page,
    seen,
    configuration,
  );
  if (!isAdmin(cx)) return found;
  const earned = await earnedOfInvoices(cx, configuration, found.data);
  const data = found.data.map((row) => ({
    ...row,
    earned: earned && scaledToNumber(earned.get(row.id) ?? 0n, currencyDigits(row.currency)),
  }));
  return { ...found, data };
}

/** Reads a page of credit notes. Throws as `readInvoiceRows`. */
export function readNoteRows(
  cx: PersonReader,
  filters: Filters,
  page: PageAt,
): Promise<Page<CreditNoteRow>> {
  const seen = [...seenBy(cx, "credit_note"), ...withUser("credit_note", filters)];
  return listSortedNotes(cx, asked(filters), page, seen);
}

/** Returns the condition that the person of the filter is on a line. */
function withUser(kind: "invoice" | "credit_note", { user }: Filters): readonly Condition[] {
  return user === undefined ? [] : [[ownCondition(kind, "$value"), user]];
}

function ofPayment(
  cx: PersonReader,
  { time_zone }: Configuration,
  { payment_state }: Filters,
): readonly Condition[] {
  const day = todayIn(cx.clock, time_zone);
  return paymentConditionsOn(
    day,
    payment_state === "overdue" ? { overdue: true } : { payment_state },
  );
}

/** Returns the filters without that by payment where nothing is known of it, and whether it is known. */
export function withKnownPayment(
  cx: PersonReader,
  { receivables_begun_on }: Configuration,
  filters: Filters,
): { readonly filters: Filters; readonly knows_payment: boolean } {
  if (filters.tab !== "issued") return { filters, knows_payment: false };
  if (receivables_begun_on !== null || isPaidInLedger(cx)) return { filters, knows_payment: true };
  const { payment_state: _, ...others } = filters;
  return { filters: others, knows_payment: false };
}

/** Returns the filters as the queries take them. */
function asked(filters: Filters) {
  const { q: search, customer, issued_from, issued_to, currency, delivery_state } = filters;
  const { by: sort, is_descending } = sortOf(filters);
  return {
    search,
    amounts: new TypedAmounts(search ?? "").minor,
    customer,
    issued_from: calendarDate(issued_from ?? ""),
    issued_to: calendarDate(issued_to ?? ""),
    currency,
    delivery_state,
    sort,
    is_descending,
  };
}
