/**
 * Limits an account's mail in an hour: invitations and password links, sendings of one document, and all mail.
 * PostgreSQL counts for all processes. A stolen key cannot turn this installation into a source of unwanted mail.
 */

import { Problem } from "../../domain/base/problem.ts";
import type { Reader } from "../commands/context.ts";
import type { Tx } from "../commands/tx.ts";
import { raw, type Sql, sql } from "../database/sql.ts";

/**
 * The limit that applies besides that of all mail: for sign-in messages to people, or for those with one document. An e-invoice is
 * no mail: only its document is counted.
 */
type CountedMail =
  | "people"
  | { readonly document_id: string; readonly channel?: "email" | "einvoice" };

/**
 * Counts one message before any other work. Throws RATE_LIMITED with the seconds to wait at a limit; the caller's
 * transaction then rolls back and counts nothing. Messages of the operator are counted and never refused.
 */
export async function countMail(tx: Tx, counted: CountedMail): Promise<void> {
  const { limits } = tx.mail;
  if (limits === null) return;
  const subject = counted === "people" ? "people" : counted.document_id;
  const { account_id } = tx.caller;
  const is_mail = counted === "people" || counted.channel !== "einvoice";
  // Two transactions lock the rows in the same order.
  const [first = "", second = ""] = is_mail ? ["all", subject].sort() : [subject];
  const other = is_mail
    ? sql`, (${account_id}, ${second}, 1, clock_timestamp() + ${HOUR})`
    : raw("");
  const rows = await tx.rows<Counted>(sql`
    insert into mail_counters (account_id, subject, count, ends_at)
     values (${account_id}, ${first}, 1, clock_timestamp() + ${HOUR})${other}
     on conflict (account_id, subject) do update set
       count = case when ${HAS_ENDED} then 1 else mail_counters.count + 1 end,
       ends_at = case when ${HAS_ENDED} then excluded.ends_at else mail_counters.ends_at end
     returning subject, count`);
  if (tx.caller.actor.kind === "operator") return;
  const most = (row: Pick<Counted, "subject">): number => {
    if (row.subject === "all") return limits.all;
    return counted === "people" ? limits.people : limits.document;
  };
  const exceeded = rows.filter((row) => row.count > most(row));
  if (exceeded.length === 0) return;
  const subjects = exceeded.map((row) => row.subject);
  const waits = await tx.rows<Exceeded>(sql`
    select subject, ceil(extract(epoch from ends_at - clock_timestamp()))::int as wait from mail_counters
     where account_id = ${account_id} and subject = any(${subjects})`);
  throw tooMuch(waits, most);
}

const HOUR = raw("interval '1 hour'");
/** Whether the stored hour is over: the new one ends an hour from now. A difference of moments is the same on every machine. */
const HAS_ENDED = sql`excluded.ends_at - mail_counters.ends_at >= ${HOUR}`;

interface Counted {
  readonly subject: string;
  readonly count: number;
}

/** How much mail was counted for a subject in the current hour: all mail, or that with one document. */
export interface CountedSubject {
  readonly subject: string;
  readonly count: number;
  /** Seconds until the hour ends. */
  readonly wait: number;
}

/** Reads the counters of all mail and of the subject of a condition. Locks nothing. */
export function countersOf(reads: Reader, which: Sql): Promise<CountedSubject[]> {
  return reads.rows<CountedSubject>(sql`
    select subject, count, ceil(extract(epoch from ends_at - statement_timestamp()))::int as wait
    from mail_counters where account_id = ${reads.caller.account_id} and (subject = 'all' or ${which})
      and ends_at > statement_timestamp()`);
}

/** Returns the seconds until one more message with a document may be sent; null when it may be sent now. */
export function secondsUntilRoom(cx: Reader, counted: readonly CountedSubject[]): number | null {
  const { limits } = cx.mail;
  if (limits === null || cx.caller.actor.kind === "operator") return null;
  const full = counted.filter(
    ({ subject, count }) => count >= (subject === "all" ? limits.all : limits.document),
  );
  if (full.length === 0) return null;
  return Math.max(1, ...full.map(({ wait }) => wait));
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
