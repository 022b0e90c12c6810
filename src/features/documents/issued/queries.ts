/** Issued documents in a connected ledger: their guids, and when a PDF may be fetched in the background. */
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";

/** How long a PDF waits after a booking of the account, because the next booking of a list follows quickly. */
const QUIET = raw("interval '15 seconds'");
/** The longest time that a PDF waits for bookings. */
const BACKGROUND_DELAY = raw("interval '1 hour'");

/**
 * Returns the SQL condition that the PDF of a row of `waiting_documents w` of an account may be fetched: its time has come, and
 * no booking is in progress or has just ended. A PDF uses up a request of the ledger's limit, which a booking needs more.
 */
export function mayBeFetched(account_id: Sql): Sql {
  return sql`w.not_before <= statement_timestamp() and (
    w.not_before < statement_timestamp() - ${BACKGROUND_DELAY}
    or not exists (select from intents t where t.account_id = ${account_id}
        and t.state in ('booking', 'unknown', 'pending', 'parked') and t.lease_until > statement_timestamp())
      and not exists (select from intents t where t.account_id = ${account_id}
        and t.settled_at > statement_timestamp() - ${QUIET}))`;
}

/** Returns the SQL for the ledger's guid of an `issued_documents` row: its id, or that kept from a deleted draft. */
export function ledgerGuidOf(row: Sql): Sql {
  return sql`coalesce(
    (select named.ledger_invoice_guid from invoices named
      where named.account_id = ${row}.account_id and named.id = ${row}.document_id),
    (select named.ledger_credit_note_guid from credit_notes named
      where named.account_id = ${row}.account_id and named.id = ${row}.document_id),
    ${row}.document_id)`;
}
