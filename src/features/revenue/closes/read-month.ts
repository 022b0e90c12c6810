/** Reads what the page of a month shows besides its bookings: the states of months, the facts of the checklist, the vouchers. */
import {
  type CalendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
} from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { withReady } from "../../settings/configuration/find-ready-month.ts";
import type { CloseRow } from "./queries.ts";

/** The close of a month, in short. */
export type CloseState = Pick<CloseRow, "month" | "status">;

/** The closes of several months, and the month to close next; null when none waits. */
interface CloseStates {
  readonly closes: readonly CloseState[];
  readonly ready: Month | null;
}

/** Returns the closes of the months from the first to the last one, in order; `today` is the account's date. */
export async function closesBetween(
  cx: Reader,
  from: Month,
  to: Month,
  today: CalendarDate,
): Promise<CloseStates> {
  const found = await cx.row<CloseStates>(sql`${withReady(cx, today)}
    select (select month from ready) as ready, coalesce((
      select json_agg(json_build_object('month', c.month, 'status', c.status) order by c.month)
      from period_closes c
      where c.account_id = ${cx.caller.account_id} and c.month between ${from} and ${to}),
      '[]'::json) as closes`);
  return found ?? { closes: [], ready: null };
}

/** A currency of the account's documents, with its latest rate by the end of the month. */
interface ClosingRate {
  readonly currency: string;
  /** Null where no rate is known. */
  readonly date: CalendarDate | null;
  /** In functional currency for one unit, in millionths; null where no rate is known. */
  readonly rate_micro: bigint | null;
}

/** Facts about a month that a person checks before its close. */
export interface CloseFacts {
  /** The registered hours, in hundredths, and the number of people who registered them. */
  readonly hours: number;
  readonly people: number;
  /** The invoices of retainers that are dated in the month. */
  readonly retainers: number;
  /** The account's bookings whose outcome is not known, or that await a decision. */
  readonly in_doubt: number;
  readonly rates: readonly ClosingRate[];
}

/** Returns the facts of a month. Rates are those of the currencies of issued invoices and of series. */
export async function factsOfClose(cx: Reader, month: Month): Promise<CloseFacts> {
  const { account_id } = cx.caller;
  const [from, to] = [firstDayOf(month), lastDayOf(month)];
  const [row, rates] = await Promise.all([
    cx.row<Omit<CloseFacts, "rates">>(sql`select
        coalesce(sum(hours), 0)::int as hours, count(distinct user_id)::int as people,
        (select count(*)::int from invoices where account_id = ${account_id} and series_id is not null
          and status = 'issued' and issue_date between ${from} and ${to}) as retainers,
        (select count(*)::int from intents where account_id = ${account_id}
          and state in ('unknown', 'parked')) as in_doubt
      from work_registrations where account_id = ${account_id} and date between ${from} and ${to}`),
    cx.rows<ClosingRate>(sql`select c.currency, r.date, r.rate_micro
      from configurations k
      cross join lateral (
        select currency from invoices where account_id = ${account_id} and currency <> k.functional_currency
        union select currency from recurring_series
          where account_id = ${account_id} and currency <> k.functional_currency) c
      left join lateral (
        select e.date, e.rate_micro from exchange_rates e
        where e.account_id = ${account_id} and e.currency = c.currency and e.date <= ${to}
        order by e.date desc limit 1) r on true
      where k.account_id = ${account_id} order by c.currency`),
  ]);
  return { ...(row ?? { hours: 0, people: 0, retainers: 0, in_doubt: 0 }), rates };
}

/** Returns the names of customers by their ids; an unknown id has no entry. */
export async function namesOfCustomers(
  cx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await cx.rows<{ id: string; name: string }>(sql`select id, name from customers
    where account_id = ${cx.caller.account_id} and id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
