/**
 * Looks at e-invoices that were handed over: asks under their ids what became of them. A delivery in doubt is handed over again
 * only after two looks have found nothing (spec 14.8).
 */
import {
  decideLook,
  eventOfLook,
  isLookedAt,
  type Looked,
  type LookedAtDelivery,
  type LookFound,
} from "../../../domain/einvoice/einvoice-delivery.ts";
import type { LookOutcome } from "../../../einvoice/access-point.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql, unsynced } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { workInTurn } from "../../../platform/fairness/in-turn.ts";
import { RoundRobin } from "../../../platform/fairness/round-robin.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { type DeliveryRow, SHOWN } from "../deliveries/read-ahead.ts";
import {
  changedWith,
  type DeliveryListener,
  noteEvent,
  recordOutcome,
} from "../deliveries/store-outcome.ts";
import {
  accessPointOf,
  type OpenedAccessPoint,
} from "../einvoice-connections/open-access-point.ts";

/** The e-invoices of all accounts that are to be looked at now. */
export const dueLooks = sql`from deliveries d where d.einvoice_look_at <= statement_timestamp()`;

/** The time limit of a look, the time for which it belongs to one process, and the pause after one without an answer. */
const LOOK_MS = 15_000;
const LEASE_MS = 60_000;
const LEASE = raw("interval '1 minute'");
/** The number of e-invoices of one account in each read, and of all. */
const OF_ONE = 4;
const SOME = 20;
const turns = new RoundRobin();

interface Due {
  readonly account_id: string;
  readonly id: string;
}

/** Looks at e-invoices that are due, round robin over the accounts, until none is left; returns their number. */
export async function lookAtEinvoices(
  services: Services,
  notify?: DeliveryListener,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const work = async ({ account_id, id }: Due): Promise<void> => {
    try {
      await lookAt(await schedulerContext(services, account_id), id, notify);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      services.log.error({ err: error, delivery_id: id }, "an e-invoice could not be looked at");
    }
  };
  return workInTurn<Due>(
    { find: (after, except) => listDue(services.db, after, except), work, isStopped },
    turns,
  );
}

function listDue(
  db: Reads,
  after: string,
  except: { readonly accounts: readonly string[]; readonly ids: readonly string[] },
): Promise<Due[]> {
  return db.rows<Due>(sql`select due.account_id, due.id from (
       select d.account_id, d.id, row_number() over (partition by d.account_id order by d.einvoice_look_at) as place
       ${dueLooks} and d.account_id > ${after}
         and not d.account_id = any(${except.accounts}::uuid[]) and not d.id = any(${except.ids}::uuid[])) due
     where due.place <= ${raw(OF_ONE)} order by due.account_id, due.place limit ${raw(SOME)}`);
}

interface TakenLook extends DeliveryRow {
  readonly looks: number;
  readonly is_copied: boolean;
  readonly einvoice_connection_id: string | null;
  /** The end of the lease of this look. */
  readonly einvoice_look_at: string | null;
  readonly call_ended_at: string | null;
  readonly absent_at: string | null;
}

async function lookAt(
  cx: Context,
  id: string,
  notify: DeliveryListener | undefined,
): Promise<void> {
  const taken = await takeLook(cx, id);
  if (taken === undefined) return;
  const opened = await accessPointOf(cx);
  const is_same =
    taken.einvoice_connection_id === null || taken.einvoice_connection_id === opened?.connection_id;
  if (opened === null || !is_same || !isLookedAt(taken.state)) return stopLooking(cx, taken);
  const found = await ask(cx, opened, id);
  if (found.state === "not_answered") return lookAgain(cx, taken);
  const now = Date.parse(taken.einvoice_look_at ?? "") - LEASE_MS;
  const secondsSince = (moment: string): number => (now - Date.parse(moment)) / 1000;
  const before: LookedAtDelivery = {
    ...taken,
    state: taken.state,
    seconds_since_call: secondsSince(taken.call_ended_at ?? taken.at),
    seconds_since_absent: taken.absent_at === null ? null : secondsSince(taken.absent_at),
    finds: opened.access_point.finds,
    reports: opened.access_point.reports,
  };
  const looked = decideLook(before, found);
  await transact(cx, (tx) => store(tx, taken, found, looked, notify));
}

