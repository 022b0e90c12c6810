/**
 * Resumes e-invoices that wait for their connection: a connection that does not answer is checked every five seconds, and when it
 * works again, all that waited for it is due. Credentials that were refused are checked by a person.
 */
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { checkConnection } from "../einvoice-connections/check-connection.ts";

/** The connections that do not answer and are to be checked now. */
export const dueEinvoiceChecks = sql`from einvoice_connections c where c.is_current and c.state = 'unavailable'
  and coalesce(c.next_probe_at, '-infinity') <= clock_timestamp()`;

/** The e-invoices that wait and whose connection works again. */
export const resumableEinvoices = sql`from deliveries d
  join einvoice_connections c on c.account_id = d.account_id and c.is_current and c.state = 'connected'
  where d.channel = 'einvoice' and d.state = 'queued' and d.next_attempt_at is null and d.lease_until is null`;

const PROBED_EVERY = raw("interval '5 seconds'");
const CHECKS_AT_ONCE = 20;

interface Key {
  readonly account_id: string;
  readonly id: string;
}

/** Checks what is due, and makes due what waited for it; returns the number of resumed accounts. */
export async function resumeEinvoices(services: Services): Promise<number> {
  const { db } = services;
  const due = await db.rows<Key>(
    sql`select c.account_id, c.id ${dueEinvoiceChecks} order by c.next_probe_at limit ${CHECKS_AT_ONCE}`,
  );
  await Promise.all(due.map((one) => check(services, one)));
  const waiting = await db.rows<Pick<Key, "account_id">>(
    sql`select distinct d.account_id ${resumableEinvoices} limit ${CHECKS_AT_ONCE}`,
  );
  for (const { account_id } of waiting) await resume(db, account_id);
  return waiting.length;
}

async function check(services: Services, { account_id, id }: Key): Promise<void> {
  const taken = await services.db.row(sql`update einvoice_connections
    set next_probe_at = (select clock_timestamp() + ${PROBED_EVERY}), failures = 0
    where account_id = ${account_id} and id = ${id} and coalesce(next_probe_at, '-infinity') <= (select clock_timestamp()) returning id`);
  if (taken === undefined) return;
  try {
    await checkConnection(await schedulerContext(services, account_id));
  } catch (err) {
    services.log.warn({ err, account_id }, "a connection for e-invoices could not be checked");
  }
}

async function resume(db: Reads, account_id: string): Promise<void> {
  await db.rows(sql`update deliveries set next_attempt_at = (select clock_timestamp())
    where account_id = ${account_id} and channel = 'einvoice' and state = 'queued'
      and next_attempt_at is null and lease_until is null`);
}
