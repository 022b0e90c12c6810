/** Checks each entry of payments, allocations, opening items, opening contracts and reminders against what is stored of them, page by page (spec 13.3). */
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { MOST_FAULTS } from "./check-documents.ts";
import {
  type FoundEntry,
  faultOfCharge,
  faultOfMoney,
  faultOfTake,
  type StoredCharge,
  type StoredMoney,
  type StoredTake,
} from "./check-postings.ts";
import { selectEnds, selectTakes } from "./find-changes.ts";
import type { Places } from "./find-role-accounts.ts";
import type { Fault } from "./schemas.ts";

const PAGE = 200;

/** Returns the faults of the entries, in the order of what they were booked for. */
export async function faultsOfMoney(cx: Reader, places: Places): Promise<Fault[]> {
  const { functional_currency } = await getConfiguration(cx);
  return [
    ...(await faultsOf(
      cx,
      (after) => moneyAfter(cx, after, functional_currency),
      (row) => faultOfMoney(row, row.takes, row.entries, places),
    )),
    ...(await faultsOf(
      cx,
      (after) => takesAfter(cx, after),
      ({ take, entries }) => faultOfTake(take, entries, places),
    )),
    ...(await faultsOf(
      cx,
      (after) => chargesAfter(cx, after),
      (row) => faultOfCharge(row, row.entries, places),
    )),
    ...(await openingsThatDiffer(cx)),
    ...(await entriesForNothing(cx)),
    ...(await settledDifferently(cx)),
    ...(await linesThatDiffer(cx, functional_currency)),
  ];
}

/** Reads rows page by page, by their ids, and returns what is wrong with each. */
async function faultsOf<Row extends { readonly id: string }>(
  cx: Reader,
  read: (after: string) => Promise<readonly Row[]>,
  faultIn: (row: Row) => string | null,
): Promise<Fault[]> {
  const slices = new Slices(cx.signal);
  const faults: Fault[] = [];
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await read(after);
    for (const row of rows) {
      if (slices.isOver) await slices.next();
      const what = faultIn(row);
      if (what !== null && faults.length < MOST_FAULTS) faults.push({ at: row.id, what });
    }
    const last = rows.at(-1);
    if (last === undefined) return faults;
    after = last.id;
  }
}

interface MoneyRow extends StoredMoney {
  readonly takes: readonly StoredTake[];
  readonly entries: readonly FoundEntry[];
}

function moneyAfter(cx: Reader, after: string, functional_currency: string): Promise<MoneyRow[]> {
  const { account_id } = cx.caller;
  return cx.rows<MoneyRow>(sql`
    select p.id, p.kind, p.number, p.date, p.currency, p.customer_id, p.amount, p.bank_amount, p.fee, p.reversed_on,
      p.currency <> ${functional_currency} as is_foreign, t.takes, e.entries
    from payments p
    cross join lateral (
      select coalesce(json_agg(${TAKE}), '[]') as takes, array_agg(a.id) as ids from allocations a
      join open_items d on d.account_id = ${account_id} and d.id = a.debit_id
      join open_items c on c.account_id = ${account_id} and c.id = a.credit_id
      where a.account_id = ${account_id} and (a.debit_id = p.id or a.credit_id = p.id)
        and (p.kind = 'refund' or d.kind <> 'refund')) t
    cross join lateral ${entriesOf(cx, sql`array_append(t.ids, p.id)`)} e
    where p.account_id = ${account_id} and p.id > ${after} order by p.id limit ${raw(PAGE)}`);
}

/** Allocations between two items that are no money. */
function takesAfter(cx: Reader, after: string) {
  const { account_id } = cx.caller;
  return cx.rows<{ id: string; take: StoredTake; entries: readonly FoundEntry[] }>(sql`
    select a.id, ${TAKE} as take, e.entries from allocations a
    join open_items d on d.account_id = ${account_id} and d.id = a.debit_id
    join open_items c on c.account_id = ${account_id} and c.id = a.credit_id
    cross join lateral ${entriesOf(cx, sql`array[a.id]`)} e
    where a.account_id = ${account_id} and a.id > ${after} and c.kind <> 'payment' and d.kind <> 'refund'
    order by a.id limit ${raw(PAGE)}`);
}

