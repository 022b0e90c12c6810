/**
 * Stores bookings in an external ledger. The payload is frozen and stored, with a lease, before the first byte is sent; the
 * process that holds the lease calls the ledger. After a crash the lease expires, and the worker or the next call resumes the
 * booking with the same guid (spec 9.8). Ended intents are kept, with their calls.
 */
import type { AccountId } from "../../../domain/base/brand.ts";
import type { Booked, BookingIntent } from "../../../ledger/ledger.ts";
import type { Actor, Reader } from "../../../platform/commands/context.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql, tableOf } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { freeze, thaw } from "../../../platform/runtime/json.ts";
import type { Doubt, IntentProgress, OpenState } from "./intent-state.ts";

export interface Intent {
  readonly account_id: AccountId;
  readonly id: string;
  readonly document_id: string;
  /** The guid of the booking in the ledger: the document's id, or another guid when the ledger keeps that of a deleted draft. */
  readonly guid: string;
  /** The guids given up before the current one: documents that a late call leaves under them are removed. */
  readonly former_guids: readonly string[];
  readonly connection_id: string | null;
  readonly kind: BookingIntent["kind"];
  readonly state: OpenState;
  readonly payload: string;
  readonly payload_hash: Buffer;
  /** The accounts of the ledger to which the document's lines are posted, frozen. */
  readonly accounts: string;
  readonly actor_kind: Actor["kind"];
  readonly actor_id: string;
  /** The number of attempts to call the ledger, including this one. */
  readonly attempts: number;
  /** Milliseconds since the last call that may have booked; null when nothing can have been booked. */
  readonly called_ago_ms: number | null;
  readonly looks: number;
  /** Why the intent is parked. */
  readonly reason: Doubt | null;
  /** How often the ledger has accepted the booking and then returned it unbooked. */
  readonly returned: number;
}

const STORED = `account_id, id, document_id, coalesce(guid, document_id) as guid, former_guids, returned, connection_id, kind, state, payload, payload_hash, accounts, actor_kind,
  actor_id, attempts, looks, reason`;
/** Milliseconds since the last call, at most ten days, from a difference of moments. */
const agoBy = (difference: string): string =>
  `case when called_at is not null then least(extract(epoch from ${difference}) * 1000, 864000000)::int end as called_ago_ms`;
const COLUMNS = `${STORED}, ${agoBy("clock_timestamp() - called_at")}`;
const LEASE = "interval '30 seconds'";
/** As `COLUMNS`, of a row whose lease begins with this statement: a cluster reads no clock for what it returns. */
const LEASED = `${STORED}, ${agoBy(`lease_until - called_at - ${LEASE}`)}`;
/** The states of intents that have not ended. */
export const OPEN = raw("('booking', 'unknown', 'pending', 'parked')");
/** The states of intents that the worker resumes. */
export const AT_WORK = raw("('booking', 'unknown', 'pending')");
/** The time after which no late call can leave a document in the ledger any more. */
const SWEPT_AFTER = "interval '15 minutes'";

/**
 * Stores an intent and takes its first lease, inside the transaction that locked the draft. A document that was refused under a
 * guid other than its id keeps that guid, because the ledger may have a draft under it.
 */
export async function openIntent(
  cx: Reader,
  booking: BookingIntent,
  payload: string,
): Promise<Intent> {
  const { account_id, actor } = cx.caller;
  const found = await cx.row<{ guid: string | null; connection_id: string | null }>(sql`select
       (select t.guid from intents t where t.account_id = ${account_id} and t.document_id = ${booking.guid}
        order by t.created_at desc, t.id desc limit 1) as guid,
       (select id from ledger_connections where account_id = ${account_id} and is_current) as connection_id`);
  const rows =
    await cx.rows<Intent>(sql`insert into intents (account_id, id, document_id, guid, connection_id, kind, payload,
       payload_hash, accounts, actor_kind, actor_id, attempts, lease_until, next_attempt_at)
     values (${account_id}, ${newId()}, ${booking.guid}, ${found?.guid ?? null}, ${found?.connection_id ?? null},
       ${booking.kind}, ${payload}, ${booking.payload_hash}, ${freeze(booking.accounts)}, ${actor.kind}, ${actor.id}, 1,
       clock_timestamp() + ${raw(LEASE)}, clock_timestamp() + ${raw(LEASE)})
     returning ${raw(LEASED)}`);
  return required(rows);
}

