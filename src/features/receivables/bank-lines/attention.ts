/** The query of bank lines that wait for a person, for the start page. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** Selects one row where lines are open: their number as its title, and the day of the earliest. */
export function attentionOfBankLines({ caller: { account_id } }: Reader): Sql {
  return sql`(select 'bank_lines_wait', 'bank_line', min(id::text), count(*)::text, null, null, null::bigint, null, min(date)::text, null
    from bank_lines where account_id = ${account_id} and state = 'open' having count(*) > 0)`;
}
