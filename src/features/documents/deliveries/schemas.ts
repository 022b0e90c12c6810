/** Schemas of the requests that concern attempts to send documents. */
import * as z from "zod";
import { pageParameters } from "../../../platform/http/schemas.ts";
import { deliveryStates } from "../issued/schemas.ts";

export const DeliveriesQuery = z.object({
  ...pageParameters,
  state: z.enum(deliveryStates).optional(),
});

export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;
