/** Finds reminders that were sent, for people who see the whole account and for keys. Many have no number, because they charge nothing. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  type DocumentFound,
  MOST_OF_AMOUNT,
  type SearchTerms,
  seesAll,
  withWords,
} from "./queries.ts";

/**
 * Finds reminders by number, by amount and by the customer's name, the newest first of each. `title` is the day, `gross` what the
 * letter asks for in all, and `net` what it charges.
 */
export async function findReminders(cx: Reader, asked: SearchTerms): Promise<DocumentFound[]> {
  if (!seesAll(cx)) return [];
  const { account_id } = cx.caller;
  const { words, number, amounts, most } = asked;
  return cx.rows<DocumentFound>(sql`with found as (
      select id, 'number' as found_by from reminders where account_id = ${account_id} and number = ${number}::bigint
      union all
      select n.id, 'amount' from unnest(${amounts}::bigint[]) as minor, lateral (select id from reminders
        where account_id = ${account_id} and total = minor order by id desc limit ${MOST_OF_AMOUNT}) n
      union all
      select n.id, 'amount' from unnest(${amounts}::bigint[]) as minor, lateral (select id from reminders
        where account_id = ${account_id} and fee + interest + compensation = minor order by id desc limit ${MOST_OF_AMOUNT}) n
      union all
      (select n.id, 'words' from (${withWords(cx, "customer", words)}) w, lateral (select id from reminders
        where account_id = ${account_id} and customer_id = w.id order by id desc limit ${most}) n
        order by n.id desc limit ${most}))
    select r.id, r.date::text as title, r.number, r.currency, c.name as customer_name,
      (r.fee + r.interest + r.compensation)::bigint as net, r.total as gross, f.found_by
    from found f join reminders r on r.account_id = ${account_id} and r.id = f.id
      join customers c on c.account_id = r.account_id and c.id = r.customer_id
    order by f.found_by = 'number' desc, f.found_by = 'amount' desc, r.id desc`);
}
