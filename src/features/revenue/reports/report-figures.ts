/**
 * Computes the revenue figures of pages: the months of the account and the balances of a customer. With too many
 * lines, pages show stored figures with their time of computation, and background work updates them after the read.
 */
import { addToMonth, type Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { freeze, thaw } from "../../../platform/runtime/json.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { currentMonth } from "../accruals/queries.ts";
import { areTooMany, type EstimatedLines } from "../revenue-facts/count-lines.ts";
import { balancesOf, type CustomerBalances, entriesByMonth } from "./report-groups.ts";

/** The revenue of an account in a month, in minor units of its functional currency; null when a rate is missing. */
export interface MonthFigures {
  readonly month: Month;
  readonly earned: Money | null;
  readonly invoiced: Money | null;
  /** Earned but not invoiced at the end of the month; the liability is invoiced but not earned. */
  readonly asset: Money | null;
  readonly liability: Money | null;
}

export interface Figures {
  /** The months without gaps; the last one is the current month. */
  readonly months: readonly MonthFigures[];
  /** The time of the computation; null for a current one. */
  readonly as_of: string | null;
}

/** The balances of a customer at the end of the current month, with the time of the computation; null for a current one. */
export type BalancesShown = CustomerBalances & { readonly as_of: string | null };

/** The stored figures of a large account or customer; null when there is no row. */
export type KeptFigures = {
  readonly computed_at: string | null;
  readonly content: string | null;
  /** Whether the figures should be computed again. */
  readonly is_old: boolean;
} | null;

const MONTHS_SHOWN = 13;
const FRESH = "15 minutes";

/**
 * Returns the figures of the last thirteen months; null when the account has too many lines and no stored figures yet. The lines
 * of an account with stored figures are not counted again. With too many lines or stored figures, `onMany` is awaited first.
 */
export async function figuresOf(
  cx: Reader,
  configuration: Configuration,
  kept: KeptFigures,
  lines: EstimatedLines,
  onMany: () => Promise<void> = async () => {},
): Promise<Figures | null> {
  if (kept === null && !(await areTooMany(cx, currentMonth(cx, configuration), lines))) {
    return { months: await addedUp(cx, configuration), as_of: null };
  }
  await onMany();
  if (kept === null || kept.is_old) {
    await cx.rows(sql`insert into revenue_figures (account_id, wanted_at)
      values (${cx.caller.account_id}, clock_timestamp())
      on conflict (account_id) do update set wanted_at = excluded.wanted_at`);
  }
  if (kept === null || kept.content === null) return null;
  return { months: thaw(kept.content), as_of: kept.computed_at };
}

/**
 * Returns the balances of a customer; null when the customer has too many lines and no stored balances yet. `onMany` is called
 * as by `figuresOf`.
 */
export async function balancesShown(
  cx: Reader,
  configuration: Configuration,
  customer_id: string,
  kept: KeptFigures,
  lines: EstimatedLines,
  onMany: () => Promise<void> = async () => {},
): Promise<BalancesShown | null> {
  const current = currentMonth(cx, configuration);
  if (kept === null && !(await areTooMany(cx, current, lines, customer_id))) {
    return { ...(await balancesOf(cx, configuration, customer_id)), as_of: null };
  }
  await onMany();
  if (kept === null || kept.is_old) {
    await cx.rows(sql`insert into customer_balances (account_id, customer_id, wanted_at)
      values (${cx.caller.account_id}, ${customer_id}, clock_timestamp())
      on conflict (account_id, customer_id) do update set wanted_at = excluded.wanted_at`);
  }
  if (kept === null || kept.content === null) return null;
  // Balances that an earlier version has stored do not name the oldest invoice.
  const { oldest_unearned = null, ...stored } = thaw<CustomerBalances>(kept.content);
  return { ...stored, oldest_unearned, as_of: kept.computed_at };
}

/** Returns the SQL expression that reads `KeptFigures` of the account as JSON, for the query of a page. */
export function keptFigures({ caller: { account_id } }: Reader) {
  return sql`(select json_build_object('computed_at', f.computed_at, 'content', f.content, 'is_old',
      f.computed_at is not null and f.computed_at < clock_timestamp() - ${FRESH}::interval)
    from revenue_figures f where f.account_id = ${account_id})`;
}

/** Returns the SQL expression that reads `KeptFigures` of a customer as JSON, for the query of a page. */
export function keptBalances({ caller: { account_id } }: Reader, customer_id: string) {
  return sql`(select json_build_object('computed_at', b.computed_at, 'content', b.content, 'is_old',
      b.computed_at is not null and b.computed_at < clock_timestamp() - ${FRESH}::interval)
    from customer_balances b where b.account_id = ${account_id} and b.customer_id = ${customer_id})`;
}

async function addedUp(cx: Reader, configuration: Configuration): Promise<MonthFigures[]> {
  const to = currentMonth(cx, configuration);
  const from = addToMonth(to, 1 - MONTHS_SHOWN);
  const entries = await entriesByMonth(cx, configuration, from, to);
  const known = new Map(entries.map((entry) => [entry.month, entry]));
  return Array.from({ length: MONTHS_SHOWN }, (_, at) => {
    const month = addToMonth(from, at);
    const { earned, invoiced, asset, liability } = known.get(month) ?? NOTHING;
    return { month, earned, invoiced, asset, liability };
  });
}

const NOTHING = { earned: 0n, invoiced: 0n, asset: 0n, liability: 0n };

/** Computes the figures that pages have requested since the last computation; returns the number of accounts and customers. */
export async function addUpWanted(
  services: Services,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const accounts = await services.db.rows<{ account_id: string }>(sql`
    select account_id from revenue_figures
    where computed_at is null or wanted_at > computed_at order by wanted_at limit 20`);
  let done = 0;
  for (const { account_id } of accounts) {
    if (isStopped()) return done;
    const cx = await schedulerContext(services, account_id);
    const months = await addedUp(cx, await getConfiguration(cx));
    await cx.rows(sql`update revenue_figures set content = ${freeze(months)}, computed_at = (select clock_timestamp())
      where account_id = ${account_id}`);
    done += 1;
  }
  const customers = await services.db.rows<{ account_id: string; customer_id: string }>(sql`
    select account_id, customer_id from customer_balances
    where computed_at is null or wanted_at > computed_at order by wanted_at limit 20`);
  for (const { account_id, customer_id } of customers) {
    if (isStopped()) return done;
    const cx = await schedulerContext(services, account_id);
    const balances = await balancesOf(cx, await getConfiguration(cx), customer_id);
    await cx.rows(sql`update customer_balances set content = ${freeze(balances)},
        computed_at = (select clock_timestamp())
      where account_id = ${account_id} and customer_id = ${customer_id}`);
    done += 1;
  }
  return done;
}
