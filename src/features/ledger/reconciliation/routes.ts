/** The REST route of the comparison with a connected ledger. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { reconcileMonth } from "./reconcile-month.ts";
import { ReconciliationQuery, ReconciliationResource } from "./schemas.ts";

export const reconciliationRoutes = routesOf("Ledger", [
  defineRoute("GET /ledger/reconciliation", {
    operation: "ledger.reconciliation",
    summary: "Compare a month with the same month in the connected ledger",
    description:
      "Numbers and totals of documents, and the movements on the accounts to which they are posted. Reads the ledger, within its limit of requests.",
    access: "read",
    query: ReconciliationQuery,
    replies: { 200: ReconciliationResource },
    refuses: ["LEDGER_NOT_CONNECTED", "LEDGER_UNAVAILABLE"],
    handle: (cx, { query }) => reconcileMonth(cx, query.month),
  }),
]);
