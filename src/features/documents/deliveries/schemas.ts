/** Schemas of the requests that concern attempts to send documents. */
import * as z from "zod";
import { answerCodes } from "../../../domain/einvoice/buyer-answer.ts";
import { pageParameters } from "../../../platform/http/schemas.ts";
import { deliveryChannels, deliveryStates } from "../issued/schemas.ts";

export const DeliveriesQuery = z.object({
  ...pageParameters,
  state: z.enum(deliveryStates).optional(),
  channel: z.enum(deliveryChannels).optional(),
  response: z.enum(answerCodes).optional().describe("The code of the buyer's newest answer."),
});

export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;
