/** Reads the current position of one customer: earned but not invoiced, invoiced but not earned, and waiting work. */
import type { CalendarDate, Month } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  type BalancesShown,
  balancesShown,
  type KeptFigures,
  keptBalances,
} from "../../revenue/reports/report-figures.ts";
import { type EstimatedLines, estimatedLines } from "../../revenue/revenue-facts/count-lines.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";

export interface CustomerSummary {
  /** Null while they are being computed. */
  readonly balances: BalancesShown | null;
  readonly drafts: number;
  readonly retainers: number;
  /** The first day of billable work on drafts. */
  readonly oldest_work: CalendarDate | null;
}

interface CustomerSummaryRow extends Omit<CustomerSummary, "balances"> {
  readonly lines: EstimatedLines;
  readonly kept: KeptFigures;
}

/** Reads the summary with only this customer's lines. `current` is this month; `onMany` is as in `balancesShown`. */
export async function readCustomerSummary(
  cx: Reader,
  configuration: Configuration,
  customer_id: string,
  current: Month,
  onMany: () => Promise<void> = async () => {},
): Promise<CustomerSummary> {
  const { account_id } = cx.caller;
  const row = await cx.row<CustomerSummaryRow>(sql`select
      (select count(*)::int from invoices where account_id = ${account_id} and customer_id = ${customer_id}
        and status = 'draft' and series_id is null) as drafts,
      (select count(*)::int from recurring_series where account_id = ${account_id}
        and customer_id = ${customer_id} and status = 'active' and not is_discarded) as retainers,
      (select min(w.date) from invoices i
        join work_registrations w on w.account_id = ${account_id} and w.invoice_id = i.id and w.status = 'open'
          and w.billable
        where i.account_id = ${account_id} and i.customer_id = ${customer_id} and i.status = 'draft') as oldest_work,
      ${estimatedLines(cx, current, customer_id)} as lines,
      ${keptBalances(cx, customer_id)} as kept`);
  if (row === undefined) throw new Error("a count gave no row");
  const { lines, kept, ...waiting } = row;
  const balances = await balancesShown(cx, configuration, customer_id, kept, lines, onMany);
  return { balances, ...waiting };
}

/** The open drafts and retainers of a customer. */
export interface UnderWay {
  readonly drafts: number;
  readonly retainers: number;
}

/** Counts drafts of one-time invoices and active retainers of some customers, by the ids of the customers. */
export async function underWayOf(
  cx: Reader,
  customer_ids: readonly string[],
): Promise<ReadonlyMap<string, UnderWay>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<UnderWay & { readonly id: string }>(sql`select c.id,
      (select count(*)::int from invoices where account_id = ${account_id} and customer_id = c.id
        and status = 'draft' and series_id is null) as drafts,
      (select count(*)::int from recurring_series where account_id = ${account_id} and customer_id = c.id
        and status = 'active' and not is_discarded) as retainers
    from customers c where c.account_id = ${account_id} and c.id = any(${customer_ids})`);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** Counts the drafts of one-time invoices that have a line of a product, by product id. Every product has an entry. */
export async function draftsWith(
  cx: Reader,
  product_ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<{ id: string; drafts: number }>(sql`
    select l.product_id as id, count(distinct l.invoice_id)::int as drafts from invoice_lines l
    where l.account_id = ${account_id} and l.product_id = any(${product_ids})
      -- Only lines of drafts have no amount: an index has these alone.
      and l.amount is null and l.invoice_id in (
        select id from invoices where account_id = ${account_id} and status = 'draft' and series_id is null)
    group by l.product_id`);
  return new Map(rows.map(({ id, drafts }) => [id, drafts]));
}
