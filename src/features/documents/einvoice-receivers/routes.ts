/** The REST route of look-ups of receivers of e-invoices. */
import { requireValid } from "../../../domain/base/problem.ts";
import { electronicAddressFaults } from "../../../domain/einvoice/electronic-address.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { presentReceiver } from "./find-receiver.ts";
import { ReceiverQuery, ReceiverResource } from "./schemas.ts";

export const einvoiceReceiverRoutes = routesOf("E-invoices", [
  defineRoute("GET /einvoice/receivers", {
    operation: "einvoice_receivers.get",
    summary: "Look up whether a receiver is registered for e-invoices",
    description:
      "Asks the register of Peppol, for at most 5 seconds: its DNS record, and the publisher that the record names. An answer is kept for 24 hours, `no` for 10 minutes. It is a hint: `unknown` stops nothing, and nothing is routed by it. At most two at once and 60 within an hour for an account, then 429. While `MATCHBOOK_EINVOICE_LOOKUP` is `off`, nothing is asked and all are `unknown`.",
    access: "read",
    query: ReceiverQuery,
    replies: { 200: ReceiverResource },
    handle: (cx, { query }) => {
      requireValid(electronicAddressFaults(query.address, "address"));
      return presentReceiver(cx, query.address);
    },
  }),
]);
