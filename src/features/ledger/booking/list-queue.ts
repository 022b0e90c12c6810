/** Lists the bookings that have not ended in a connected ledger, for people: those in doubt first, then the oldest. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import type { Doubt, OpenState } from "./intent-state.ts";
import { OPEN } from "./intents.ts";

export interface QueuedBooking {
  readonly id: string;
  readonly kind: "invoice" | "credit_note" | "voucher";
  readonly document_id: string;
  readonly state: OpenState;
  readonly attempts: number;
  /** The number of searches of the ledger that have found nothing since the last call. */
  readonly looks: number;
  /** Why it is parked. */
  readonly reason: Doubt | null;
  readonly created_at: Timestamp;
  readonly next_attempt_at: Timestamp;
  /** The number of all bookings that have not ended. */
  readonly count: bigint;
  readonly customer_id: string | null;
  readonly customer: string | null;
}

/** Returns the bookings that have not ended, at most `most`; with an id, only this one. */
export function listQueue(
  cx: Reader,
  most: number,
  id: string | null = null,
): Promise<QueuedBooking[]> {
  const { account_id } = cx.caller;
  return cx.rows<QueuedBooking>(sql`
    select t.id, t.kind, t.document_id, t.state, t.attempts, t.looks, t.reason, t.created_at, t.next_attempt_at,
      count(*) over () as count, c.id as customer_id, c.name as customer
    from intents t
    left join invoices i on i.account_id = ${account_id} and i.id = t.document_id
    left join credit_notes n on n.account_id = ${account_id} and n.id = t.document_id
    left join accrual_bookings b on t.kind = 'voucher' and b.account_id = ${account_id}
      and (b.voucher_guid = t.document_id or b.reversal_guid = t.document_id)
    left join accruals a on a.account_id = ${account_id} and a.id = b.accrual_id
    left join customers c on c.account_id = ${account_id}
      and c.id = coalesce(i.customer_id, n.customer_id, a.customer_id)
    where t.account_id = ${account_id} and t.state in ${OPEN} and (${id}::uuid is null or t.id = ${id}::uuid)
    order by t.state <> 'parked', t.created_at, t.id limit ${most}`);
}

/** Returns the SQL expression that counts up to `most` bookings in doubt of the account, for a user `u` who is an admin. */
export function countInDoubt(account_id: string, most: number): Sql {
  return sql`(select count(*) from (select from intents t
    where t.account_id = ${account_id} and u.role = 'admin' and t.state in ${OPEN}
      and (t.state = 'parked' or t.created_at < clock_timestamp() - interval '2 minutes')
    limit ${most}) q)`;
}
