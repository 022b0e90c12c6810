/** Adds up what allocations posted besides their items, for the comparison of documents with the books (spec 3.9). */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** In minor units of the functional currency: gains of exchange, and what was left to customers as roundings. */
interface Differences {
  readonly exchange: Money;
  readonly rounding: Money;
}

/** Returns the sums of allocations that are effective at the end of a day. */
export async function sumDifferences(cx: Reader, through: CalendarDate): Promise<Differences> {
  const row = await cx.row<Differences>(sql`
    select coalesce(sum(exchange_difference), 0)::bigint as exchange, coalesce(sum(rounding_functional), 0)::bigint as rounding
    from allocations where account_id = ${cx.caller.account_id} and date <= ${through}
      and (reversed_on is null or reversed_on > ${through})`);
  return row ?? { exchange: 0n, rounding: 0n };
}
