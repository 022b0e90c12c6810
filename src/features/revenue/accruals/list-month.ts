/**
 * Lists the accruals of one month for all customers: booked accruals, and drafts while the month is open for the customer.
 * Customers are listed from the newest to the oldest, as in all lists, so the cursor is the last customer shown.
 */

import type { Month } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { cursorFrom, envelope, positionFrom } from "../../../platform/database/page.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { findDrafts, firstDraft, originalMonth } from "./find-drafts.ts";
import type { StoredAccrual } from "./present.ts";
import { closedThrough, currentMonth, draftRow, findBooked, presentAccrual } from "./queries.ts";
import type { CustomerAccrualsQuery } from "./schemas.ts";

const CUSTOMERS_AT_A_TIME = 100;
const UUID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Shown {
  readonly customer_id: string;
  /** Null for a draft; `original_month` is the earliest month that a draft carries. */
  readonly booked: StoredAccrual | null;
  readonly original_month: Month | null;
}

/** Returns a page of the accruals of a month; a future month has none. */
export async function listMonthAccruals(
  cx: Reader,
  month: Month,
  page: CustomerAccrualsQuery,
): Promise<JsonText> {
  let after = page.cursor === undefined ? null : positionFrom(page.cursor, UUID_FORM).id;
  const found: Shown[] = [];
  while (found.length <= page.limit) {
    const { accruals, last } = await someAccruals(cx, month, after);
    found.push(...accruals);
    if (last === null) break;
    after = last;
  }
  const shown = found.slice(0, page.limit);
  const data: JsonText[] = [];
  for (const { customer_id, booked, original_month } of shown) {
    data.push(presentAccrual(booked ?? (await draftRow(cx, customer_id, month, original_month))));
  }
  const last = found.length > shown.length ? shown.at(-1)?.customer_id : undefined;
  return envelope(data, last === undefined ? null : cursorFrom({ id: last, horizon: null }));
}

/** Returns the accruals of the next customers after `after`; `last` is null when no customer is left. */
async function someAccruals(
  cx: Reader,
  month: Month,
  after: string | null,
): Promise<{ readonly accruals: readonly Shown[]; readonly last: string | null }> {
  return reading(cx, async (inside) => {
    const configuration = await getConfiguration(inside);
    const current = currentMonth(inside, configuration);
    if (month > current) return { accruals: [], last: null };
    const ids = await customersAfter(inside, after);
    const booked = await findBooked(inside, ids, month);
    const open = ids.filter((id) => !booked.has(id));
    const drafts = new Map<string, Month | null>();
    const facts = await factsOfCustomers(inside, open);
    for (const customer of facts.customers) {
      const closed_through = closedThrough(configuration, customer.booked_through);
      const known = await findDrafts(
        inside,
        configuration,
        facts,
        customer,
        closed_through,
        current,
      );
      const from = firstDraft(known);
      if (from === null || month < from) continue;
      drafts.set(customer.customer_id, originalMonth(known, month));
    }
    const accruals = ids.flatMap((customer_id): Shown[] => {
      const row = booked.get(customer_id);
      if (row) return [{ customer_id, booked: row, original_month: null }];
      const original_month = drafts.get(customer_id);
      return original_month === undefined ? [] : [{ customer_id, booked: null, original_month }];
    });
    return { accruals, last: ids.at(-1) ?? null };
  });
}

/** Returns the ids of the next customers, the newest first, with an invoice, an opening contract, a booked accrual or a series. */
export async function customersAfter(cx: Reader, after: string | null): Promise<string[]> {
  const rows = await cx.rows<{ id: string }>(sql`select c.id from customers c
     where c.account_id = ${cx.caller.account_id} and (${after}::uuid is null or c.id < ${after})
       and ((select 1 from invoices i where i.account_id = ${cx.caller.account_id} and i.customer_id = c.id limit 1) is not null
         or (select 1 from recurring_series s where s.account_id = ${cx.caller.account_id} and s.customer_id = c.id limit 1) is not null
         or (select 1 from opening_contracts o where o.account_id = ${cx.caller.account_id} and o.customer_id = c.id limit 1) is not null
         or (select 1 from accrual_rows r where r.account_id = ${cx.caller.account_id} and r.customer_id = c.id limit 1) is not null)
     order by c.id desc limit ${raw(CUSTOMERS_AT_A_TIME)}`);
  return rows.map((row) => row.id);
}
