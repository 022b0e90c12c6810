/** Stores many bookings together: their rows and the booked accruals. A reopening stores rows with reversed signs. */

import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { insert, type Sql, sql, tableOf, update } from "../../../platform/database/sql.ts";
import { freeze, type JsonText } from "../../../platform/runtime/json.ts";
import type { StoredAccrual } from "./present.ts";
import { presentAccrual } from "./queries.ts";
import { type AccrualSnapshot, userPartsText } from "./snapshot.ts";

/** An accrual whose booking is decided. */
export interface DecidedAccrual {
  readonly accrual_id: string;
  readonly revision: number;
  readonly snapshot: AccrualSnapshot;
}

/** The voucher as the ledger booked it. */
interface Voucher {
  readonly guid: string;
  readonly number: bigint;
  /** The year of the voucher number, where numbers restart each year. */
  readonly year: number | null;
  /** The connection that booked it; null for the built-in ledger. */
  readonly connection_id: string | null;
}

/** An accrual with its booked voucher; the voucher is null when there was nothing to post. */
interface BookedAccrual extends DecidedAccrual {
  readonly voucher: Voucher | null;
  /** Whether the booking was stored earlier, and waited for its ledger. */
  readonly was_pending: boolean;
}

/**
 * Stores booked accruals, with rows, rates and audit events, as the last SQL statements of the transaction that booked the
 * accruals. Returns the accruals as the API shows them, in their order.
 */
export function storeBooked(tx: Tx, booked: readonly BookedAccrual[]): JsonText[] {
  if (booked.length === 0) return [];
  const { actor } = tx.caller;
  const booked_at = tx.clock.now();
  const booked_by = `${actor.kind}:${actor.id}`;
  const rows = booked.map((one) => bookedRow(one, booked_at));
  upsertAccruals(tx, rows);
  insertBookings(
    tx,
    booked.filter((one) => !one.was_pending),
    booked_at,
    booked_by,
  );
  for (const one of booked.filter(({ was_pending }) => was_pending)) {
    const voucher_number = one.voucher?.number ?? null;
    const numbered = {
      voucher_number,
      voucher_year: one.voucher?.year ?? null,
      ledger_connection_id: one.voucher?.connection_id ?? null,
    };
    const settled = { state: "booked", ...numbered, booked_at, booked_by } as const;
    tx.write(sql`${update("accrual_bookings", settled)} ${bookingIn(tx, one)}`);
  }
  insertRows(tx, booked, false);
  insertRates(tx, booked);
  const documents = rows.map((row) => presentAccrual(row));
  for (const [index, row] of rows.entries()) {
    const after = documents[index] ?? null;
    tx.audit("accrual", row.id, "booked", { before: presentAccrual(draftOf(row)), after });
  }
  return documents;
}

/** Stores a booking that waits for the result of an external ledger. */
export function storePending(
  tx: Tx,
  { accrual_id, revision, snapshot }: DecidedAccrual,
  voucher_guid: string,
): void {
  const { account_id } = tx.caller;
  const accrual = {
    account_id,
    id: accrual_id,
    month: snapshot.month,
    status: "draft",
    revision,
  } as const;
  tx.write(sql`${insert("accruals", { ...accrual, customer_id: snapshot.customer.id })}
    on conflict (account_id, id) do update set revision = ${revision}`);
  const booking = { account_id, accrual_id, revision, state: "pending", voucher_guid } as const;
  tx.write(insert("accrual_bookings", { ...booking, snapshot: freeze(snapshot) }));
}

/** Marks a booking whose reversal is requested from the ledger, if there is a voucher to reverse. */
export function markReversing(
  tx: Tx,
  accrual: DecidedAccrual,
  reversal_guid: string | null,
  reason: string,
): void {
  const reversing = { state: "reversing", reversal_guid, reason } as const;
  tx.write(sql`${update("accrual_bookings", reversing)} ${bookingIn(tx, accrual)}`);
}

/** Reverses a booking, with its rows and rates. The numbering of revisions continues. */
export function storeReversed(
  tx: Tx,
  accrual: DecidedAccrual,
  reversal: { readonly number: bigint; readonly year?: number } | null,
): void {
  const { account_id, actor } = tx.caller;
  insertRows(tx, [accrual], true);
  tx.write(sql`delete from accrual_rates ${bookingIn(tx, accrual)}`);
  const reversed = {
    state: "reversed" as const,
    reversal_number: reversal?.number ?? null,
    reversal_year: reversal?.year ?? null,
    reopened_at: tx.clock.now(),
    reopened_by: `${actor.kind}:${actor.id}`,
  };
  tx.write(sql`${update("accrual_bookings", reversed)} ${bookingIn(tx, accrual)}`);
  tx.write(sql`update accruals set status = 'draft', booked_at = null, original_month = null,
      ledger_voucher_guid = null, ledger_voucher_number = null
    where account_id = ${account_id} and id = ${accrual.accrual_id}`);
}

/** Returns the SQL condition for one revision, in `accrual_bookings` and the tables that refer to it. */
export function bookingIn(
  tx: Tx,
  { accrual_id, revision }: Pick<DecidedAccrual, "accrual_id" | "revision">,
): Sql {
  return sql`where account_id = ${tx.caller.account_id} and accrual_id = ${accrual_id} and revision = ${revision}`;
}

