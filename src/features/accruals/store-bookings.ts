/**
 * Storing bookings of accruals, many at once: what was booked, row by row, and that the accrual is. A
 * reopening stores the same rows with every sign turned.
 */
import type { Timestamp } from "../../domain/base/brand.ts";
import { type AuditEntry, recordAudits } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { sql, tableOf } from "../../platform/database/sql.ts";
import { together } from "../../platform/database/transaction.ts";
import { freeze, type JsonText } from "../../platform/json.ts";
import type { AccrualRow } from "./present.ts";
import { presentAccrual } from "./queries.ts";
import { type AccrualSnapshot, userPartsText } from "./snapshot.ts";

/** An accrual that is decided to be booked. */
export interface DecidedAccrual {
  readonly accrual_id: string;
  readonly revision: number;
  readonly snapshot: AccrualSnapshot;
}

/** The same with its voucher as the ledger has booked it; null where there is none. */
export interface BookedAccrual extends DecidedAccrual {
  readonly voucher: { readonly guid: string; readonly number: bigint } | null;
  /** Whether the booking is stored already, and waited for its ledger. */
  readonly was_pending: boolean;
}

/**
 * Stores that accruals are booked, with rows, rates and audit events; inside the transaction that booked
 * them, as its last statements. Answers the accruals as the API shows them, in their order.
 */
export async function storeBooked(
  cx: Context,
  booked: readonly BookedAccrual[],
): Promise<JsonText[]> {
  if (booked.length === 0) return [];
  const { account_id, actor } = cx.caller;
  const booked_at = cx.clock.now();
  const fresh = booked.filter((one) => !one.was_pending);
  const pending = booked.filter((one) => one.was_pending);
  const rows = booked.map((one) => bookedRow(one, booked_at));
  const by = `${actor.kind}:${actor.id}`;
  await together([
    upsertAccruals(cx, rows),
    insertBookings(cx, fresh, booked_at, by),
    ...pending.map((one) =>
      query(
        cx.db,
        `update accrual_bookings set state = 'booked', voucher_number = $4, booked_at = $5, booked_by = $6
         where account_id = $1 and accrual_id = $2 and revision = $3`,
        [account_id, one.accrual_id, one.revision, one.voucher?.number ?? null, booked_at, by],
      ),
    ),
    insertRows(cx, booked, false),
    insertRates(cx, booked),
  ]);
  const documents = rows.map(presentAccrual);
  await recordAudits(
    cx,
    rows.map(
      (row, index): AuditEntry => ({
        action: "booked",
        resource_type: "accrual",
        resource_id: row.id,
        before: presentAccrual(draftOf(row)),
        after: documents[index] ?? null,
      }),
    ),
  );
  return documents;
}

/** Takes the rows and rates of a booking back. The series of revisions goes on. */
export async function storeReversal(cx: Context, decided: DecidedAccrual): Promise<void> {
  await together([
    insertRows(cx, [decided], true),
    query(
      cx.db,
      "delete from accrual_rates where account_id = $1 and accrual_id = $2 and revision = $3",
      [cx.caller.account_id, decided.accrual_id, decided.revision],
    ),
  ]);
}

/** A booking that waits for the answer of an external ledger. */
export async function storePending(
  cx: Context,
  { accrual_id, revision, snapshot }: DecidedAccrual,
  voucher_guid: string,
): Promise<void> {
  const { account_id } = cx.caller;
  await together([
    query(
      cx.db,
      `insert into accruals (account_id, id, customer_id, month, status, revision)
       values ($1, $2, $3, $4, 'draft', $5)
       on conflict (account_id, id) do update set revision = $5`,
      [account_id, accrual_id, snapshot.customer.id, snapshot.month, revision],
    ),
    query(
      cx.db,
      `insert into accrual_bookings (account_id, accrual_id, revision, state, snapshot, voucher_guid)
       values ($1, $2, $3, 'pending', $4, $5)`,
      [account_id, accrual_id, revision, freeze(snapshot), voucher_guid],
    ),
  ]);
}

function bookedRow(
  { accrual_id, revision, snapshot, voucher }: BookedAccrual,
  booked_at: Timestamp,
): AccrualRow {
  return {
    id: accrual_id,
    customer_id: snapshot.customer.id,
    month: snapshot.month,
    status: "booked",
    revision,
    original_month: snapshot.original_month,
    ledger_voucher_guid: voucher?.guid ?? null,
    ledger_voucher_number: voucher?.number ?? null,
    booked_at,
  };
}

/** The accrual before it was booked, and after it was reopened. */
export function draftOf(row: AccrualRow): AccrualRow {
  return {
    ...row,
    status: "draft",
    original_month: null,
    ledger_voucher_guid: null,
    ledger_voucher_number: null,
    booked_at: null,
  };
}

