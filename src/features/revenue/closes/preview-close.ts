/**
 * Previews the close of a month without writing: the obstacles, the warnings for a person, and the bookings. The rules are those
 * of the close, except that earlier months count as closed, so that the figures are available before all obstacles are removed.
 */

import {
  addDays,
  type CalendarDate,
  lastDayOf,
  type Month,
} from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import {
  requireBookable,
  requireEnded,
  requireRoles,
  requireUnlocked,
} from "../../../domain/revenue/accrual-booking.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { factsOfMonth } from "../accruals/book-accrual.ts";
import { requireLedger } from "../accruals/bookable.ts";
import { currentMonth, todayOf } from "../accruals/queries.ts";
import { type AccrualSnapshot, rolesOf, type SnapshotEntry } from "../accruals/snapshot.ts";
import { type CustomerPosition, positionsFrom } from "../revenue-facts/positions.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";
import type { Customer } from "./book-batch.ts";
import { closeErrorFrom, hasToBook } from "./book-batch.ts";
import { customersAfter } from "./book-in-batches.ts";
import { hasForeign } from "./close-month.ts";
import { requireEarlierClosed } from "./find-earlier.ts";
import { countsOf, findClose } from "./queries.ts";
import { type CloseError, ClosePreview, CloseWarning } from "./schemas.ts";
import { warningsOf } from "./warnings.ts";

/** Further errors are counted but not listed. */
const MOST_ERRORS = 100;

/** Returns the checklist of a month, within `most_ms` milliseconds; customers in `remaining` are not checked. */
export async function previewClose(cx: Reader, month: Month, most_ms: number): Promise<JsonText> {
  const deadline = Date.now() + most_ms;
  const configuration = await getConfiguration(cx);
  const row = await findClose(cx, month);
  const blockers = await blockersOf(cx, configuration, month);
  const ahead = new Ahead();
  const counts = await countsOf(cx, { month, status: "running", done_id: null, done_name: null });
  // A locked or future month books nothing.
  const is_open =
    month <= currentMonth(cx, configuration) &&
    !blockers.some(({ code }) => code === "PERIOD_LOCKED");
  const is_whole = is_open ? await lookAt(cx, configuration, month, ahead, deadline) : true;
  const warnings = await warningsOf(cx, month, ahead.unassigned);
  const digits = currencyDigits(configuration.functional_currency);
  const looked = counts.with_voucher + counts.without_voucher + ahead.seen;
  return jsonText(
    ClosePreview.parse({
      object: "period_close_preview",
      month,
      status: row === undefined ? "open" : row.status === "running" ? "partial" : row.status,
      is_blocked: blockers.length > 0,
      blockers,
      warnings: CloseWarning.array().parse(warnings),
      booked_with_voucher: counts.with_voucher,
      booked_without_voucher: counts.without_voucher,
      to_book_with_voucher: ahead.with_voucher,
      to_book_without_voucher: ahead.without_voucher,
      skipped: is_whole ? Math.max(0, counts.customers - looked) : 0,
      failed: ahead.failed,
      errors: ahead.errors,
      functional_currency: configuration.functional_currency,
      entries: ahead.entries().map(({ account_role, account_number, amount }) => ({
        account_role,
        account_number,
        debit: scaledToNumber(amount > 0n ? amount : 0n, digits),
        credit: scaledToNumber(amount < 0n ? -amount : 0n, digits),
      })),
      period_lock_date: configuration.period_lock_date,
      ...(is_whole ? {} : { remaining: Math.max(0, counts.customers - looked) }),
    }),
  );
}

interface Blocker {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Returns all refusals of `POST /period-closes` in this state, not only the first. */
async function blockersOf(
  cx: Reader,
  configuration: Configuration,
  month: Month,
): Promise<Blocker[]> {
  const has_foreign = await hasForeign(cx);
  const checks: readonly (() => void | Promise<void>)[] = [
    () => requireEnded(month, todayOf(cx, configuration)),
    () => requireUnlocked(month, configuration),
    () => requireEarlierClosed(cx, month),
    () => requireRoles(rolesOf(configuration), has_foreign),
  ];
  const blockers: Blocker[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, message, extras } = error;
      blockers.push({ code, message, ...(extras.details && { details: extras.details }) });
    }
  }
  return blockers;
}

/** Adds up the bookings of the checked customers. */
class Ahead {
  seen = 0;
  with_voucher = 0;
  without_voucher = 0;
  failed = 0;
  unassigned = 0;
  readonly errors: CloseError[] = [];
  readonly #amounts = new Map<string, SnapshotEntry>();

  refuse(error: CloseError): void {
    this.failed += 1;
    if (this.errors.length < MOST_ERRORS) this.errors.push(error);
  }

  book({ entries, lines }: AccrualSnapshot): void {
    if (entries.length > 0) this.with_voucher += 1;
    else this.without_voucher += 1;
    for (const { account_role, account_number, amount } of entries) {
      const key = `${PLACE[account_role]} ${String(account_number ?? 0).padStart(9, "0")}`;
      const before = this.#amounts.get(key)?.amount ?? 0n;
      this.#amounts.set(key, { account_role, account_number, amount: before + amount });
    }
    this.unassigned += lines.filter(({ rows }) =>
      rows.some(({ users }) => users.some(([user_id]) => user_id === null)),
    ).length;
  }

  /** Returns one entry for each account, in the order of a voucher; entries that add up to 0 are left out. */
  entries(): (SnapshotEntry & { readonly amount: Money })[] {
    return [...this.#amounts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entry]) => entry)
      .filter(({ amount }) => amount !== 0n);
  }
}

const PLACE: Readonly<Record<SnapshotEntry["account_role"], number>> = {
  contract_asset: 1,
  contract_liability: 2,
  revenue: 3,
  exchange_difference: 4,
};

/** Processes the customers as a close does; returns whether all were checked. */
async function lookAt(
  cx: Reader,
  configuration: Configuration,
  month: Month,
  ahead: Ahead,
  deadline: number,
): Promise<boolean> {
  for (let at: Customer | null = null; ; ) {
    const customers: Customer[] = await customersAfter(cx, month, at);
    at = customers.at(-1) ?? null;
    if (at === null) return true;
    if (Date.now() >= deadline) return false;
    const ids = customers.map(({ id }) => id);
    const facts = await factsOfCustomers(cx, ids);
    for await (const position of positionsFrom(cx, configuration, facts, month)) {
      if (!hasToBook(position, month)) continue;
      ahead.seen += 1;
      try {
        ahead.book(await decidedAhead(cx, configuration, position, month));
      } catch (error) {
        cx.signal.throwIfAborted();
        ahead.refuse(closeErrorFrom(position.customer_id, error));
      }
    }
  }
}

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
