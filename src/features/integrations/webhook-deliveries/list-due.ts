/**
 * Finds and holds the endpoints with work. One process holds an endpoint and sends all its deliveries; its lease is prolonged, and
 * another process takes over when it has run out, or when the holder has ended.
 */
import type { Reads } from "../../../platform/database/database.ts";
import { hasEnded } from "../../../platform/database/process-lock.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { EndpointRow } from "../webhooks/queries.ts";

/**
 * Whether a delivery to the endpoint `e` waits. Its order makes PostgreSQL use the index of what waits: to find any row, it would
 * read the table as soon as another endpoint has many of them. Tests never wait.
 */
const HAS_PENDING =
  raw(`(select d.sequence from webhook_deliveries d where d.account_id = e.account_id
    and d.endpoint_id = e.id and d.status = 'pending' order by d.sequence limit 1) is not null`);

/** The endpoints of all accounts that have work: later events than they have read, or deliveries that wait. */
export const waitingWebhooks = sql`from webhook_endpoints e join audit_heads h on h.account_id = e.account_id
  where e.status in ('enabled', 'failing') and (e.read_through < h.seq or ${HAS_PENDING})`;

/** An endpoint that may have work. */
export interface Found {
  readonly account_id: string;
  readonly id: string;
  /** Changes with whatever the holder has to read again. */
  readonly version: string;
  readonly read_through: bigint;
  /** The sequence of the account's last event. */
  readonly head: bigint;
  readonly holder: string | null;
  readonly is_leased: boolean;
}

const LEASE = "interval '60 seconds'";
/** Marks a holder whose process has a lock: when the lock is free, the process has ended. */
const OF_PROCESS = "process ";

/** Returns the name by which a process holds endpoints: by its lock, or by its leases alone. */
export function holderName(process: string | null, own: string): string {
  return process === null ? own : `${OF_PROCESS}${process}`;
}

/**
 * Returns whether background work is paused, and the endpoints of all accounts whose account has later events than they have read, with
 * those that are held; with `all`, also those with deliveries that wait.
 */
export async function lookForWork(
  db: Reads,
  held: readonly string[],
  all: boolean,
): Promise<{ readonly is_paused: boolean; readonly found: readonly Found[] }> {
  const pending = all ? sql`or ${HAS_PENDING}` : raw("");
  const rows = await db.rows<LookedRow>(sql`
    select p.is_paused, w.* from (select exists (select from background_pause) as is_paused) p
    left join (
      select e.account_id, e.id, e.updated_at, e.work_version, e.read_through, h.seq as head, e.holder,
        coalesce(e.lease_until > clock_timestamp(), false) as is_leased
      from webhook_endpoints e join audit_heads h on h.account_id = e.account_id
      where e.status in ('enabled', 'failing') and (e.read_through < h.seq or e.id = any(${held}::uuid[]) ${pending})
    ) w on true`);
  return {
    is_paused: rows[0]?.is_paused ?? false,
    found: rows.flatMap(({ is_paused: _, ...row }) =>
      isSeen(row) ? [{ ...row, version: versionOf(row) }] : [],
    ),
  };
}

/** Returns the version of an endpoint, as `Found.version`. */
export function versionOf({ updated_at, work_version }: Versioned): string {
  return `${updated_at} ${work_version}`;
}

type Versioned = Pick<EndpointRow, "updated_at" | "work_version">;
type Seen = Omit<Found, "version"> & Versioned;

/** The pause, beside an endpoint or beside none. */
type LookedRow = { readonly is_paused: boolean } & {
  readonly [Name in keyof Seen]: Seen[Name] | null;
};

function isSeen(row: Omit<LookedRow, "is_paused">): row is Seen {
  return row.id !== null;
}

/** Returns those of the holders that have ended. */
export async function endedHolders(
  db: Reads,
  holders: readonly string[],
): Promise<ReadonlySet<string>> {
  const ended = new Set<string>();
  for (const holder of new Set(holders)) {
    if (!holder.startsWith(OF_PROCESS)) continue;
    // Asked alone: the locks of processes are on the machine that they are connected to.
    const row = await db.row<{ has_ended: boolean }>(
      sql`select ${hasEnded(sql`${holder.slice(OF_PROCESS.length)}`)} as has_ended`,
    );
    if (row?.has_ended) ended.add(holder);
  }
  return ended;
}

