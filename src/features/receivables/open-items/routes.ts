/** The REST routes of open items. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { openItemsCsv } from "./csv.ts";
import { listItems } from "./list-items.ts";
import { OpenItemList, OpenItemQuery } from "./schemas.ts";

export const openItemRoutes = routesOf("Receivables", [
  defineRoute("GET /open-items", {
    operation: "open_items.list",
    summary: "List what is owed and what is held for customers, on any day",
    description:
      "An item is an invoice, a credit note, a payment, a reminder that charges something, or an opening item. Items that do not exist yet on the day are left out. A poll with `updated_since` needs `state=all`, to see items that have been closed. Where a connected accounting system records payments, the list has only items of the built-in ledger.",
    access: "read",
    query: OpenItemQuery,
    replies: { 200: OpenItemList },
    refuses: ["PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN"],
    handle: (cx, { query }) => listItems(cx, query),
  }),

  openItemsCsv,
]);
