/** Stores what registers said of receivers. The account's look-ups are its own: no account sees what another one asked. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { FoundReceiver } from "../../../einvoice/receiver-register.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** An answer of a register with its moment. */
interface Lookup {
  readonly registered: FoundReceiver["registered"];
  readonly formats: readonly string[];
  readonly answers: boolean;
  readonly source: string;
  readonly looked_up_at: Timestamp;
}

/** Returns an answer of the register that is new enough: a day for `yes`, ten minutes for `no`, one for `unknown`. */
export function findLookup(
  cx: Reader,
  address: string,
  source: string,
): Promise<Lookup | undefined> {
  return cx.row<Lookup>(sql`select registered, formats, answers, source, looked_up_at
    from einvoice_lookups
    where account_id = ${cx.caller.account_id} and address = ${address.toLowerCase()} and source = ${source}
      and looked_up_at > clock_timestamp() - case registered
        when 'yes' then interval '24 hours' when 'no' then interval '10 minutes' else interval '1 minute' end`);
}

/** Stores an answer and returns its moment. */
export async function storeLookup(
  cx: Reader,
  address: string,
  { registered, formats, answers }: FoundReceiver,
  source: string,
): Promise<Timestamp> {
  const row = await cx.row<{ looked_up_at: Timestamp }>(sql`insert into einvoice_lookups
      (account_id, address, registered, formats, answers, source, looked_up_at)
    values (${cx.caller.account_id}, ${address.toLowerCase()}, ${registered}, ${formats}, ${answers}, ${source},
      clock_timestamp())
    on conflict (account_id, address) do update set registered = excluded.registered, formats = excluded.formats,
      answers = excluded.answers, source = excluded.source, looked_up_at = excluded.looked_up_at
    returning looked_up_at`);
  if (row === undefined) throw new Error("the look-up was not stored");
  return row.looked_up_at;
}
