/**
 * The SQL queries of links: the state of customers and products in a connected ledger. A trigger queues the link in
 * the transaction of a change. Only the holder of a link's lease sends it, so that changes arrive in order.
 */
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { jsonText } from "../../../platform/runtime/json.ts";

export type LinkKind = "customer" | "product";

/** A link that this process has leased. */
export interface TakenLink {
  readonly connection_id: string;
  readonly kind: LinkKind;
  readonly local_id: string;
  /** The record's id in the ledger; null before the ledger has first responded. */
  readonly ledger_id: string | null;
  /** The version of the sent change: the response to an earlier version settles nothing. */
  readonly version: bigint;
  readonly attempts: number;
  /** The values that abandoned calls sent, as `givenUpIn` reads them. */
  readonly given_up: string | null;
}

const TAKEN = "connection_id, kind, local_id, ledger_id, version, attempts, given_up";
/** Longer than one call of the ledger may take. */
const LEASE = "interval '30 seconds'";

/** Takes the queued change of one record; undefined when none is queued, or another process holds its lease. */
export function takeLink(
  cx: Reader,
  kind: LinkKind,
  local_id: string,
): Promise<TakenLink | undefined> {
  return cx.row<TakenLink>(taken(cx, sql`kind = ${kind} and local_id = ${local_id}`));
}

/** Leaves a queued change to background work when the ledger is down; returns whether it is. */
export async function leaveQueued(cx: Reader, kind: LinkKind, local_id: string): Promise<boolean> {
  const row =
    await cx.row(sql`update ledger_links l set is_answered = true from ledger_connections c
    where l.account_id = ${cx.caller.account_id} and l.kind = ${kind} and l.local_id = ${local_id} and l.state = 'queued'
      and c.account_id = l.account_id and c.id = l.connection_id and c.is_current and c.down_since is not null
    returning l.local_id`);
  return row !== undefined;
}

/** Takes the due change that has waited longest; undefined when there is none. */
export function takeDueLink(cx: Reader): Promise<TakenLink | undefined> {
  const due = sql`(connection_id, kind, local_id) = (
    select d.connection_id, d.kind, d.local_id from ledger_links d
    join ledger_connections c on c.account_id = d.account_id and c.id = d.connection_id and c.is_current
    where d.account_id = ${cx.caller.account_id} and d.state = 'queued' and d.next_attempt_at <= statement_timestamp()
      and (d.lease_until is null or d.lease_until <= statement_timestamp())
    order by d.next_attempt_at limit 1 for update of d skip locked)`;
  return cx.row<TakenLink>(taken(cx, due));
}

function taken(cx: Reader, which: Sql): Sql {
  return sql`update ledger_links set attempts = attempts + 1, lease_until = (select clock_timestamp() + ${raw(LEASE)})
    where account_id = ${cx.caller.account_id} and state = 'queued'
      and (lease_until is null or lease_until <= (select clock_timestamp())) and ${which}
    returning ${raw(TAKEN)}`;
}

/** Marks the version as known to the ledger. Later changes stay queued, as does one that a late call may overwrite. */
export async function settleLink(cx: Reader, link: TakenLink, ledger_id: string): Promise<void> {
  // The lease began with the call.
  const is_sure = sql`coalesce(lease_until - unsure_until >= ${raw(LEASE)}, true)`;
  const is_last = sql`(version = ${link.version} and ${is_sure})`;
  await cx.rows(sql`update ledger_links set ledger_id = ${ledger_id}, lease_until = null, attempts = 0,
      synced_at = (select clock_timestamp()), updated_at = (select clock_timestamp()), reason = null, is_answered = true,
      next_attempt_at = case when ${is_sure} then next_attempt_at else greatest(next_attempt_at, unsure_until) end,
      state = case when ${is_last} then 'synced' else state end,
      previous = case when ${is_last} then null else previous end
    ${ofLink(cx, link)}`);
}

/** Marks a change as refused by the ledger, with the code as reason. Returns whether a caller waits for the result. */
export async function failLink(cx: Reader, link: TakenLink, reason: string): Promise<boolean> {
  const row = await cx.row<{ waits: boolean }>(sql`
    update ledger_links set state = 'failed', lease_until = null,
      reason = ${reason}, updated_at = (select clock_timestamp())
    ${ofLink(cx, link)} and version = ${link.version} returning not is_answered as waits`);
  if (row === undefined) await giveBack(cx, link);
  return row?.waits ?? false;
}

/** The highest number of abandoned calls that are remembered, and for how long. */
const GIVEN_UP = { most: 5, for: raw("interval '1 day'") };

