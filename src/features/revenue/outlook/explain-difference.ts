/**
 * Explains why the revenue of a month is not what its vouchers have booked, or what a close would book now: by cause, in minor units
 * of the currency of the books. The causes always add up to the difference.
 */
import type { Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { type LineCause, partsOfDifference } from "../../../domain/revenue/difference.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { currentMonth } from "../accruals/queries.ts";
import type { AccrualSnapshot } from "../accruals/snapshot.ts";
import { lookAhead } from "../closes/preview-bookings.ts";
import { blockersOf } from "../closes/preview-close.ts";
import { customersInScope } from "../reports/report-candidates.ts";
import { EVERYTHING } from "../reports/report-groups.ts";
import { type LineBalanceAtMonth, lineBalancesOf } from "../revenue-facts/positions.ts";
import { type CustomerFacts, type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { type LineSince, withLateFacts } from "./find-late-facts.ts";

export const comparisons = ["booked", "preview"] as const;
type Comparison = (typeof comparisons)[number];

/** Further causes, of whole customers. */
type CustomerCause = "earlier_months" | "not_booked" | "booked" | "refused";

export interface CauseOfDifference {
  readonly cause: LineCause | CustomerCause;
  readonly customer_id: string;
  readonly invoice_id: string | null;
  readonly credit_note_id: string | null;
  readonly amount: Money;
}

interface DifferenceOfMonth {
  /** What the month earns by the facts as they are now. */
  readonly now: Money;
  /** What the vouchers of the month have booked, or what its close would book. */
  readonly than: Money;
  /** In no order; none is 0. */
  readonly causes: readonly CauseOfDifference[];
}

/** How long the bookings of a close are computed. */
const MOST_MS = 20_000;

/** Returns the difference of a month, of one customer or of all; null while a closing rate is missing or the close takes too long. */
export async function differenceOf(
  cx: Reader,
  month: Month,
  compared_to: Comparison,
  customer_id: string | null,
): Promise<DifferenceOfMonth | null> {
  const configuration = await getConfiguration(cx);
  const ahead =
    compared_to === "preview" ? await bookedAhead(cx, configuration, month) : NOTHING_AHEAD;
  if (ahead === null) return null;
  let [now, than] = [0n, 0n];
  const causes: CauseOfDifference[] = [];
  for await (const ids of customersInScope(cx, { ...EVERYTHING, customer_id })) {
    const facts = await factsOfCustomers(cx, ids);
    const booked = await bookedIn(cx, ids, month);
    for (const customer of facts.customers) {
      const one = new CustomerMonth(cx, configuration, facts, customer, month);
      const found =
        compared_to === "booked"
          ? await one.sinceBooking(booked.get(customer.customer_id))
          : one.besideClose(ahead, booked.has(customer.customer_id));
      if (found === null) return null;
      now += found.now;
      than += found.than;
      causes.push(...found.causes);
    }
  }
  return { now, than, causes };
}

/** What the accrual of a customer and month has booked. */
interface BookedAccrual {
  readonly seq: bigint;
  /** What it has booked for its own month, by line, account and currency. */
  readonly lines: ReadonlyMap<string, Money>;
  /** What it has booked for earlier months. */
  readonly earlier: Money;
}

interface BookedRow {
  readonly customer_id: string;
  readonly key: string | null;
  readonly is_own: boolean | null;
  readonly earned: Money | null;
  readonly seq: bigint;
}

/** Returns the booked accruals of a month by customer. */
async function bookedIn(
  cx: Reader,
  customer_ids: readonly string[],
  month: Month,
): Promise<ReadonlyMap<string, BookedAccrual>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<BookedRow>(sql`
    select a.customer_id, r.line_id || ' ' || r.account_number || ' ' || r.currency as key,
      r.month = ${month} as is_own, sum(r.earned_functional)::bigint as earned,
      coalesce((select max(e.seq) from audit_events e
        where e.account_id = ${account_id} and e.resource_type = 'accrual'
          and e.resource_id = a.id::text and e.action = 'booked'), 0)::bigint as seq
    from accruals a
    left join accrual_rows r on r.account_id = ${account_id} and r.accrual_id = a.id
      and r.revision = a.revision
    where a.account_id = ${account_id} and a.month = ${month} and a.status = 'booked'
      and a.customer_id = any(${customer_ids})
    group by 1, 2, 3, 5`);
  const found = new Map<string, { seq: bigint; lines: Map<string, Money>; earlier: Money }>();
  for (const { customer_id, key, is_own, earned, seq } of rows) {
    const one = found.get(customer_id) ?? { seq, lines: new Map<string, Money>(), earlier: 0n };
    found.set(customer_id, one);
    if (key === null || earned === null) continue;
    if (is_own) one.lines.set(key, (one.lines.get(key) ?? 0n) + earned);
    else one.earlier += earned;
  }
  return found;
}

/** What the close of a month would book now, by customer. */
interface BookedAhead {
  readonly snapshots: ReadonlyMap<string, AccrualSnapshot>;
  readonly refused: ReadonlySet<string>;
}

const NOTHING_AHEAD: BookedAhead = { snapshots: new Map(), refused: new Set() };

/** Returns what `GET /period-closes/{month}/preview` adds up; null if there are too many customers. */
export async function bookedAhead(
  cx: Reader,
  configuration: Configuration,
  month: Month,
): Promise<BookedAhead | null> {
  const blockers = await blockersOf(cx, configuration, month);
  const is_locked = blockers.some(({ code }) => code === "PERIOD_LOCKED");
  if (is_locked || month > currentMonth(cx, configuration)) return NOTHING_AHEAD;
  const snapshots = new Map<string, AccrualSnapshot>();
  const refused = new Set<string>();
  const { is_whole } = await lookAhead(cx, configuration, month, {
    deadline: Date.now() + MOST_MS,
    most_vouchers: 0,
    onBooked: (customer_id, snapshot) => snapshots.set(customer_id, snapshot),
    onRefused: (customer_id) => refused.add(customer_id),
  });
  return is_whole ? { snapshots, refused } : null;
}

/** The month of one customer: what it earns now, compared in one of two ways. */
class CustomerMonth {
  readonly #cx: Reader;
  readonly #configuration: Configuration;
  readonly #balances: readonly LineBalanceAtMonth[];
  readonly #customer_id: string;
  readonly #month: Month;

  constructor(
    cx: Reader,
    configuration: Configuration,
    facts: Facts,
    customer: CustomerFacts,
    month: Month,
  ) {
    this.#cx = cx;
    this.#configuration = configuration;
    this.#month = month;
    this.#customer_id = customer.customer_id;
    this.#balances = [...lineBalancesOf(cx, configuration, facts, customer, month)];
  }

  /** Compares with the booked accrual; undefined where there is none. */
  async sinceBooking(booked: BookedAccrual | undefined): Promise<DifferenceOfMonth | null> {
    const now = this.#now();
    if (now === null) return null;
    if (booked === undefined) return { now, than: 0n, causes: this.#causes([["not_booked", now]]) };
    const left = new Map(booked.lines);
    const moved: { readonly since: LineSince; readonly booked: Money }[] = [];
    for (const balance of this.#balances) {
      const { line_id, account_number, currency } = balance;
      const key = `${line_id} ${account_number} ${currency}`;
      const was = left.get(key) ?? 0n;
      left.delete(key);
      if (this.#earned(balance) === was) continue;
      moved.push({ since: { balance, booked_seq: booked.seq }, booked: was });
    }
    // Rows of lines of which no booking is left.
    const gone = [...left.values()].reduce((sum, amount) => sum + amount, 0n);
    const causes = this.#causes([
      ["earlier_months", -booked.earlier],
      ["changed", -gone],
    ]);
    const dated = await withLateFacts(
      this.#cx,
      moved.map(({ since }) => since),
    );
    for (const [index, { since, dated: line }] of dated.entries()) {
      const { recognition_convention } = this.#configuration;
      const was = moved[index]?.booked ?? 0n;
      const parts = partsOfDifference(line, recognition_convention, this.#month, was);
      if (parts === null) return null;
      const { invoice_id } = since.balance;
      const customer_id = this.#customer_id;
      causes.push(...parts.map((part) => ({ ...part, customer_id, invoice_id })));
    }
    const own = [...booked.lines.values()].reduce((sum, amount) => sum + amount, 0n);
    return { now, than: own + booked.earlier, causes };
  }

  /** Compares with what the close of the month would book now. */
  besideClose({ snapshots, refused }: BookedAhead, is_booked: boolean): DifferenceOfMonth | null {
    const now = this.#now();
    if (now === null) return null;
    let [own, earlier] = [0n, 0n];
    for (const { month, earned_functional } of rowsOf(snapshots.get(this.#customer_id))) {
      if (month === this.#month) own += earned_functional ?? 0n;
      else earlier += earned_functional ?? 0n;
    }
    const rest = is_booked ? "booked" : refused.has(this.#customer_id) ? "refused" : "not_booked";
    const causes = this.#causes([
      ["earlier_months", -earlier],
      [rest, now - own],
    ]);
    return { now, than: own + earlier, causes };
  }

  #now(): Money | null {
    let sum = 0n;
    for (const balance of this.#balances) {
      const earned = this.#earned(balance);
      if (earned === null) return null;
      sum += earned;
    }
    return sum;
  }

  #earned({ now }: LineBalanceAtMonth): Money | null {
    const found = now.find((one) => one.month === this.#month);
    return found === undefined ? 0n : found.earned_functional;
  }

  #causes(parts: readonly (readonly [CauseOfDifference["cause"], Money])[]): CauseOfDifference[] {
    const none = { customer_id: this.#customer_id, invoice_id: null, credit_note_id: null };
    return parts
      .filter(([, amount]) => amount !== 0n)
      .map(([cause, amount]) => ({ ...none, cause, amount }));
  }
}

function rowsOf(snapshot: AccrualSnapshot | undefined) {
  return snapshot?.lines.flatMap(({ rows }) => rows) ?? [];
}
