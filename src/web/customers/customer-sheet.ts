/** The file of the list of customers: the rows and columns of the screen. */
import { portionsOf } from "../../platform/http/csv-file.ts";
import { defineSheet } from "../frame/define-sheet.ts";
import { isAdmin } from "../frame/seen.ts";
import { fileColumnsOf } from "../parts/list.tsx";
import { customerColumns } from "./customer-columns.tsx";
import { type CustomerFilters, readCustomerRows } from "./customer-rows.ts";

export const customerSheet = defineSheet(
  "pages.customers",
  async (cx, filters: CustomerFilters, reader) => ({
    filename: reader.words.files.names.customers,
    columns: fileColumnsOf(customerColumns(reader, isAdmin(cx))),
    rows: portionsOf(async (page) => {
      const { data: rows, next_cursor } = await readCustomerRows(cx, filters, page);
      return { rows, next_cursor };
    }),
  }),
);
