/** Reads the counts of the navigation beside the session of each page, with one query. */
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { countOpenPlans } from "../../access/oauth/list-plans.ts";
import { countInDoubt } from "../../ledger/booking/list-queue.ts";
import { monthToClose } from "../../revenue/closes/attention.ts";

/** The numbers and the month next to the navigation entries. Each number is counted up to `MOST_COUNTED`; larger numbers are shown as many. */
export interface WaitingCounts {
  /** One-time drafts of the account; none for a standard user, who sees only a few of them. */
  readonly drafts: number;
  /** Open plans of the person's own assistants. */
  readonly plans: number;
  /** Bookings in the connected accounting system whose outcome is uncertain; none for a standard user. */
  readonly in_doubt: number;
  /** The month that waits for its close, `YYYY-MM`, even if it has not ended; null for a standard user and where none waits. */
  readonly month: string | null;
  /** The accounts that the person's login may enter. */
  readonly accounts: number;
  /** Whether the account is an example, and its year is still being played; null for other accounts. */
  readonly example: "preparing" | "ready" | null;
}

export const MOST_COUNTED = 100;

/** Returns the SQL expression for the counts of a person `u` of the account, as JSON. */
export function waitingAround(account_id: string): Sql {
  return sql`json_build_object(
    'drafts', (select count(*) from (select from invoices i
      where i.account_id = ${account_id} and i.status = 'draft' and i.series_id is null and u.role = 'admin'
      limit ${MOST_COUNTED}) d),
    'month', ${monthToClose(account_id)},
    'in_doubt', ${countInDoubt(account_id, MOST_COUNTED)},
    'accounts', (select count(*) from users o where o.login_id = u.login_id and o.active
      and not exists (select from studios t where t.account_id = o.account_id and t.put_away_at is not null)),
    'example', (select case when t.finished_at is null then 'preparing' else 'ready' end from studios t
      where t.account_id = ${account_id}),
    'plans', ${countOpenPlans(account_id)})`;
}
