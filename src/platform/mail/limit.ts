/**
 * Limits an account's mail in an hour: invitations and password links, sendings of one document, and all mail.
 * PostgreSQL counts for all processes. A stolen key cannot turn this installation into a source of unwanted mail.
 */

import { Problem } from "../../domain/base/problem.ts";
import type { Tx } from "../commands/tx.ts";
import { sql } from "../database/sql.ts";

/** The limit that applies besides that of all mail: for sign-in messages to people, or for those with one document. */
type CountedMail = "people" | { readonly document_id: string };

/**
 * Counts one message before any other work. Throws RATE_LIMITED with the seconds to wait at a limit; the caller's
 * transaction then rolls back and counts nothing. Messages of the operator are counted and never refused.
 */
export async function countMail(tx: Tx, counted: CountedMail): Promise<void> {
  const { limits } = tx.mail;
  if (limits === null) return;
  const subject = counted === "people" ? "people" : counted.document_id;
  const rows = await tx.rows<{ subject: string; count: number; wait: number }>(sql`
    insert into mail_counters (account_id, subject, count, ends_at)
     select ${tx.caller.account_id}, subject, 1, clock_timestamp() + interval '1 hour'
     from unnest(${["all", subject]}::text[]) as subject order by subject
     on conflict (account_id, subject) do update set
       count = case when mail_counters.ends_at <= clock_timestamp() then 1
         else mail_counters.count + 1 end,
       ends_at = case when mail_counters.ends_at <= clock_timestamp() then excluded.ends_at
         else mail_counters.ends_at end
     returning subject, count, ceil(extract(epoch from ends_at - clock_timestamp()))::int as wait`);
  if (tx.caller.actor.kind === "operator") return;
  const most = (row: { readonly subject: string }): number => {
    if (row.subject === "all") return limits.all;
    return counted === "people" ? limits.people : limits.document;
  };
  const exceeded = rows.filter((row) => row.count > most(row));
  if (exceeded.length > 0) throw tooMuch(exceeded, most);
}

interface Exceeded {
  readonly subject: string;
  readonly wait: number;
}

function tooMuch(exceeded: readonly Exceeded[], most: (row: Exceeded) => number): Problem {
  // The refusal names the limit with the longest wait.
  const [row] = exceeded.toSorted((a, b) => b.wait - a.wait);
  if (row === undefined) throw new Error("nothing was exceeded");
  const seconds = Math.max(1, row.wait);
  const minutes = Math.ceil(seconds / 60);
  const what =
    row.subject === "all"
      ? "messages of this account"
      : row.subject === "people"
        ? "invitations and links for a new password"
        : "messages with this document";
  return new Problem("RATE_LIMITED", {
    message: `At most ${most(row)} ${what} are sent in an hour. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    retry_after_seconds: seconds,
  });
}
