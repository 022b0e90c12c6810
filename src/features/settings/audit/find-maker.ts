/** Finds who made a resource, in the audit trail. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

export interface Maker {
  readonly at: Timestamp;
  readonly kind: "user" | "api_key" | "scheduler" | "operator";
  /** The present name of the user or of the key; null for the others. */
  readonly name: string | null;
  /** The name of the assistant through which a user acted. */
  readonly assistant: string | null;
}

/** Returns who made a resource and when, by the real clock; undefined where the trail does not say. */
export function findMaker(
  cx: Reader,
  resource_type: string,
  resource_id: string,
): Promise<Maker | undefined> {
  const { account_id } = cx.caller;
  return cx.row<Maker>(sql`
    select e.at, e.actor_kind as kind, coalesce(u.name, k.name) as name,
      (select g.payload::json -> 'after' ->> 'client_name' from audit_events g
        where g.account_id = ${account_id} and g.resource_type = 'oauth_grant'
          and g.resource_id = e.grant_id::text and g.action = 'created' limit 1) as assistant
    from audit_events e
    left join users u on u.account_id = ${account_id} and u.id::text = e.actor_id
    left join api_keys k on k.account_id = ${account_id} and k.id::text = e.actor_id
    where e.account_id = ${account_id} and e.resource_type = ${resource_type}
      and e.resource_id = ${resource_id} and e.action = 'created'
    order by e.seq limit 1`);
}
