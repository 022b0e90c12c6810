/** Presents an accrual with all details as the API shows it. Amounts become JSON numbers here. */

import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Month } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { type AccrualContract, isNothing } from "../../../domain/revenue/accrual.ts";
import type { Position } from "../../../domain/revenue/contract.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { AccrualDetail } from "./schemas.ts";
import type { AccrualSnapshot, SnapshotEntry, SnapshotLine } from "./snapshot.ts";

/** An accrual as stored; the details of a draft are not stored. */
export interface StoredAccrual {
  readonly id: string;
  readonly customer_id: string;
  readonly month: Month;
  readonly status: "draft" | "booked";
  readonly revision: number;
  readonly original_month: Month | null;
  readonly ledger_voucher_guid: string | null;
  readonly ledger_voucher_number: bigint | null;
  readonly booked_at: Timestamp | null;
}

/** Presents the accrual with its details; `is_pending` is true while an external ledger has not confirmed the booking. */
export function presentDetail(
  row: StoredAccrual,
  snapshot: AccrualSnapshot,
  is_pending: boolean,
): JsonText {
  const digits = currencyDigits(snapshot.functional_currency);
  const money = (amount: Money): number => scaledToNumber(amount, digits);
  const { figures } = snapshot;
  return jsonText(
    AccrualDetail.parse({
      object: "accrual",
      id: row.id,
      customer_id: row.customer_id,
      accrual_month: row.month,
      original_accrual_month: snapshot.original_month,
      status: row.status,
      ledger_voucher_guid: row.ledger_voucher_guid,
      ledger_voucher_number:
        row.ledger_voucher_number === null ? null : Number(row.ledger_voucher_number),
      booked_at: row.booked_at,
      functional_currency: snapshot.functional_currency,
      totals: totalsOf(figures, money),
      contracts: figures?.contracts.map((contract) => contractOf(contract, money)) ?? null,
      lines: snapshot.lines
        .filter((line) => isShown(line))
        .map((line) => lineOf(line, snapshot.functional_currency)),
      entries: figures === null ? null : snapshot.entries.map((entry) => entryOf(entry, money)),
      revision: row.revision,
      pending: is_pending,
    }),
  );
}

function totalsOf(figures: AccrualSnapshot["figures"], money: (amount: Money) => number) {
  if (figures === null) return null;
  const { before, after } = figures;
  return {
    earned: money(figures.earned),
    invoiced: money(figures.invoiced),
    exchange_difference: money(figures.exchange_difference),
    ...positions("contract_asset", "asset", before, after, money),
    ...positions("contract_liability", "liability", before, after, money),
  };
}

function positions(
  name: string,
  side: keyof Position,
  before: Position,
  after: Position,
  money: (amount: Money) => number,
) {
  return {
    [`${name}_opening`]: money(before[side]),
    [`${name}_movement`]: money(after[side] - before[side]),
    [`${name}_closing`]: money(after[side]),
  };
}

function contractOf(contract: AccrualContract, money: (amount: Money) => number) {
  const { before, after } = contract;
  return {
    invoice_id: contract.invoice_id,
    series_id: contract.series_id,
    // A booking from before opening contracts has frozen none.
    opening_contract_id: contract.opening_contract_id ?? null,
    contract_asset_before: money(before.asset),
    contract_asset_after: money(after.asset),
    contract_asset_movement: money(after.asset - before.asset),
    contract_liability_before: money(before.liability),
    contract_liability_after: money(after.liability),
    contract_liability_movement: money(after.liability - before.liability),
  };
}

/** Leaves out rows that only move revenue between users: these are not part of the voucher, and not shown with it. */
function shownRows({ rows }: SnapshotLine) {
  return rows.filter((row) => !isNothing(row));
}

function isShown(line: SnapshotLine): boolean {
  return shownRows(line).length > 0 || line.balance_before !== 0n || line.balance_after !== 0n;
}

function lineOf(line: SnapshotLine, functional_currency: string) {
  const digits = currencyDigits(line.currency);
  const functional_digits = currencyDigits(functional_currency);
  const is_foreign = line.currency !== functional_currency;
  const own = (amount: Money): number => scaledToNumber(amount, digits);
  const functional = (amount: Money | null): number | null =>
    amount === null ? null : scaledToNumber(amount, functional_digits);
  const { balance_before, balance_after } = line;
  const movement =
    balance_before === null || balance_after === null ? null : balance_after - balance_before;
  return {
    line_id: line.line_id,
    invoice_id: line.invoice_id,
    series_id: line.series_id,
    opening_contract_id: line.opening_contract_id ?? null,
    period: line.period,
    product_id: line.product_id,
    account_number: line.account_number,
    currency: line.currency,
    earned_to_date: own(line.earned_to_date),
    invoiced_to_date: own(line.invoiced_to_date),
    balance_before: functional(balance_before),
    balance_after: functional(balance_after),
    movement: functional(movement),
    months: shownRows(line).map((row) => ({
      month: row.month,
      earned: own(row.earned),
      invoiced: own(row.invoiced),
      carried: row.carried,
      ...(is_foreign
        ? {
            earned_functional: functional(row.earned_functional),
            invoiced_functional: functional(row.invoiced_functional),
            exchange_difference_functional: functional(row.exchange_difference),
          }
        : {}),
    })),
  };
}

function entryOf(
  { account_role, account_number, amount }: SnapshotEntry,
  money: (amount: Money) => number,
) {
  return {
    account_role,
    account_number,
    debit: money(amount > 0n ? amount : 0n),
    credit: money(amount < 0n ? -amount : 0n),
  };
}
