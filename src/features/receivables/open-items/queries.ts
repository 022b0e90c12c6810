/** The SQL queries of open items. What is open is stored for the last state, and added up from allocations for an earlier day. */
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { type OpenItem, openAtLast } from "../../../domain/receivables/open-item.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { type Sql, sql, tableOf } from "../../../platform/database/sql.ts";

/** Locks open items by their ids, in the order of the ids; ids without an item are left out. */
export function lockItems(tx: Tx, ids: readonly string[]): void {
  tx.lock(sql`select from open_items where account_id = ${tx.caller.account_id} and id = any(${ids})
    order by id for no key update`);
}

type ItemRow = Omit<NumberedItem, "takes"> & {
  readonly takes: readonly (Omit<OpenItem["takes"][number], "amount" | "functional"> & {
    readonly amount: string;
    readonly functional: string;
  })[];
};

/** Returns the items (alias `i`) of a condition with all that allocations have taken of them, by their ids. */
export async function findItems(cx: Reader, which: Sql): Promise<Map<string, NumberedItem>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<ItemRow>(sql`
    select i.id, i.kind, i.is_credit, i.customer_id, i.number, i.currency, i.date, i.due_date, i.ended_on, i.amount, i.functional,
      (select coalesce(json_agg(json_build_object('date', a.date, 'reversed_on', a.reversed_on,
          'amount', (case when i.is_credit then a.amount else a.amount + a.rounding end)::text,
          'functional', (case when i.is_credit then a.credit_functional else a.debit_functional end)::text) order by a.id), '[]')
        from allocations a
        where a.account_id = ${account_id} and (a.debit_id = i.id or a.credit_id = i.id)) as takes
    from open_items i where i.account_id = ${account_id} and ${which}`);
  return new Map(rows.map((row) => [row.id, itemFrom(row)]));
}

function itemFrom({ takes, ...fields }: ItemRow): NumberedItem {
  return {
    ...fields,
    takes: takes.map(({ amount, functional, ...take }) => ({
      ...take,
      amount: BigInt(amount),
      functional: BigInt(functional),
    })),
  };
}

/**
 * Stores new items. The first items of an account begin its receivables: it has no documents from before. Follows all locks of the
 * transaction, because a row has a stamp.
 */
export function storeItems(tx: Tx, items: readonly NumberedItem[]): void {
  if (items.length === 0) return;
  const { account_id } = tx.caller;
  const { columns, table } = tableOf(items, {
    id: ["uuid", (item) => item.id],
    kind: ["text", (item) => item.kind],
    is_credit: ["boolean", (item) => item.is_credit],
    customer_id: ["uuid", (item) => item.customer_id],
    number: ["text", (item) => item.number],
    date: ["date", (item) => item.date],
    due_date: ["date", (item) => item.due_date],
    currency: ["text", (item) => item.currency],
    amount: ["bigint", (item) => item.amount],
    functional: ["bigint", (item) => item.functional],
    open: ["bigint", (item) => openAtLast(item).open],
    functional_open: ["bigint", (item) => openAtLast(item).functional],
  });
  const dates = items.map(({ date }) => date);
  tx.write(sql`with begun as (
      insert into receivables_begins (account_id, begun_on)
      select ${account_id}, min(d.date) from unnest(${dates}::date[]) as d (date)
      where not exists (select from open_items where account_id = ${account_id})
      having count(*) > 0
      on conflict do nothing)
    insert into open_items (account_id, updated_at, ${columns})
    select ${account_id}, stamp(${account_id}), i.* from ${table} as i`);
}

/** Returns the statement that stores what is left of items, which are locked, after allocations or at their end. */
export function updatedItems(tx: Tx, items: readonly OpenItem[]): Sql {
  const { account_id } = tx.caller;
  const { table } = tableOf(items, {
    id: ["uuid", (item) => item.id],
    open: ["bigint", (item) => openAtLast(item).open],
    functional_open: ["bigint", (item) => openAtLast(item).functional],
    ended_on: ["date", (item) => item.ended_on],
  });
  return sql`update open_items i set open = n.open, functional_open = n.functional_open, ended_on = n.ended_on,
      updated_at = ${stampedAnew(account_id)}
    from ${table} as n (id, open, functional_open, ended_on) where i.account_id = ${account_id} and i.id = n.id`;
}

/** Whether something may be recorded: receivables are begun, or begin with the first item because there is none from before. */
export async function mayRecord(cx: Reader): Promise<boolean> {
  const { account_id } = cx.caller;
  const row = await cx.row<{ may_record: boolean }>(sql`
    select exists (select from receivables_begins where account_id = ${account_id})
      or not exists (select from open_items where account_id = ${account_id}) as may_record`);
  return row?.may_record ?? false;
}