function upsertAccruals(cx: Context, rows: readonly AccrualRow[]): Promise<unknown> {
  const { columns, table } = tableOf(rows, {
    id: ["uuid", (row) => row.id],
    customer_id: ["uuid", (row) => row.customer_id],
    month: ["text", (row) => row.month],
    revision: ["int", (row) => row.revision],
    original_month: ["text", (row) => row.original_month],
    ledger_voucher_guid: ["uuid", (row) => row.ledger_voucher_guid],
    ledger_voucher_number: ["bigint", (row) => row.ledger_voucher_number],
  });
  return query(
    cx.db,
    sql`insert into accruals (account_id, status, booked_at, ${columns})
      select ${cx.caller.account_id}, 'booked', ${rows[0]?.booked_at ?? null}, a.* from ${table} as a
      on conflict (account_id, id) do update set status = 'booked', booked_at = excluded.booked_at,
        revision = excluded.revision, original_month = excluded.original_month,
        ledger_voucher_guid = excluded.ledger_voucher_guid,
        ledger_voucher_number = excluded.ledger_voucher_number`,
  );
}

function insertBookings(
  cx: Context,
  booked: readonly BookedAccrual[],
  booked_at: Timestamp,
  booked_by: string,
): Promise<unknown> {
  if (booked.length === 0) return Promise.resolve();
  const { columns, table } = tableOf(booked, {
    accrual_id: ["uuid", (one) => one.accrual_id],
    revision: ["int", (one) => one.revision],
    snapshot: ["lines", (one) => freeze(one.snapshot)],
    voucher_guid: ["uuid", (one) => one.voucher?.guid ?? null],
    voucher_number: ["bigint", (one) => one.voucher?.number ?? null],
  });
  return query(
    cx.db,
    sql`insert into accrual_bookings (account_id, state, booked_at, booked_by, ${columns})
      select ${cx.caller.account_id}, 'booked', ${booked_at}, ${booked_by}, b.* from ${table} as b`,
  );
}

function insertRows(
  cx: Context,
  decided: readonly DecidedAccrual[],
  is_reversal: boolean,
): Promise<unknown> {
  const sign = is_reversal ? -1n : 1n;
  const rows = decided.flatMap(({ accrual_id, revision, snapshot }) =>
    snapshot.lines.flatMap((line) =>
      line.rows.map((row) => ({
        accrual_id,
        revision,
        customer_id: snapshot.customer.id,
        line,
        row,
        users: row.users.map(([user_id, amount]) => [user_id, sign * amount] as const),
      })),
    ),
  );
  if (rows.length === 0) return Promise.resolve();
  // A booking whose rates are missing is refused before it comes here.
  const known = (amount: bigint | null): bigint => sign * (amount ?? 0n);
  const { columns, table } = tableOf(rows, {
    accrual_id: ["uuid", (one) => one.accrual_id],
    revision: ["int", (one) => one.revision],
    customer_id: ["uuid", (one) => one.customer_id],
    line_id: ["uuid", (one) => one.line.line_id],
    month: ["text", (one) => one.row.month],
    account_number: ["int", (one) => one.line.account_number],
    currency: ["text", (one) => one.line.currency],
    invoice_id: ["uuid", (one) => one.line.invoice_id],
    series_id: ["uuid", (one) => one.line.series_id],
    period: ["text", (one) => one.line.period],
    product_id: ["uuid", (one) => one.line.product_id],
    earned: ["bigint", (one) => sign * one.row.earned],
    invoiced: ["bigint", (one) => sign * one.row.invoiced],
    earned_functional: ["bigint", (one) => known(one.row.earned_functional)],
    invoiced_functional: ["bigint", (one) => sign * one.row.invoiced_functional],
    exchange_difference: ["bigint", (one) => known(one.row.exchange_difference)],
    users: ["text", (one) => userPartsText(one.users)],
  });
  return query(
    cx.db,
    sql`insert into accrual_rows (account_id, is_reversal, ${columns})
      select ${cx.caller.account_id}, ${is_reversal}, r.* from ${table} as r`,
  );
}

/** The first booking that used a month's rate decides it for the customer. */
function insertRates(cx: Context, decided: readonly DecidedAccrual[]): Promise<unknown> {
  const rates = decided.flatMap(({ accrual_id, revision, snapshot }) =>
    snapshot.rates.map((rate) => ({
      ...rate,
      accrual_id,
      revision,
      customer_id: snapshot.customer.id,
    })),
  );
  if (rates.length === 0) return Promise.resolve();
  const { columns, table } = tableOf(rates, {
    customer_id: ["uuid", (rate) => rate.customer_id],
    currency: ["text", (rate) => rate.currency],
    month: ["text", (rate) => rate.month],
    rate_micro: ["bigint", (rate) => rate.rate_micro],
    accrual_id: ["uuid", (rate) => rate.accrual_id],
    revision: ["int", (rate) => rate.revision],
  });
  return query(
    cx.db,
    sql`insert into accrual_rates (account_id, ${columns})
      select ${cx.caller.account_id}, r.* from ${table} as r
      on conflict do nothing`,
  );
}