/** Returns the open intent of a document. Throws when there is none: the caller has just seen it. */
export async function findIntent(cx: Reader, document_id: string): Promise<Intent> {
  const rows = await cx.rows<Intent>(
    sql`select ${raw(COLUMNS)} from intents
      where account_id = ${cx.caller.account_id} and document_id = ${document_id} and state in ${OPEN}`,
  );
  return required(rows);
}

/** Returns the intent of a document that has not ended; undefined without one. */
export function findOpenOf(cx: Reader, document_id: string): Promise<Intent | undefined> {
  return cx.row<Intent>(
    sql`select ${raw(COLUMNS)} from intents
      where account_id = ${cx.caller.account_id} and document_id = ${document_id} and state in ${OPEN}`,
  );
}

/** Returns an intent that has not ended; undefined for any other. */
export function findOpen(cx: Reader, id: string): Promise<Intent | undefined> {
  return cx.row<Intent>(
    sql`select ${raw(COLUMNS)} from intents
      where account_id = ${cx.caller.account_id} and id = ${id} and state in ${OPEN}`,
  );
}

/** Takes over an open intent whose lease has expired; undefined while another process holds it. */
export function takeIntent(
  db: Reads,
  account_id: AccountId,
  id: string,
): Promise<Intent | undefined> {
  return db.row<Intent>(sql`update intents set attempts = attempts + 1, lease_until = (select clock_timestamp() + ${raw(LEASE)}),
       next_attempt_at = (select clock_timestamp() + ${raw(LEASE)})
     where account_id = ${account_id} and id = ${id} and state in ${OPEN} and lease_until <= (select clock_timestamp())
     returning ${raw(LEASED)}`);
}

/** The SQL condition that the ledger is not down, and accepts our credentials. */
const REACHED = raw(`not exists (select from ledger_connections c
  where c.account_id = i.account_id and c.id = i.connection_id
    and (c.down_since is not null or c.state in ('unauthorized', 'subscription')))`);

/** The condition that an intent `i` is due, has no lease, and its ledger can be called. */
const IS_DUE = sql`i.state in ${AT_WORK}
  and greatest(i.next_attempt_at, i.lease_until) <= statement_timestamp() and ${REACHED}`;
/** The due intents of all accounts, for a look whether there are any. */
export const dueIntents = sql`from intents i where ${IS_DUE}`;

/** The number of due intents that a look for accounts reads: an account with more is alone in the answer. */
const SEEN = 200;

/** Returns accounts after `after`, in their order, that have a due intent without a lease, other than those in `except`. */
export async function dueAccounts(
  db: Reads,
  except: readonly string[],
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await db.rows<{ account_id: string }>(sql`select distinct seen.account_id from (
       select i.account_id from intents i
       where i.account_id > ${after} and ${IS_DUE} and not (i.account_id = any(${except}::uuid[]))
       order by i.account_id limit ${raw(SEEN)}) seen
     order by seen.account_id limit ${most}`);
  return rows.map(({ account_id }) => account_id);
}

/** Takes the oldest due intent of an account without a lease for this process; undefined when there is none. */
export function takeDueIntent(db: Reads, account_id: string): Promise<Intent | undefined> {
  return db.row<Intent>(sql`update intents set attempts = attempts + 1, lease_until = (select clock_timestamp() + ${raw(LEASE)}),
       next_attempt_at = (select clock_timestamp() + ${raw(LEASE)})
     where (account_id, id) = (
       select i.account_id, i.id from intents i
       where i.account_id = ${account_id} and ${IS_DUE}
       order by greatest(i.next_attempt_at, i.lease_until) limit 1 for update skip locked)
     returning ${raw(LEASED)}`);
}