/** Takes a due look for this process. One that a crash of the database forgets is taken again. */
function takeLook(cx: Context, id: string): Promise<TakenLook | undefined> {
  return cx.row<TakenLook>(sql`update deliveries
    set looks = looks + 1, einvoice_look_at = (select clock_timestamp() + ${LEASE})
    where account_id = ${cx.caller.account_id} and id = ${id} and einvoice_look_at <= (select clock_timestamp()) and ${unsynced}
    returning ${raw(SHOWN)}, looks, is_copied, einvoice_connection_id, einvoice_look_at, call_ended_at, absent_at`);
}

/** The connection through which it was handed over is gone: nothing tells any more what became of it. */
async function stopLooking(cx: Context, { id, looks }: TakenLook): Promise<void> {
  await cx.rows(sql`update deliveries set einvoice_look_at = null
    where account_id = ${cx.caller.account_id} and id = ${id} and looks = ${looks}`);
}

/** A look without an answer does not count, and is taken again when its lease is over. */
async function lookAgain(cx: Context, { id, looks }: TakenLook): Promise<void> {
  await cx.rows(sql`update deliveries set looks = looks - 1
    where account_id = ${cx.caller.account_id} and id = ${id} and looks = ${looks}`);
}

async function ask(cx: Context, { access_point }: OpenedAccessPoint, id: string) {
  const call = { signal: AbortSignal.timeout(LOOK_MS) };
  const found: LookOutcome = await access_point.look(id, call).catch((err: unknown) => {
    cx.log.error({ err, delivery_id: id }, "a look at an e-invoice failed");
    return { state: "not_answered", connection: null } as const;
  });
  return found;
}

/** Stores what a look has found, unless the delivery has changed meanwhile. */
async function store(
  tx: Tx,
  taken: TakenLook,
  found: LookFound,
  looked: Looked,
  notify: DeliveryListener | undefined,
): Promise<void> {
  const { account_id } = tx.caller;
  const { id, state } = taken;
  const before = await tx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries
    where account_id = ${account_id} and id = ${id} and looks = ${taken.looks} and state = ${state} for no key update`);
  if (before === undefined) return;
  const { seconds_until_look, counts_as_absent, delivered_at } = looked;
  const is_queued = looked.state === "queued";
  // If a crash of the database forgets such a look, the next one comes when its lease is over.
  const is_nothing_new = looked.state === state && !counts_as_absent;
  // An engine that does not say when: the moment at which this service learned of it.
  const is_delivered = looked.state === "delivered" && state !== "delivered";
  const update = sql`update deliveries set state = ${looked.state}, send_error = ${looked.send_error},
      error_code = ${looked.error_code}, delivered_at = coalesce(${is_delivered ? (delivered_at ?? tx.clock.now()) : null}, delivered_at),
      einvoice_look_at = (select clock_timestamp() + make_interval(secs => ${seconds_until_look}::float8)),
      absent_at = case when ${counts_as_absent} then (select clock_timestamp()) else absent_at end,
      is_copied = is_copied and ${looked.state === "unknown"},
      next_attempt_at = case when ${is_queued} then (select clock_timestamp()) else next_attempt_at end,
      updated_at = case when ${looked.state !== state} then (select clock_timestamp()) else updated_at end
    where account_id = ${account_id} and id = ${id} and ${is_nothing_new ? unsynced : sql`true`}`;
  if (looked.state === state) {
    tx.write(update);
    // A look that finds nothing is kept, because what follows from it is not visible otherwise.
    if (counts_as_absent) noteEvent(tx, id, eventOfLook(found));
    return;
  }
  const after = await tx.row<DeliveryRow>(changedWith(tx, update, eventOfLook(found)));
  if (after !== undefined) await recordOutcome(tx, before, after, notify);
}
