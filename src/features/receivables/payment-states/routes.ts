/** The REST route of what is paid of an invoice. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { readInvoicePayment } from "./read-payment.ts";
import { AtQuery, InvoicePaymentResource } from "./schemas.ts";

export const paymentStateRoutes = routesOf("Receivables", [
  defineRoute("GET /invoices/:ref/payment", {
    operation: "invoices.get_payment",
    summary: "What is paid of an issued invoice, on any day",
    description:
      "`gross = paid + credited + rounding + open`. `paid` means that nothing is open and some of it was paid, `credited` that nothing is open and nothing was paid. The state of a day changes only by what is dated on it or before. An invoice that was settled before receivables were begun is `paid` with `paid_on` null. Of an invoice that a connected accounting system booked, `source` is `ledger`; amounts and state are null until that system has reported them.",
    access: "read",
    params: RefParams,
    query: AtQuery,
    replies: { 200: InvoicePaymentResource },
    refuses: ["NOT_FOUND", "PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN", "INVOICE_NOT_ISSUED"],
    handle: (cx, { params, query }) => readInvoicePayment(cx, params.ref, query),
  }),
]);