function chargesAfter(cx: Reader, after: string) {
  const { account_id } = cx.caller;
  return cx.rows<StoredCharge & { entries: readonly FoundEntry[] }>(sql`
    select i.id, i.kind, i.is_credit, i.number, i.date, i.ended_on, i.customer_id, i.currency, i.amount, i.functional, e.entries
    from open_items i cross join lateral ${entriesOf(cx, sql`array[i.id]`)} e
    where i.account_id = ${account_id} and i.id > ${after} and i.kind in ('opening', 'reminder')
    order by i.id limit ${raw(PAGE)}`);
}

const TAKE =
  raw(`json_build_object('id', a.id, 'date', a.date, 'reversed_on', a.reversed_on, 'amount', a.amount::text,
  'rounding', a.rounding::text, 'debit_functional', a.debit_functional::text, 'credit_functional', a.credit_functional::text,
  'rounding_functional', a.rounding_functional::text, 'entry_no', a.entry_no,
  'debit', json_build_object('kind', d.kind, 'customer_id', d.customer_id),
  'credit', json_build_object('kind', c.kind, 'customer_id', c.customer_id))`);

/** The entries of money that have one of these guids, or reverse one. An allocation may have the id of its credit note. */
function entriesOf(cx: Reader, guids: Sql): Sql {
  const { account_id } = cx.caller;
  return sql`(
      select coalesce(json_agg(json_build_object('entry_no', f.entry_no, 'guid', f.guid, 'kind', f.kind, 'number', f.number::text,
        'date', f.entry_date, 'currency', f.currency, 'reverses_guid', f.reverses_guid, 'postings', (
          select coalesce(json_agg(json_build_array(q.account_number, q.amount::text, q.currency_amount::text, q.customer_id)), '[]')
          from ledger_postings q where q.account_id = ${account_id} and q.entry_no = f.entry_no)) order by f.entry_no), '[]') as entries
      from (
        select * from ledger_entries where account_id = ${account_id} and guid = any(${guids})
        union
        select * from ledger_entries where account_id = ${account_id} and reverses_guid = any(${guids})) f
      where f.kind in ('payment', 'reminder', 'opening'))`;
}

/** Returns the entries that no payment, allocation, opening item, opening contract or reminder has. One entry begins the receivables. */
function entriesForNothing(cx: Reader): Promise<Fault[]> {
  const { account_id } = cx.caller;
  return cx.rows<Fault>(sql`with known as (
      select id from payments where account_id = ${account_id}
      union all select id from allocations where account_id = ${account_id}
      union all select id from open_items where account_id = ${account_id} and kind in ('opening', 'reminder')
      union all select unnest(array[id, end_guid]) from opening_contracts where account_id = ${account_id}),
    lost as (
      select e.entry_no, e.kind from ledger_entries e
      where e.account_id = ${account_id} and e.kind in ('payment', 'opening', 'reminder')
        and not exists (select from known k where k.id = coalesce(e.reverses_guid, e.guid)))
    select entry_no::text as at, 'the entry is booked for nothing' as what from (
      select entry_no, row_number() over (partition by kind order by entry_no) as place, kind from lost) l
    where kind <> 'opening' or place > 1 order by entry_no limit ${raw(MOST_FAULTS)}`);
}

