/** What changes open items, as parts of the statements that check them: allocations from both sides, and the ends of items. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** Selects, as `takes`, what each allocation takes of each of its items, from a day until another. */
export function selectTakes(cx: Reader): Sql {
  const { account_id } = cx.caller;
  return sql`takes as (
    select debit_id as id, amount + rounding as amount, debit_functional as functional, date, reversed_on
    from allocations where account_id = ${account_id}
    union all
    select credit_id, amount, credit_functional, date, reversed_on
    from allocations where account_id = ${account_id})`;
}

/**
 * Selects, as `ends`, the items that have ended, with what was open of them at the end of that day, by `takes`. There is no join: when
 * nearly all items have just ended, the database would expect one of them, and would read all allocations for each.
 */
export function selectEnds(cx: Reader): Sql {
  const { account_id } = cx.caller;
  return sql`until_the_end as (
    select id, amount, functional, date, until, max(ended_on) over (partition by id) as ended_on from (
      select id, amount, functional, date, null::date as until, ended_on from open_items where account_id = ${account_id}
      union all
      select id, -amount, -functional, date, reversed_on, null from takes) as moved),
  ends as (
    select id, sum(amount)::bigint as amount, sum(functional)::bigint as functional, ended_on as date from until_the_end
    where date <= ended_on and (until is null or until > ended_on) group by id, ended_on)`;
}
