/** Finds bank lines by amount, and by the words of their texts, for people who see the whole account and for keys. */
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { MOST_OF_AMOUNT, type SearchTerms, seesAll } from "./queries.ts";

export interface LineFound {
  readonly id: string;
  readonly date: string;
  readonly text: string;
  readonly counterparty_name: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly found_by: "amount" | "words";
}

/** The newest lines whose texts are searched. */
const MOST_RECENT = raw(2000);

/** Returns the lines, the newest first of those by amount and of those by words. An amount is found in and out. */
export async function findBankLines(
  cx: Reader,
  { words, amounts, most }: SearchTerms,
): Promise<LineFound[]> {
  if (!seesAll(cx)) return [];
  const { account_id } = cx.caller;
  return cx.rows<LineFound>(sql`with found as (
      select n.id, 'amount' as found_by from unnest(${amounts}::bigint[]) as minor, lateral (
        select id from bank_lines where account_id = ${account_id} and abs(amount) = minor
        order by id desc limit ${MOST_OF_AMOUNT}) n
      union all
      (select id, 'words' from (select id, concat_ws(' ', counterparty_name, text, reference) as said from bank_lines
          where account_id = ${account_id} order by id desc limit ${MOST_RECENT}) newest
        where not exists (select from unnest(${words}::text[]) as asked where strpos(lower(said), asked) = 0)
          and not exists (select from unnest(${words}::text[]) as asked where not exists (
            select from unnest(words_of(said)) as word where starts_with(word, asked)))
        limit ${most}))
    select l.id, l.date, l.text, l.counterparty_name, l.currency, l.amount, f.found_by
    from found f join bank_lines l on l.account_id = ${account_id} and l.id = f.id
    order by f.found_by = 'amount' desc, l.id desc`);
}
