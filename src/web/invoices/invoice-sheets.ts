/** The files of the lists of drafts, issued invoices and credit notes: the rows and columns of the screen. */
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Page } from "../../platform/database/page.ts";
import { portionsOf } from "../../platform/http/csv-file.ts";
import { defineSheet, type SheetContent, type SheetReader } from "../frame/define-sheet.ts";
import { isAdmin } from "../frame/seen.ts";
import { fileColumnsOf } from "../parts/list.tsx";
import { currencyColumn, draftColumns, issuedColumns, noteColumns } from "./invoice-columns.tsx";
import type { Filters } from "./invoice-filters.ts";
import { readInvoiceRows, readNoteRows, withKnownPayment } from "./invoice-rows.ts";

/** The file of drafts or issued invoices. */
export const invoiceSheet = defineSheet("pages.invoices", async (cx, sent: Filters, reader) => {
  const configuration = await getConfiguration(cx);
  const { filters, knows_payment } = withKnownPayment(cx, configuration, sent);
  const columns = columnsFor(cx, configuration, reader, knows_payment);
  const is_draft = filters.tab === "drafts";
  const shown = is_draft ? draftColumns(columns, String) : issuedColumns(columns, String);
  const { names } = reader.words.files;
  return {
    filename: is_draft ? names.drafts : names.invoice,
    columns: [...fileColumnsOf(shown), currencyColumn(columns)],
    rows: rowsOf((page) => readInvoiceRows(cx, configuration, filters, page)),
  };
});

export const noteSheet = defineSheet("pages.credit_notes", async (cx, filters: Filters, reader) => {
  const columns = columnsFor(cx, await getConfiguration(cx), reader, false);
  return {
    filename: reader.words.files.names.credit_note,
    columns: [...fileColumnsOf(noteColumns(columns, String)), currencyColumn(columns)],
    rows: rowsOf((page) => readNoteRows(cx, filters, page)),
  };
});

function columnsFor(
  cx: PersonContext,
  { functional_currency: functional }: Configuration,
  { words, language }: SheetReader,
  knows_payment: boolean,
) {
  return {
    words: words.invoices,
    deliveries: words.delivery,
    select_all: words.lists.all,
    functional,
    language,
    shows_earned: isAdmin(cx),
    payments: knows_payment ? words.payments : null,
  };
}

function rowsOf<Row>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Row>>,
): SheetContent<Row>["rows"] {
  return portionsOf(async (page) => {
    const { data: rows, next_cursor } = await read(page);
    return { rows, next_cursor };
  });
}
