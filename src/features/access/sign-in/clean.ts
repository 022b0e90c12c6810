/** Deletes expired data and unfinished mail hourly, and bookings of an external ledger five years after their end. */
import { sql } from "../../../platform/database/sql.ts";
import { removeLeftovers } from "../../../platform/mail/outbox.ts";
import type { Services } from "../../../platform/runtime/services.ts";

const EVERY_MS = 3_600_000;

/** Used codes stay for a day, so that a second use is recognized. */
export const CLEANING = [
  sql`delete from sessions where expires_at < (select clock_timestamp())
     or last_seen_at < (select clock_timestamp() - interval '2 days')`,
  sql`delete from pending_sign_ins where expires_at < (select clock_timestamp())`,
  sql`delete from passkey_challenges where expires_at < (select clock_timestamp())`,
  sql`delete from invitations where expires_at < (select clock_timestamp())`,
  sql`delete from password_resets where expires_at < (select clock_timestamp())`,
  sql`delete from sign_in_links where expires_at < (select clock_timestamp())`,
  sql`delete from idempotency_keys where expires_at < (select clock_timestamp())`,
  sql`delete from rate_counters where ends_at < (select clock_timestamp())`,
  sql`delete from einvoice_lookups where looked_up_at < (select clock_timestamp() - interval '1 day')`,
  sql`delete from mail_counters where ends_at < (select clock_timestamp())`,
  sql`delete from polls_cut_short where asked_at < (select clock_timestamp() - interval '90 days')`,
  sql`delete from oauth_codes where expires_at < (select clock_timestamp() - interval '1 day')`,
  sql`delete from oauth_grants where expires_at < (select clock_timestamp())`,
  sql`delete from oauth_keys where retired_at < (select clock_timestamp())`,
  // The bound is the first UUIDv7 of that moment: the key of the table finds the older ones of each API key.
  sql`delete from api_key_requests r using api_keys k where r.account_id = k.account_id and r.key_id = k.id
     and r.id < (select (lpad(to_hex((extract(epoch from clock_timestamp() - interval '7 days') * 1000)::bigint), 12, '0')
       || '70008000000000000000')::uuid)`,
  // Those that wait are kept, however old.
  sql`delete from webhook_deliveries where created_at < (select clock_timestamp() - interval '30 days') and status <> 'pending'`,
  sql`delete from intents where settled_at < (select clock_timestamp() - interval '5 years')`,
];

/** Returns a task of the worker; the task never requests an immediate repetition. */
export function hourlyCleaning(services: Services): () => Promise<boolean> {
  let cleaned_at = Number.NEGATIVE_INFINITY;
  return async () => {
    if (Date.now() - cleaned_at < EVERY_MS) return false;
    cleaned_at = Date.now();
    await removeExpired(services);
    return false;
  };
}

export async function removeExpired(services: Services): Promise<void> {
  for (const statement of CLEANING) await services.db.rows(statement);
  await removeLeftovers(services.config.outbox_dir);
}
