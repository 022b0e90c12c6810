/**
 * Books the customers of a close one by one: customers of a batch that failed as a whole, all customers with an external ledger,
 * and at the end customers whose new name sorts before the position of the run.
 */

import type { Month } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { readRefusals } from "../../ledger/booking/refusals.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { bookAccrual } from "../accruals/book-accrual.ts";
import { accrualId, keepDraft } from "../accruals/queries.ts";
import { voucherGuid } from "../accruals/vouchers.ts";
import { positionsOf } from "../revenue-facts/positions.ts";
import { advance, bookBatch, type Customer, closeErrorFrom, hasToBook } from "./book-batch.ts";
import type { CloseError } from "./schemas.ts";

/** The `turn` of a batch that follows no other batch and may continue immediately. */
export const AT_ONCE = Promise.resolve(true);

/**
 * Returns the SQL condition for customers (table alias `c`) that have an invoice, an opening contract, a booked accrual or a series, and are not
 * booked for the month. Each part is an index lookup for one customer. With `exists`, each could become a join that reads whole
 * tables for every batch, because the statistics do not include the rows of the run itself yet.
 */
export function mayBook(month: Month): Sql {
  return sql`
  ((select 1 from invoices i where i.account_id = c.account_id and i.customer_id = c.id limit 1) is not null
    or (select 1 from recurring_series s where s.account_id = c.account_id and s.customer_id = c.id limit 1) is not null
    or (select 1 from opening_contracts o where o.account_id = c.account_id and o.customer_id = c.id limit 1) is not null
    or (select 1 from accrual_rows r where r.account_id = c.account_id and r.customer_id = c.id limit 1) is not null)
  and coalesce((select max(a.month) from accruals a where a.account_id = c.account_id and a.customer_id = c.id
    and a.status = 'booked'), '') < ${month}`;
}

/** Books customers until the deadline and returns the last one. Each booking may take long, so it renews the lease. */
export async function closeOneByOne(
  cx: Context,
  month: Month,
  customers: readonly Customer[],
  deadline: number,
): Promise<Customer | null> {
  let done: Customer | null = null;
  for (const customer of customers) {
    if (done !== null && Date.now() >= deadline) break;
    await advance(cx, month, customer, await closeOne(cx, customer.id, month));
    done = customer;
  }
  return done;
}

/** Books customers that the run missed due to a new name. Keeps the run's position. Returns whether all are done. */
export async function bookOvertaken(cx: Context, month: Month, deadline: number): Promise<boolean> {
  const configuration = await getConfiguration(cx);
  if (!cx.ledger?.transactional) await noteRefused(cx, month);
  const changed = await changedCustomers(cx, month);
  for (let at = 0; at < changed.length; at += READ_AT_A_TIME) {
    const ids = changed.slice(at, at + READ_AT_A_TIME);
    for (const position of await positionsOf(cx, configuration, ids, month)) {
      if (!hasToBook(position, month)) continue;
      if (Date.now() >= deadline) return false;
      await advance(cx, month, null, await closeOne(cx, position.customer_id, month));
    }
  }
  return true;
}

/**
 * Settles customers whose voucher an external ledger had accepted. A voucher that the ledger has refused since then becomes an
 * error; a voucher that a person has released is booked again. Returns whether no voucher is pending any more.
 */
export async function settleAccepted(
  cx: Context,
  month: Month,
  deadline: number,
): Promise<boolean> {
  if (cx.ledger?.transactional) return true;
  await noteRefused(cx, month);
  for (const { customer_id, is_open } of await acceptedCustomers(cx, month)) {
    if (is_open) continue;
    if (Date.now() >= deadline) return false;
    await advance(cx, month, null, await closeOne(cx, customer_id, month));
  }
  return (await acceptedCustomers(cx, month)).every(({ is_open }) => !is_open);
}

