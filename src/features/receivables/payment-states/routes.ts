/** The REST route of what is paid of an invoice. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { askInvoicePayment } from "./read-payment.ts";
import { AtQuery, InvoicePaymentResource } from "./schemas.ts";

export const paymentStateRoutes = routesOf("Receivables", [
  defineRoute("GET /invoices/:ref/payment", {
    operation: "invoices.get_payment",
    summary: "What is paid of an issued invoice, on any day",
    description:
      "`gross = paid + credited + rounding + open`. `paid` means that nothing is open and some of it was paid, `credited` that nothing is open and nothing was paid. The state of a day changes only by what is dated on it or before. An invoice that was settled before receivables were begun is `paid` with `paid_on` null. Of an invoice that a connected accounting system booked, `source` is `ledger`, and `as_of` says when that system was last asked: every quarter of an hour, and by this request where the last answer is older. What it does not report is null. An invoice of which too much was paid there is `overpaid`.",
    access: "read",
    params: RefParams,
    query: AtQuery,
    replies: { 200: InvoicePaymentResource },
    refuses: ["NOT_FOUND", "PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN", "INVOICE_NOT_ISSUED"],
    handle: (cx, { params, query }) => askInvoicePayment(cx, params.ref, query),
  }),
]);
