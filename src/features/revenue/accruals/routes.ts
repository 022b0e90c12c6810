/** The REST routes of accruals. */
import { run } from "../../../platform/commands/command.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { bookAccrual, reopenAccrual } from "./book-accrual.ts";
import { listHistory } from "./list-history.ts";
import { listMonthAccruals } from "./list-month.ts";
import { findAccrual, listAccruals, readAccrual } from "./queries.ts";
import { readReconciliation } from "./reconcile.ts";
import {
  AccrualDetail,
  AccrualHistory,
  AccrualList,
  AccrualOrList,
  AccrualParams,
  AccrualQuery,
  AccrualResource,
  CustomerAccrualsQuery,
  ReasonBody,
  Reconciliation,
  ReconciliationQuery,
} from "./schemas.ts";

export const accrualRoutes = routesOf("Accruals", [
  defineRoute("GET /accruals", {
    operation: "accruals.list",
    summary: "Read the accrual of a customer and month, or list those of all customers",
    description:
      "With `customer` one accrual, without it a list of all accruals of the month: booked ones, and drafts where the month is open for the customer; the newest customer first. `limit` and `cursor` belong to the list; a `cursor` with `customer` is 422. A draft is computed from the current data. For a closed month that was never booked, the answer is the open accrual into which its changes are carried.",
    access: "read",
    heavy: {
      field: "customer",
      narrow: "Cancel series that have ended, or request a customer with fewer lines.",
    },
    query: AccrualQuery,
    replies: { 200: AccrualOrList },
    refuses: ["NOT_FOUND"],
    handle: (cx, { query: { customer, month, ...page } }) =>
      customer === undefined
        ? listMonthAccruals(cx, month, page)
        : findAccrual(cx, customer, month),
  }),

  defineRoute("GET /accruals/reconciliation", {
    operation: "accruals.reconcile",
    summary: "Compare accruals, documents and earnings with the ledger's accounts",
    description:
      "Through the end of the month: booked accruals against the accounts of their roles, documents against revenue and VAT, open items against receivables, booked earnings against revenue; with the differences.",
    access: "read",
    heavy: { field: "month", narrow: "Request one month, or one customer, at a time." },
    query: ReconciliationQuery,
    replies: { 200: Reconciliation },
    handle: (cx, { query }) => reading(cx, (inside) => readReconciliation(inside, query.month)),
  }),

  defineRoute("GET /accruals/:id", {
    operation: "accruals.get",
    summary: "Read an accrual with its totals, contracts, lines and voucher entries",
    access: "read",
    heavy: { field: "id", narrow: "Request a customer with fewer lines." },
    params: AccrualParams,
    replies: { 200: AccrualDetail },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => reading(cx, (inside) => readAccrual(inside, params.id)),
  }),

  defineRoute("GET /accruals/:id/history", {
    operation: "accruals.list_history",
    summary: "List the bookings and reopenings of an accrual, the oldest first",
    access: "read",
    params: AccrualParams,
    replies: { 200: AccrualHistory },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => listHistory(cx, params.id),
  }),

  defineRoute("POST /accruals/:id/book", {
    operation: "accruals.book",
    summary: "Book the voucher of an accrual in the ledger",
    description:
      "A booked accrual never changes. Later changes of the month are carried into the first open one.",
    access: "issue",
    heavy: { field: "id", narrow: "Close the month instead: a close continues in the background." },
    params: AccrualParams,
    replies: { 200: AccrualResource },
    refuses: [
      "NOT_FOUND",
      "ACCRUAL_ALREADY_BOOKED",
      "PERIOD_NOT_ENDED",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
      "LATER_ACCRUAL_BOOKED",
      "EARLIER_ACCRUAL_OPEN",
      "EXCHANGE_RATE_MISSING",
      "ACCOUNT_ROLE_MISSING",
      "LEDGER_NOT_CONNECTED",
      "LEDGER_MAPPING_MISSING",
      "LEDGER_REJECTED",
      "LEDGER_UNAVAILABLE",
    ],
    handle: (cx, { params }) => run(bookAccrual, cx, params),
  }),

  defineRoute("POST /accruals/:id/reopen", {
    operation: "accruals.reopen",
    summary: "Reverse the last booking of a customer",
    description: "Books the voucher with all signs reversed, under the same date.",
    access: "issue",
    params: AccrualParams,
    body: ReasonBody,
    replies: { 200: AccrualResource },
    refuses: [
      "NOT_FOUND",
      "ACCRUAL_NOT_BOOKED",
      "LATER_ACCRUAL_BOOKED",
      "PERIOD_LOCKED",
      "LEDGER_MOVING",
      "LEDGER_NOT_CONNECTED",
      "LEDGER_MAPPING_MISSING",
      "LEDGER_REJECTED",
      "LEDGER_UNAVAILABLE",
    ],
    handle: (cx, { params, body }) => run(reopenAccrual, cx, { id: params.id, body }),
  }),

  defineRoute("GET /customers/:ref/accruals", {
    operation: "customers.list_accruals",
    summary: "List a customer's accruals, the newest month first",
    description: "Booked ones, and drafts of the open months through the current one.",
    access: "read",
    heavy: { field: "from", narrow: "Request fewer months at a time." },
    params: RefParams,
    query: CustomerAccrualsQuery,
    replies: { 200: AccrualList },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params, query }) => listAccruals(cx, params.ref, query),
  }),
]);
