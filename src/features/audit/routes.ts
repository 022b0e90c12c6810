/** Reading the audit trail (domain.md 3.12). Recording is the platform's, beside every change. */
import * as z from "zod";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { cursorFrom, envelope, positionFrom } from "../../platform/database/page.ts";
import { defineRoute, okText } from "../../platform/http/route.ts";
import { Day, listOf, Moment, pageParameters, text } from "../../platform/http/schemas.ts";
import type { JsonText } from "../../platform/json.ts";

const AuditEvent = z
  .strictObject({
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
    before: z.unknown().meta({ description: "The resource as it was; null when it was made." }),
    after: z.unknown().meta({ description: "The resource as it became; null when it ended." }),
    reason: z.string().nullable(),
  })
  .meta({ id: "AuditEvent" });

const AuditList = listOf(AuditEvent).meta({ id: "AuditEventList" });

const AuditQuery = z.object({
  ...pageParameters,
  resource_type: text(64, 1).optional(),
  resource_id: text(128, 1).optional(),
  actor: text(128, 1).optional().meta({ description: "The id of the key or user that acted." }),
  from: z.union([Moment, Day]).optional().meta({ description: "A timestamp, or a day in UTC." }),
  to: z.union([Moment, Day]).optional().meta({ description: "A timestamp, or the end of a day." }),
});

/** Events from the newest to the oldest, in the order of the chain. */
async function listAuditEvents(cx: Context, page: z.output<typeof AuditQuery>): Promise<JsonText> {
  const before = page.cursor === undefined ? null : positionFrom(page.cursor, /^\d{1,18}$/).id;
  const conditions: [string, unknown][] = [["account_id = ?", cx.caller.account_id]];
  if (page.resource_type) conditions.push(["resource_type = ?", page.resource_type]);
  if (page.resource_id) conditions.push(["resource_id = ?", page.resource_id]);
  if (page.actor) conditions.push(["actor_id = ?", page.actor]);
  if (page.from) conditions.push(["at >= ?", page.from]);
  if (page.to) conditions.push([endOf(page.to), page.to]);
  if (before !== null) conditions.push(["seq < ?", before]);
  const where = conditions
    .map(([condition], index) => condition.replace("?", `$${index + 1}`))
    .join(" and ");
  const rows = await query<{ seq: bigint; payload: JsonText }>(
    cx.db,
    `select seq, payload from audit_events where ${where} order by seq desc limit $${conditions.length + 1}`,
    [...conditions.map(([, value]) => value), page.limit + 1],
  );
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return envelope(
    shown.map((row) => row.payload),
    last ? cursorFrom({ id: String(last.seq), horizon: null }) : null,
  );
}

/** A day includes all of itself; a moment is the last one included. */
function endOf(to: string): string {
  return to.length === 10 ? "at < ?::date + 1" : "at <= ?";
}

export const auditRoutes = [
  defineRoute({
    method: "GET",
    path: "/audit-events",
    tag: "Audit",
    summary: "List what was changed, when and by whom",
    description: "Events are written with the change itself, never altered, and chained by hash.",
    access: "read",
    query: AuditQuery,
    replies: { 200: AuditList },
    refuses: [],
    handle: async (cx, { query: page }) => okText(await listAuditEvents(cx, page)),
  }),
];
