/** Reads accruals. Each read computes drafts. A draft's row is stored once its id is shown, for later requests. */

import {
  addToMonth,
  type CalendarDate,
  type Month,
  monthOf,
} from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { firstMonth, laterMonth } from "../../../domain/revenue/accrual.ts";
import { lockedThrough } from "../../../domain/revenue/accrual-booking.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import type { Reads } from "../../../platform/database/database.ts";
import {
  cursorFrom,
  envelope,
  positionFrom,
  strangeCursor,
} from "../../../platform/database/page.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { derivedId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText, thaw } from "../../../platform/runtime/json.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { type CustomerPosition, positionsOf } from "../revenue-facts/positions.ts";
import { type CustomerFacts, type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { findDrafts, firstDraft, originalMonth } from "./find-drafts.ts";
import { presentDetail, type StoredAccrual } from "./present.ts";
import { AccrualResource, type CustomerAccrualsQuery } from "./schemas.ts";
import { type AccrualSnapshot, snapshotOf } from "./snapshot.ts";

const COLUMNS = `id, customer_id, month, status, revision, original_month, ledger_voucher_guid,
  ledger_voucher_number, booked_at`;

/** Returns the id of a customer's accrual of a month: derived from both, so that a draft keeps its id. */
export function accrualId(cx: Reader, customer_id: string, month: Month): string {
  return derivedId(cx.caller.account_id, `accrual ${customer_id} ${month}`);
}

/** Presents the accrual without its details; `is_pending` when a ledger has accepted the voucher and will book it later. */
export function presentAccrual(row: StoredAccrual, is_pending = false): JsonText {
  return jsonText(
    AccrualResource.parse({
      object: "accrual",
      id: row.id,
      customer_id: row.customer_id,
      accrual_month: row.month,
      original_accrual_month: row.original_month,
      status: row.status,
      ledger_voucher_guid: row.ledger_voucher_guid,
      ledger_voucher_number:
        row.ledger_voucher_number === null ? null : Number(row.ledger_voucher_number),
      booked_at: row.booked_at,
      ...(is_pending && { pending: true as const }),
    }),
  );
}

/** Returns the current month, by the account's clock and time zone. */
export function currentMonth(cx: Reader, configuration: Configuration): Month {
  return monthOf(todayOf(cx, configuration));
}

export function todayOf(cx: Reader, configuration: Configuration): CalendarDate {
  return todayIn(cx.clock, configuration.time_zone);
}

/** Returns the last month that is closed for a customer (spec 1.4); null when there is none. */
export function closedThrough(
  configuration: Configuration,
  booked_through: Month | null,
): Month | null {
  return laterMonth(lockedThrough(configuration.period_lock_date), booked_through);
}

/**
 * Returns the accrual of a customer and month. For a closed month that was never booked, returns the accrual of the open
 * month into which the closed month's rows are carried (spec 3.7). Throws NOT_FOUND.
 */
export async function findAccrual(cx: Reader, ref: string, month: Month): Promise<JsonText> {
  return presentAccrual(await rowOfMonth(cx, ref, month));
}

/** Returns the accrual that `findAccrual` finds, with all details (spec 3.11). Throws NOT_FOUND. */
export async function explainAccrual(cx: Reader, ref: string, month: Month): Promise<JsonText> {
  return detailOf(cx, await rowOfMonth(cx, ref, month));
}

async function rowOfMonth(cx: Reader, ref: string, month: Month): Promise<StoredAccrual> {
  const { id: customer_id } = await getStored(cx, "customers", ref);
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  if (month > current) throw notFound("accrual", month);
  // A booked accrual is shown even when its facts no longer exist.
  const booked = await findRow(cx, accrualId(cx, customer_id, month));
  if (booked?.status === "booked") return booked;
  const { facts, customer } = await factsOf(cx, customer_id);
  const closed_through = closedThrough(configuration, customer.booked_through);
  const is_closed = closed_through !== null && month <= closed_through;
  const shown = is_closed ? addToMonth(closed_through, 1) : month;
  const through = shown < current ? shown : current;
  const drafts = await findDrafts(cx, configuration, facts, customer, closed_through, through);
  const is_before = drafts.first === null || month < drafts.first;
  if (is_before || shown > current) throw notFound("accrual", month);
  if (is_closed && !drafts.carried.has(month)) throw notFound("accrual", month);
  return draftRow(cx, customer_id, shown, originalMonth(drafts, shown));
}

/** Reads the facts of the position of one customer, who exists. */
async function factsOf(
  cx: Reader,
  customer_id: string,
): Promise<{ readonly facts: Facts; readonly customer: CustomerFacts }> {
  const facts = await factsOfCustomers(cx, [customer_id]);
  const [customer] = facts.customers;
  if (customer === undefined) throw notFound("customer", customer_id);
  return { facts, customer };
}

/** Returns an accrual with all details (spec 3.11). Throws NOT_FOUND. */
export async function readAccrual(cx: Reader, id: string): Promise<JsonText> {
  return detailOf(cx, await getRow(cx, id));
}

async function detailOf(cx: Reader, row: StoredAccrual): Promise<JsonText> {
  const { id } = row;
  const current_booking = await findCurrentBooking(cx, id);
  if (current_booking) {
    const is_pending = current_booking.state === "pending" || current_booking.state === "reversing";
    return presentDetail(row, thaw<AccrualSnapshot>(current_booking.snapshot), is_pending);
  }
  const configuration = await getConfiguration(cx);
  if (row.month > currentMonth(cx, configuration)) throw notFound("accrual", id);
  const position = await positionThrough(cx, configuration, row.customer_id, row.month);
  const closed_through = closedThrough(configuration, position.booked_through);
  const first = firstMonth(position.line_balances);
  const is_closed = closed_through !== null && row.month <= closed_through;
  if (first === null || row.month < first || is_closed) throw notFound("accrual", id);
  const snapshot = await snapshotOf(cx, position, configuration, closed_through, row.month);
  return presentDetail({ ...row, original_month: snapshot.original_month }, snapshot, false);
}

/** Lists a customer's accruals: booked accruals, and drafts of open months; the newest first. Throws NOT_FOUND. */
export async function listAccruals(
  cx: Reader,
  ref: string,
  page: CustomerAccrualsQuery,
): Promise<JsonText> {
  const { id: customer_id } = await getStored(cx, "customers", ref);
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  const after = page.cursor === undefined ? null : positionFrom(page.cursor, MONTH_FORM).id;
  if (after !== null && !/^(19|20|21)/.test(after)) throw strangeCursor();
  const [{ facts, customer }, booked] = await reading(cx, async (inside) => [
    await factsOf(inside, customer_id),
    await inside.rows<StoredAccrual>(sql`select ${raw(COLUMNS)} from accruals
       where account_id = ${cx.caller.account_id} and customer_id = ${customer_id} and status = 'booked'`),
  ]);
  const closed_through = closedThrough(configuration, customer.booked_through);
  const drafts = await findDrafts(cx, configuration, facts, customer, closed_through, current);
  const months = new Map<Month, StoredAccrual | null>(booked.map((row) => [row.month, row]));
  for (
    let month = firstDraft(drafts);
    month !== null && month <= current;
    month = addToMonth(month, 1)
  ) {
    months.set(month, null);
  }
  const rows = [...months].sort(([a], [b]) => (a < b ? 1 : -1));
  const rest = rows.filter(([month]) => after === null || month < after);
  const shown = rest.slice(0, page.limit);
  const data: JsonText[] = [];
  for (const [month, row] of shown) {
    const original = originalMonth(drafts, month);
    data.push(presentAccrual(row ?? (await draftRow(cx, customer_id, month, original))));
  }
  const last = rest.length > shown.length ? shown.at(-1)?.[0] : undefined;
  return envelope(data, last === undefined ? null : cursorFrom({ id: last, horizon: null }));
}

/** Returns the booked accruals of a month, by customer. */
export async function findBooked(
  cx: Reader,
  customer_ids: readonly string[],
  month: Month,
): Promise<Map<string, StoredAccrual>> {
  const rows = await cx.rows<StoredAccrual>(sql`select ${raw(COLUMNS)} from accruals
     where account_id = ${cx.caller.account_id} and customer_id = any(${customer_ids}) and month = ${month} and status = 'booked'`);
  return new Map(rows.map((row) => [row.customer_id, row]));
}

const MONTH_FORM = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Returns the stored row of an accrual. Throws NOT_FOUND. */
export async function getRow(cx: Reader, id: string): Promise<StoredAccrual> {
  const row = await findRow(cx, id);
  if (row === undefined) throw notFound("accrual", id);
  return row;
}

function findRow(cx: Reader, id: string): Promise<StoredAccrual | undefined> {
  return cx.row<StoredAccrual>(
    sql`select ${raw(COLUMNS)} from accruals where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
}

/** A booking that is effective or in progress. */
export interface CurrentBooking {
  readonly revision: number;
  readonly state: "pending" | "booked" | "reversing";
  readonly snapshot: string;
  readonly voucher_guid: string | null;
  readonly reversal_guid: string | null;
  readonly reason: string | null;
}

export function findCurrentBooking(cx: Reader, id: string): Promise<CurrentBooking | undefined> {
  return cx.row<CurrentBooking>(sql`select revision, state, snapshot, voucher_guid, reversal_guid, reason from accrual_bookings
     where account_id = ${cx.caller.account_id} and accrual_id = ${id} and state <> 'reversed'`);
}

/** Computes the position of one customer, who exists. A whole position also has the lines that have not begun to earn. */
export async function positionThrough(
  cx: Reader,
  configuration: Configuration,
  customer_id: string,
  through: Month,
  is_whole = false,
): Promise<CustomerPosition> {
  const [position] = await positionsOf(cx, configuration, [customer_id], through, { is_whole });
  if (position === undefined) throw notFound("customer", customer_id);
  return position;
}

/** Returns the row of a draft, which it stores when it is new, with the earliest month that the draft carries now. */
export async function draftRow(
  cx: Reader,
  customer_id: string,
  month: Month,
  original_month: Month | null,
): Promise<StoredAccrual> {
  const draft = newDraft(cx, customer_id, month);
  const stored = await findRow(cx, draft.id);
  if (stored === undefined) await keepDraft(cx, customer_id, month);
  return { ...(stored ?? draft), original_month };
}

/** The columns of a stored draft that was never booked. */
const NEW_DRAFT = {
  status: "draft",
  revision: 0,
  ledger_voucher_guid: null,
  ledger_voucher_number: null,
  booked_at: null,
} as const;

/** Returns the stored rows of customers in a range of months, booked ones and drafts. */
export function findStored(
  cx: Reader,
  customer_ids: readonly string[],
  from: Month,
  to: Month,
): Promise<StoredAccrual[]> {
  return cx.rows<StoredAccrual>(sql`select ${raw(COLUMNS)} from accruals
     where account_id = ${cx.caller.account_id} and customer_id = any(${customer_ids}) and month between ${from} and ${to}`);
}

/** Returns the row of a draft that has not been stored. */
export function newDraft(cx: Reader, customer_id: string, month: Month): StoredAccrual {
  const id = accrualId(cx, customer_id, month);
  return { ...NEW_DRAFT, id, customer_id, month, original_month: null };
}

/** Stores the row of the accrual of a customer and month, unless the row exists. */
export async function keepDraft(cx: Reader, customer_id: string, month: Month): Promise<void> {
  const draft = newDraft(cx, customer_id, month);
  await keepDrafts(cx.primary ?? cx, cx.caller.account_id, [draft]);
}

/** Stores the rows of drafts, except those that exist. */
export async function keepDrafts(
  db: Reads,
  account_id: string,
  drafts: readonly StoredAccrual[],
): Promise<void> {
  await db.rows(sql`insert into accruals (account_id, id, customer_id, month, status)
     select ${account_id}, id, customer_id, month, 'draft'
     from unnest(${drafts.map(({ id }) => id)}::uuid[], ${drafts.map((one) => one.customer_id)}::uuid[],
       ${drafts.map(({ month }) => month)}::text[]) as d (id, customer_id, month)
     on conflict (account_id, id) do nothing`);
}
