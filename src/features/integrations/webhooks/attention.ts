/** The query of webhook endpoints that get no events, for the start page of admins. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** Selects the endpoints that fail or are disabled, with the host as their title. `detail` is why one is disabled. */
export function attentionOfWebhooks({ caller: { account_id } }: Reader): Sql {
  return sql`(select 'webhook_' || status, 'webhook_endpoint', id::text, substring(url from '^[a-z]+://([^/?#]+)'), null, null,
      null, null, coalesce(failing_since, updated_at)::date::text, disabled_reason
    from webhook_endpoints where account_id = ${account_id} and status in ('failing', 'disabled'))`;
}
