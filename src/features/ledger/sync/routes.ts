/** The REST routes of the links of customers and products to a connected ledger. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { listSync, readLink } from "./queries.ts";
import { LedgerLinkList, LedgerLinkResource, SyncQuery } from "./schemas.ts";

export const syncRoutes = routesOf("Ledger", [
  ...(["customer", "product"] as const).map((kind) =>
    defineRoute(`GET /${kind}s/:ref/ledger`, {
      operation: `${kind}s.ledger`,
      summary: `Read the state of a ${kind} in the connected ledger`,
      description:
        "`not_connected` if the books are kept in the built-in ledger, or the connected ledger was never notified.",
      access: "read",
      params: RefParams,
      replies: { 200: LedgerLinkResource },
      refuses: ["NOT_FOUND"],
      handle: (cx, { params }) => readLink(cx, kind, params.ref),
    }),
  ),

  defineRoute("GET /ledger/sync", {
    operation: "ledger.sync",
    summary: "List customers and products that the ledger has not accepted",
    description:
      "`queued` ones are sent automatically; `failed` ones were refused by the ledger or by a rule of Matchbook, and wait for a change.",
    access: "read",
    query: SyncQuery,
    replies: { 200: LedgerLinkList },
    handle: (cx, { query }) => listSync(cx, query),
  }),
]);