/** Records that a call that may book follows, in case of a crash. Returns false if another process has the intent. */
export async function markCalled(
  db: Reads,
  { account_id, id, attempts }: Intent,
  returned: number,
): Promise<boolean> {
  const row =
    await db.row(sql`update intents set called_at = (select clock_timestamp()), looks = 0, absent_at = null, returned = ${returned},
       state = case state when 'booking' then 'unknown' else state end
     where account_id = ${account_id} and id = ${id} and attempts = ${attempts} and state in ${AT_WORK} returning id`);
  return row !== undefined;
}

/** Whether this attempt is still the latest, and the intent still open. */
export async function holdsIntent(
  db: Reads,
  { account_id, id, attempts }: Intent,
): Promise<boolean> {
  const row = await db.row(sql`select id from intents
     where account_id = ${account_id} and id = ${id} and attempts = ${attempts} and state in ${AT_WORK}`);
  return row !== undefined;
}

/** Replaces the guid by a new one, which is stored before it is used; returns undefined when another attempt has taken over. */
export async function renameIntent(
  db: Reads,
  { account_id, id, attempts }: Intent,
): Promise<string | undefined> {
  const guid: string = newId();
  const row =
    await db.row(sql`update intents set guid = ${guid}, state = 'booking', called_at = null, looks = 0,
       absent_at = null, former_guids = former_guids || coalesce(guid, document_id)
     where account_id = ${account_id} and id = ${id} and attempts = ${attempts} and state in ${AT_WORK} returning id`);
  return row === undefined ? undefined : guid;
}

/**
 * The limits of the growing pause. A ledger that responds only sometimes keeps its circuit closed, so no probe makes
 * bookings due when it recovers: only the pause keeps the promise of 30 s. Refused connections pause longer.
 */
const LONGEST_PAUSE = { silent_s: 20, unauthorized_s: 600 };

/** The end of an attempt that did not settle its intent. */
export interface Postponed {
  readonly known: Pick<IntentProgress, "state" | "called_at" | "looks">;
  /** The last outcome of a call of the ledger. */
  readonly outcome: string;
  readonly reason: string | null;
  /** Null for a pause that grows with each attempt. */
  readonly pause_ms: number | null;
}

/**
 * Gives back the lease of an intent whose outcome is open after an attempt: the next call may resume the booking immediately,
 * the worker after a pause. Returns false when another process has taken the lease in the meantime; that lease stays valid.
 */
export async function postponeIntent(
  db: Reads,
  { account_id, id, attempts }: Intent,
  { known, outcome, reason, pause_ms }: Postponed,
): Promise<boolean> {
  const most = outcome === "unauthorized" ? LONGEST_PAUSE.unauthorized_s : LONGEST_PAUSE.silent_s;
  const pause = pause_ms ?? Math.min(most, 5 * 2 ** Math.min(attempts, 10)) * 1_000;
  const ago = known.called_at === null ? null : Date.now() - known.called_at;
  const row =
    await db.row(sql`update intents set last_outcome = ${outcome}, state = ${known.state}, reason = ${reason},
       called_at = (select clock_timestamp() - ${ago}::float8 * interval '1 millisecond'), looks = ${known.looks},
       absent_at = case when ${known.looks} = 0 then null else coalesce(absent_at, (select clock_timestamp())) end,
       lease_until = (select clock_timestamp()), next_attempt_at = (select clock_timestamp() + ${pause} * interval '1 millisecond')
     where account_id = ${account_id} and id = ${id} and attempts = ${attempts} and state in ${OPEN} returning id`);
  return row !== undefined;
}

