/**
 * Computes what the close of a month would book, without writing: the vouchers by customer with the lines that cause them, the
 * customers whose booking would be refused, and the lines whose revenue would be unassigned.
 */

import {
  addDays,
  type CalendarDate,
  lastDayOf,
  type Month,
} from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { requireBookable } from "../../../domain/revenue/accrual-booking.ts";
import { type ExplainedProgress, progressThrough } from "../../../domain/revenue/explanation.ts";
import type { RecognitionMethod } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { factsOfMonth } from "../accruals/book-accrual.ts";
import { requireLedger } from "../accruals/bookable.ts";
import type { AccrualSnapshot, SnapshotEntry, SnapshotLine } from "../accruals/snapshot.ts";
import {
  type CustomerPosition,
  type LineBalanceAtMonth,
  positionsFrom,
} from "../revenue-facts/positions.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { type Customer, closeErrorFrom, hasToBook } from "./book-batch.ts";
import { customersAfter } from "./book-in-batches.ts";
import type { CloseError } from "./schemas.ts";

/** Further errors are counted but not listed. */
const MOST_ERRORS = 100;
/** Further lines of a voucher, and further unassigned lines of a month, are counted but not listed. */
const MOST_LINES = 12;
const MOST_UNASSIGNED = 50;

/** An amount of a posting: debit above 0, in minor units of the functional currency. */
type Posting = SnapshotEntry & { readonly amount: Money };

/** The place of a line: the invoice, or the period of a series that has no invoice yet. */
interface PlacedLine {
  readonly line_id: string;
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly opening_contract_id: string | null;
  readonly period: string | null;
  /** The printed text of the line; null for a removed line. */
  readonly text: string | null;
}

/** A line that moves an amount in a voucher. */
interface VoucherLine extends PlacedLine {
  /** Null for a removed line. */
  readonly method: RecognitionMethod | null;
  /** The progress through the month; null for a removed line. */
  readonly progress: ExplainedProgress | null;
  /** The earliest month whose amounts the voucher books: before the month of the close for a late change. */
  readonly since: Month;
  /** What the voucher books of the line, in minor units of the functional currency. */
  readonly earned: Money;
  readonly invoiced: Money;
}

interface VoucherAhead {
  readonly customer_id: string;
  readonly customer: string;
  readonly entries: readonly Posting[];
  /** The lines that move the largest amounts; `more_lines` counts the others. */
  readonly lines: readonly VoucherLine[];
  readonly more_lines: number;
}

/** A line that would earn revenue without a user. */
interface UnassignedLine extends PlacedLine {
  readonly customer_id: string;
  readonly customer: string;
  readonly currency: string;
  /** In minor units of the line's currency. */
  readonly amount: Money;
  /** Whether its people can still be chosen: on a draft, or in an open period of a series. */
  readonly is_open: boolean;
}

export interface MonthAhead {
  /** The number of customers with something to book, refused ones too. */
  readonly seen: number;
  readonly with_voucher: number;
  readonly without_voucher: number;
  /** The first vouchers, by the customer's name. */
  readonly vouchers: readonly VoucherAhead[];
  /** One entry for each account over all vouchers, in the order of a voucher; sums of 0 are left out. */
  readonly entries: readonly Posting[];
  readonly failed: number;
  /** The first refusals. */
  readonly errors: readonly CloseError[];
  readonly unassigned: number;
  readonly unassigned_lines: readonly UnassignedLine[];
  /** Whether all customers were checked before the deadline. */
  readonly is_whole: boolean;
}

interface LookingAhead {
  readonly deadline: number;
  readonly most_vouchers: number;
  /** Called for each customer whose booking is decided, or is refused. */
  readonly onBooked?: (customer_id: string, snapshot: AccrualSnapshot) => void;
  readonly onRefused?: (customer_id: string) => void;
}

/**
 * Returns what the close of an open month would book, by the rules of the close, if the earlier months are closed. Customers
 * are checked in the order of the close until `deadline`, a moment of the machine's clock in milliseconds; `most_vouchers`
 * limits the listed vouchers.
 */
export async function lookAhead(
  cx: Reader,
  configuration: Configuration,
  month: Month,
  { deadline, most_vouchers, onBooked, onRefused }: LookingAhead,
): Promise<MonthAhead> {
  const ahead = new Ahead(configuration, month, most_vouchers);
  for (let at: Customer | null = null; ; ) {
    const customers: Customer[] = await customersAfter(cx, month, at);
    at = customers.at(-1) ?? null;
    if (at === null) return ahead.result(true);
    if (Date.now() >= deadline) return ahead.result(false);
    const ids = customers.map(({ id }) => id);
    const facts = await factsOfCustomers(cx, ids);
    for await (const position of positionsFrom(cx, configuration, facts, month)) {
      if (!hasToBook(position, month)) continue;
      try {
        const snapshot = await decidedAhead(cx, configuration, position, month);
        ahead.book(position, snapshot);
        onBooked?.(position.customer_id, snapshot);
      } catch (error) {
        cx.signal.throwIfAborted();
        ahead.refuse(closeErrorFrom(position.customer_id, error));
        onRefused?.(position.customer_id);
      }
    }
  }
}

/** The result for a month that is locked or not yet begun: it books nothing. */
export const NOTHING_AHEAD: MonthAhead = {
  seen: 0,
  with_voucher: 0,
  without_voucher: 0,
  vouchers: [],
  entries: [],
  failed: 0,
  errors: [],
  unassigned: 0,
  unassigned_lines: [],
  is_whole: true,
};