/** Compares the entry that began receivables with the documents that were settled before, customer by customer. */
function settledDifferently(cx: Reader): Promise<Fault[]> {
  const { account_id } = cx.caller;
  return cx.rows<Fault>(sql`with ${selectTakes(cx)}, ${selectEnds(cx)}, left_over as (
      select i.customer_id, e.date, case when i.is_credit then -e.functional else e.functional end as amount
      from ends e join open_items i on i.account_id = ${account_id} and i.id = e.id
      where i.kind in ('invoice', 'credit_note')),
    settled as (select customer_id, date, sum(amount) as amount from left_over group by 1, 2 having sum(amount) <> 0),
    posted as (
      select p.customer_id, e.entry_date as date, -sum(p.amount) as amount from ledger_entries e
      join ledger_postings p on p.account_id = ${account_id} and p.entry_no = e.entry_no and p.customer_id is not null
      where e.account_id = ${account_id} and e.kind = 'opening' and e.reverses_guid is null
        and not exists (select from open_items i where i.account_id = ${account_id} and i.id = e.guid)
        and not exists (select from opening_contracts o where o.account_id = ${account_id} and e.guid in (o.id, o.end_guid))
      group by 1, 2)
    select coalesce(s.customer_id, p.customer_id)::text as at, 'what was settled before is booked with another amount' as what
    from settled s full join posted p on p.customer_id = s.customer_id and p.date = s.date
    where s.amount is distinct from p.amount order by 1 limit ${raw(MOST_FAULTS)}`);
}

/** Returns the opening contracts of which an entry is missing, or posts another amount than was brought along or given back. */
function openingsThatDiffer(cx: Reader): Promise<Fault[]> {
  const { account_id } = cx.caller;
  return cx.rows<Fault>(sql`with posted as (
      select id, id as guid, cutover as date, amount_functional as functional, amount, counter_account, currency, customer_id
      from opening_contracts where account_id = ${account_id} and entry_no is not null
      union all
      select id, end_guid, ended_on, -returned_functional, -returned, counter_account, currency, customer_id
      from opening_contracts where account_id = ${account_id} and end_guid is not null)
    select o.id::text as at, 'its entry of ' || o.date || ' has other amounts' as what
    from posted o left join ledger_entries e on e.account_id = ${account_id} and e.guid = o.guid and e.kind = 'opening'
      and e.entry_date = o.date and e.currency = o.currency
    cross join lateral (
      select count(*) as postings,
        count(*) filter (where p.account_number = o.counter_account and p.customer_id is null
          and p.amount = o.functional and p.currency_amount = o.amount) as counter,
        count(*) filter (where p.customer_id = o.customer_id and p.amount = -o.functional and p.currency_amount = -o.amount) as liability
      from ledger_postings p where p.account_id = ${account_id} and p.entry_no = e.entry_no) p
    where (p.postings, p.counter, p.liability) is distinct from (2::bigint, 1::bigint, 1::bigint)
    order by 1 limit ${raw(MOST_FAULTS)}`);
}

/** Returns the lines of bank statements that are booked as no payment, as two, or as one of another amount. */
function linesThatDiffer(cx: Reader, functional_currency: string): Promise<Fault[]> {
  const { account_id } = cx.caller;
  return cx.rows<Fault>(sql`with effective as (
      select bank_line_id as id, count(*) as payments from payments
      where account_id = ${account_id} and bank_line_id is not null and reversed_on is null group by 1)
    select l.id::text as at, 'the line is not booked as one payment of its amount' as what
    from bank_lines l left join effective s on s.id = l.id
    left join payments p on p.account_id = ${account_id} and p.id = l.payment_id
    where l.account_id = ${account_id} and case
      when l.state <> 'booked' then s.payments is not null
      when p.id is null then true
      when p.reversed_on is not null then s.payments is not null
      else s.payments is distinct from 1 or p.bank_line_id is distinct from l.id or p.bank_account_id <> l.bank_account_id
        or (l.amount > 0) <> (p.kind = 'payment') or (l.currency = ${functional_currency} and abs(l.amount) <> p.bank_amount) end
    order by l.id limit ${raw(MOST_FAULTS)}`);
}