/** Returns the values of a link's abandoned calls, which may have arrived since, by fields of the ledger's record. */
export function givenUpIn(given_up: string | null): readonly Readonly<Record<string, unknown>>[] {
  return given_up === null ? [] : JSON.parse(given_up);
}

/** Stores the values of an abandoned call, which may still arrive within `call_ms` milliseconds. */
export async function doubtLink(
  cx: Reader,
  link: TakenLink,
  sent: Readonly<Record<string, unknown>>,
  call_ms: number,
): Promise<void> {
  const text = jsonText(sent);
  const others = givenUpIn(link.given_up).filter((one) => jsonText(one) !== text);
  const given_up = jsonText([...others, sent].slice(-GIVEN_UP.most));
  await cx.rows(sql`update ledger_links set given_up = ${given_up},
      unsure_until = (select clock_timestamp() + ${call_ms} * interval '1 millisecond') ${ofLink(cx, link)}`);
}

/** The SQL expression for the values of a link's abandoned calls, while they may have arrived. */
export const REMEMBERED = sql`case when unsure_until > clock_timestamp() - ${GIVEN_UP.for} then given_up end`;

/** Queues a change again after a pause, because the ledger did not respond. */
export async function postponeLink(cx: Reader, link: TakenLink, reason: string): Promise<void> {
  const seconds = Math.min(600, 5 * 2 ** Math.min(link.attempts, 10));
  await cx.rows(sql`update ledger_links set lease_until = null, reason = ${reason}, is_answered = true,
      next_attempt_at = (select clock_timestamp() + ${seconds} * interval '1 second'), updated_at = (select clock_timestamp())
    ${ofLink(cx, link)}`);
}

async function giveBack(cx: Reader, link: TakenLink): Promise<void> {
  await cx.rows(sql`update ledger_links set lease_until = null ${ofLink(cx, link)}`);
}

function ofLink(cx: Reader, { connection_id, kind, local_id }: TakenLink): Sql {
  return sql`where account_id = ${cx.caller.account_id} and connection_id = ${connection_id}
    and kind = ${kind} and local_id = ${local_id}`;
}

/** Queues every record without a link to the current connection: an account may be much older than its connection. */
export async function queueUnlinked(cx: Reader, kind: LinkKind, local_id?: string): Promise<void> {
  const table = raw(kind === "customer" ? "customers" : "products");
  const only = local_id === undefined ? sql`true` : sql`t.id = ${local_id}`;
  await cx.rows(sql`insert into ledger_links (account_id, connection_id, kind, local_id, state, next_attempt_at, is_answered)
    select t.account_id, c.id, ${kind}, t.id, 'queued', clock_timestamp(), true
    from ledger_connections c join ${table} t on t.account_id = c.account_id and t.active
    where c.account_id = ${cx.caller.account_id} and c.is_current and ${only}
    on conflict (account_id, connection_id, kind, local_id) do nothing`);
}

/** The reason of a product that waits because its account has no counterpart in the ledger. */
export const UNPLACED = "UNKNOWN_ACCOUNT";

/** Queues products again that waited for the mapping of their account. */
export function queueUnplaced(tx: Tx, connection_id: string): void {
  tx.write(sql`update ledger_links set state = 'queued', version = version + 1, attempts = 0,
      next_attempt_at = (select clock_timestamp()), reason = null, is_answered = true, updated_at = (select clock_timestamp())
    where account_id = ${tx.caller.account_id} and connection_id = ${connection_id} and kind = 'product'
      and state = 'failed' and reason = ${UNPLACED}`);
}

/** The state of a link. */
export interface LinkRow {
  readonly kind: LinkKind;
  readonly local_id: string;
  readonly ledger_id: string | null;
  readonly state: "queued" | "synced" | "failed";
  readonly reason: string | null;
  readonly version: bigint;
  readonly synced_at: string | null;
  readonly next_attempt_at: string | null;
}

/** Returns the record's link to the current connection; undefined when there is none. */
export function findLink(
  cx: Reader,
  kind: LinkKind,
  local_id: string,
): Promise<LinkRow | undefined> {
  return cx.row<LinkRow>(sql`select l.kind, l.local_id, l.ledger_id, l.state, l.reason, l.version, l.synced_at,
      l.next_attempt_at
    from ledger_links l join ledger_connections c on c.account_id = l.account_id and c.id = l.connection_id and c.is_current
    where l.account_id = ${cx.caller.account_id} and l.kind = ${kind} and l.local_id = ${local_id}`);
}
