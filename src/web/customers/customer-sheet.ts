/** The file of the list of customers: the rows and columns of the screen. */
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { portionsOf } from "../../platform/http/csv-file.ts";
import { defineSheet } from "../frame/define-sheet.ts";
import { isAdmin } from "../frame/seen.ts";
import { fileColumnsOf } from "../parts/list.tsx";
import { customerColumns } from "./customer-columns.tsx";
import { type CustomerFilters, readCustomerRows, showsBalances } from "./customer-rows.ts";

export const customerSheet = defineSheet(
  "pages.customers",
  async (cx, filters: CustomerFilters, reader) => {
    const configuration = await getConfiguration(cx);
    const balances_of = (await showsBalances(cx, configuration, filters)) ? configuration : null;
    const shown = {
      is_admin: isAdmin(cx),
      has_balances: balances_of !== null,
      functional: configuration.functional_currency,
    };
    return {
      filename: reader.words.files.names.customers,
      columns: fileColumnsOf(customerColumns(reader, shown)),
      rows: portionsOf(async (page) => {
        const { data: rows, next_cursor } = await readCustomerRows(cx, balances_of, filters, page);
        return { rows, next_cursor };
      }),
    };
  },
);
