/**
 * Does the work at external ledgers, above all bookings that were left open. Each account has one slot in a process, so that a
 * slow or unavailable ledger delays no other account. Slots are assigned to the waiting accounts round robin.
 */
import type { Connection } from "../../../ledger/ledger.ts";
import { printingKinds, reportingKinds } from "../../../platform/commands/connected-ledger.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { RoundRobin } from "../../../platform/fairness/round-robin.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import type { DeliveryListener } from "../../documents/deliveries/store-outcome.ts";
import { accountsToTend } from "../connections/queries.ts";
import type { Bookables } from "./bookable.ts";
import { probeDown } from "./circuit.ts";
import { dueAccounts, type Intent, noteCalls, OPEN } from "./intents.ts";
import { resumeDueIntent } from "./resume-intent.ts";

const SWEPT_AT_ONCE = 5;
const SWEEP_MS = 5_000;
const SLOTS = 20;
/** The number of steps after which the account waits for its next slot. */
const STEPS_OF_A_SLOT = 50;

/** Does one step of other work at an account's ledger; returns whether there was anything to do. */
type Beside = (cx: Context) => Promise<boolean>;

export interface LedgerWork {
  /** Begins slots for accounts with something due and probes ledgers that are down. Returns whether there was work. */
  run(isStopped: () => boolean): Promise<boolean>;
  /** Resolves when all slots have ended. */
  ended(): Promise<void>;
}

export function ledgerWork(
  services: Services,
  bookables: Bookables,
  notify: DeliveryListener,
  besides: readonly Beside[] = [],
): LedgerWork {
  const busy = new Map<string, Promise<void>>();
  const kinds = {
    printing: printingKinds(services.ledgers),
    reporting: reportingKinds(services.ledgers),
  };
  const turns = new RoundRobin();
  const due = async (after: string, most: number) => {
    const except = [...busy.keys()];
    const booking = await dueAccounts(services.db, except, after, most);
    const tended =
      besides.length === 0 ? [] : await accountsToTend(services.db, kinds, except, after, most);
    const accounts = [...new Set([...booking, ...tended])].sort().slice(0, most);
    return accounts.map((account_id) => ({ account_id }));
  };
  const slot = async (account_id: string, isStopped: () => boolean): Promise<void> => {
    try {
      for (let done = 0; done < STEPS_OF_A_SLOT && !isStopped(); done += 1) {
        const is_booked = await resumeDueIntent(services, account_id, bookables, notify);
        if (!is_booked && !(await tend(account_id))) return;
      }
    } catch (error) {
      services.log.error({ err: error, account_id }, "work at a ledger could not be done");
    } finally {
      busy.delete(account_id);
    }
  };
  let sweeping: Promise<void> | null = null;
  /** Runs the other tasks until one of them finds something to do. */
  const tend = async (account_id: string): Promise<boolean> => {
    if (besides.length === 0) return false;
    const cx = await schedulerContext(services, account_id);
    for (const beside of besides) if (await beside(cx)) return true;
    return false;
  };
  return {
    async run(isStopped) {
      // No other work waits for the removal of leftover drafts, whichever ledger it calls.
      sweeping ??= sweepLeft(services).finally(() => {
        sweeping = null;
      });
      const is_back = await probeDown(services);
      const free = SLOTS - busy.size;
      if (free <= 0) return is_back;
      const accounts = await turns.next((after) => due(after, free));
      for (const { account_id } of accounts) busy.set(account_id, slot(account_id, isStopped));
      return is_back || accounts.length > 0;
    },
    async ended() {
      while (busy.size > 0) await Promise.all(busy.values());
      await sweeping;
    },
  };
}

/** The ended bookings of all accounts that may have left a draft, and whose document is not being booked again. */
export const dueSweeps = sql`from intents t
  where t.sweep_at <= clock_timestamp() and not exists (select from intents o
    where o.account_id = t.account_id and o.document_id = t.document_id and o.state in ${OPEN})`;

type Left = Pick<Intent, "account_id" | "id" | "guid" | "former_guids" | "kind" | "connection_id">;

/** Removes the drafts of ended bookings that late calls may have left, except drafts of documents that are being booked again. */
async function sweepLeft(services: Services): Promise<void> {
  const { db, log } = services;
  try {
    const due = await db.rows<Pick<Left, "account_id" | "id">>(
      sql`select t.account_id, t.id ${dueSweeps} order by t.sweep_at limit ${SWEPT_AT_ONCE}`,
    );
    const sweep = async (one: Pick<Left, "account_id" | "id">): Promise<void> => {
      const left = await takeSweep(db, one);
      if (left !== undefined) await sweepOne(services, left);
    };
    await Promise.all(due.map(sweep));
  } catch (error) {
    if (!isUnavailable(error)) log.error({ err: error }, "drafts in a ledger could not be swept");
  }
}

/** Takes a due sweep for a quarter of an hour; undefined when another process has it, or the document is being booked again. */
export function takeSweep(
  db: Reads,
  { account_id, id }: Pick<Left, "account_id" | "id">,
): Promise<Left | undefined> {
  return db.row<Left>(sql`update intents t set sweep_at = (select clock_timestamp() + interval '15 minutes')
    where t.account_id = ${account_id} and t.id = ${id} and t.sweep_at <= (select clock_timestamp())
      and not exists (select from intents o
        where o.account_id = ${account_id} and o.document_id = t.document_id and o.state in ${OPEN})
    returning account_id, id, coalesce(guid, document_id) as guid, former_guids, kind, connection_id`);
}

/** Returns the ledger in which an intent was booked, which the account may have left. */
async function ledgerOfIntent(
  services: Services,
  { account_id, connection_id }: Left,
): Promise<Connection | null> {
  const cx = await schedulerContext(services, account_id);
  if (connection_id === null) return cx.ledger;
  const of = await cx.row<{ kind: string }>(sql`select kind from ledger_connections
    where account_id = ${account_id} and id = ${connection_id}`);
  return cx.ledgers.get(of?.kind ?? "") ?? null;
}

async function sweepOne(services: Services, left: Left): Promise<void> {
  const ledger = await ledgerOfIntent(services, left);
  if (ledger === null || ledger.transactional) return;
  const { more } = ledger.connect(left.account_id, left.connection_id ?? undefined);
  for (const guid of [left.guid, ...left.former_guids]) {
    const began = Date.now();
    const signal = AbortSignal.timeout(ledger.timeouts?.call_ms ?? SWEEP_MS);
    const swept = await more?.sweep(left.kind, guid, { signal, urgency: "bulk" });
    if (swept === undefined) break;
    const ms = Date.now() - began;
    const call = { verb: "sweep", outcome: swept.state, status: null, ms };
    await noteCalls(services.db, left, [call]);
    if (swept.state !== "swept") return;
  }
  await services.db.rows(
    sql`update intents set sweep_at = null where account_id = ${left.account_id} and id = ${left.id}`,
  );
}
