/** The REST routes of the connection through which an account sends e-invoices. Connecting is done on the command line alone. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { checkConnection, readConnection } from "./check-connection.ts";
import { EinvoiceConnection } from "./schemas.ts";

export const einvoiceConnectionRoutes = routesOf("E-invoices", [
  defineRoute("GET /einvoice/connection", {
    operation: "einvoice.get_connection",
    summary: "Read how the account sends its e-invoices",
    description:
      "The result of the last sending or check; the other side is not called. The operator of the service connects an account on the command line, never an API key.",
    access: "read",
    replies: { 200: EinvoiceConnection },
    refuses: ["EINVOICE_BY_LEDGER"],
    handle: (cx) => readConnection(cx),
  }),

  defineRoute("POST /einvoice/connection/check", {
    operation: "einvoice.check_connection",
    summary: "Check whether e-invoices could be handed over",
    description:
      "Answers the state of the connection within 15 seconds. Writes and removes a file in a folder, or asks the access point; no e-invoice is sent.",
    access: "write",
    replies: { 200: EinvoiceConnection },
    refuses: ["EINVOICE_BY_LEDGER", "RESOURCE_BUSY"],
    handle: (cx) => checkConnection(cx),
  }),
]);
