/**
 * Bookings in an external ledger that have begun. The payload is frozen and stored, with a lease,
 * before the first byte leaves; whoever holds the lease calls the ledger. After a crash the lease
 * runs out and the worker or the next call goes on with the same guid (spec 9.8).
 */
import type { AccountId } from "../../domain/base/brand.ts";
import type { BookingIntent } from "../../ledger/ledger.ts";
import type { Actor, Reader } from "../../platform/context.ts";
import type { Reads } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { thaw } from "../../platform/json.ts";

export interface Intent {
  readonly account_id: AccountId;
  /** The document's id, which is its guid in the ledger. */
  readonly id: string;
  readonly kind: BookingIntent["kind"];
  readonly payload: string;
  readonly payload_hash: Buffer;
  readonly actor_kind: Actor["kind"];
  readonly actor_id: string;
  /** How often the ledger may have been called, this attempt included. */
  readonly attempts: number;
}

const COLUMNS = "account_id, id, kind, payload, payload_hash, actor_kind, actor_id, attempts";
const LEASE = "interval '30 seconds'";

/** Stores an intent and takes its first lease; inside the transaction that locked the draft. */
export async function openIntent(
  cx: Reader,
  booking: BookingIntent,
  payload: string,
): Promise<Intent> {
  const { account_id, actor } = cx.caller;
  const rows =
    await cx.rows<Intent>(sql`insert into intents (account_id, id, kind, payload, payload_hash, actor_kind, actor_id, attempts,
       lease_until, next_attempt_at)
     values (${account_id}, ${booking.guid}, ${booking.kind}, ${payload}, ${booking.payload_hash}, ${actor.kind}, ${actor.id}, 1, clock_timestamp() + ${raw(LEASE)}, clock_timestamp() + ${raw(LEASE)})
     returning ${raw(COLUMNS)}`);
  return required(rows);
}

/** Throws when there is none: the caller has just seen it. */
export async function findIntent(cx: Reader, id: string): Promise<Intent> {
  const rows = await cx.rows<Intent>(
    sql`select ${raw(COLUMNS)} from intents where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
  return required(rows);
}

/** Takes over an intent whose lease has run out; undefined while somebody else is at it. */
export async function takeIntent(
  db: Reads,
  account_id: AccountId,
  id: string,
): Promise<Intent | undefined> {
  const row =
    await db.row<Intent>(sql`update intents set attempts = attempts + 1, lease_until = clock_timestamp() + ${raw(LEASE)},
       next_attempt_at = clock_timestamp() + ${raw(LEASE)}
     where account_id = ${account_id} and id = ${id} and lease_until <= clock_timestamp() returning ${raw(COLUMNS)}`);
  return row;
}

/** Before all accounts, and then the account whose turn it was last in this process. */
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";
let last_account = BEFORE_ALL;

/** The oldest intent that is due and that nobody has, of the account whose turn it is, taken for this process. */
export async function takeDueIntent(db: Reads): Promise<Intent | undefined> {
  const intent =
    (await takeDueIntentAfter(db, last_account)) ?? (await takeDueIntentAfter(db, BEFORE_ALL));
  last_account = intent?.account_id ?? BEFORE_ALL;
  return intent;
}

async function takeDueIntentAfter(db: Reads, account_id: string): Promise<Intent | undefined> {
  const row =
    await db.row<Intent>(sql`update intents set attempts = attempts + 1, lease_until = clock_timestamp() + ${raw(LEASE)},
       next_attempt_at = clock_timestamp() + ${raw(LEASE)}
     where (account_id, id) = (
       with recursive waiting (account_id) as (
         (select account_id from intents where account_id > ${account_id} order by account_id limit 1)
         union all
         select following.account_id from waiting cross join lateral (
           select i.account_id from intents i where i.account_id > waiting.account_id
           order by i.account_id limit 1) following)
       select due.account_id, due.id from waiting cross join lateral (
         select i.account_id, i.id from intents i
         where i.account_id = waiting.account_id
           and greatest(i.next_attempt_at, i.lease_until) <= statement_timestamp()
         order by greatest(i.next_attempt_at, i.lease_until) limit 1 for update skip locked) due
       limit 1)
     returning ${raw(COLUMNS)}`);
  return row;
}

/**
 * Gives the lease back after an attempt without an answer: the next call may go on at once, the worker
 * after a pause. A lease that somebody else has taken meanwhile stays theirs.
 */
export async function postponeIntent(db: Reads, intent: Intent, outcome: string): Promise<void> {
  const seconds = Math.min(600, 5 * 2 ** Math.min(intent.attempts, 10));
  await db.rows(sql`update intents set last_outcome = ${outcome}, lease_until = clock_timestamp(),
       next_attempt_at = clock_timestamp() + ${seconds} * interval '1 second'
     where account_id = ${intent.account_id} and id = ${intent.id} and attempts = ${intent.attempts}`);
}

/**
 * Ends an intent that the ledger has booked, whoever holds its lease by now; false when it is gone, or
 * is another one of the same document with other content.
 */
export async function closeIntent(db: Reads, intent: Intent): Promise<boolean> {
  const found = await db.row(
    sql`delete from intents where account_id = ${intent.account_id} and id = ${intent.id} and payload_hash = ${intent.payload_hash} returning id`,
  );
  return found !== undefined;
}

/** Ends an intent that was not booked; false unless this attempt is the latest. */
export async function releaseIntent(db: Reads, intent: Intent): Promise<boolean> {
  const found = await db.row(
    sql`delete from intents where account_id = ${intent.account_id} and id = ${intent.id} and payload_hash = ${intent.payload_hash} and attempts = ${intent.attempts} returning id`,
  );
  return found !== undefined;
}

/** What the ledger is asked to book, exactly as it was frozen. */
export function bookingOf(intent: Intent): BookingIntent {
  return {
    kind: intent.kind,
    guid: intent.id,
    payload_hash: intent.payload_hash,
    document: thaw(intent.payload),
    requested_by: `${intent.actor_kind}:${intent.actor_id}`,
    accounts: [],
  } as BookingIntent;
}

function required(rows: readonly Intent[]): Intent {
  const intent = rows[0];
  if (intent === undefined) throw new Error("the intent is gone");
  return intent;
}