/** Adds up the bookings of the checked customers. */
class Ahead {
  #with_voucher = 0;
  #without_voucher = 0;
  #failed = 0;
  #unassigned = 0;
  readonly #vouchers: VoucherAhead[] = [];
  readonly #errors: CloseError[] = [];
  readonly #unassigned_lines: UnassignedLine[] = [];
  readonly #amounts = new Map<string, Posting>();

  readonly #configuration: Configuration;
  readonly #month: Month;
  readonly #most_vouchers: number;

  constructor(configuration: Configuration, month: Month, most_vouchers: number) {
    this.#configuration = configuration;
    this.#month = month;
    this.#most_vouchers = most_vouchers;
  }

  refuse(error: CloseError): void {
    this.#failed += 1;
    if (this.#errors.length < MOST_ERRORS) this.#errors.push(error);
  }

  book(position: CustomerPosition, { entries, lines }: AccrualSnapshot): void {
    if (entries.length === 0) this.#without_voucher += 1;
    else {
      this.#with_voucher += 1;
      if (this.#vouchers.length < this.#most_vouchers) {
        this.#vouchers.push(this.#voucherOf(position, entries, lines));
      }
    }
    for (const { account_role, account_number, amount } of entries) {
      const key = `${PLACE[account_role]} ${String(account_number ?? 0).padStart(9, "0")}`;
      const before = this.#amounts.get(key)?.amount ?? 0n;
      this.#amounts.set(key, { account_role, account_number, amount: before + amount });
    }
    this.#unassignedOf(position, lines);
  }

  result(is_whole: boolean): MonthAhead {
    return {
      seen: this.#with_voucher + this.#without_voucher + this.#failed,
      with_voucher: this.#with_voucher,
      without_voucher: this.#without_voucher,
      vouchers: this.#vouchers,
      entries: [...this.#amounts]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, entry]) => entry)
        .filter(({ amount }) => amount !== 0n),
      failed: this.#failed,
      errors: this.#errors,
      unassigned: this.#unassigned,
      unassigned_lines: this.#unassigned_lines,
      is_whole,
    };
  }

  #voucherOf(
    position: CustomerPosition,
    entries: readonly Posting[],
    lines: readonly SnapshotLine[],
  ): VoucherAhead {
    const moving = lines.filter(({ rows }) => rows.length > 0);
    const known = balancesOf(position);
    const listed = moving
      .map((line) => this.#voucherLine(line, known.get(line.line_id)))
      .sort((a, b) => (sizeOf(a) < sizeOf(b) ? 1 : sizeOf(a) > sizeOf(b) ? -1 : 0))
      .slice(0, MOST_LINES);
    return {
      customer_id: position.customer_id,
      customer: position.name,
      entries,
      lines: listed,
      more_lines: moving.length - listed.length,
    };
  }

  #voucherLine(line: SnapshotLine, balance: LineBalanceAtMonth | undefined): VoucherLine {
    const facts = balance?.facts ?? null;
    let [earned, invoiced, since] = [0n, 0n, this.#month];
    for (const row of line.rows) {
      earned += (row.earned_functional ?? 0n) + (row.exchange_difference ?? 0n);
      invoiced += row.invoiced_functional;
      if (row.month < since) since = row.month;
    }
    return {
      ...placeOf(line, balance),
      method: facts?.line.recognition_method ?? null,
      progress:
        facts === null
          ? null
          : progressThrough(facts, this.#configuration.recognition_convention, this.#month),
      since,
      earned,
      invoiced,
    };
  }

  #unassignedOf(position: CustomerPosition, lines: readonly SnapshotLine[]): void {
    const known = balancesOf(position);
    for (const line of lines) {
      const parts = line.rows.flatMap(({ users }) => users.filter(([user_id]) => user_id === null));
      if (parts.length === 0) continue;
      this.#unassigned += 1;
      if (this.#unassigned_lines.length >= MOST_UNASSIGNED) continue;
      const balance = known.get(line.line_id);
      this.#unassigned_lines.push({
        ...placeOf(line, balance),
        customer_id: position.customer_id,
        customer: position.name,
        currency: line.currency,
        amount: parts.reduce((sum, [, amount]) => sum + amount, 0n),
        is_open: balance?.facts != null && balance.facts.issue_date === null,
      });
    }
  }
}

function balancesOf({ line_balances }: CustomerPosition): Map<string, LineBalanceAtMonth> {
  return new Map(line_balances.map((balance) => [balance.line_id, balance]));
}

function placeOf(line: SnapshotLine, balance: LineBalanceAtMonth | undefined): PlacedLine {
  const { line_id, invoice_id, series_id, opening_contract_id, period } = line;
  const known = balance?.facts?.line;
  const text = known === undefined ? null : (known.description_override ?? known.product_name);
  return { line_id, invoice_id, series_id, opening_contract_id, period, text };
}

function sizeOf({ earned, invoiced }: VoucherLine): Money {
  const moved = earned - invoiced;
  return moved < 0n ? -moved : moved;
}

const PLACE: Readonly<Record<SnapshotEntry["account_role"], number>> = {
  contract_asset: 1,
  contract_liability: 2,
  revenue: 3,
  exchange_difference: 4,
};

/** Decides the accrual that would be booked when the month has ended. Throws the obstacle of this customer alone. */
async function decidedAhead(
  cx: Reader,
  configuration: Configuration,
  position: CustomerPosition,
  month: Month,
): Promise<AccrualSnapshot> {
  const facts = await factsOfMonth(cx, configuration, position, month, 1);
  // Missing accounts of roles are reported once, for the whole close.
  requireBookable({
    ...facts,
    month,
    today: dayAfter(month),
    earlier_open: null,
    missing_roles: [],
  });
  requireLedger(facts);
  return facts.accrual.snapshot;
}

const dayAfter = (month: Month): CalendarDate => addDays(lastDayOf(month), 1);
