/** The query of documents that have not reached their customers, for the start page. */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** Selects documents whose last attempt failed permanently, was refused, or may have arrived: the newest ones of each state. */
export function attentionOfDeliveries({ caller: { account_id } }: Reader): Sql {
  return sql`(select f.kind, s.kind,
      f.document_id::text, s.number::text, c.name, c.id::text,
      s.gross, s.snapshot::json ->> 'currency', f.at::date::text,
      f.error_code
    from (values ('unknown', 'delivery_unknown'), ('failed_permanent', 'delivery_failed'), ('rejected', 'delivery_rejected'))
      as wanted (state, kind)
    cross join lateral (
      select wanted.kind, d.document_id, d.at, d.error_code from deliveries d
      where d.account_id = ${account_id} and d.state = wanted.state and ${isNewest(account_id)}
      order by d.id desc limit 8) f
    ${documentOfDelivery(account_id)})`;
}

/** The days after which an e-invoice that was accepted and not delivered needs a person. */
const DAYS_ACCEPTED = 3;

/**
 * Selects the newest e-invoices that the access point accepted three days ago and has not confirmed. Those that a folder's reader took
 * are not among them, because nothing more is reported of them; nor is a document that is paid or credited in full.
 */
export function attentionOfUndelivered(
  { caller: { account_id } }: Reader,
  today: CalendarDate,
): Sql {
  return sql`(select 'delivery_unconfirmed', s.kind,
      f.document_id::text, s.number::text, c.name, c.id::text,
      s.gross, s.snapshot::json ->> 'currency', f.at::date::text,
      null
    from einvoice_connections of_account
    cross join lateral (
      select d.document_id, d.at from deliveries d
      where d.account_id = ${account_id} and d.einvoice_connection_id = of_account.id
        and d.channel = 'einvoice' and d.state = 'accepted' and d.at < ${addDays(today, 1 - DAYS_ACCEPTED)}::date
        and ${isNewest(account_id)} and ${isOpen(account_id)}
      order by d.id desc limit 8) f
    ${documentOfDelivery(account_id)}
    where of_account.account_id = ${account_id} and of_account.is_current and of_account.reports)`;
}

/** The condition that no later sending of its document follows the delivery `d`. */
export function isNewest(account_id: string): Sql {
  return sql`not exists (select from deliveries later
    where later.account_id = ${account_id} and later.document_id = d.document_id and later.id > d.id)`;
}

/** The condition that the document of the delivery `d` is not paid or credited in full. */
export function isOpen(account_id: string): Sql {
  return sql`not exists (select from open_items o
    where o.account_id = ${account_id} and o.id = d.document_id and o.open = 0)`;
}

/** Joins the document `s` of a delivery `f`, which is an invoice or a credit note, and its customer `c`. */
export function documentOfDelivery(account_id: string): Sql {
  return sql`join issued_documents s on s.account_id = ${account_id} and s.document_id = f.document_id
      and s.kind in ('invoice', 'credit_note')
    left join invoices i on i.account_id = ${account_id} and i.id = f.document_id
    left join credit_notes n on n.account_id = ${account_id} and n.id = f.document_id
    left join customers c on c.account_id = ${account_id} and c.id = coalesce(i.customer_id, n.customer_id)`;
}
