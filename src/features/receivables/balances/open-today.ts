/** Selects what is open today for the start page: by our own books, and by what the connected ledger that has the books reported. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { isPaidInLedger } from "../open-items/require-begun.ts";

/**
 * Selects the open items: `customer_id`, `is_credit`, `date`, `due_date`, and `functional_open` in minor units of the functional currency.
 * Our own count once receivables are begun.
 */
export function openToday(cx: Reader): Sql {
  const { account_id } = cx.caller;
  const own = sql`select o.customer_id, o.is_credit, o.date, o.due_date, o.functional_open
    from open_items o
    where o.account_id = ${account_id} and o.open > 0
      and exists (select from receivables_begins where account_id = ${account_id})`;
  if (!isPaidInLedger(cx)) return own;
  return sql`${own} union all
    select l.customer_id, l.kind = 'credit_note', l.date, l.due_date,
      round(l.functional::numeric * l.remaining / l.amount)::bigint
    from ledger_items l
    join ledger_connections c on c.account_id = ${account_id} and c.id = l.connection_id and c.is_current
    where l.account_id = ${account_id} and l.state in ('open', 'partly_paid') and l.remaining > 0`;
}

/** Selects whether anything is known of what is open: receivables are begun, or the connected ledger has answered. */
export function isOpenKnown(cx: Reader): Sql {
  const { account_id } = cx.caller;
  const begun = sql`exists (select from receivables_begins where account_id = ${account_id})`;
  if (!isPaidInLedger(cx)) return begun;
  return sql`(${begun} or exists (select from ledger_connections c
      where c.account_id = ${account_id} and c.is_current and c.payments_read_at is not null))`;
}
