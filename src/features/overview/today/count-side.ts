/** Reads the counts of the navigation together with the session of each page, with one query. */
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { countOpenPlans } from "../../access/oauth/list-plans.ts";
import { countInDoubt } from "../../ledger/booking/list-queue.ts";

/** Each number is counted up to `MOST_COUNTED`; larger numbers are shown as many. */
export interface WaitingCounts {
  /** One-time drafts of the account; none for a standard user, who sees only a few of them. */
  readonly drafts: number;
  /** Open plans of the person's own assistants. */
  readonly plans: number;
  /** Bookings in the connected accounting system whose outcome is uncertain; none for a standard user. */
  readonly in_doubt: number;
  /** The accounts that the person's login may enter. */
  readonly accounts: number;
}

export const MOST_COUNTED = 100;

/** The SQL expression for the counts of a person `u`, as JSON. */
export const waitingAround: Sql = sql`json_build_object(
    'drafts', (select count(*) from (select from invoices i
      where i.account_id = u.account_id and i.status = 'draft' and i.series_id is null and u.role = 'admin'
      limit ${MOST_COUNTED}) d),
    'in_doubt', ${countInDoubt(MOST_COUNTED)},
    'accounts', (select count(*) from users o where o.login_id = u.login_id and o.active),
    'plans', ${countOpenPlans()})`;
