/**
 * Revenue by month for the start page. Of most accounts it is added up while somebody waits; of those that are too large
 * for that it is kept as it was, with the moment, and added up again in the background after somebody has looked.
 */
import { addToMonth, type Month } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { Reader } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";
import { freeze, thaw } from "../../platform/json.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { currentMonth } from "../accruals/queries.ts";
import { type Configuration, getConfiguration } from "../configuration/queries.ts";
import { entriesByMonth } from "./report.ts";

/** What an account did in a month, in minor units of its functional currency; null where a rate is missing. */
export interface MonthFigures {
  readonly month: Month;
  readonly earned: Money | null;
  readonly invoiced: Money | null;
  /** At the end of the month: earned and not invoiced, and the other way round. */
  readonly asset: Money | null;
  readonly liability: Money | null;
}

export interface Figures {
  /** Without a gap, the present month last. */
  readonly months: readonly MonthFigures[];
  /** When they were added up; null for now. */
  readonly as_of: string | null;
}

/** What is kept of a large account; null of one without a row. */
export type KeptFigures = {
  readonly computed_at: string | null;
  readonly content: string | null;
  /** Whether it should be added up again. */
  readonly is_old: boolean;
} | null;

/** So many invoices are added up while somebody waits. */
export const MOST_AT_ONCE = 1_000;

const MONTHS_SHOWN = 13;
const FRESH = "15 minutes";

/** The figures of the last thirteen months; null where an account is too large and nothing is kept yet. */
export async function figuresOf(
  cx: Reader,
  configuration: Configuration,
  kept: KeptFigures,
  is_large: boolean,
): Promise<Figures | null> {
  if (kept === null && !is_large) {
    return { months: await addedUp(cx, configuration), as_of: null };
  }
  if (kept === null || kept.is_old) await want(cx);
  if (kept === null || kept.content === null) return null;
  return { months: thaw(kept.content), as_of: kept.computed_at };
}

async function want(cx: Reader): Promise<void> {
  await cx.rows(sql`insert into revenue_figures as f (account_id, wanted_at)
    values (${cx.caller.account_id}, clock_timestamp())
    on conflict (account_id) do update set wanted_at = clock_timestamp()`);
}

/** What the start page reads of the kept figures, in its own statement. */
export function keptFigures({ caller: { account_id } }: Reader) {
  return sql`(select json_build_object('computed_at', f.computed_at, 'content', f.content, 'is_old',
      f.computed_at is not null and f.computed_at < clock_timestamp() - ${FRESH}::interval)
    from revenue_figures f where f.account_id = ${account_id})`;
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

/** Adds up those of accounts that somebody has looked at since they were; answers of how many. */
export async function addUpWanted(
  services: Services,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const wanted = await services.db.rows<{
    account_id: string;
  }>(sql`select account_id from revenue_figures
    where computed_at is null or wanted_at > computed_at order by wanted_at limit 20`);
  let done = 0;
  for (const { account_id } of wanted) {
    if (isStopped()) break;
    const cx = await schedulerContext(services, account_id);
    const months = await addedUp(cx, await getConfiguration(cx));
    await cx.rows(sql`update revenue_figures set content = ${freeze(months)}, computed_at = clock_timestamp()
      where account_id = ${account_id}`);
    done += 1;
  }
  return done;
}
