/**
 * What is open of items at the end of a day. The stored columns are the last state: they count allocations and reversals that are
 * dated later, which are taken out here.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** An item as it is on a day. `functional` and `functional_open` are minor units of the functional currency. */
export interface ItemOnDay {
  readonly id: string;
  readonly kind: "invoice" | "credit_note" | "payment" | "refund" | "reminder" | "opening";
  readonly is_credit: boolean;
  readonly customer_id: string;
  readonly number: string;
  readonly date: CalendarDate;
  readonly due_date: CalendarDate | null;
  readonly currency: string;
  readonly amount: Money;
  readonly functional: Money;
  readonly open: Money;
  readonly functional_open: Money;
}

/** Returns items by their ids with what is open on a day, the newest first. */
export function findItemsOn(
  cx: Reader,
  ids: readonly string[],
  day: CalendarDate,
): Promise<ItemOnDay[]> {
  const { account_id } = cx.caller;
  return cx.rows<ItemOnDay>(sql`
    select i.id, i.kind, i.is_credit, i.customer_id, i.number, i.date, i.due_date, i.currency, i.amount, i.functional,
      case when i.date > ${day} or i.ended_on <= ${day} then 0 else i.amount - t.amount end as open,
      case when i.date > ${day} or i.ended_on <= ${day} then 0 else i.functional - t.functional end as functional_open
    from open_items i cross join lateral (${takenOn(cx, day)}) t
    where i.account_id = ${account_id} and i.id = any(${ids}) order by i.id desc`);
}

/** Selects what the allocations that are effective on a day take of an item (alias `i`): `amount` and `functional`. */
export function takenOn(cx: Reader, day: CalendarDate): Sql {
  const { account_id } = cx.caller;
  return sql`select coalesce(sum(case when i.is_credit then a.amount else a.amount + a.rounding end), 0)::bigint as amount,
      coalesce(sum(case when i.is_credit then a.credit_functional else a.debit_functional end), 0)::bigint as functional
    from allocations a where a.account_id = ${account_id} and (a.debit_id = i.id or a.credit_id = i.id)
      and a.date <= ${day} and (a.reversed_on is null or a.reversed_on > ${day})`;
}
