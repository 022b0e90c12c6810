/**
 * Sums revenue by customer, user, product, line or month, in functional currency (spec 3.11). All lines in scope are read, some
 * customers at a time; the same pass may sum by several groupings.
 */
import type { CalendarDate, Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { contractKey, contractOf, positionOf } from "../../../domain/revenue/contract.ts";
import type { RecognitionMethod } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { currentMonth } from "../accruals/queries.ts";
import type { LineMonth, LineMonthAmounts } from "./line-months.ts";
import { customersInScope, type ReportScope } from "./report-candidates.ts";
import { lineMonthsOf } from "./report-rows.ts";
import type { Basis, Grouping } from "./schemas.ts";

/** A row before it is shown. Amounts are in minor units of its currency. */
export interface Entry {
  readonly month: Month;
  /** The position of the row among the rows of its month. */
  readonly key: string;
  readonly ids: EntryIds;
  /** The revenue account of a line; null for a group. */
  readonly account_number: number | null;
  readonly currency: string;
  readonly earned: Money | null;
  readonly invoiced: Money | null;
  readonly asset: Money | null;
  readonly liability: Money | null;
  readonly hours: bigint;
  /** What series will invoice in the month beyond `invoiced`; null while a rate is missing, absent where nothing is. */
  readonly scheduled?: Money | null;
  /** The part of it that the forecast of the next month has as invoiced. */
  readonly scheduled_ahead?: Money;
  /** The line of a group by line. */
  readonly line?: EntryLine;
}

interface EntryIds {
  readonly customer_id?: string | null;
  readonly invoice_id?: string | null;
  readonly series_id?: string | null;
  readonly opening_contract_id?: string | null;
  readonly period?: string | null;
  readonly line_id?: string | null;
  readonly product_id?: string | null;
  readonly user_id?: string | null;
}

/** What a line is called; null for a line of which only bookings remain. */
interface EntryLine {
  readonly text: string | null;
  readonly method: RecognitionMethod | null;
}

export const EVERYTHING: ReportScope = {
  customer_id: null,
  series_id: null,
  invoice_id: null,
  user_id: null,
  product_id: null,
};

/** Returns the place of a row among the rows of all months. */
export function placeOf({ month, key }: Pick<Entry, "month" | "key">): string {
  return `${month} ${key}`;
}

/** Returns rows with what is scheduled, in the order of months and keys; a row that has nothing else is added. */
export function withScheduled(entries: readonly Entry[], scheduled: readonly Entry[]): Entry[] {
  const waiting = new Map(scheduled.map((entry) => [placeOf(entry), entry]));
  const both = entries.map((entry) => {
    const own = waiting.get(placeOf(entry));
    waiting.delete(placeOf(entry));
    if (own === undefined) return entry;
    const { scheduled = null, scheduled_ahead = 0n } = own;
    return { ...entry, scheduled, scheduled_ahead };
  });
  return [...both, ...waiting.values()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/** Sums all lines of the account by month, in one pass; months without amounts have no entry. */
export function entriesByMonth(
  cx: Reader,
  configuration: Configuration,
  from: Month,
  to: Month,
): Promise<Entry[]> {
  const shown = { basis: "work_month", group_by: "month" } as const;
  return groupsOf(cx, configuration, shown, EVERYTHING, from, to);
}

export type Balances = Pick<Entry, "asset" | "liability">;

export interface CustomerBalances extends Balances {
  /** The date of the oldest invoice with an amount that is not earned yet; null without one. */
  readonly oldest_unearned: CalendarDate | null;
}

/** Returns the balances of a customer at the end of the current month, netted by contract; 0 for a customer without revenue. */
export async function balancesOf(
  cx: Reader,
  configuration: Configuration,
  customer_id: string,
): Promise<CustomerBalances> {
  const month = currentMonth(cx, configuration);
  const range = { from: month, to: month, basis: "work_month" } as const;
  const groups = new Map<string, Group>();
  let oldest_unearned: CalendarDate | null = null;
  for await (const months of lineMonthsOf(cx, configuration, [customer_id], range)) {
    for (const one of months) {
      const { line_balance, balance } = one;
      const contract = `${customer_id} ${contractKey(contractOf(line_balance))}`;
      addTo(groups, "month", one, one, contract);
      const issued = line_balance.facts?.issue_date ?? null;
      if (balance >= 0n || issued === null) continue;
      if (oldest_unearned === null || issued < oldest_unearned) oldest_unearned = issued;
    }
  }
  const [group] = groups.values();
  if (group === undefined) return { asset: 0n, liability: 0n, oldest_unearned };
  const { asset, liability } = group.entry(configuration.functional_currency);
  return { asset, liability, oldest_unearned };
}

/** Returns the balances of some customers, as `balancesOf`, by their ids; a customer without revenue has no entry. */
export async function balancesOfCustomers(
  cx: Reader,
  configuration: Configuration,
  customer_ids: readonly string[],
): Promise<ReadonlyMap<string, Balances>> {
  const month = currentMonth(cx, configuration);
  const range = { from: month, to: month, basis: "work_month" } as const;
  const groups = new Map<string, Group>();
  for await (const months of lineMonthsOf(cx, configuration, customer_ids, range)) {
    const [first] = months;
    if (first === undefined) continue;
    const contract = `${first.customer_id} ${contractKey(contractOf(first.line_balance))}`;
    for (const one of months) addTo(groups, "customer", one, one, contract);
  }
  const entries = [...groups.values()].map((group) =>
    group.entry(configuration.functional_currency),
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/** Whether a line belongs to the customer, series, invoice and product of the filters. */
export function isInScope({ customer_id, line_balance }: LineMonth, scope: ReportScope): boolean {
  return (
    (scope.customer_id === null || scope.customer_id === customer_id) &&
    (scope.series_id === null || scope.series_id === line_balance.series_id) &&
    (scope.invoice_id === null || scope.invoice_id === line_balance.invoice_id) &&
    (scope.product_id === null || scope.product_id === line_balance.product_id)
  );
}

/** Returns the sums of a grouping, by month and group. Groups without an amount, a balance or hours have no entry. */
export async function groupsOf(
  cx: Reader,
  configuration: Configuration,
  { basis, group_by }: { readonly basis: Basis; readonly group_by: Grouping },
  scope: ReportScope,
  from: Month,
  to: Month,
): Promise<Entry[]> {
  const [entries = []] = await sumsOf(cx, configuration, basis, [group_by], scope, from, to);
  return entries;
}

/** One amount of a grouping: a group, null for revenue without a user, in a month. */
export interface GroupCell {
  readonly group_by: Grouping;
  readonly group: string | null;
  readonly month: Month;
}

/**
 * Like `groupsOf`, for several groupings in one pass: the entries of each, in the order of the groupings, and last the lines of
 * the cell, if there is one.
 */
export async function sumsOf(
  cx: Reader,
  configuration: Configuration,
  basis: Basis,
  groupings: readonly Grouping[],
  scope: ReportScope,
  from: Month,
  to: Month,
  cell: GroupCell | null = null,
): Promise<Entry[][]> {
  const all = groupings.map((grouping) => ({ grouping, groups: new Map<string, Group>() }));
  const lines = new Map<string, Group>();
  for await (const customers of customersInScope(cx, scope)) {
    for await (const months of lineMonthsOf(cx, configuration, customers, { from, to, basis })) {
      const [first] = months;
      if (first === undefined || !isInScope(first, scope)) continue;
      const contract = `${first.customer_id} ${contractKey(contractOf(first.line_balance))}`;
      for (const one of months) {
        for (const { grouping, groups } of all) {
          for (const part of partsOf(one, scope, grouping)) {
            addTo(groups, grouping, one, part, contract);
          }
        }
        if (cell?.month !== one.month) continue;
        for (const part of partsOf(one, scope, cell.group_by)) {
          const is_of_cell = idOf(one, part.user_id ?? null, cell.group_by) === cell.group;
          if (is_of_cell) addTo(lines, "line", one, part, contract);
        }
      }
    }
  }
  return [...all.map(({ groups }) => groups), lines].map((groups) =>
    [...groups.values()]
      .map((group) => group.entry(configuration.functional_currency))
      .sort((a, b) => (`${a.month} ${a.key}` < `${b.month} ${b.key}` ? -1 : 1)),
  );
}

function addTo(
  groups: Map<string, Group>,
  grouping: Grouping,
  one: LineMonth,
  part: Part,
  contract: string,
): void {
  const id = idOf(one, part.user_id ?? null, grouping);
  const key = `${one.month} ${id ?? "-"}`;
  const group = groups.get(key) ?? new Group(one, id, grouping);
  groups.set(key, group);
  group.add(one, part, contract);
}

type Part = LineMonthAmounts & { readonly user_id?: string | null };

function partsOf(one: LineMonth, scope: ReportScope, grouping: Grouping): readonly Part[] {
  if (scope.user_id !== null) return one.users().filter((part) => part.user_id === scope.user_id);
  return grouping === "user" ? one.users() : [one];
}

function idOf(one: LineMonth, user_id: string | null, grouping: Grouping): string | null {
  switch (grouping) {
    case "customer":
      return one.customer_id;
    case "product":
      return one.line_balance.product_id;
    case "line":
      return one.line_balance.line_id;
    case "user":
      return user_id;
    case "month":
      return null;
  }
}

/** Returns the ids of a row: of a line all, of a group the one by which it is summed. */
function idsOf(one: LineMonth, id: string | null, grouping: Grouping): EntryIds {
  if (grouping === "month") return {};
  if (grouping !== "line") return { [`${grouping}_id`]: id };
  const { customer_id, line_balance } = one;
  const { invoice_id, series_id, opening_contract_id, period, line_id, product_id } = line_balance;
  return { customer_id, invoice_id, series_id, opening_contract_id, period, line_id, product_id };
}

/** Adds up the amounts of one row. Positions are netted within a contract, but not between users, products or lines. */
class Group {
  readonly #first: LineMonth;
  readonly #id: string | null;
  readonly #grouping: Grouping;
  #earned = 0n;
  #invoiced = 0n;
  #hours = 0n;
  #is_known = true;
  readonly #balances = new Map<string, Money>();

  constructor(first: LineMonth, id: string | null, grouping: Grouping) {
    this.#first = first;
    this.#id = id;
    this.#grouping = grouping;
  }

  add({ line_balance }: LineMonth, part: Part, contract: string): void {
    this.#hours += part.hours;
    const { functional } = part;
    if (functional === null) {
      this.#is_known = false;
      return;
    }
    this.#earned += functional.earned;
    this.#invoiced += functional.invoiced;
    const nets = this.#grouping === "customer" || this.#grouping === "month";
    const key = nets ? contract : `${contract} ${line_balance.line_id}`;
    this.#balances.set(key, (this.#balances.get(key) ?? 0n) + functional.balance);
  }

  entry(currency: string): Entry {
    let [asset, liability] = [0n, 0n];
    for (const balance of this.#balances.values()) {
      const position = positionOf(balance);
      asset += position.asset;
      liability += position.liability;
    }
    const known = (amount: Money): Money | null => (this.#is_known ? amount : null);
    return {
      month: this.#first.month,
      key: this.#id ?? "-",
      ids: idsOf(this.#first, this.#id, this.#grouping),
      account_number: null,
      currency,
      earned: known(this.#earned),
      invoiced: known(this.#invoiced),
      asset: known(asset),
      liability: known(liability),
      hours: this.#hours,
      ...(this.#grouping === "line" && { line: lineOf(this.#first) }),
    };
  }
}

function lineOf({ line_balance: { facts } }: LineMonth): EntryLine {
  if (facts === null) return { text: null, method: null };
  const { description_override, product_name, recognition_method } = facts.line;
  return { text: description_override ?? product_name, method: recognition_method };
}
