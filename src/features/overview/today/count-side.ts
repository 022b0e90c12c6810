/** What waits behind the places of the side: it is read with the session of each page, in one statement. */
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { countOpenPlans } from "../../access/oauth/list-plans.ts";

/** Each is counted up to `MOST_COUNTED`: what is more is many. */
export interface Waiting {
  /** One-time drafts of the account; none for a standard user, who sees a few of them. */
  readonly drafts: number;
  /** Plans of the person's own assistants that nobody has decided. */
  readonly plans: number;
}

export const MOST_COUNTED = 100;

/** As JSON, of a person `u`. */
export const waitingAround: Sql = sql`json_build_object(
    'drafts', (select count(*) from (select from invoices i
      where i.account_id = u.account_id and i.status = 'draft' and i.series_id is null and u.role = 'admin'
      limit ${MOST_COUNTED}) d),
    'plans', ${countOpenPlans()})`;
