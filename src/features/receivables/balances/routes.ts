/** The REST routes of what customers owe. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { receivablesCsv } from "./csv.ts";
import { readSummary } from "./read-summary.ts";
import { listReceivables } from "./report-balances.ts";
import { ReceivableList, ReceivableQuery, ReceivablesSummary, SummaryQuery } from "./schemas.ts";

const refuses = ["PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN"] as const;

export const balanceRoutes = routesOf("Receivables", [
  defineRoute("GET /receivables", {
    operation: "receivables.list",
    summary: "What each customer owes, by age and on any day",
    description:
      "A row for each customer and currency of which something is open. `balance = total - credit_notes - customer_credit`. Amounts are aged by due date: what is due on the day is not late.",
    access: "read",
    query: ReceivableQuery,
    replies: { 200: ReceivableList },
    refuses,
    heavy: { field: "customer", narrow: "Request one customer." },
    handle: (cx, { query }) => listReceivables(cx, query),
  }),

  defineRoute("GET /receivables/summary", {
    operation: "receivables.get_summary",
    summary: "What all customers owe, beside the ledger",
    description:
      "`ledger` compares the open items with the accounts of receivables and of customer credit; both differences are 0 on every day.",
    access: "read",
    query: SummaryQuery,
    replies: { 200: ReceivablesSummary },
    refuses,
    handle: (cx, { query }) => readSummary(cx, query.at),
  }),

  receivablesCsv,
]);
