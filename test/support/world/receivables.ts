/** Payments of a world, stored as rows: items and allocations in the functional currency, without their journal entries. */
import { newId } from "../../../src/platform/runtime/id.ts";
import type { World } from "./world.ts";

interface Paid {
  /** Minor units. */
  readonly amount: bigint;
  readonly date: string;
  /** What is applied to the invoice, in minor units; by default the whole amount. */
  readonly applied?: bigint;
  readonly rounding?: bigint;
  /** The day of the allocation, where that is later than the payment. */
  readonly applied_on?: string;
  /** The day on which the allocation was reversed. */
  readonly reversed_on?: string;
}

/** Stores a payment, and its allocation to the item with the id; returns the ids of both. */
export async function storePayment(
  world: World,
  debit_id: string,
  { amount, date, applied = amount, rounding = 0n, applied_on = date, reversed_on }: Paid,
): Promise<{ readonly payment_id: string; readonly allocation_id: string }> {
  const payment_id = newId<string>();
  const allocation_id = newId<string>();
  const stands = reversed_on === undefined;
  const open = amount - (stands ? applied : 0n);
  await world.sql(
    `insert into open_items (account_id, id, kind, is_credit, customer_id, number, date, currency, amount, functional, open,
       functional_open, updated_at)
     select account_id, $2, 'payment', true, customer_id, '1', $3, currency, $4, $4, $5, $5, stamp(account_id)
     from open_items where id = $1`,
    [debit_id, payment_id, date, amount, open],
  );
  await world.sql(
    `insert into allocations (account_id, id, debit_id, credit_id, currency, amount, rounding, debit_functional,
       credit_functional, rounding_functional, exchange_difference, date, reversed_on, reversal_reason, created_at, updated_at)
     select account_id, $2, $1, $3, currency, $4::bigint, $5::bigint, $4::bigint + $5::bigint, $4::bigint, $5::bigint, 0,
       $6, $7::date, case when $7::date is not null then 'A mistake' end, clock_timestamp(), stamp(account_id)
     from open_items where id = $1`,
    [debit_id, allocation_id, payment_id, applied, rounding, applied_on, reversed_on ?? null],
  );
  if (stands) {
    await world.sql(
      `update open_items set open = open - $2, functional_open = functional_open - $2, updated_at = stamp(account_id)
       where id = $1`,
      [debit_id, applied + rounding],
    );
  }
  return { payment_id, allocation_id };
}
