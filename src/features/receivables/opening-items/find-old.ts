/** Finds the documents from before receivables were begun: those of which something is left when the old bookkeeping ends. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { takenOn } from "../open-items/find-open.ts";

/** A document with its customer. `open` is what is left of it at the end of the day, in minor units of its currency. */
export interface OldDocument {
  readonly id: string;
  readonly kind: "invoice" | "credit_note";
  readonly number: string;
  readonly customer_name: string;
  readonly date: CalendarDate;
  readonly due_date: CalendarDate | null;
  readonly currency: string;
  readonly open: Money;
}

/** The documents that are asked for: those due from a day on, or credit notes dated from it; or those with numbers. */
interface WhichOld {
  readonly from: CalendarDate | null;
  readonly numbers: readonly string[];
  readonly limit: number;
}

/** Returns documents through a day of which something is left at its end, those that are due last first. */
export function findOldDocuments(
  cx: Reader,
  day: CalendarDate,
  { from, numbers, limit }: WhichOld,
): Promise<OldDocument[]> {
  const { account_id } = cx.caller;
  return cx.rows<OldDocument>(sql`
    select i.id, i.kind, i.number, c.name as customer_name, i.date, i.due_date, i.currency, (i.amount - t.amount)::bigint as open
    from open_items i join customers c on c.account_id = ${account_id} and c.id = i.customer_id
    cross join lateral (${takenOn(cx, day)}) t
    where i.account_id = ${account_id} and i.kind in ('invoice', 'credit_note') and i.date <= ${day} and i.ended_on is null
      and i.amount > t.amount and (coalesce(i.due_date, i.date) >= ${from}::date or i.number = any(${numbers}))
    order by coalesce(i.due_date, i.date) desc, i.id desc limit ${limit}`);
}
