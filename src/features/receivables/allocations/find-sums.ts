/** Adds up receivables, for the comparison of documents with the books (spec 3.9). */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** Sums at the end of a day, in minor units of the functional currency. */
export interface ReceivableSums {
  /** The gains of allocations. */
  readonly exchange: Money;
  /** What was left to customers as roundings. */
  readonly rounding: Money;
  /** What is open on receivables: documents, reminders and opening items, less their credits. */
  readonly owed: Money;
}

/** Returns the sums of receivables at the end of a day. */
export async function findSums(cx: Reader, through: CalendarDate): Promise<ReceivableSums> {
  const { account_id } = cx.caller;
  const row = await cx.row<ReceivableSums>(sql`
    with effective as (
      select debit_id, credit_id, debit_functional, credit_functional, exchange_difference, rounding_functional
      from allocations where account_id = ${account_id} and date <= ${through} and (reversed_on is null or reversed_on > ${through})),
    items as (
      select id, is_credit, functional from open_items
      where account_id = ${account_id} and kind not in ('payment', 'refund') and date <= ${through}
        and (ended_on is null or ended_on > ${through}))
    select (select coalesce(sum(exchange_difference), 0)::bigint from effective) as exchange,
      (select coalesce(sum(rounding_functional), 0)::bigint from effective) as rounding,
      ((select coalesce(sum(case when is_credit then -functional else functional end), 0) from items)
        - (select coalesce(sum(e.debit_functional), 0) from effective e join items i on i.id = e.debit_id)
        + (select coalesce(sum(e.credit_functional), 0) from effective e join items i on i.id = e.credit_id))::bigint as owed`);
  return row ?? { exchange: 0n, rounding: 0n, owed: 0n };
}
