/** The REST routes of the links of customers and products to a connected ledger. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { listSync, readLink } from "./queries.ts";
import { LedgerLinkList, LedgerLinkResource, SyncQuery } from "./schemas.ts";

export const syncRoutes = routesOf("Ledger", [
  ...(["customer", "product"] as const).map((kind) =>
    defineRoute(`GET /${kind}s/:ref/ledger`, {
      operation: `${kind}s.ledger`,
      summary: `Read how a ${kind} stands in the connected ledger`,
      description: "`not_connected` where the books are kept here, or the ledger was never told.",
      access: "read",
      params: RefParams,
      replies: { 200: LedgerLinkResource },
      refuses: ["NOT_FOUND"],
      handle: (cx, { params }) => readLink(cx, kind, params.ref),
    }),
  ),

  defineRoute("GET /ledger/sync", {
    operation: "ledger.sync",
    summary: "List customers and products that the ledger has not taken",
    description:
      "`queued` ones are told by themselves; `failed` ones were refused, by the ledger or by the rules here, and wait for a change.",
    access: "read",
    query: SyncQuery,
    replies: { 200: LedgerLinkList },
    handle: (cx, { query }) => listSync(cx, query),
  }),
]);
