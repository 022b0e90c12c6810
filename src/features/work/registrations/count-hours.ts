/** Sums registered hours by user, customer, line or day: who worked on what, without the single registrations. */
import type { Reader } from "../../../platform/commands/context.ts";
import {
  cursorFrom,
  type PageQuery,
  positionFrom,
  type RowsOfPage,
  whereOf,
} from "../../../platform/database/page.ts";
import { numbered } from "../../../platform/database/sql.ts";
import { type WorkFilters, workConditions } from "./queries.ts";

export const workGroupings = ["user", "customer", "line", "day"] as const;
export type WorkGrouping = (typeof workGroupings)[number];

/** The hours of a group in 1/100 of an hour. */
interface WorkSum {
  /** The id of the user, customer or line, or the date. */
  readonly key: string;
  readonly hours: bigint;
  readonly billable: bigint;
  readonly registrations: number;
  /** One of its registrations. */
  readonly some_id: string;
}

const KEYS: Readonly<Record<WorkGrouping, string>> = {
  user: "user_id::text",
  customer: `coalesce(
      (select i.customer_id from invoices i
       where i.account_id = work_registrations.account_id and i.id = work_registrations.invoice_id),
      (select s.customer_id from recurring_series s
       where s.account_id = work_registrations.account_id and s.id = work_registrations.series_id))::text`,
  line: "line_id::text",
  day: "date::text",
};

const BY_HOURS = /^\d{1,12} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BY_DAY = /^\d{1,12} \d{4}-\d\d-\d\d$/;

/**
 * Returns a page of sums: days with the latest first, other groups with the most hours first. Unknown references give no rows.
 * Throws VALIDATION_FAILED for a cursor of another list.
 */
export async function pageOfWorkSums(
  cx: Reader,
  filters: WorkFilters,
  group_by: WorkGrouping,
  { limit, cursor }: PageQuery,
): Promise<RowsOfPage<WorkSum>> {
  const is_by_day = group_by === "day";
  const conditions = await workConditions(cx, filters);
  const { where, values } = whereOf([["account_id =", cx.caller.account_id], ...conditions]);
  const form = is_by_day ? BY_DAY : BY_HOURS;
  const place = cursor === undefined ? null : positionFrom(cursor, form).id;
  const [hours = null, key = null] = place?.split(" ") ?? [];
  const [at_hours, at_key, at_limit] = [1, 2, 3].map((more) => `$${values.length + more}`);
  const after = is_by_day
    ? `key < ${at_key} and ${at_hours}::bigint is not null`
    : `hours < ${at_hours}::bigint or hours = ${at_hours}::bigint and key > ${at_key}`;
  const found = await cx.rows(
    numbered(
      `select key, hours, billable, registrations, some_id from (
         select ${KEYS[group_by]} as key, sum(hours)::bigint as hours,
           coalesce(sum(hours) filter (where billable), 0)::bigint as billable,
           count(*)::int as registrations, min(id::text) as some_id
         from work_registrations where ${where} group by 1) sums
       where ${at_key}::text is null or (${after})
       order by ${is_by_day ? "key desc" : "hours desc, key"} limit ${at_limit}`,
      [...values, hours, key, limit + 1],
    ),
  );
  const rows = found as readonly WorkSum[];
  const shown = rows.slice(0, limit);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return {
    rows: shown,
    next_cursor: last ? cursorFrom({ id: `${last.hours} ${last.key}`, horizon: null }) : null,
  };
}