function bookedRow(
  { accrual_id, revision, snapshot, voucher }: BookedAccrual,
  booked_at: Timestamp,
): StoredAccrual {
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

/** Returns the accrual as a draft: as it was before the booking, and is after the reopening. */
export function draftOf(row: StoredAccrual): StoredAccrual {
  return {
    ...row,
    status: "draft",
    original_month: null,
    ledger_voucher_guid: null,
    ledger_voucher_number: null,
    booked_at: null,
  };
}

function upsertAccruals(tx: Tx, rows: readonly StoredAccrual[]): void {
  const { columns, table } = tableOf(rows, {
    id: ["uuid", (row) => row.id],
    customer_id: ["uuid", (row) => row.customer_id],
    month: ["text", (row) => row.month],
    revision: ["int", (row) => row.revision],
    original_month: ["text", (row) => row.original_month],
    ledger_voucher_guid: ["uuid", (row) => row.ledger_voucher_guid],
    ledger_voucher_number: ["bigint", (row) => row.ledger_voucher_number],
  });
  tx.write(sql`insert into accruals (account_id, status, booked_at, ${columns})
      select ${tx.caller.account_id}, 'booked', ${rows[0]?.booked_at ?? null}, a.* from ${table} as a
      on conflict (account_id, id) do update set status = 'booked', booked_at = excluded.booked_at,
        revision = excluded.revision, original_month = excluded.original_month,
        ledger_voucher_guid = excluded.ledger_voucher_guid,
        ledger_voucher_number = excluded.ledger_voucher_number`);
}

function insertBookings(
  tx: Tx,
  booked: readonly BookedAccrual[],
  booked_at: Timestamp,
  booked_by: string,
): void {
  if (booked.length === 0) return;
  const { columns, table } = tableOf(booked, {
    accrual_id: ["uuid", (one) => one.accrual_id],
    revision: ["int", (one) => one.revision],
    snapshot: ["lines", (one) => freeze(one.snapshot)],
    voucher_guid: ["uuid", (one) => one.voucher?.guid ?? null],
    voucher_number: ["bigint", (one) => one.voucher?.number ?? null],
    voucher_year: ["int", (one) => one.voucher?.year ?? null],
    ledger_connection_id: ["uuid", (one) => one.voucher?.connection_id ?? null],
  });
  tx.write(sql`insert into accrual_bookings (account_id, state, booked_at, booked_by, ${columns})
      select ${tx.caller.account_id}, 'booked', ${booked_at}, ${booked_by}, b.* from ${table} as b`);
}

function insertRows(tx: Tx, decided: readonly DecidedAccrual[], is_reversal: boolean): void {
  const signed = (amount: bigint): bigint => (is_reversal ? -amount : amount);
  const rows = decided.flatMap(({ accrual_id, revision, snapshot }) =>
    snapshot.lines.flatMap((line) =>
      line.rows.map((row) => ({
        accrual_id,
        revision,
        customer_id: snapshot.customer.id,
        line,
        row,
        users: is_reversal ? row.users.map(([id, amount]) => [id, -amount] as const) : row.users,
      })),
    ),
  );
  if (rows.length === 0) return;
  // An earlier check refuses bookings with missing rates.
  const known = (amount: bigint | null): bigint => signed(amount ?? 0n);
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
    earned: ["bigint", (one) => signed(one.row.earned)],
    invoiced: ["bigint", (one) => signed(one.row.invoiced)],
    earned_functional: ["bigint", (one) => known(one.row.earned_functional)],
    invoiced_functional: ["bigint", (one) => signed(one.row.invoiced_functional)],
    exchange_difference: ["bigint", (one) => known(one.row.exchange_difference)],
    users: ["text", (one) => userPartsText(one.users)],
    opening_contract_id: ["uuid", (one) => one.line.opening_contract_id ?? null],
  });
  tx.write(sql`insert into accrual_rows (account_id, is_reversal, ${columns})
      select ${tx.caller.account_id}, ${is_reversal}, r.* from ${table} as r`);
}

/** Stores the closing rates of bookings: the first booking that uses a month's rate fixes it for the customer. */
function insertRates(tx: Tx, decided: readonly DecidedAccrual[]): void {
  const rates = decided.flatMap(({ accrual_id, revision, snapshot }) =>
    snapshot.rates.map((rate) => ({
      ...rate,
      accrual_id,
      revision,
      customer_id: snapshot.customer.id,
    })),
  );
  if (rates.length === 0) return;
  const { columns, table } = tableOf(rates, {
    customer_id: ["uuid", (rate) => rate.customer_id],
    currency: ["text", (rate) => rate.currency],
    month: ["text", (rate) => rate.month],
    rate_micro: ["bigint", (rate) => rate.rate_micro],
    accrual_id: ["uuid", (rate) => rate.accrual_id],
    revision: ["int", (rate) => rate.revision],
  });
  tx.write(sql`insert into accrual_rates (account_id, ${columns})
      select ${tx.caller.account_id}, r.* from ${table} as r
      on conflict do nothing`);
}
