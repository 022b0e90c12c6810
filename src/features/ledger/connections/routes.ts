/** The REST routes of the connection to an accounting system. Connecting itself is never done with an API key. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { checkConnection, readConnection } from "./check-connection.ts";
import { LedgerConnection } from "./schemas.ts";

export const connectionRoutes = routesOf("Ledger", [
  defineRoute("GET /ledger/connection", {
    operation: "ledger.get_connection",
    summary: "Read how the account is connected to its accounting system",
    description:
      "The result of the last call or check; the system is not called. The operator of the service connects an account, never an API key.",
    access: "read",
    replies: { 200: LedgerConnection },
    refuses: ["LEDGER_NOT_CONNECTED"],
    handle: (cx) => readConnection(cx),
  }),

  defineRoute("POST /ledger/connection/check", {
    operation: "ledger.check_connection",
    summary: "Ask the accounting system whether documents could be booked there",
    description:
      "Answers the state of the connection within 15 seconds: a system that does not answer is `unavailable`. The built-in ledger needs no check.",
    access: "write",
    replies: { 200: LedgerConnection },
    refuses: ["LEDGER_NOT_CONNECTED"],
    handle: (cx) => checkConnection(cx),
  }),
]);