/** Ends an intent that the ledger has booked, whichever process holds its lease; false if it has ended otherwise. */
export async function settleIntent(db: Reads, intent: Intent, booked: Booked): Promise<boolean> {
  const found =
    await db.row(sql`update intents t set state = 'settled', settled_at = (select clock_timestamp()),
       last_outcome = 'booked', reason = null, ledger_id = ${booked.ledger_id}, ledger_number = ${booked.number},
       sweep_at = ${sweepAt(intent)}
     where account_id = ${intent.account_id} and id = ${intent.id} and state in ${OPEN} returning id`);
  return found !== undefined;
}

/** Ends an intent that was not booked; returns false unless this attempt is the latest. */
export async function releaseIntent(db: Reads, intent: Intent, reason: string): Promise<boolean> {
  const found =
    await db.row(sql`update intents t set state = 'released', settled_at = (select clock_timestamp()),
       last_outcome = ${reason}, reason = ${reason}, sweep_at = ${sweepAt(intent)}
     where account_id = ${intent.account_id} and id = ${intent.id} and attempts = ${intent.attempts}
       and state in ${OPEN} returning id`);
  return found !== undefined;
}

/** Returns the SQL for the removal time of leftovers: an unclear call may leave a document, even by a former guid. */
function sweepAt({ account_id, id }: Intent) {
  return sql`case when t.former_guids <> '{}' or exists (select from intent_calls c where c.account_id = ${account_id} and c.intent_id = ${id}
      and c.verb = 'book' and c.outcome = 'unknown') then (select clock_timestamp() + ${raw(SWEPT_AFTER)}) end`;
}

/** The outcome of a call of a ledger, or of a single request. */
interface Called {
  /** `book`, `find` or `sweep` for a call; for a request the name that the connector gives it. */
  readonly verb: string;
  readonly outcome: string;
  /** The reason, by the names of the ledger port; for a request the HTTP status. */
  readonly status: string | null;
  readonly ms: number;
}

/** Stores the outcomes of calls. */
export async function noteCalls(
  db: Reads,
  { account_id, id }: Pick<Intent, "account_id" | "id">,
  calls: readonly Called[],
): Promise<void> {
  const { columns, table } = tableOf(calls, {
    id: ["uuid", () => newId<string>()],
    verb: ["text", ({ verb }) => verb],
    outcome: ["text", ({ outcome }) => outcome],
    status: ["text", ({ status }) => status],
    ms: ["int", ({ ms }) => ms],
    ago_ms: ["int", ({ ms }) => ms],
  });
  await db.rows(sql`insert into intent_calls (account_id, intent_id, at, id, verb, outcome, status, ms)
    select ${account_id}, ${id}, clock_timestamp() - c.ago_ms * interval '1 millisecond', c.id, c.verb, c.outcome, c.status,
      c.ms from ${table} as c (${columns})`);
}

/** Returns what is known of an intent at the begin of an attempt. */
export function knownOf(intent: Intent): IntentProgress {
  const { state, called_ago_ms, looks, attempts, reason } = intent;
  return {
    state,
    called_at: called_ago_ms === null ? null : Date.now() - called_ago_ms,
    looks,
    has_glanced: false,
    must_look: attempts > 1,
    has_draft: false,
    refused: null,
    doubt: state === "parked" ? reason : null,
    is_guid_used: false,
    former_guids: intent.former_guids.length,
    returned: intent.returned,
  };
}

/** Returns the document to book, exactly as it was frozen. */
export function bookingOf(intent: Intent): BookingIntent {
  return {
    kind: intent.kind,
    guid: intent.guid,
    payload_hash: intent.payload_hash,
    document: thaw(intent.payload),
    requested_by: `${intent.actor_kind}:${intent.actor_id}`,
    accounts: thaw(intent.accounts),
  } as BookingIntent;
}

function required(rows: readonly Intent[]): Intent {
  const intent = rows[0];
  if (intent === undefined) throw new Error("the intent is gone");
  return intent;
}
