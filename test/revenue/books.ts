/**
 * The state of the books after each step, read with SQL: entries balance and existing bookings do not
 * change, nothing is dated in locked time, and the accounts equal the sums of the booked rows.
 */
import { expect } from "vitest";
import type { Json } from "../support/world/world.ts";
import { lastDay, ROLES, type Studio } from "./studio.ts";

/** A booked row with its accrual month. */
export interface Row {
  readonly key: string;
  readonly accrual_id: string;
  readonly accrual_month: string;
  readonly customer_id: string;
  readonly line_id: string;
  readonly contract: string;
  readonly month: string;
  readonly account_number: number;
  readonly currency: string;
  readonly earned: bigint;
  readonly invoiced: bigint;
  readonly earned_functional: bigint;
  readonly invoiced_functional: bigint;
  readonly exchange_difference: bigint;
  readonly whole: string;
  /** Booked by the entry of an opening contract, not by an accrual. */
  readonly is_brought: boolean;
}

interface Posting {
  readonly entry_no: bigint;
  readonly guid: string;
  readonly kind: string;
  readonly entry_date: string;
  readonly account_number: number;
  readonly amount: bigint;
  /** The customer of a voucher or document. */
  readonly customer_id: string;
  /** The month of recognition: a credit before its invoice takes effect with it. */
  readonly effective: string;
}

