/**
 * Reads the reason of a record's state: the explanation of `explain-subject.ts`, with the bookings and deliveries of its
 * documents, the obstacles of the whole account, and the record's audit events.
 */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { readEvents } from "../../settings/audit/queries.ts";
import { explainSubject, type Said } from "./explain-subject.ts";
import type { Subject } from "./find-subjects.ts";

type Facts = Readonly<Record<string, unknown>>;

export interface Inspection extends Subject {
  readonly facts: Facts;
  readonly says: readonly string[];
  /** The open bookings in an external ledger; the id is the guid in the ledger. */
  readonly bookings: readonly Facts[];
  readonly deliveries: readonly Facts[];
  /** The newest hundred events, from the oldest to the newest. */
  readonly events: readonly Facts[];
}

/** Reads all parts of the inspection of one record in one snapshot. Throws what `explainSubject` throws. */
export async function readInspection(cx: Reader, subject: Subject): Promise<Inspection> {
  const { account_id, kind, id } = subject;
  const { facts, says, documents = [] } = await explainSubject(cx, subject);
  const ids = documents.filter(isSaid);
  const bookings =
    await cx.rows<Facts>(sql`select id, document_id, state, reason, actor_kind, actor_id, attempts, last_outcome, lease_until, next_attempt_at,
        lease_until > clock_timestamp() as is_held,
        (select string_agg(c.verb || ' ' || concat_ws(' ', c.outcome, c.status) || ' ' || c.ms || ' ms', '; ' order by c.at, c.id)
          from (select * from intent_calls where account_id = intents.account_id and intent_id = intents.id
            order by at desc, id desc limit 20) c) as calls
      from intents where account_id = ${account_id} and document_id = any(${ids}::uuid[])
        and state in ('booking', 'unknown', 'pending', 'parked')`);
  const deliveries =
    await cx.rows<Facts>(sql`select id, state, channel, address, attempt, error_code, send_error, lease_until, next_attempt_at
      from deliveries where account_id = ${account_id} and document_id = any(${ids}::uuid[]) order by id`);
  const { events } = await readEvents(cx, { limit: 100, resource_type: kind, resource_id: id });
  const under_way = bookings.map(({ id: intent, state, is_held, lease_until, next_attempt_at }) => {
    if (is_held) return `A process books it in the ledger, with a lease until ${lease_until}.`;
    return state === "parked"
      ? `The ledger has different data: once it is corrected there, the next call resumes the booking, or \`matchbook ledger resolve --intent ${intent}\` ends it.`
      : `Its booking is open: the next call or, from ${next_attempt_at} on, the worker resumes it.`;
  });
  return {
    ...subject,
    facts: shownFacts(facts),
    says: [...under_way, ...says, ...(await holdsOf(cx))].filter(isSaid),
    bookings,
    deliveries,
    events: events.map(({ payload }) => shownEvent(JSON.parse(payload))).reverse(),
  };
}

/** Leaves out long fields that do not show the state. */
function shownFacts(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([name, value]) => !HIDDEN.includes(name) && !(value instanceof Buffer))
      .map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
}

const HIDDEN = ["account_id", "id", "document", "printed"];

function shownEvent({ at, actor, action, reason }: Record<string, Facts>): Facts {
  return { at, action, by: `${actor?.kind}:${actor?.id}`, reason };
}

const isSaid = (said: Said): said is string => Boolean(said);

/** Returns the reasons why the background work of the account is paused. */
async function holdsOf(cx: Reader): Promise<Said[]> {
  const hold = await cx.row<{ since: string | null; test_clock: string | null }>(sql`
    select test_clock, (select since from background_pause) as since
      from accounts where id = ${cx.caller.account_id}`);
  return [
    hold?.since && `Background work is paused since ${hold.since}, until \`matchbook resume\`.`,
    hold?.test_clock &&
      `The account's clock is set to ${hold.test_clock}: the scheduler does not run automatically.`,
  ];
}
