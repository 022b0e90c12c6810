/** The REST routes of the connection to an accounting system. Connecting itself is never done with an API key. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { checkConnection, readConnection } from "./check-connection.ts";
import { LedgerConnection } from "./schemas.ts";

export const connectionRoutes = routesOf("Ledger", [
  defineRoute("GET /ledger/connection", {
    operation: "ledger.get_connection",
    summary: "Read how the account is connected to its accounting system",
    description:
      "As the last call or check has shown it; nothing is asked of the system. Connecting is done by whoever runs the service, never with an API key.",
    access: "read",
    replies: { 200: LedgerConnection },
    refuses: ["LEDGER_NOT_CONNECTED"],
    handle: (cx) => readConnection(cx),
  }),

  defineRoute("POST /ledger/connection/check", {
    operation: "ledger.check_connection",
    summary: "Ask the accounting system whether documents could be booked there",
    description:
      "Answers the connection as it is found, within 15 seconds: what does not answer is `unavailable`. The built-in ledger has nothing to be asked.",
    access: "write",
    replies: { 200: LedgerConnection },
    refuses: ["LEDGER_NOT_CONNECTED"],
    handle: (cx) => checkConnection(cx),
  }),
]);
