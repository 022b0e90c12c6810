/** The queries of three entries of the start page: what is late, receivables that are not begun, and credit that waits. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { isPaidInLedger } from "../open-items/require-begun.ts";
import { openToday } from "./open-today.ts";

/**
 * Selects what customers owe and is late, as one entry: the number of customers in `title`, the customer where it is one only, the sum in
 * functional currency, and the earliest due date.
 */
export function attentionOfOverdue(cx: Reader, today: CalendarDate): Sql {
  const which = sql`i.due_date < ${today} and not i.is_credit`;
  return sumOf(cx, "payments_overdue", sql`min(i.due_date)`, which);
}

/** Selects credit that is applied to nothing, as one entry: as what is late, with the day of the earliest credit. */
export function attentionOfCredit(cx: Reader): Sql {
  return sumOf(cx, "credit_waits", sql`min(i.date)`, sql`i.is_credit`);
}

/** Selects receivables that an account with documents from before has not begun, with the earliest due date of an open one. */
export function attentionOfBeginning(cx: Reader): Sql {
  const { account_id } = cx.caller;
  return sql`(select 'receivables_not_begun', 'receivables', 'receivables', null, null, null, null::bigint, null, i.due_date::text, null
    from open_items i
    where i.account_id = ${account_id} and i.open > 0 and i.due_date is not null and not ${isPaidInLedger(cx)}::boolean
      and not exists (select from receivables_begins where account_id = ${account_id})
    order by i.due_date, i.id limit 1)`;
}

/** Selects the items of a condition that are open today as one entry, where there is one. */
function sumOf(cx: Reader, kind: "payments_overdue" | "credit_waits", since: Sql, which: Sql): Sql {
  const { account_id } = cx.caller;
  return sql`(select ${kind}::text, 'receivables', 'receivables', s.customers::text, c.name, c.id::text, s.amount,
      k.functional_currency, s.since::text, null
    from (select count(distinct i.customer_id) as customers, min(i.customer_id::text)::uuid as first, ${since} as since,
        sum(i.functional_open)::bigint as amount
      from (${openToday(cx)}) i where ${which}) s
    join configurations k on k.account_id = ${account_id}
    left join customers c on c.account_id = ${account_id} and c.id = s.first and s.customers = 1
    where s.customers > 0)`;
}
