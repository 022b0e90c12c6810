/** The REST routes of allocations. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { listAllocations } from "./queries.ts";
import { AllocationList, AllocationQuery } from "./schemas.ts";

export const allocationRoutes = routesOf("Receivables", [
  defineRoute("GET /allocations", {
    operation: "allocations.list",
    summary: "List what was applied to what",
    description:
      "An allocation joins an invoice, a reminder, an opening item or a refund (`debit`) with a payment, a credit note or an opening credit (`credit`). It takes `amount + rounding` of the first and `amount` of the second. Credit notes are matched with their own invoices when they are booked.",
    access: "read",
    query: AllocationQuery,
    replies: { 200: AllocationList },
    handle: (cx, { query }) => listAllocations(cx, query),
  }),
]);
