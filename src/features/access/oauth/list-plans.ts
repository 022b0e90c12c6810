/** Lists open plans of assistants, which wait for a decision. */
import type { PersonReader, Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** A plan that may still be carried out. */
export interface OpenPlan {
  readonly id: string;
  /** `begun`: an external ledger has been called, and the outcome is not known. */
  readonly state: "open" | "begun";
  /** The effect of the plan, in the words that the assistant was shown; in English. */
  readonly summary: string;
  readonly expires_at: string;
  /** At least 1; a begun plan may be carried out at any time. */
  readonly minutes_left: number;
  readonly user_name: string;
  readonly client_name: string;
}

const MOST = 50;

/** Up to 50 open plans of an account or one person, the next to expire first, without plans whose grant has ended. */
export function openPlans(cx: Reader, user_id: string | null): Promise<OpenPlan[]> {
  return cx.rows<OpenPlan>(sql`select p.id, p.state, p.shown::json ->> 'summary' as summary, p.expires_at,
       ${minutesLeft()}::int as minutes_left, u.name as user_name, g.client_name
     ${waitingPlans(cx, user_id)} limit ${MOST}`);
}

/** Selects the open plans as rows of the start page. */
export function attentionOfPlans(cx: Reader, user_id: string | null): Sql {
  return sql`(select 'plan_waits', 'plan', p.id, p.shown::json ->> 'summary', u.name, null::text, null::bigint, null::text,
      p.created_at::date::text,
      ${minutesLeft()}::text
    ${waitingPlans(cx, user_id)} limit 8)`;
}

/** Returns the SQL expression for the number of open plans of a person `u` of the account, at most 50. */
export function countOpenPlans(account_id: string): Sql {
  return sql`(select count(*) from (select from plans p
      join oauth_grants g on g.account_id = p.account_id and g.id::text = p.grant_id and g.expires_at > clock_timestamp()
      where p.account_id = ${account_id} and p.user_id = u.id and ${isWaiting()} limit ${MOST}) p)`;
}

function isWaiting(): Sql {
  return sql`p.state in ('open', 'begun') and (p.state = 'begun' or p.expires_at > clock_timestamp())`;
}

/** Returns the SQL expression for the minutes until a row of `plans` expires, at least 1. */
export function minutesLeft(): Sql {
  return sql`greatest(1, ceil(date_part('epoch', p.expires_at - clock_timestamp()) / 60))`;
}

function waitingPlans({ caller: { account_id } }: Reader, user_id: string | null): Sql {
  return sql`from plans p
     join users u on u.account_id = ${account_id} and u.id = p.user_id
     join oauth_grants g on g.account_id = ${account_id} and g.id::text = p.grant_id and g.expires_at > clock_timestamp()
     where p.account_id = ${account_id} and ${isWaiting()}
       and (${user_id}::uuid is null or p.user_id = ${user_id}) order by p.expires_at`;
}

/** A plan that was decided: `open` for one that expired without a decision. */
export interface DecidedPlan {
  readonly id: string;
  readonly state: "open" | "committed" | "ended";
  readonly ended_by: string | null;
  readonly summary: string;
  readonly created_at: string;
  /** Null after the grant has ended: the plan then has no page. */
  readonly client_name: string | null;
}

const MOST_DECIDED = 20;

/** Returns the last 20 plans of a person's assistants that no longer wait, the newest first. Plans are kept for 30 days. */
export function decidedPlans(cx: PersonReader): Promise<DecidedPlan[]> {
  const { account_id, person } = cx.caller;
  return cx.rows<DecidedPlan>(sql`select p.id, p.state, p.ended_by, p.shown::json ->> 'summary' as summary, p.created_at,
       g.client_name
     from plans p
     left join oauth_grants g on g.account_id = p.account_id and g.id::text = p.grant_id and g.expires_at > clock_timestamp()
     where p.account_id = ${account_id} and p.user_id = ${person.user_id}
       and (p.state in ('committed', 'ended') or (p.state = 'open' and p.expires_at <= clock_timestamp()))
     order by p.created_at desc limit ${MOST_DECIDED}`);
}
