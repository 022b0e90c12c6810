/**
 * Reads what is paid of documents in the connected ledger that booked them: every quarter of an hour of what is open, once a night of all,
 * and when a caller asks for one. Nothing is written there.
 */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { ConnectedLedger } from "../../../ledger/connected.ts";
import type { Failure } from "../../../ledger/outcome.ts";
import { callWithin, reportingKinds } from "../../../platform/commands/connected-ledger.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { columnOfRef } from "../../../platform/database/resources.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { lastNight } from "../../ledger/verification/run-nightly.ts";
import { AS_OF, type AskedItem, EVERY, findAsked, MAY_BE_OWED, storeReported } from "./queries.ts";

/** The time limits of the ledger: for a portion of the background work, and for a caller who waits. */
const TIMEOUT_MS = { bulk: 120_000, interactive: 5_000 };
/** Documents in one call: few of those that have changed, because a ledger may report each by itself. */
const PORTION = { changed: 10, all: 500 };

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type PayingLedger = ConnectedLedger & Required<Pick<ConnectedLedger, "payments">>;

/** A connection through which documents were booked, whether the account still has it or not. */
interface AskedConnection {
  readonly connection_id: string;
  readonly connection_kind: string;
}

/** Returns the ledger of a connection if it reports what is paid; otherwise null. */
function payingLedger(
  { ledgers, caller }: Context,
  { connection_id, connection_kind }: AskedConnection,
): PayingLedger | null {
  const ledger = ledgers.get(connection_kind);
  if (ledger === undefined || ledger.transactional || !ledger.capabilities?.tells_payments) {
    return null;
  }
  const { more } = ledger.connect(caller.account_id, connection_id);
  if (more?.payments === undefined) throw new Error("the ledger says that it reports payments");
  return more as PayingLedger;
}

/** Whether the ledger of a connection `c` may be asked. A connection that the account has left still knows what it booked. */
const ANSWERS = raw("c.state in ('connected', 'unavailable') and c.down_since is null");

type DueItem = AskedItem & AskedConnection;

/**
 * Asks the ledger that booked an invoice where its last answer is older than a quarter of an hour. Without an answer, the last one stays.
 * A ledger that is down is not asked.
 */
export async function askWhereOlder(cx: Context, ref: string): Promise<void> {
  const { account_id } = cx.caller;
  const [column, value] = columnOfRef(ref);
  const old = await cx.row<DueItem>(sql`
    select i.id, i.guid, i.kind, c.id as connection_id, c.kind as connection_kind from ledger_items i
    join invoices n on n.account_id = ${account_id} and n.id = i.id
    join ledger_connections c on c.account_id = ${account_id} and c.id = i.connection_id and ${ANSWERS}
    where i.account_id = ${account_id} and n.${raw(column)} = ${value}
      and (${AS_OF} is null or ${AS_OF} < clock_timestamp() - ${EVERY})`);
  const ledger = old === undefined ? null : payingLedger(cx, old);
  if (old === undefined || ledger === null) return;
  await ask(cx, ledger.payments, [old], { timeout_ms: TIMEOUT_MS.interactive, is_sweep: false });
}

/** Looks for what has changed, or else reads documents that have; returns whether there was anything to do. */
export async function readPaymentsStep(cx: Context): Promise<boolean> {
  return (await lookIfDue(cx)) || (await readDue(cx));
}

/** A look at the payments of a connection that is due. */
interface DueLook extends AskedConnection {
  readonly id: string;
  readonly payments_until: string | null;
  /** Whether all documents are looked at: once a night. */
  readonly is_whole: boolean;
}

/** Looks at the connection whose look is due for the longest time: the present one, or a former one of which something may be owed. */
async function lookIfDue(cx: Context): Promise<boolean> {
  const { account_id } = cx.caller;
  const night = timestampOf(lastNight(Date.now()));
  const due = await cx.row<DueLook>(sql`
    update ledger_connections set next_payments_at = (select clock_timestamp() + ${EVERY})
    where account_id = ${account_id} and id = (
      select c.id from ledger_connections c
      where c.account_id = ${account_id} and ${ANSWERS} and c.next_payments_at <= (select clock_timestamp())
        and c.kind = any(${reportingKinds(cx.ledgers)})
        and (c.is_current or exists (select from ledger_items i where i.account_id = ${account_id} and i.connection_id = c.id
          and i.kind = 'invoice' and ${MAY_BE_OWED}))
      order by c.next_payments_at limit 1 for update skip locked)
    returning id, id as connection_id, kind as connection_kind, payments_until,
      (payments_whole_at is null or payments_whole_at < ${night}) as is_whole`);
  const ledger = due === undefined ? null : payingLedger(cx, due);
  if (due === undefined || ledger === null) return false;
  const at = timestampOf(Date.now());
  const until = await look(cx, ledger, due);
  if (until !== undefined) {
    await cx.rows(sql`update ledger_connections set payments_until = ${until}, payments_read_at = ${at},
        payments_whole_at = case when ${due.is_whole} then ${at} else payments_whole_at end
      where account_id = ${account_id} and id = ${due.id}`);
  }
  return true;
}

