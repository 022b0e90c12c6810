/**
 * Random open items and allocations around a day, earlier and later ones, stored as rows, with what is open of them by the rule.
 * Amounts are minor units, days are texts.
 */
import { newId } from "../../../src/platform/runtime/id.ts";
import type { World } from "./world.ts";

export interface PastItem {
  readonly id: string;
  readonly is_credit: boolean;
  readonly customer_id: string;
  readonly currency: string;
  readonly kind: "invoice" | "reminder" | "opening" | "payment" | "credit_note";
  readonly date: string;
  readonly due_date: string | null;
  readonly ended_on: string | null;
  readonly amount: bigint;
}

/** An allocation takes `amount` of both items. */
interface PastAllocation {
  readonly debit: PastItem;
  readonly credit: PastItem;
  readonly amount: bigint;
  readonly date: string;
  readonly reversed_on: string | null;
}

export interface History {
  readonly items: readonly PastItem[];
  readonly allocations: readonly PastAllocation[];
}

interface Wanted {
  readonly customer_ids: readonly string[];
  readonly count: number;
  /** A day in the middle of the last third of the history. */
  readonly around: string;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
}

const DAY_MS = 86_400_000;

/** Makes and stores a history with items of 1,000.00 in DKK and in EUR, which is worth twice as much. */
export async function storeHistory(world: World, wanted: Wanted): Promise<History> {
  const items = Array.from({ length: wanted.count }, () => itemOf(wanted));
  const history = { items, allocations: allocationsOf(items, wanted.random) };
  await storeItems(world, history);
  await storeAllocations(world, history);
  return history;
}

/** Returns what is open of an item at the end of a day. */
export function openOfPast({ allocations }: History, item: PastItem, day: string): bigint {
  if (item.date > day || (item.ended_on !== null && item.ended_on <= day)) return 0n;
  return allocations
    .filter(({ debit, credit }) => debit === item || credit === item)
    .filter(({ date, reversed_on }) => date <= day && (reversed_on === null || reversed_on > day))
    .reduce((open, { amount }) => open - amount, item.amount);
}

/** Returns an amount in functional currency. */
export function functionalOf(currency: string, amount: bigint): bigint {
  return currency === "DKK" ? amount : 2n * amount;
}

function any<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** A day up to `most` days after another one. */
function after(random: () => number, day: string, most: number): string {
  const moment = Date.parse(day) + Math.floor(random() * (most + 1)) * DAY_MS;
  return new Date(moment).toISOString().slice(0, 10);
}

function itemOf({ customer_ids, around, random }: Wanted): PastItem {
  const first = new Date(Date.parse(around) - 150 * DAY_MS).toISOString().slice(0, 10);
  const is_credit = random() < 0.5;
  const date = after(random, first, 180);
  const kind = is_credit
    ? any(random, ["payment", "credit_note", "opening"] as const)
    : any(random, ["invoice", "invoice", "reminder", "opening"] as const);
  return {
    id: newId<string>(),
    is_credit,
    customer_id: any(random, customer_ids),
    currency: any(random, ["DKK", "EUR"]),
    kind,
    date,
    due_date: is_credit && kind !== "opening" ? null : after(random, date, 30),
    ended_on: random() < 0.1 ? after(random, date, 90) : null,
    amount: 1000_00n,
  };
}

/** A credit item is applied at most once, and a debit item at most eight times; neither is ever below 0. */
function allocationsOf(items: readonly PastItem[], random: () => number): PastAllocation[] {
  const times = new Map<PastItem, number>();
  return items.flatMap((credit): PastAllocation[] => {
    const debit = any(random, items);
    const is_fit = credit.is_credit && !debit.is_credit && credit.currency === debit.currency;
    const applied = times.get(debit) ?? 0;
    const first = debit.date > credit.date ? debit.date : credit.date;
    const date = after(random, first, 20);
    const has_ended = [debit, credit].some((one) => one.ended_on !== null && one.ended_on <= date);
    if (!is_fit || has_ended || applied === 8) return [];
    times.set(debit, applied + 1);
    const reversed_on = random() < 0.3 ? after(random, date, 60) : null;
    const amount = applied === 0 ? any(random, [100_00n, 300_00n]) : 100_00n;
    return [{ debit, credit, amount, date, reversed_on }];
  });
}

/** What is left when all effective allocations have begun; nothing of an item that ends. */
function leftAtLast({ allocations }: History, item: PastItem): bigint {
  if (item.ended_on !== null) return 0n;
  return allocations
    .filter(({ debit, credit }) => debit === item || credit === item)
    .filter(({ reversed_on }) => reversed_on === null)
    .reduce((left, { amount }) => left - amount, item.amount);
}

async function storeItems(world: World, history: History): Promise<void> {
  const rows = history.items.map((item) => ({
    ...item,
    amount: String(item.amount),
    functional: String(functionalOf(item.currency, item.amount)),
    open: String(leftAtLast(history, item)),
    functional_open: String(functionalOf(item.currency, leftAtLast(history, item))),
  }));
  await world.sql(
    `insert into open_items (account_id, id, kind, is_credit, customer_id, number, date, due_date, currency, amount, functional,
       open, functional_open, ended_on, updated_at)
     select $1, r.id, r.kind, r.is_credit, r.customer_id, '7', r.date, r.due_date, r.currency, r.amount, r.functional, r.open,
       r.functional_open, r.ended_on, stamp($1)
     from json_to_recordset($2::json) as r (id uuid, kind text, is_credit boolean, customer_id uuid, date date, due_date date,
       currency text, amount bigint, functional bigint, open bigint, functional_open bigint, ended_on date)`,
    [world.account.account_id, JSON.stringify(rows)],
  );
}

async function storeAllocations(world: World, { allocations }: History): Promise<void> {
  const rows = allocations.map(({ debit, credit, amount, ...days }) => ({
    ...days,
    id: newId<string>(),
    debit_id: debit.id,
    credit_id: credit.id,
    currency: debit.currency,
    amount: String(amount),
    functional: String(functionalOf(debit.currency, amount)),
  }));
  await world.sql(
    `insert into allocations (account_id, id, debit_id, credit_id, currency, amount, rounding, debit_functional,
       credit_functional, rounding_functional, exchange_difference, date, reversed_on, reversal_reason, created_at, updated_at)
     select $1, r.id, r.debit_id, r.credit_id, r.currency, r.amount, 0, r.functional, r.functional, 0, 0, r.date, r.reversed_on,
       case when r.reversed_on is not null then 'A mistake' end, clock_timestamp(), stamp($1)
     from json_to_recordset($2::json) as r (id uuid, debit_id uuid, credit_id uuid, currency text, amount bigint,
       functional bigint, date date, reversed_on date)`,
    [world.account.account_id, JSON.stringify(rows)],
  );
}
