/** Reads the rows of the lists of drafts, issued invoices and credit notes, for the screen and for its file. */
import { calendarDate } from "../../domain/base/calendar.ts";
import { readCreditNotes } from "../../features/sales/credit-notes/list.ts";
import type { CreditNoteRow } from "../../features/sales/credit-notes/schemas.ts";
import { readInvoices } from "../../features/sales/invoices/list.ts";
import type { InvoiceRow } from "../../features/sales/invoices/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { type Page, pageFrom } from "../../platform/database/page.ts";
import { seenBy } from "../frame/seen.ts";
import type { Filters } from "./invoice-filters.ts";

interface PageAt {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Reads a page of drafts or of issued invoices, with totals and customers. Throws VALIDATION_FAILED for an unknown cursor. */
export async function readInvoiceRows(
  cx: PersonReader,
  filters: Filters,
  page: PageAt,
): Promise<Page<InvoiceRow>> {
  const status = filters.tab === "drafts" ? "draft" : "issued";
  const read = readInvoices(
    { ...page, ...conditionsOf(filters), origin: "all", status, include: ["totals", "customer"] },
    seenBy(cx, "invoice"),
  );
  return pageFrom<InvoiceRow>(await read.answer(cx));
}

/** Reads a page of credit notes. Throws as `readInvoiceRows`. */
export async function readNoteRows(
  cx: PersonReader,
  filters: Filters,
  page: PageAt,
): Promise<Page<CreditNoteRow>> {
  const read = readCreditNotes(
    { ...page, ...conditionsOf(filters), include: ["totals", "customer"] },
    seenBy(cx, "credit_note"),
  );
  return pageFrom<CreditNoteRow>(await read.answer(cx));
}

/** Returns the filters as the queries take them. Drafts have no day of issue, so a period does not filter them. */
function conditionsOf({ tab, q: search, customer, issued_from, issued_to }: Filters) {
  const period =
    tab === "drafts"
      ? {}
      : { issued_from: calendarDate(issued_from ?? ""), issued_to: calendarDate(issued_to ?? "") };
  return { search, customer, ...period };
}
