/** Checks an account's books as far as PostgreSQL can do it alone: balances, numbers, and vouchers of accruals. */
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { hasOwnBooks } from "../../settings/configuration/accounts.ts";
import { MOST_FAULTS } from "./check-documents.ts";
import type { Check, Fault } from "./schemas.ts";

/** Checks that every entry adds up to 0, and the sum of all entries too. */
export async function checkBalances(cx: Reader): Promise<Check> {
  const faults =
    await cx.rows<Fault>(sql`select p.entry_no::text as at, 'the postings of the entry come to ' || sum(p.amount) as what
     from ledger_postings p where p.account_id = ${cx.caller.account_id}
     group by p.entry_no having sum(p.amount) <> 0 order by p.entry_no limit ${raw(MOST_FAULTS)}`);
  const total = await cx.row<{ checked: bigint; sum: string }>(sql`
    select (select count(*) from ledger_entries where account_id = ${cx.caller.account_id}) as checked,
       (select coalesce(sum(amount), 0)::text from ledger_postings where account_id = ${cx.caller.account_id}) as sum`);
  if (total !== undefined && total.sum !== "0") {
    faults.unshift({ at: "trial balance", what: `all postings together total ${total.sum}` });
  }
  return checkOf("balances", total?.checked ?? 0n, faults);
}

/** The next number of the kind of the entry `e`, in the books `b`. */
const NEXT_NUMBER =
  raw(`case e.kind when 'invoice' then b.next_invoice_number when 'credit_note' then b.next_credit_note_number
  when 'voucher' then b.next_voucher_number when 'payment' then b.next_payment_number
  when 'reminder' then b.next_reminder_number when 'opening' then b.next_opening_number end`);

/** Checks that no series of numbers has a gap or a duplicate. An external ledger numbers by its own rules. */
export async function checkNumbers(cx: Reader): Promise<Check> {
  const faults =
    await cx.rows<Fault>(sql`select e.kind || ' ' || (e.number + 1) as at, 'the number is missing' as what
     from ledger_entries e join ledger_books b on b.account_id = e.account_id
     where e.account_id = ${cx.caller.account_id}
       and e.number + 1 < ${NEXT_NUMBER}
       and not exists (select from ledger_entries f
         where f.account_id = e.account_id and f.kind = e.kind and f.number = e.number + 1)
     union all
     select e.kind || ' ' || e.number, 'the number has not been given out yet'
     from ledger_entries e join ledger_books b on b.account_id = e.account_id
     where e.account_id = ${cx.caller.account_id}
       and e.number >= ${NEXT_NUMBER}
     order by 1 limit ${raw(MOST_FAULTS)}`);
  const row = await cx.row<{ count: bigint }>(
    sql`select count(*) as count from ledger_entries where account_id = ${cx.caller.account_id}`,
  );
  return checkOf("numbers", row?.count ?? 0n, faults);
}

/**
 * Checks that each accrual booking, each reversal and each opening of these books has its entry under its number, and each such
 * entry one of them. Vouchers in an external ledger are that ledger's.
 */
export async function checkVouchers(cx: Reader): Promise<Check> {
  if (!(await hasOwnBooks(cx))) return checkOf("vouchers", 0n, []);
  const { account_id } = cx.caller;
  const wanted = sql`
    select accrual_id, voucher_guid as guid, voucher_number as number from accrual_bookings
    where account_id = ${account_id} and state <> 'pending' and voucher_guid is not null and ledger_connection_id is null
    union all
    select accrual_id, reversal_guid, reversal_number from accrual_bookings
    where account_id = ${account_id} and state = 'reversed' and reversal_guid is not null and ledger_connection_id is null
    union all
    select id, voucher_guid, voucher_number from ledger_moves
    where account_id = ${account_id} and state = 'completed' and to_connection_id is null and voucher_guid is not null`;
  const faults = await cx.rows<Fault>(sql`with wanted as (${wanted}),
       entries as (select guid, number from ledger_entries where account_id = ${cx.caller.account_id} and kind = 'voucher')
     select w.accrual_id::text as at, 'its voucher is not booked under its number' as what from wanted w
     where not exists (select from entries e where e.guid = w.guid and e.number = w.number)
     union all
     select e.guid::text, 'a voucher is booked for no accrual' from entries e
     where not exists (select from wanted w where w.guid = e.guid)
     limit ${raw(MOST_FAULTS)}`);
  const row = await cx.row<{ count: bigint }>(
    sql`select count(*) as count from (${wanted}) as wanted`,
  );
  return checkOf("vouchers", row?.count ?? 0n, faults);
}

export function checkOf(name: Check["name"], checked: bigint, faults: Fault[]): Check {
  return { name, ok: faults.length === 0, checked: Number(checked), faults };
}
