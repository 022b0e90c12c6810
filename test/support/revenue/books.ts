/** The books of one customer in memory: the booked amounts of its lines, and how far the books are closed. */

import type { Month } from "../../../src/domain/base/calendar.ts";
import type { Money } from "../../../src/domain/base/money.ts";
import {
  type Accrual,
  accrualFrom,
  accrualLines,
  type BookedMonth,
  earlierOpenMonth,
  type LineBalance,
  type LineBalanceKey,
  laterMonth,
} from "../../../src/domain/revenue/accrual.ts";
import {
  type ForeignLine,
  type FunctionalMonth,
  functionalMonths,
} from "../../../src/domain/revenue/functional.ts";
import { earnedMonths, lineAmount } from "../../../src/domain/revenue/recognition.ts";
import { functional } from "../../../src/domain/sales/totals.ts";
import { factsOf, type GivenLine, LATEST } from "./revenue.ts";

/** A line of the customer, with its months by its current facts. */
export interface Sale {
  readonly of: LineBalanceKey;
  readonly now: readonly FunctionalMonth[];
}

interface SaleOptions {
  readonly series?: string;
  readonly account?: number;
  /** For a line in a foreign currency. */
  readonly foreign?: ForeignLine;
}

/** A line of an invoice with the same id, or of a series. */
export function sale(id: string, given: GivenLine, options: SaleOptions = {}): Sale {
  const months = earnedMonths(factsOf(given), "monthly", LATEST);
  const { series = null, account = 1000, foreign = null } = options;
  return {
    of: {
      line_id: id,
      invoice_id: series === null ? `invoice of ${id}` : null,
      series_id: series,
      opening_contract_id: null,
      period: null,
      product_id: "product",
      account_number: account,
      currency: foreign === null ? "DKK" : "USD",
    },
    now: functionalMonths(months, foreign),
  };
}

/** Rates in units of the books' currency, which has two decimals; credits are booked in their order. */
export function foreignLine(
  given: GivenLine,
  closing: (month: Month) => number | null,
  issue_rate: number,
): ForeignLine {
  const micro = (rate: number) => BigInt(Math.round(rate * 1_000_000));
  const facts = factsOf(given);
  const from_digits = given.digits ?? 2;
  const at = { rate_micro: micro(issue_rate), from_digits, to_digits: 2 };
  let rest = lineAmount(facts);
  const amount_functional = functional(rest, at);
  const credits = facts.credits.map(({ effective, amount }) => {
    const credit = functional(rest, at) - functional(rest - amount, at);
    rest -= amount;
    return { effective, functional: credit };
  });
  return {
    from_digits,
    to_digits: 2,
    closingRate: (month) => {
      const rate = closing(month);
      return rate === null ? null : micro(rate);
    },
    issue:
      facts.issue_date === null
        ? null
        : { date: facts.issue_date, rate_micro: at.rate_micro, amount_functional, credits },
  };
}

export class Books {
  #closed_through: Month | null = null;
  readonly #booked = new Map<
    string,
    { readonly of: LineBalanceKey; months: readonly BookedMonth[] }
  >();

  get closed_through(): Month | null {
    return this.#closed_through;
  }

  /** The current lines, and those with booked amounts. */
  lineBalances(sales: readonly Sale[]): LineBalance[] {
    const known = new Map(sales.map((one) => [keyOf(one.of), one]));
    for (const [key, { of }] of this.#booked) {
      if (!known.has(key)) known.set(key, { of, now: [] });
    }
    return [...known].map(([key, { of, now }]) => ({
      ...of,
      now,
      booked: this.#booked.get(key)?.months ?? [],
    }));
  }

  draft(month: string, ...sales: readonly Sale[]): Accrual {
    const lines = accrualLines(this.lineBalances(sales), this.#closed_through, month as Month);
    return accrualFrom(month as Month, [...lines]);
  }

  /** Refuses the months that the service refuses: a month without a rate, or before which an open month is not booked. */
  book(month: string, ...sales: readonly Sale[]): Accrual {
    const earlier = earlierOpenMonth(
      this.lineBalances(sales),
      this.#closed_through,
      month as Month,
    );
    if (earlier !== null) throw new Error(`${earlier} is open`);
    const accrual = this.draft(month, ...sales);
    if (accrual.figures === null) throw new Error(`a rate is missing in ${month}`);
    this.#add(accrual, 1n);
    this.#closed_through = month as Month;
    return accrual;
  }

  /** Reverses the last booked accrual. */
  reopen(accrual: Accrual, closed_through: string | null): void {
    this.#add(accrual, -1n);
    this.#closed_through = closed_through as Month | null;
  }

  lock(month: string): void {
    this.#closed_through = laterMonth(this.#closed_through, month as Month);
  }

  #add({ lines }: Accrual, sign: bigint): void {
    for (const { line_balance, rows } of lines) {
      const { now, booked, ...of } = line_balance;
      const before = this.#booked.get(keyOf(of))?.months ?? [];
      const months = new Map(before.map((one) => [one.month, one]));
      for (const row of rows) months.set(row.month, sum(months.get(row.month), row, sign));
      const in_order = [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
      this.#booked.set(keyOf(of), { of, months: in_order });
    }
  }
}

/** The voucher as account and amount in units, debit above 0. */
export function voucher({ figures }: Accrual): [account: string, amount: number][] | null {
  return (
    figures?.entries.map(({ account_role, account_number, amount }) => [
      account_number === null ? account_role : `${account_role} ${account_number}`,
      units(amount),
    ]) ?? null
  );
}

/** Line, month, earned and invoiced of rows, in units; carried rows are marked. */
export function rowsIn({ lines }: Accrual): [string, string, number, number, ...string[]][] {
  return lines.flatMap(({ line_balance, rows }) =>
    rows.map((row): [string, string, number, number, ...string[]] => [
      line_balance.line_id,
      row.month,
      units(row.earned),
      units(row.invoiced),
      ...(row.carried ? ["carried"] : []),
    ]),
  );
}

export function units(amount: Money): number {
  return Number(amount) / 100;
}

function keyOf({ line_id, account_number, currency }: LineBalanceKey): string {
  return `${line_id} ${account_number} ${currency}`;
}

function sum(booked: BookedMonth | undefined, row: FunctionalMonth, sign: bigint): BookedMonth {
  return {
    month: row.month,
    earned: (booked?.earned ?? 0n) + sign * row.earned,
    invoiced: (booked?.invoiced ?? 0n) + sign * row.invoiced,
    earned_functional: (booked?.earned_functional ?? 0n) + sign * (row.earned_functional ?? 0n),
    invoiced_functional: (booked?.invoiced_functional ?? 0n) + sign * row.invoiced_functional,
    exchange_difference:
      (booked?.exchange_difference ?? 0n) + sign * (row.exchange_difference ?? 0n),
  };
}
