/** Lists the people of an account for its admins, and what a person's deactivation ends. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Role } from "../../../domain/base/user.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";

/** A person of the account with their traces. */
export interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly active: boolean;
  /** The hours of the person in the month, in hundredths. */
  readonly hours: number;
  /** The last visit of a page in this account; null without a session. */
  readonly last_seen_at: string | null;
  /** When the invitation that is not accepted was sent; null without one. */
  readonly invited_at: string | null;
  readonly has_login: boolean;
}

/** The people on one page; further ones are found by the search. */
const MOST_PEOPLE = 200;

/** Returns the people of the account, active ones first, by name. The hours are those of the days from the first to the last. */
export function listTeam(
  cx: Reader,
  from: CalendarDate,
  to: CalendarDate,
  user_id: string | null = null,
): Promise<readonly TeamMember[]> {
  const { account_id } = cx.caller;
  return cx.rows<TeamMember>(sql`select u.id, u.name, u.email, u.role, u.active, u.login_id is not null as has_login,
      (select coalesce(sum(w.hours), 0)::int from work_registrations w
        where w.account_id = ${account_id} and w.user_id = u.id and w.date between ${from} and ${to}) as hours,
      (select max(s.last_seen_at) from sessions s
        where s.account_id = ${account_id} and s.user_id = u.id) as last_seen_at,
      (select i.created_at from invitations i
        where i.account_id = ${account_id} and i.user_id = u.id and u.login_id is null) as invited_at
    from users u where u.account_id = ${account_id} and (${user_id}::uuid is null or u.id = ${user_id})
    order by u.active desc, u.name, u.id limit ${raw(MOST_PEOPLE)}`);
}

/** What remains of a person when they are deactivated, and what ends. */
interface Leaving {
  readonly sessions: number;
  readonly assistants: number;
  /** The drafts with lines that name the person: they must be assigned to others. */
  readonly drafts: number;
  /** The valid keys that the person made: they stay valid. */
  readonly keys: number;
}

/** Counts what a person leaves behind. */
export async function leavingOf(cx: Reader, user_id: string): Promise<Leaving> {
  const { account_id } = cx.caller;
  const row = await cx.row<Leaving>(sql`select
      (select count(*)::int from sessions where account_id = ${account_id} and user_id = ${user_id}) as sessions,
      (select count(*)::int from oauth_grants where account_id = ${account_id} and user_id = ${user_id}) as assistants,
      (select count(distinct l.invoice_id)::int from invoice_line_assignees a
        join invoice_lines l on l.account_id = ${account_id} and l.id = a.line_id
        join invoices i on i.account_id = ${account_id} and i.id = l.invoice_id and i.status = 'draft'
        where a.account_id = ${account_id} and a.user_id = ${user_id}) as drafts,
      (select count(*)::int from api_keys where account_id = ${account_id} and created_by = ${user_id}
        and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())) as keys`);
  return row ?? { sessions: 0, assistants: 0, drafts: 0, keys: 0 };
}

/** A draft with lines that name a person. */
export interface NamingDraft {
  readonly id: string;
  readonly title: string | null;
  readonly customer_name: string;
}

/** Returns the drafts with lines that name a person, by customer; at most 20. */
export function draftsNaming(cx: Reader, user_id: string): Promise<NamingDraft[]> {
  const { account_id } = cx.caller;
  return cx.rows<NamingDraft>(sql`select i.id, i.title, c.name as customer_name from invoices i
      join customers c on c.account_id = ${account_id} and c.id = i.customer_id
      where i.account_id = ${account_id} and i.status = 'draft' and exists (
        select from invoice_lines l
          join invoice_line_assignees a on a.account_id = ${account_id} and a.line_id = l.id
          where l.account_id = ${account_id} and l.invoice_id = i.id and a.user_id = ${user_id})
      order by c.name, i.id limit 20`);
}
