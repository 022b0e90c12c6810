/**
 * Previews the close of a month without writing: the obstacles, the warnings for a person, and the bookings. The rules are those
 * of the close, except that earlier months count as closed, so that the figures are available before all obstacles are removed.
 */

import type { Month } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import {
  requireEnded,
  requireRoles,
  requireUnlocked,
} from "../../../domain/revenue/accrual-booking.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { currentMonth, todayOf } from "../accruals/queries.ts";
import { rolesOf } from "../accruals/snapshot.ts";
import { hasForeign } from "./close-month.ts";
import { requireEarlierClosed } from "./find-earlier.ts";
import { lookAhead, type MonthAhead, NOTHING_AHEAD } from "./preview-bookings.ts";
import { type CloseRow, type Counts, countsOf, findClose } from "./queries.ts";
import { ClosePreview, CloseWarning } from "./schemas.ts";
import { warningsOf } from "./warnings.ts";

/** A month before its close: its obstacles, its warnings and its bookings. */
interface ClosePreviewed {
  /** Null for a month that was never closed. */
  readonly close: CloseRow | null;
  /** All refusals of a close in this state. */
  readonly blockers: readonly Blocker[];
  readonly warnings: readonly CloseWarning[];
  readonly counts: Counts;
  readonly ahead: MonthAhead;
}

/**
 * Returns the state of a month before its close, computed within `most_ms` milliseconds. `most_vouchers` limits the listed
 * vouchers. A locked month and a future one book nothing.
 */
export async function stateBeforeClose(
  cx: Reader,
  configuration: Configuration,
  month: Month,
  { most_ms, most_vouchers }: { readonly most_ms: number; readonly most_vouchers: number },
): Promise<ClosePreviewed> {
  const deadline = Date.now() + most_ms;
  const close = (await findClose(cx, month)) ?? null;
  const blockers = await blockersOf(cx, configuration, month);
  const counts = await countsOf(cx, { month, status: "running", done_id: null, done_name: null });
  const is_open =
    month <= currentMonth(cx, configuration) &&
    !blockers.some(({ code }) => code === "PERIOD_LOCKED");
  const ahead = is_open
    ? await lookAhead(cx, configuration, month, { deadline, most_vouchers })
    : NOTHING_AHEAD;
  const warnings = await warningsOf(cx, month, ahead.unassigned);
  return { close, blockers, warnings: CloseWarning.array().parse(warnings), counts, ahead };
}

/** Returns the checklist of a month, within `most_ms` milliseconds; customers in `remaining` are not checked. */
export async function previewClose(cx: Reader, month: Month, most_ms: number): Promise<JsonText> {
  const configuration = await getConfiguration(cx);
  const limits = { most_ms, most_vouchers: 0 };
  const { close, blockers, warnings, counts, ahead } = await stateBeforeClose(
    cx,
    configuration,
    month,
    limits,
  );
  const digits = currencyDigits(configuration.functional_currency);
  const looked = counts.with_voucher + counts.without_voucher + ahead.seen;
  const left = Math.max(0, counts.customers - looked);
  return jsonText(
    ClosePreview.parse({
      object: "period_close_preview",
      month,
      status: close === null ? "open" : close.status === "running" ? "partial" : close.status,
      is_blocked: blockers.length > 0,
      blockers,
      warnings,
      booked_with_voucher: counts.with_voucher,
      booked_without_voucher: counts.without_voucher,
      to_book_with_voucher: ahead.with_voucher,
      to_book_without_voucher: ahead.without_voucher,
      skipped: ahead.is_whole ? left : 0,
      failed: ahead.failed,
      errors: ahead.errors,
      functional_currency: configuration.functional_currency,
      entries: ahead.entries.map(({ account_role, account_number, amount }) => ({
        account_role,
        account_number,
        debit: scaledToNumber(amount > 0n ? amount : 0n, digits),
        credit: scaledToNumber(amount < 0n ? -amount : 0n, digits),
      })),
      period_lock_date: configuration.period_lock_date,
      ...(ahead.is_whole ? {} : { remaining: left }),
    }),
  );
}

/** A refusal that prevents the whole close. */
interface Blocker {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Returns all refusals of `POST /period-closes` in this state, not only the first. */
export async function blockersOf(
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
