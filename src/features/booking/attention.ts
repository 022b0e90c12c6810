/** Bookings whose outcome an external ledger has not told yet, as the start page shows them. */
import type { Reader } from "../../platform/context.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";
import { OPEN } from "./intents.ts";

/** Asked for longer than a call takes. */
export function attentionOfBookings({ caller: { account_id } }: Reader): Sql {
  return sql`(select 'booking_in_doubt' as kind, t.kind as subject, t.document_id::text as subject_id, null::text as title,
      c.name as party, c.id::text as party_id, null::bigint as amount, null::text as currency,
      t.created_at::date::text as since,
      floor(date_part('epoch', clock_timestamp() - t.created_at) / 60)::text as detail
    from intents t
    left join invoices i on i.account_id = ${account_id} and i.id = t.document_id
    left join credit_notes n on n.account_id = ${account_id} and n.id = t.document_id
    left join customers c on c.account_id = ${account_id} and c.id = coalesce(i.customer_id, n.customer_id)
    where t.account_id = ${account_id} and t.state in ${OPEN} and t.created_at < clock_timestamp() - interval '2 minutes'
    order by t.created_at limit 8)`;
}
