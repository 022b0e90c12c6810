/** `list_invoices`: the invoices that a person sees, with their net amounts. */
import * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import { shownPaymentStates } from "../../domain/receivables/ledger-payment.ts";
import {
  asksForPayment,
  paymentConditions,
} from "../../features/receivables/payment-states/find-states.ts";
import { invoiceConditions } from "../../features/sales/invoices/list-conditions.ts";
import type { Condition } from "../../platform/database/page.ts";
import { Day } from "../../platform/http/schemas.ts";
import {
  deliveryArgument,
  pageArguments,
  reading,
  reference,
  scopeArgument,
  scopedOutput,
  searchArgument,
  sumsOutput,
} from "../protocol/arguments.ts";
import { defineReadTool } from "../protocol/tool.ts";
import { INVOICE_ROW, ListedInvoiceRow, showRows } from "../text/listed-invoices.ts";
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
    delivery_state: deliveryArgument,
    payment_state: z.enum(shownPaymentStates).optional(),
    overdue: z.boolean().optional(),
    search: searchArgument,
    ...pageArguments,
  });

const NOT_FOUND =
  "No invoices. The search looks in the number, the title, the external id and the customer's name.";

export const listInvoicesTool = defineReadTool<z.output<ReturnType<typeof input>>>({
  ...reading,
  name: "list_invoices",
  title: "List invoices",
  description:
    "Use it to find invoices and drafts, including those of retainers, by customer, status, issue date, number, title, delivery or payment, with net amounts, their sums, and what is still open with VAT: drafts by last change, then by issue date and number, the newest first. mine are those with a line assigned to the person. Periods that are not invoiced yet are found with list_occurrences.",
  input,
  output: scopedOutput(ListedInvoiceRow.schema).extend(sumsOutput),

  read(person, { scope, limit, cursor, ...filters }) {
    const view = { scope, limit, cursor };
    const conditions = invoiceConditions(filters);
    const show = showRows(filters.search === undefined ? "No invoices." : NOT_FOUND);
    const readWith = (more: readonly Condition[]) =>
      readRowsInView(person, "invoice", view, [...conditions, ...more], INVOICE_ROW, show);
    if (!asksForPayment(filters)) return readWith([]);
    return {
      single: undefined,
      answer: async (cx) => readWith(await paymentConditions(cx, filters)).answer(cx),
    };
  },
});
