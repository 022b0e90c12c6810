/** The query of documents that a buyer rejects, asks about, or accepts with conditions, for the start page. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { documentOfDelivery, isNewest, isOpen } from "../deliveries/attention.ts";

/**
 * Selects the newest answers of these kinds, with the buyer's words after the code. A document that is paid or credited in full, or
 * was sent again, is not among them.
 */
export function attentionOfAnswers({ caller: { account_id } }: Reader): Sql {
  return sql`(select 'buyer_answered', s.kind,
      f.document_id::text, s.number::text, c.name, c.id::text,
      s.gross, s.snapshot::json ->> 'currency', (f.response::json ->> 'at')::timestamptz::date::text,
      concat_ws(' ', f.response_code, nullif(left(concat_ws('; ', f.response::json ->> 'note',
        (select string_agg(concat_ws(' ', r ->> 'code', r ->> 'text'), '; ') from json_array_elements(f.response::json -> 'reasons') r),
        (select string_agg(concat_ws(' ', r ->> 'term', r ->> 'value'), '; ') from json_array_elements(f.response::json -> 'conditions') r)
      ), 300), ''))
    from (values ('RE'), ('UQ'), ('CA')) as wanted (code)
    cross join lateral (
      select d.document_id, d.response, d.response_code from deliveries d
      where d.account_id = ${account_id} and d.response_code = wanted.code
        and ${isNewest(account_id)} and ${isOpen(account_id)}
      order by d.id desc limit 8) f
    ${documentOfDelivery(account_id)})`;
}
