/** `list_invoices`: the invoices that a person sees, with their net amounts. */
import * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import { invoiceConditions } from "../../features/sales/invoices/queries.ts";
import { Day } from "../../platform/http/schemas.ts";
import {
  pageArguments,
  reading,
  reference,
  scopeArgument,
  scopedOutput,
  searchArgument,
} from "../protocol/arguments.ts";
import { defineReadTool } from "../protocol/tool.ts";
import { INVOICE_ROW, ListedInvoice, showRows } from "../text/listed-invoices.ts";
import { readRowsInView } from "../views/answer-in-view.ts";

const input = (role: Role) =>
  z.object({
    scope: scopeArgument(role),
    origin: z
      .enum(["all", "one_time", "series"])
      .default("all")
      .describe("one_time, or series: invoices of retainers."),
    status: z.enum(["draft", "issued"]).optional(),
    customer: reference("customer").optional(),
    from: Day.optional().describe("First issue date; leaves out drafts without a date."),
    to: Day.optional().describe("Last issue date; leaves out drafts without a date."),
    search: searchArgument,
    ...pageArguments,
  });

export const listInvoicesTool = defineReadTool<z.output<ReturnType<typeof input>>>({
  ...reading,
  name: "list_invoices",
  title: "List invoices",
  description:
    "Use it to find invoices and drafts, including those of retainers, by customer, status, issue date, number or title, with net amounts, the newest first. mine are those with a line assigned to the person. Periods that are not invoiced yet are found with list_occurrences.",
  input,
  output: scopedOutput(ListedInvoice),

  read(person, { scope, limit, cursor, ...filters }) {
    const view = { scope, limit, cursor };
    const conditions = invoiceConditions(filters);
    return readRowsInView(person, "invoice", view, conditions, INVOICE_ROW, showRows);
  },
});
