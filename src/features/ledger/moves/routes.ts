/** The REST route of moves. Moving the books itself is never done with an API key. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { listMoves } from "./queries.ts";
import { LedgerMoveList, MoveQuery } from "./schemas.ts";

export const moveRoutes = routesOf("Ledger", [
  defineRoute("GET /ledger/moves", {
    operation: "ledger.list_moves",
    summary: "List moves of the books to another ledger, the newest first",
    description:
      "The operator of the service moves the books of an account (`matchbook ledger move`), never an API key. A document stays with the ledger that booked it.",
    access: "read",
    query: MoveQuery,
    replies: { 200: LedgerMoveList },
    handle: (cx, { query }) => listMoves(cx, query),
  }),
]);