/** Takes endpoints of an account that no process holds, whose lease has run out, or whose holder has ended. Returns those that it got. */
export function takeEndpoints(
  db: Reads,
  account_id: string,
  ids: readonly string[],
  holder: string,
  ended: readonly string[],
): Promise<EndpointRow[]> {
  return db.rows<EndpointRow>(sql`update webhook_endpoints
    set holder = ${holder}, lease_until = (select clock_timestamp() + ${raw(LEASE)})
    where account_id = ${account_id} and id = any(${ids}::uuid[]) and status in ('enabled', 'failing')
      and (holder is null or holder = ${holder} or holder = any(${ended}::text[]) or lease_until is null
        or lease_until < (select clock_timestamp()))
    returning *`);
}

/** Prolongs the leases of an account's endpoints; returns the ids of those that are still held. */
export async function prolongLeases(
  db: Reads,
  account_id: string,
  ids: readonly string[],
  holder: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ id: string }>(sql`update webhook_endpoints
    set lease_until = (select clock_timestamp() + ${raw(LEASE)})
    where account_id = ${account_id} and id = any(${ids}::uuid[]) and holder = ${holder} returning id`);
  return new Set(rows.map(({ id }) => id));
}

/** Returns those of an account's endpoints that still exist. */
export async function findExisting(
  db: Reads,
  account_id: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ id: string }>(sql`select id from webhook_endpoints
    where account_id = ${account_id} and id = any(${ids}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Gives endpoints of an account free. */
export async function releaseEndpoints(
  db: Reads,
  account_id: string,
  ids: readonly string[],
  holder: string,
): Promise<void> {
  await db.rows(sql`update webhook_endpoints set holder = null, lease_until = null
    where account_id = ${account_id} and id = any(${ids}::uuid[]) and holder = ${holder}`);
}

/** A delivery that waits, as it is read. */
export interface PendingRow {
  readonly id: string;
  readonly event_id: string;
  readonly sequence: bigint;
  readonly event_type: string;
  readonly root: string;
  readonly attempt_count: number;
  readonly next_attempt_at: string | null;
  /** The moment of the last attempt; null before the first. */
  readonly planned_at: string | null;
  readonly body: string | null;
  readonly previous_sequence: bigint | null;
}

interface PendingPage {
  /** The oldest deliveries that wait, in their order. */
  readonly pending: readonly PendingRow[];
  /** Those of the oldest that have waited too long. */
  readonly expired: readonly string[];
}

/** Returns the oldest deliveries of an endpoint that wait. What was made before `oldest` has waited too long. */
export async function listPending(
  db: Reads,
  { account_id, id }: Pick<EndpointRow, "account_id" | "id">,
  oldest: string,
  limit: number,
): Promise<PendingPage> {
  const rows = await db.rows<
    Omit<PendingRow, "sequence"> & {
      readonly sequence: bigint | null;
      readonly is_expired: boolean;
    }
  >(sql`
    select id, event_id, sequence, event_type, root, attempt_count, next_attempt_at,
      attempts::jsonb -> -1 ->> 'at' as planned_at, body, previous_sequence, created_at < ${oldest} as is_expired
    from webhook_deliveries where account_id = ${account_id} and endpoint_id = ${id} and status = 'pending'
    order by sequence limit ${limit}`);
  return {
    // Tests alone have no sequence.
    pending: rows.flatMap(({ sequence, is_expired, ...row }) =>
      sequence === null || is_expired ? [] : [{ ...row, sequence }],
    ),
    expired: rows.filter(({ is_expired }) => is_expired).map((row) => row.id),
  };
}

/** Skips deliveries that have waited too long. */
export async function skipExpired(
  db: Reads,
  account_id: string,
  ids: readonly string[],
): Promise<void> {
  await db.rows(sql`update webhook_deliveries
    set status = 'skipped', settled_at = (select clock_timestamp()), next_attempt_at = null
    where account_id = ${account_id} and id = any(${ids}::uuid[]) and settled_at is null`);
}
