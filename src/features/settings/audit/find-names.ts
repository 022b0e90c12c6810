/**
 * Finds the names of the records that events refer to by id, with one query for a page of events. Every id is looked up only in
 * the event's account; a deleted record has no name. Documents have their current names. A person who does not see the whole
 * account gets only the names of documents that are still in their view (spec 8.1).
 */

import type { Reader } from "../../../platform/commands/context.ts";
import { numbered } from "../../../platform/database/sql.ts";

/** The localized labels of documents, with their number and their customer. */
interface NameWords {
  readonly number: string;
  readonly customer: string;
  readonly of_invoice: string;
  readonly of_credit_note: string;
}

const INVOICE = "coalesce($4::text || i.ledger_invoice_number || ', ', $5::text) || c.name";
const CREDIT_NOTE = "coalesce($4::text || n.ledger_credit_note_number || ', ', $5::text) || c.name";

/** The SQL condition that user `$3` is assigned to a line of the invoice `i`; null sees the whole account. */
const SEEN = `($3::uuid is null or i.id in (
  select x.invoice_id from invoice_line_assignees a
  join invoice_lines x on x.account_id = a.account_id and x.id = a.line_id
  where a.account_id = $1 and a.user_id = $3))`;
/** The SQL condition that user `$3` is assigned to a line of the series `s`; null sees the whole account. */
const SEEN_SERIES = `($3::uuid is null or s.id in (
  select x.series_id from series_line_assignees a
  join series_lines x on x.account_id = a.account_id and x.line_id = a.line_id
  join recurring_series r on r.account_id = x.account_id and r.id = x.series_id
  where a.account_id = $1 and a.user_id = $3
    and (a.until_index is null or a.until_index > r.standing_index)))`;

/** Returns names by id: of users, keys, assistants (by grant), customers, products, bank accounts, documents and dependent records. */
export async function namesOf(
  cx: Reader,
  ids: readonly string[],
  /** The user whose view applies; null for the whole account. */
  viewer: string | null,
  words: NameWords,
): Promise<ReadonlyMap<string, string>> {
  const values = [
    cx.caller.account_id,
    [...new Set(ids)],
    viewer,
    words.number,
    words.customer,
    words.of_invoice,
    words.of_credit_note,
  ];
  const rows = await cx.rows<{ id: string; name: string }>(numbered(NAMES, values));
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The query of names: `$1` is the account, `$2` are the ids, `$3` is the viewer, the other parameters are the labels. */
const NAMES = `
  select id, name from users where account_id = $1 and id = any($2::uuid[])
  union all
  select id, name from api_keys where account_id = $1 and id = any($2::uuid[])
  union all
  select id, name from accounts where id = $1 and id = any($2::uuid[])
  union all
  select id, name from customers where account_id = $1 and id = any($2::uuid[])
  union all
  select id, name from products where account_id = $1 and id = any($2::uuid[])
  union all
  select id, name from bank_accounts where account_id = $1 and id = any($2::uuid[])
  union all
  select id, coalesce(description, split_part(url, '/', 3)) from webhook_endpoints where account_id = $1 and id = any($2::uuid[])
  union all
  select s.id, c.name from customer_statements s
  join customers c on c.account_id = $1 and c.id = s.customer_id
  where s.account_id = $1 and s.id = any($2::uuid[]) and $3::uuid is null
  union all
  select r.id, c.name from reminders r
  join customers c on c.account_id = $1 and c.id = r.customer_id
  where r.account_id = $1 and r.id = any($2::uuid[]) and $3::uuid is null
  union all
  select o.id, c.name from opening_contracts o
  join customers c on c.account_id = $1 and c.id = o.customer_id
  where o.account_id = $1 and o.id = any($2::uuid[]) and $3::uuid is null
  union all
  select p.id, $4::text || p.number || ', ' || c.name from payments p
  join customers c on c.account_id = $1 and c.id = p.customer_id
  where p.account_id = $1 and p.id = any($2::uuid[]) and $3::uuid is null
  union all
  select resource_id::uuid, payload::json -> 'after' ->> 'client_name' from audit_events
  where account_id = $1 and resource_type = 'oauth_grant' and action = 'created'
  and resource_id = any($2::text[])
  union all
  select i.id, ${INVOICE} from invoices i
  join customers c on c.account_id = $1 and c.id = i.customer_id
  where i.account_id = $1 and i.id = any($2::uuid[]) and ${SEEN}
  union all
  select l.id, $6::text || ${INVOICE} from invoice_lines l
  join invoices i on i.account_id = $1 and i.id = l.invoice_id
  join customers c on c.account_id = $1 and c.id = i.customer_id
  where l.account_id = $1 and l.id = any($2::uuid[]) and ${SEEN}
  union all
  select n.id, ${CREDIT_NOTE} from credit_notes n
  join invoices i on i.account_id = $1 and i.id = n.invoice_id
  join customers c on c.account_id = $1 and c.id = n.customer_id
  where n.account_id = $1 and n.id = any($2::uuid[]) and ${SEEN}
  union all
  select d.id, $6::text || ${INVOICE} from deliveries d
  join invoices i on i.account_id = $1 and i.id = d.document_id
  join customers c on c.account_id = $1 and c.id = i.customer_id
  where d.account_id = $1 and d.id = any($2::uuid[]) and ${SEEN}
  union all
  select d.id, $7::text || ${CREDIT_NOTE} from deliveries d
  join credit_notes n on n.account_id = $1 and n.id = d.document_id
  join invoices i on i.account_id = $1 and i.id = n.invoice_id
  join customers c on c.account_id = $1 and c.id = n.customer_id
  where d.account_id = $1 and d.id = any($2::uuid[]) and ${SEEN}
  union all
  select s.id, $5::text || c.name from recurring_series s
  join customers c on c.account_id = $1 and c.id = s.customer_id
  where s.account_id = $1 and s.id = any($2::uuid[]) and ${SEEN_SERIES}
  union all
  select w.id, u.name || ' ' || $5::text || c.name from work_registrations w
  join users u on u.account_id = $1 and u.id = w.user_id
  left join invoices i on i.account_id = $1 and i.id = w.invoice_id
  left join recurring_series s on s.account_id = $1 and s.id = w.series_id
  join customers c on c.account_id = $1 and c.id = coalesce(i.customer_id, s.customer_id)
  where w.account_id = $1 and w.id = any($2::uuid[]) and (${SEEN} or ${SEEN_SERIES})
  union all
  select a.id, c.name from accruals a
  join customers c on c.account_id = $1 and c.id = a.customer_id
  where a.account_id = $1 and a.id = any($2::uuid[]) and $3::uuid is null`;