/** Looks at what has changed. Returns where the next look begins; undefined after a failure. */
async function look(
  cx: Context,
  { payments, paymentChanges }: PayingLedger,
  due: DueLook,
): Promise<string | null | undefined> {
  return paymentChanges === undefined
    ? readAll(cx, payments, due)
    : noteChanges(cx, paymentChanges, due);
}

/**
 * Notes which documents have changed, by the ledger's list of changes, and each night by its list of what is open: those are read next.
 * Returns where the next look begins; undefined after a failure.
 */
async function noteChanges(
  cx: Context,
  paymentChanges: Required<ConnectedLedger>["paymentChanges"],
  { id, payments_until, is_whole }: DueLook,
): Promise<string | undefined> {
  const options = callWithin(cx, TIMEOUT_MS.bulk);
  let until = payments_until;
  if (until !== null) {
    const changes = await paymentChanges(until, options);
    if (changes.state !== "payment_changes") return failed(cx, changes);
    await noteChanged(cx, id, sql`guid = any(${changes.guids.filter(isGuid)}::uuid[])`);
    until = changes.until;
  }
  if (is_whole || until === null) {
    const open = await paymentChanges(null, options);
    if (open.state !== "payment_changes") return failed(cx, open);
    const guids = open.guids.filter(isGuid);
    const differs = sql`state is not null and (guid = any(${guids}::uuid[])) <> (state in ('open', 'partly_paid'))`;
    await noteChanged(cx, id, differs);
    until ??= open.until;
  }
  return until;
}

/** Reads what is open, and once a night everything. Returns undefined after a failure. */
async function readAll(
  cx: Context,
  payments: PayingLedger["payments"],
  { id, is_whole }: DueLook,
): Promise<null | undefined> {
  const asked = await findAsked(cx, id, is_whole ? sql`true` : sql`${MAY_BE_OWED}`);
  for (let first = 0; first < asked.length; first += PORTION.all) {
    const portion = asked.slice(first, first + PORTION.all);
    if (!(await ask(cx, payments, portion, { timeout_ms: TIMEOUT_MS.bulk, is_sweep: true }))) {
      return undefined;
    }
  }
  return null;
}

function isGuid(text: string): boolean {
  return GUID.test(text);
}

async function noteChanged(cx: Context, connection_id: string, which: Sql): Promise<void> {
  await cx.rows(sql`update ledger_items set next_read_at = (select clock_timestamp())
    where account_id = ${cx.caller.account_id} and connection_id = ${connection_id} and kind = 'invoice' and ${which}`);
}

/** Reads the newest documents that are due; returns whether there were any. Without an answer they are due again later. */
async function readDue(cx: Context): Promise<boolean> {
  const { account_id } = cx.caller;
  const due = await cx.rows<DueItem>(sql`
    update ledger_items i set next_read_at = (select clock_timestamp() + ${EVERY})
    from (select d.id, c.id as connection_id, c.kind as connection_kind from ledger_items d
      join ledger_connections c on c.account_id = ${account_id} and c.id = d.connection_id and ${ANSWERS}
        and c.kind = any(${reportingKinds(cx.ledgers)})
      where d.account_id = ${account_id} and d.next_read_at <= (select clock_timestamp())
      order by d.id desc limit ${PORTION.changed} for update of d skip locked) due
    where i.account_id = ${account_id} and i.id = due.id
    returning i.id, i.guid, i.kind, due.connection_id, due.connection_kind`);
  const options = { timeout_ms: TIMEOUT_MS.bulk, is_sweep: false };
  for (const connection_id of new Set(due.map((one) => one.connection_id))) {
    const asked = due.filter((one) => one.connection_id === connection_id);
    const ledger = asked[0] === undefined ? null : payingLedger(cx, asked[0]);
    if (ledger !== null) await ask(cx, ledger.payments, asked, options);
  }
  return due.length > 0;
}

/** Asks for documents and stores the answer; returns whether there was one. */
async function ask(
  cx: Context,
  payments: PayingLedger["payments"],
  asked: readonly AskedItem[],
  { timeout_ms, is_sweep }: { readonly timeout_ms: number; readonly is_sweep: boolean },
): Promise<boolean> {
  const at: Timestamp = timestampOf(Date.now());
  const reported = await payments(asked, callWithin(cx, timeout_ms));
  if (reported.state !== "payments") {
    failed(cx, reported);
    return false;
  }
  await storeReported(cx, { asked, reported: reported.payments, at, is_sweep });
  return true;
}

function failed(cx: Context, failure: Failure | undefined): undefined {
  cx.log.warn({ outcome: failure?.state, err: failure?.cause }, "the ledger reported no payments");
}
