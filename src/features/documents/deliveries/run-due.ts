/** Does the background work of deliveries that are due or were abandoned. */

import { eventOfOutcome, UNCONFIRMED } from "../../../domain/einvoice/einvoice-delivery.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { workInTurn } from "../../../platform/fairness/in-turn.ts";
import { RoundRobin } from "../../../platform/fairness/round-robin.ts";
import {
  ACCOUNT_COLUMNS,
  type Services,
  type StoredAccount,
  schedulerContext,
  schedulerContextOf,
} from "../../../platform/runtime/services.ts";
import { findBookedBy, inLedgerOf } from "../issued/find-booked-by.ts";
import { printingLedger } from "../issued/read-pdf.ts";
import { attemptDelivery } from "./attempt.ts";
import { isOwnEinvoice } from "./find-refusal.ts";
import { type DeliveryRow, SHOWN } from "./read-ahead.ts";
import { changedWith, type DeliveryListener, recordOutcome } from "./store-outcome.ts";

interface Due {
  readonly account_id: string;
  readonly id: string;
}

/** A due delivery with its account. */
interface DueNow extends Due, StoredAccount {}

const SOME = 40;
/** The number of deliveries of one account in each read, and how many a read looks at. */
const OF_ONE = 8;
const SEEN = 200;
/**
 * The condition that a delivery `d` is due. `statement_timestamp()` can be compared in the index, `clock_timestamp()` cannot.
 */
const IS_DUE = sql`d.state in ('queued', 'failed_temporary')
  and greatest(d.next_attempt_at, d.lease_until) <= statement_timestamp()`;
/** The due deliveries of all accounts, for a look whether there are any. */
export const dueDeliveries = sql`from deliveries d where ${IS_DUE}`;
/** The deliveries of all accounts whose process ended while sending. */
export const abandonedDeliveries = sql`from deliveries where state = 'sending' and lease_until < clock_timestamp()`;
/** The round robin over accounts in this process. */
const turns = new RoundRobin();

/**
 * Attempts due deliveries, round robin over the accounts and a few in parallel, until none is left; returns their number. A
 * delivery that cannot even be attempted is logged, and tried again in the next round.
 */
export async function sendDueDeliveries(
  services: Services,
  notify?: DeliveryListener,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let failed = 0;
  const work = async ({ account_id, id, ...account }: DueNow): Promise<void> => {
    try {
      const cx = schedulerContextOf(services, account_id, account);
      await attemptDelivery(cx, id, false, notify);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failed += 1;
      services.log.error({ err: error, delivery_id: id }, "a delivery could not be attempted");
    }
  };
  const attempted = await workInTurn<DueNow>(
    { find: (after, except) => listDue(services.db, after, except), work, isStopped },
    turns,
  );
  return attempted - failed;
}

/**
 * Returns the first due deliveries of each account after `after`, in the order of the accounts. It reads at most `SEEN` of them
 * from the index: an account with more is alone in the answer, and the others come after it in the next one.
 */
function listDue(
  db: Reads,
  after: string,
  except: { readonly accounts: readonly string[]; readonly ids: readonly string[] },
): Promise<DueNow[]> {
  return db.rows<DueNow>(sql`select due.account_id, due.id, ${raw(ACCOUNT_COLUMNS)} from (
       select seen.account_id, seen.id, row_number() over (partition by seen.account_id order by seen.due_at) as place
       from (
         select d.account_id, d.id, greatest(d.next_attempt_at, d.lease_until) as due_at from deliveries d
         where d.account_id > ${after} and ${IS_DUE}
           and not d.account_id = any(${except.accounts}::uuid[]) and not d.id = any(${except.ids}::uuid[])
         order by d.account_id, greatest(d.next_attempt_at, d.lease_until) limit ${raw(SEEN)}) seen) due
     join accounts a on a.id = due.account_id
     where due.place <= ${raw(OF_ONE)} order by due.account_id, due.place limit ${raw(SOME)}`);
}

/**
 * Settles deliveries whose process ended while sending. Such a delivery may have arrived: it becomes `unknown`, and a person
 * decides. In the outbox folder, the same file is simply written again.
 */
export async function settleAbandonedDeliveries(
  services: Services,
  notify?: DeliveryListener,
): Promise<number> {
  const abandoned = await services.db.rows<Due>(
    sql`select account_id, id ${abandonedDeliveries} limit ${raw(SOME)}`,
  );
  for (const { account_id, id } of abandoned) {
    const own = await schedulerContext(services, account_id);
    const cx = inLedgerOf(
      own,
      await findBookedBy(
        own,
        sql`d.document_id = (select v.document_id from deliveries v where v.account_id = ${account_id} and v.id = ${id})`,
      ),
    );
    const prints_locally = printingLedger(cx) === null;
    const may_repeat = prints_locally && cx.mail.transportFor(cx.caller).kind === "outbox";
    await transact(cx, (tx) => abandon(tx, id, may_repeat, notify));
  }
  return abandoned.length;
}

const STOPPED =
  "The service stopped during the sending: check whether the document arrived before you send it again.";

async function abandon(
  tx: Tx,
  id: string,
  may_repeat: boolean,
  notify: DeliveryListener | undefined,
): Promise<void> {
  const before =
    await tx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries where account_id = ${tx.caller.account_id} and id = ${id} and state = 'sending'
       and lease_until < clock_timestamp() for no key update`);
  if (!before) return;
  // An e-invoice is looked up under its id, also where its file lies in a folder.
  const is_einvoice = isOwnEinvoice(tx, before);
  const [state, send_error] =
    may_repeat && !is_einvoice
      ? (["queued", null] as const)
      : (["unknown", is_einvoice ? UNCONFIRMED : STOPPED] as const);
  // A ledger that sends documents itself can report the outcome.
  const reports_delivery = printingLedger(tx) !== null;
  const update = sql`update deliveries set state = ${state}, send_error = ${send_error}, lease_until = null,
       next_attempt_at = (select clock_timestamp()), updated_at = (select clock_timestamp()), looks = 0,
       next_look_at = case when ${reports_delivery} then (select clock_timestamp()) end, absent_at = null,
       call_ended_at = (select clock_timestamp()), einvoice_look_at = case when ${is_einvoice} then (select clock_timestamp()) end
     where account_id = ${tx.caller.account_id} and id = ${id}`;
  const event = eventOfOutcome({ state, error_code: null, send_error });
  const after = await tx.row<DeliveryRow>(changedWith(tx, update, event));
  if (!after) return;
  await recordOutcome(tx, before, after, notify);
}
