/** Reads events of the audit trail as recorded, from the newest to the oldest, in the order of the chain. */

import type { Reader } from "../../../platform/commands/context.ts";
import {
  type Condition,
  cursorFrom,
  envelope,
  positionFrom,
  whereOf,
} from "../../../platform/database/page.ts";
import { numbered, sql } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";

interface EventQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly resource_type?: string | undefined;
  readonly resource_id?: string | undefined;
  /** Several types and ids at once: of a document and of its lines. */
  readonly resource_types?: readonly string[] | undefined;
  readonly resource_ids?: readonly string[] | undefined;
  /** The id of the key or user that acted. */
  readonly actor?: string | undefined;
  /** A timestamp, or a date in UTC; `to` includes the whole date. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface RecordedEvent {
  /** The event as the API shows it. */
  readonly payload: JsonText;
  /** The grant of the assistant that acted. */
  readonly grant_id: string | null;
}

interface EventPage {
  readonly events: readonly RecordedEvent[];
  readonly next_cursor: string | null;
}

/** Returns one page of events. Throws VALIDATION_FAILED for a cursor that this service did not issue. */
export async function readEvents(cx: Reader, page: EventQuery): Promise<EventPage> {
  const before = page.cursor === undefined ? null : positionFrom(page.cursor, /^\d{1,18}$/).id;
  const conditions: Condition[] = [["account_id =", cx.caller.account_id]];
  if (page.resource_type) conditions.push(["resource_type =", page.resource_type]);
  if (page.resource_id) conditions.push(["resource_id =", page.resource_id]);
  if (page.resource_types) conditions.push(["resource_type = any($value)", page.resource_types]);
  if (page.resource_ids) conditions.push(["resource_id = any($value)", page.resource_ids]);
  if (page.actor) conditions.push(["actor_id =", page.actor]);
  if (page.from) conditions.push(["at >=", page.from]);
  if (page.to) conditions.push([endOf(page.to), page.to]);
  if (before !== null) conditions.push(["seq <", before]);
  const { where, values } = whereOf(conditions);
  const rows = await cx.rows<RecordedEvent & { readonly seq: bigint }>(
    numbered(
      `select seq, payload, grant_id from audit_events where ${where} order by seq desc limit $${values.length + 1}`,
      [...values, page.limit + 1],
    ),
  );
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return {
    events: shown,
    next_cursor: last ? cursorFrom({ id: String(last.seq), horizon: null }) : null,
  };
}

/** A user or a key whose changes the trail may have. */
interface AuditActor {
  readonly id: string;
  readonly name: string;
  readonly is_key: boolean;
}

const MOST_ACTORS = 300;

/** Returns the users and keys of the account by name, at most 300; users first. */
export function listActors(cx: Reader): Promise<AuditActor[]> {
  const { account_id } = cx.caller;
  return cx.rows<AuditActor>(sql`select id, name, false as is_key from users where account_id = ${account_id}
     union all select id, name, true as is_key from api_keys where account_id = ${account_id}
     order by is_key, name, id limit ${MOST_ACTORS}`);
}

/** Returns one page of events as text, in the list envelope. */
export async function listEvents(cx: Reader, page: EventQuery): Promise<JsonText> {
  const { events, next_cursor } = await readEvents(cx, page);
  return envelope(
    events.map(({ payload }) => payload),
    next_cursor,
  );
}

/** Returns the end of the filter: a date is included completely; a timestamp is the last time included. */
function endOf(to: string): string {
  return to.length === 10 ? "at < $value::date + 1" : "at <=";
}
