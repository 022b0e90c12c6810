/** The REST route of the audit trail. The platform records events together with every change. */
import * as z from "zod";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import {
  component,
  FirstDay,
  LastDay,
  listOf,
  Moment,
  pageParameters,
  text,
} from "../../../platform/http/schemas.ts";
import { listEvents } from "./queries.ts";

const AuditEvent = component("AuditEvent", {
  object: z.literal("audit_event"),
  id: z.string(),
  at: z.string(),
  actor: z.strictObject({
    kind: z.enum(["api_key", "user", "scheduler", "operator"]),
    id: z.string(),
  }),
  action: z.string(),
  resource_type: z.string(),
  resource_id: z.string(),
  before: z.unknown().describe("The resource before the change; null if it was created."),
  after: z.unknown().describe("The resource after the change; null if it was deleted."),
  reason: z.string().nullable(),
});

const AuditList = listOf(AuditEvent).meta({ id: "AuditEventList" });

const AuditQuery = z.object({
  ...pageParameters,
  resource_type: text(64, 1).optional(),
  resource_id: text(128, 1).optional(),
  actor: text(128, 1).optional().describe("The id of the key or user that acted."),
  from: z.union([Moment, FirstDay]).optional().describe("A timestamp, or a day or month in UTC."),
  to: z.union([Moment, LastDay]).optional().describe("A timestamp, or the end of a day or month."),
});

export const auditRoutes = routesOf("Audit", [
  defineRoute("GET /audit-events", {
    operation: "audit_events.list",
    summary: "List changes, with their time and actor",
    description:
      "An event is written in the transaction of its change, never altered, and chained by hash.",
    access: "read",
    query: AuditQuery,
    replies: { 200: AuditList },
    handle: (cx, { query: page }) => listEvents(cx, page),
  }),
]);