/** Stores the refusals of vouchers that the ledger had accepted before: the run does not book them again. */
async function noteRefused(cx: Context, month: Month): Promise<void> {
  const ended = (await acceptedCustomers(cx, month)).filter(({ is_open }) => !is_open);
  if (ended.length === 0) return;
  const guidOf = ({ id, revision }: Accepted) => voucherGuid(id, revision);
  const refused = await readRefusals(cx, ended.map(guidOf));
  const errors = ended.flatMap((one) => {
    const problem = refused.get(guidOf(one));
    return problem === undefined ? [] : [closeErrorFrom(one.customer_id, problem)];
  });
  await advance(cx, month, null, errors);
}

interface Accepted {
  readonly id: string;
  readonly revision: number;
  readonly customer_id: string;
  /** Whether the ledger has neither booked nor refused the voucher yet. */
  readonly is_open: boolean;
}

/** Returns customers whose requested voucher is pending or not booked, and who have no error in the run. */
function acceptedCustomers(cx: Reader, month: Month): Promise<Accepted[]> {
  const { account_id } = cx.caller;
  return cx.rows<Accepted>(sql`select a.id, a.revision, a.customer_id, b.accrual_id is not null as is_open from accruals a
     left join accrual_bookings b on b.account_id = ${account_id} and b.accrual_id = a.id and b.revision = a.revision
       and b.state = 'pending'
     where a.account_id = ${account_id} and a.month = ${month} and a.status = 'draft' and a.revision > 0
       and not exists (select from period_closes k cross join lateral json_array_elements(k.errors::json) as e (error)
         where k.account_id = ${account_id} and k.month = ${month}
           and (e.error ->> 'customer_id')::uuid = a.customer_id)
     order by a.customer_id`);
}

const READ_AT_A_TIME = 200;

/** Returns customers changed since about the run's start that may have bookings and are neither booked nor refused. */
async function changedCustomers(cx: Reader, month: Month): Promise<string[]> {
  const rows = await cx.rows<{ id: string }>(sql`with refused as materialized (
       select (e.error ->> 'customer_id')::uuid as id from period_closes k
       cross join lateral json_array_elements(k.errors::json) as e (error)
       where k.account_id = ${cx.caller.account_id} and k.month = ${month})
     select c.id from period_closes k join customers c on c.account_id = ${cx.caller.account_id}
     where k.account_id = ${cx.caller.account_id} and k.month = ${month} and c.updated_at > k.begun_at - interval '1 minute'
       and c.id not in (select id from refused) and ${mayBook(month)}
       and not exists (select from accruals p join accrual_bookings b on b.account_id = p.account_id and b.accrual_id = p.id
         and b.state = 'pending' where p.account_id = ${cx.caller.account_id} and p.customer_id = c.id and p.month = ${month})
     order by c.name, c.id`);
  return rows.map((row) => row.id);
}

async function closeOne(cx: Context, customer_id: string, month: Month): Promise<CloseError[]> {
  try {
    if (cx.ledger?.transactional) {
      const batch = { month, customer_ids: [customer_id], turn: AT_ONCE, last: null };
      return (await run(bookBatch, cx, batch)) ?? [];
    }
    const configuration = await getConfiguration(cx);
    const [position] = await positionsOf(cx, configuration, [customer_id], month);
    if (position === undefined || !hasToBook(position, month)) return [];
    const id = accrualId(cx, customer_id, month);
    await keepDraft(cx, customer_id, month);
    // A voucher that the ledger has only accepted is settled at the end of the run.
    await run(bookAccrual, cx, { id });
    return [];
  } catch (error) {
    // An aborted booking is not a refusal.
    cx.signal.throwIfAborted();
    if (error instanceof Problem) return [closeErrorFrom(customer_id, error)];
    // The run keeps its position; the next holder of its lease continues from there.
    if (isUnavailable(error)) throw error;
    cx.log.error({ err: error, customer_id, month }, "a customer could not be closed");
    const message = "The customer could not be booked now; close the month again.";
    return [{ customer_id, code: "INTERNAL_ERROR", message }];
  }
}
