/** The REST route for what access points hand over: answers to e-invoices. */
import { run } from "../../../platform/commands/command.ts";
import { sentFile } from "../../../platform/http/body.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import type { DeliveryListener } from "../deliveries/store-outcome.ts";
import { readArrived } from "./read-answer.ts";
import { InboundResource } from "./schemas.ts";
import { storingAnswer } from "./store-answer.ts";

/** The largest document that is read. */
const MOST_BYTES = 1_000_000;

export function einvoiceAnswerRoutes(notify: DeliveryListener) {
  const storeAnswer = storingAnswer(notify);
  return routesOf("E-invoices", [
    defineRoute("POST /einvoice/inbound", {
      operation: "einvoice_inbound.receive",
      summary: "Take an answer to an e-invoice from an access point",
      description:
        "An Invoice Response (Peppol BIS 63), a Message Level Status, or an answer of OIOUBL, bare or in its envelope (SBD), at most 1 MB. It belongs to the newest delivery of the document that it names, if its sender is the receiver of that; another sender's answer is an event of the delivery and changes nothing else. The same `X-SBDH-Instance-ID`, else the same bytes, is `known`. An invoice is `refused`. It books, credits, pays and cancels nothing. A document type, entities, more than 50 levels, another namespace or another encoding than UTF-8 is 400.",
      access: "write",
      heavy: { field: "file", narrow: "Send a smaller document." },
      file: {
        content_types: ["application/xml", "text/xml"],
        most_bytes: MOST_BYTES,
        has_instance_id: true,
      },
      replies: { 200: InboundResource },
      handle: async (cx, { body }) => {
        const { bytes, instance_id = null } = sentFile(body);
        const arrived = await readArrived(bytes, cx.signal);
        return run(storeAnswer, cx, { arrived, content: bytes, instance_id });
      },
    }),
  ]);
}
