/**
 * Writes the events that come with time: a series that ends soon or has ended, and a month that waits for its close. Each end date and
 * each month is announced once, also by several processes: the mark is written with the event.
 */
import * as z from "zod";
import type { CalendarDate, Month } from "../../../domain/base/calendar.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { nextMonthToClose, withReady } from "../../settings/configuration/find-ready-month.ts";

/** The number of series announced in one transaction. */
const SERIES_AT_A_TIME = 200;

/** Selects the accounts that may have something to announce now, in whatever time zone: none is further ahead of UTC than 14 hours. */
export function accountsToAnnounce(now: string): Sql {
  const latest_today = sql`(${now}::timestamptz at time zone 'UTC' + interval '14 hours')::date`;
  return sql`select s.account_id from recurring_series s where s.next_announcement_on <= ${latest_today}
    union select m.account_id from (
      select a.id as account_id, ${nextMonthToClose(sql`a.id`)} as month from accounts a where a.test_clock is null) m
    where m.month < to_char(${latest_today}, 'YYYY-MM') and not exists (
      select from announced_months n where n.account_id = m.account_id and n.month = m.month)`;
}

/** Writes some events of the account's date; returns their number, 0 when nothing is left to announce. */
export async function announce(cx: Context, today: CalendarDate): Promise<number> {
  const due = await cx.row<{ has_series: boolean; has_month: boolean }>(sql`${withReady(cx, today)}
    select exists (select from recurring_series where account_id = ${cx.caller.account_id}
        and next_announcement_on <= ${today}) as has_series,
      exists (select from ready where not exists (select from announced_months n
        where n.account_id = ${cx.caller.account_id} and n.month = ready.month)) as has_month`);
  if (due === undefined) return 0;
  // Time is the cause and not the caller of a run, so the actor is always the scheduler.
  const actor = { kind: "scheduler", id: "worker" } as const;
  const own: Context = { ...cx, caller: { ...cx.caller, actor, person: null } };
  const ends = due.has_series ? await run(announceEnds, own, { today }) : 0;
  return ends + (due.has_month ? await run(announceMonth, own, { today }) : 0);
}

const Today = z.object({ today: z.custom<CalendarDate>() });

interface EndingSeries {
  readonly id: string;
  readonly document: string;
  readonly is_over: boolean;
}

/** Announces series whose turn it is. One that another transaction has locked is left for the next run. */
const announceEnds = defineCommand({
  name: "announce_ends_of_series",
  access: "issue",
  input: Today,

  async plan(tx, { today }) {
    const series = await tx.rows<EndingSeries>(sql`
      select id, document, end_date < ${today} as is_over from recurring_series
      where account_id = ${tx.caller.account_id} and next_announcement_on <= ${today}
      order by id limit ${SERIES_AT_A_TIME} for no key update skip locked`);
    return { today, series };
  },

  commit(tx, { today, series }): number {
    if (series.length === 0) return 0;
    // What has ended already does not end soon.
    tx.write(sql`update recurring_series set
        announced_soon = case when end_date = any(announced_soon) then announced_soon else announced_soon || end_date end,
        announced_ended = case when end_date < ${today} then announced_ended || end_date else announced_ended end
      where account_id = ${tx.caller.account_id} and id = any(${series.map(({ id }) => id)})`);
    for (const { id, document, is_over } of series) {
      const state = document as JsonText;
      const action = is_over ? "ended" : "ends_soon";
      tx.audit("recurring_series", id, action, { before: state, after: state });
    }
    return series.length;
  },
});

/** Announces the month that waits for its close, unless it was announced. */
const announceMonth = defineCommand({
  name: "announce_month_to_close",
  access: "issue",
  input: Today,

  plan: async (_tx, { today }) => today,

  async commit(tx, today): Promise<number> {
    const { account_id } = tx.caller;
    const added = await tx.row<{ month: Month }>(sql`${withReady(tx, today)}
      insert into announced_months (account_id, month) select ${account_id}, month from ready
      on conflict do nothing returning month`);
    if (added === undefined) return 0;
    tx.audit("period_close", added.month, "ready", { before: null, after: null });
    return 1;
  },
});
