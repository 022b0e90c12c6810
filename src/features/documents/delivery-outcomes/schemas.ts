/** Schemas of what has become of a delivery: its events, and what a person has found out about it. */
import * as z from "zod";
import {
  deliveryEventKinds,
  deliveryEventSources,
  resolutions,
} from "../../../domain/einvoice/einvoice-delivery.ts";
import { component, input, listOf, shownText, text, Uuid } from "../../../platform/http/schemas.ts";

export const DeliveryEvent = component("DeliveryEvent", {
  object: z.literal("delivery_event"),
  at: z.string().describe("When it happened; ISO 8601, UTC."),
  kind: z.enum(deliveryEventKinds).meta({
    description:
      "`handed_over`: given to what sends it. `looked`: asked what became of it. `response`: the buyer has answered. `resolved`: a person knows. More may be added.",
  }),
  code: shownText.describe(
    "A stable word for programs, such as the code of a failure or of an answer.",
  ),
  text: shownText.describe("The same in words."),
  source: z.enum(deliveryEventSources).meta({
    description:
      "Who says so: this service, what sends the document, the receiver's side, or a person.",
  }),
});

export const DeliveryEventList = listOf(DeliveryEvent).meta({ id: "DeliveryEventList" });

export const DeliveryParams = z.object({ id: Uuid });

export const ResolveBody = input("DeliveryResolve", {
  outcome: z.enum(resolutions).describe("Whether the document has reached its receiver."),
  reason: text(500, 1).describe("How that was found out; kept with the delivery."),
});
