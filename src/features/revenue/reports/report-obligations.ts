/**
 * Computes what is not earned at a month's end, by customer, in functional currency: the contract liability by its expected
 * release, and remaining performance obligations by year (IFRS 15.120). Both follow from the lines as they are known now.
 */
import { addToMonth, type Month } from "../../../domain/base/calendar.ts";
import { convert, type Money } from "../../../domain/base/money.ts";
import { contractKey, contractOf, positionOf } from "../../../domain/revenue/contract.ts";
import { type ExpectedMonth, releaseOf, remainingOf } from "../../../domain/revenue/obligations.ts";
import { lineAmount } from "../../../domain/revenue/recognition.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { currentMonth } from "../accruals/queries.ts";
import { type LineBalanceAtMonth, lineBalancesOf } from "../revenue-facts/positions.ts";
import { type CustomerFacts, type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { customersInScope } from "./report-candidates.ts";
import { EVERYTHING } from "./report-groups.ts";

/** The amounts of one customer, by month (`2026-11`) for the release of a liability, by year for obligations. */
export interface ObligationRow {
  readonly customer_id: string;
  readonly name: string;
  readonly total: Money;
  readonly by_time: ReadonlyMap<string, Money>;
  readonly undated: Money;
}

interface Obligations {
  readonly deferred: readonly ObligationRow[];
  readonly remaining: readonly ObligationRow[];
  /** The lines that are left out because a rate is missing. */
  readonly without_rate: number;
}

/** No service lasts longer than this after the month. */
const MOST_MONTHS_AHEAD = 600;

/** Returns the amounts at the end of a month, by the customer's name. Customers without an amount have no row. */
export async function readObligations(
  cx: Reader,
  configuration: Configuration,
  month: Month,
): Promise<Obligations> {
  const deferred: ObligationRow[] = [];
  const remaining: ObligationRow[] = [];
  let without_rate = 0;
  const slices = new Slices(cx.signal);
  for await (const ids of customersInScope(cx, EVERYTHING)) {
    const facts = await factsOfCustomers(cx, ids);
    for (const customer of facts.customers) {
      const found = await ofCustomer(cx, configuration, facts, customer, month, slices);
      if (found.deferred.total !== 0n) deferred.push(found.deferred);
      if (found.remaining.total !== 0n) remaining.push(found.remaining);
      without_rate += found.without_rate;
    }
  }
  const byName = (a: ObligationRow, b: ObligationRow) =>
    a.name < b.name || (a.name === b.name && a.customer_id < b.customer_id) ? -1 : 1;
  return { deferred: deferred.sort(byName), remaining: remaining.sort(byName), without_rate };
}

interface ContractAtMonth {
  balance: Money;
  /** Of its invoiced lines. */
  readonly expected: ExpectedMonth[];
}

async function ofCustomer(
  cx: Reader,
  configuration: Configuration,
  facts: Facts,
  customer: CustomerFacts,
  month: Month,
  slices: Slices,
) {
  const contracts = new Map<string, ContractAtMonth>();
  const remaining = new Sums(customer);
  let without_rate = 0;
  const current = currentMonth(cx, configuration);
  const through = addToMonth(month, MOST_MONTHS_AHEAD);
  for (const line of lineBalancesOf(cx, configuration, facts, customer, through, {
    is_whole: true,
  })) {
    if (slices.isOver) await slices.next();
    const key = contractKey(contractOf(line));
    const contract = contracts.get(key) ?? { balance: 0n, expected: [] };
    contracts.set(key, contract);
    if (line.now.some((one) => one.earned_functional === null)) {
      without_rate += 1;
      continue;
    }
    const expected = expectedAfter(line, month);
    contract.balance += balanceAt(line, month);
    if (isInvoicedBy(line, month)) contract.expected.push(...expected);
    const rest = restOf(line, month, current);
    if (rest === null) continue;
    const { years, undated } = remainingOf(rest, expected);
    for (const [year, amount] of years) remaining.add(year, amount);
    remaining.addUndated(undated);
  }
  const deferred = new Sums(customer);
  for (const { balance, expected } of contracts.values()) {
    const { months, undated } = releaseOf(positionOf(balance).liability, expected);
    for (const one of months) deferred.add(one.month, one.amount);
    deferred.addUndated(undated);
  }
  return { deferred: deferred.row(), remaining: remaining.row(), without_rate };
}

function expectedAfter(line: LineBalanceAtMonth, month: Month): ExpectedMonth[] {
  return line.now.flatMap((one) =>
    one.month > month && one.earned_functional !== 0n
      ? [{ month: one.month, earned: one.earned_functional ?? 0n }]
      : [],
  );
}

function balanceAt(line: LineBalanceAtMonth, month: Month): Money {
  return line.now.reduce(
    (sum, one) =>
      one.month > month
        ? sum
        : sum +
          (one.earned_functional ?? 0n) -
          one.invoiced_functional +
          (one.exchange_difference ?? 0n),
    0n,
  );
}

function isInvoicedBy({ facts }: LineBalanceAtMonth, month: Month): boolean {
  return facts?.issue_date != null && facts.issue_date.slice(0, 7) <= month;
}

/**
 * Whether the line was agreed by the month: it is invoiced, has earned or has begun. A draft without any date counts from
 * the current month on, because nothing says since when it was agreed.
 */
function isContractedBy(line: LineBalanceAtMonth, month: Month, current: Month): boolean {
  const { facts, now } = line;
  if (isInvoicedBy(line, month) || now.some((one) => one.month <= month)) return true;
  const service_from = facts?.line.service_from ?? null;
  if (service_from !== null) return service_from.slice(0, 7) <= month;
  return facts?.issue_date == null && month >= current;
}

/**
 * Returns what a line of a fixed price will still earn after the month; null for a line that is left out: one by hours, which is
 * invoiced as it is worked (15.121 b), and one that was removed.
 */
function restOf(line: LineBalanceAtMonth, month: Month, current: Month): Money | null {
  const { facts, foreign } = line;
  if (facts === null || facts.line.recognition_method === "hours") return null;
  if (!isContractedBy(line, month, current)) return null;
  const net = lineAmount(facts) - facts.credits.reduce((sum, { amount }) => sum + amount, 0n);
  const earned = line.now.reduce((sum, one) => (one.month > month ? sum : sum + one.earned), 0n);
  const ahead = line.now.reduce((sum, one) => (one.month > month ? sum + one.earned : sum), 0n);
  const known = expectedAfter(line, month).reduce((sum, one) => sum + one.earned, 0n);
  const undated = net - earned - ahead;
  if (foreign === null || undated === 0n) return known + undated;
  const rate_micro = foreign.issue?.rate_micro ?? foreign.closingRate(month);
  if (rate_micro === null) return known;
  const { from_digits, to_digits } = foreign;
  return known + convert(undated, rate_micro, from_digits, to_digits);
}

/** Adds up the amounts of a customer. */
class Sums {
  readonly #customer: CustomerFacts;
  readonly #by_time = new Map<string, Money>();
  #undated = 0n;
  #total = 0n;

  constructor(customer: CustomerFacts) {
    this.#customer = customer;
  }

  add(time: string, amount: Money): void {
    this.#by_time.set(time, (this.#by_time.get(time) ?? 0n) + amount);
    this.#total += amount;
  }

  addUndated(amount: Money): void {
    this.#undated += amount;
    this.#total += amount;
  }

  row(): ObligationRow {
    const { customer_id, name } = this.#customer;
    return {
      customer_id,
      name,
      total: this.#total,
      by_time: this.#by_time,
      undated: this.#undated,
    };
  }
}