export class Books {
  readonly #studio: Studio;
  #rows = new Map<string, string>();
  #entries = new Map<bigint, string>();
  #rates = new Map<string, string>();
  #lock: string | null = null;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Reads the books again and throws for a violated invariant since the last reading. */
  async check(): Promise<{ readonly rows: readonly Row[]; readonly postings: readonly Posting[] }> {
    const rows = (await this.#studio.sql(ROWS)) as Row[];
    const postings = (await this.#studio.sql(POSTINGS)) as Posting[];
    this.#requireKept(rows, postings);
    await this.#requireRates();
    const [{ period_lock_date }] = (await this.#studio.sql(
      "select period_lock_date::text from configurations where account_id = $1",
    )) as [{ period_lock_date: string | null }];
    this.#lock = period_lock_date;
    requireBalanced(postings);
    requireRoles(rows, postings);
    requireVouchers(rows, postings);
    return { rows, postings };
  }

  /** Invariants 9 and 10. */
  #requireKept(rows: readonly Row[], postings: readonly Posting[]): void {
    const now = new Map(rows.map((row) => [row.key, row.whole]));
    for (const [key, whole] of this.#rows) expect(now.get(key), "a booked row changed").toBe(whole);
    this.#rows = now;
    const entries = new Map<bigint, string>();
    for (const one of postings) {
      const text = `${one.guid} ${one.entry_date} ${one.account_number} ${one.amount};`;
      entries.set(one.entry_no, (entries.get(one.entry_no) ?? "") + text);
      if (this.#entries.has(one.entry_no) || this.#lock === null) continue;
      const reported = `${one.kind} ${one.guid} is dated in locked time, through ${this.#lock}`;
      expect(one.entry_date > this.#lock, reported).toBe(true);
    }
    for (const [number, text] of this.#entries) {
      expect(entries.get(number), "a booked entry changed").toBe(text);
    }
    this.#entries = entries;
  }

  /** A rate stays as long as a booking that used it is in effect. */
  async #requireRates(): Promise<void> {
    const rates = await this.#studio.sql(
      `select accrual_id || ' ' || revision || ' ' || currency || ' ' || month as key, rate_micro::text
       from accrual_rates where account_id = $1`,
    );
    const now = new Map(rates.map((one): [string, string] => [one.key, one.rate_micro]));
    for (const [key, rate] of this.#rates) {
      if (now.has(key)) expect(now.get(key), `the booked rate ${key} changed`).toBe(rate);
    }
    this.#rates = now;
  }
}

/** Invariant 5. */
function requireBalanced(postings: readonly Posting[]): void {
  for (const [entry, amount] of sums(postings, (one) => String(one.entry_no))) {
    expect(amount, `entry ${entry} does not balance`).toBe(0n);
  }
}

/** Invariant 6: the accounts of the roles equal the sums of the contracts. */
function requireRoles(rows: readonly Row[], postings: readonly Posting[]): void {
  const balances = sums(rows, (row) => `${row.customer_id} ${row.contract}`, balanceOf);
  let [asset, liability] = [0n, 0n];
  for (const balance of balances.values()) {
    if (balance > 0n) asset += balance;
    else liability -= balance;
  }
  const accounts = sums(postings, (one) => String(one.account_number));
  const on = (number: number): bigint => accounts.get(String(number)) ?? 0n;
  const exchange = sumOf(rows.map((row) => row.exchange_difference));
  expect(
    [on(ROLES.contract_asset), -on(ROLES.contract_liability), -on(ROLES.exchange_difference)],
    "contract assets, contract liabilities and exchange differences in the books",
  ).toEqual([asset, liability, exchange]);
}

/** Invariant 7, by accrual month: vouchers move each revenue account from invoiced to earned. */
function requireVouchers(rows: readonly Row[], postings: readonly Posting[]): void {
  const isRevenue = (one: Posting): boolean => one.account_number < 2000;
  const vouchers = postings.filter((one) => one.kind === "voucher" && isRevenue(one));
  const key = (one: { customer_id: string; account_number: number }, month: string): string =>
    `${one.customer_id} ${month} ${one.account_number}`;
  expect(
    sums(vouchers, (one) => key(one, one.entry_date.slice(0, 7))),
    "revenue that vouchers moved, by customer, month and account",
  ).toEqual(
    sums(
      rows.filter((row) => !row.is_brought),
      (row) => key(row, row.accrual_month),
      (row) => row.invoiced_functional - row.earned_functional,
    ),
  );
}

/**
 * Invariant 7 right after a booking: the customer's revenue in the ledger through that month equals
 * the booked earnings, account by account.
 */
export function requireRevenue(
  rows: readonly Row[],
  postings: readonly Posting[],
  customer_id: string,
  month: string,
): void {
  const ledger = sums(
    postings.filter(
      (one) =>
        one.customer_id === customer_id &&
        one.account_number < 2000 &&
        one.effective <= lastDay(month),
    ),
    (one) => String(one.account_number),
    (one) => -one.amount,
  );
  const earned = sums(
    rows.filter((row) => row.customer_id === customer_id),
    (row) => String(row.account_number),
    (row) => row.earned_functional,
  );
  expect(ledger, `revenue in the ledger and earned, through ${month}`).toEqual(earned);
}

function balanceOf(row: Row): bigint {
  return row.earned_functional - row.invoiced_functional + row.exchange_difference;
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** Sums by key, without those of 0, in the order of the keys. */
export function sums<Value>(
  values: readonly Value[],
  key: (value: Value) => string,
  amount: (value: Value) => bigint = (value) => (value as Json).amount,
): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const value of values) {
    found.set(key(value), (found.get(key(value)) ?? 0n) + amount(value));
  }
  return new Map([...found].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const ROWS = `
  select r.accrual_id || ' ' || r.revision || ' ' || r.is_reversal || ' ' || r.line_id || ' ' || r.month
      || ' ' || r.account_number || ' ' || r.currency as key,
    r.accrual_id, a.month as accrual_month, r.customer_id, r.line_id,
    coalesce(r.series_id, r.invoice_id, r.opening_contract_id)::text as contract, r.month, r.account_number, r.currency,
    r.earned::bigint, r.invoiced::bigint, r.earned_functional::bigint, r.invoiced_functional::bigint,
    r.exchange_difference::bigint, r::text as whole, false as is_brought
  from accrual_rows r join accruals a on a.account_id = $1 and a.id = r.accrual_id
  where r.account_id = $1
  union all
  select o.id || ' brought along', o.id, to_char(o.cutover, 'YYYY-MM'), o.customer_id, o.line_id, o.id::text,
    to_char(o.cutover, 'YYYY-MM'), o.account_number, o.currency, 0, o.invoiced - o.earned, 0, o.amount_functional, 0,
    o.amount || ' ' || o.amount_functional, true
  from opening_contracts o where o.account_id = $1
  union all
  select o.id || ' given back', o.id, to_char(o.ended_on, 'YYYY-MM'), o.customer_id, o.line_id, o.id::text,
    to_char(o.ended_on, 'YYYY-MM'), o.account_number, o.currency, 0, -o.returned, 0, -o.returned_functional, 0,
    o.returned || ' ' || o.returned_functional, true
  from opening_contracts o where o.account_id = $1 and o.ended_on is not null`;

const POSTINGS = `
  select e.entry_no::bigint, e.guid, e.kind, e.entry_date::text, p.account_number, p.amount::bigint,
    coalesce(i.customer_id, n.customer_id, a.customer_id, o.customer_id) as customer_id,
    greatest(e.entry_date, c.issue_date)::text as effective
  from ledger_entries e
  join ledger_postings p on p.account_id = $1 and p.entry_no = e.entry_no
  left join invoices i on i.account_id = $1 and i.id = e.guid
  left join credit_notes n on n.account_id = $1 and n.id = e.guid
  left join invoices c on c.account_id = $1 and c.id = n.invoice_id
  left join accrual_bookings b on b.account_id = $1 and (b.voucher_guid = e.guid or b.reversal_guid = e.guid)
  left join accruals a on a.account_id = $1 and a.id = b.accrual_id
  left join opening_contracts o on o.account_id = $1 and e.guid in (o.id, o.end_guid)
  where e.account_id = $1
  order by e.entry_no, p.line_no`;
