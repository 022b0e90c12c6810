/** The REST routes of reference rates. */
import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { listReferenceRates } from "./queries.ts";
import { putReferenceRate } from "./save.ts";
import {
  ReferenceRateList,
  ReferenceRateParams,
  ReferenceRatePut,
  ReferenceRateQuery,
  ReferenceRateResource,
} from "./schemas.ts";

export const referenceRateRoutes = routesOf("Reminders", [
  defineRoute("GET /reference-rates", {
    operation: "reference_rates.list",
    summary: "List reference rates, the newest half-year first",
    access: "read",
    query: ReferenceRateQuery,
    replies: { 200: ReferenceRateList },
    handle: (cx, { query }) => listReferenceRates(cx, query),
  }),

  defineRoute("PUT /reference-rates/:date", {
    operation: "reference_rates.set",
    summary: "Set the reference rate of a half-year",
    description:
      "The National Bank's lending rate on 1 January or 1 July, from which statutory interest is computed. Interest that is charged already keeps its rate.",
    access: "write",
    params: ReferenceRateParams,
    body: ReferenceRatePut,
    replies: { 200: ReferenceRateResource },
    handle: (cx, { params, body }) => run(putReferenceRate, cx, { ...params, rate: body.rate }),
  }),
]);
