/** Computes the bookings of a month before its close, for the page, its island and the confirmation. */
import * as z from "zod";
import { addToMonth, type Month } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { ProblemCode } from "../../domain/base/problem.ts";
import type { SnapshotEntry } from "../../features/revenue/accruals/snapshot.ts";
import { stateBeforeClose } from "../../features/revenue/closes/preview-close.ts";
import { namesOfCustomers } from "../../features/revenue/closes/read-month.ts";
import type { CloseError } from "../../features/revenue/closes/schemas.ts";
import { entriesByMonth } from "../../features/revenue/reports/report-groups.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import { defineLongWork } from "../frame/long-work.ts";
import type { BecomesShown, EntryShown, MonthAheadShown, RefusedShown } from "./ahead-shown.ts";

/** The longest computation, in milliseconds; further customers are counted and not checked. */
const MOST_MS = 18_000;
const MOST_VOUCHERS = 50;

export const MonthAsked = z.object({ month: z.custom<Month>() });

/** Computes the bookings of a month as work that may be long. Throws nothing but the faults of the database. */
export const monthAhead = defineLongWork({
  name: "pages.month_ahead",
  is_read: true,
  on_replica: true,
  work: shownAhead,
});

async function shownAhead(
  cx: PersonContext,
  { month }: { readonly month: Month },
): Promise<MonthAheadShown> {
  const configuration = await getConfiguration(cx);
  const limits = { most_ms: MOST_MS, most_vouchers: MOST_VOUCHERS };
  const { blockers, warnings, counts, ahead } = await stateBeforeClose(
    cx,
    configuration,
    month,
    limits,
  );
  const before = addToMonth(month, -1);
  const [names, entries] = await Promise.all([
    namesOfCustomers(
      cx,
      ahead.errors.map(({ customer_id }) => customer_id),
    ),
    entriesByMonth(cx, configuration, before, month),
  ]);
  const looked = counts.with_voucher + counts.without_voucher + ahead.seen;
  const left = Math.max(0, counts.customers - looked);
  const shown = {
    month,
    currency: configuration.functional_currency,
    with_voucher: ahead.with_voucher,
    without_voucher: ahead.without_voucher,
    skipped: ahead.is_whole ? left : 0,
    remaining: ahead.is_whole ? 0 : left,
    vouchers: ahead.vouchers.map((voucher) => ({
      ...voucher,
      entries: voucher.entries.map(entryShown),
      lines: voucher.lines.map(({ earned, invoiced, ...line }) => ({
        ...line,
        moved: `${earned - invoiced}`,
      })),
    })),
    entries: ahead.entries.map(entryShown),
    blockers: blockers.map(({ code, message, details }) =>
      refusedShown({ code, message, ...(details && { details }) }, null, null),
    ),
    warnings: warnings.map(({ code, count }) => ({ code, count })),
    failed: ahead.failed,
    refused: ahead.errors.map((error) => refusedOf(error, names)),
    unassigned: ahead.unassigned,
    unassigned_lines: ahead.unassigned_lines.map(({ amount, ...line }) => ({
      ...line,
      amount: `${amount}`,
    })),
    becomes: becomesOf(
      entries.find((entry) => entry.month === before),
      entries.find((entry) => entry.month === month),
    ),
  };
  const { vouchers: _, ...summed } = shown;
  return { ...shown, agreed: sha256(freeze(summed)).toString("base64url") };
}

function entryShown({ account_role, account_number, amount }: SnapshotEntry): EntryShown {
  return { role: account_role, account_number, amount: `${amount}` };
}

/** Returns a customer's refusal as pages show it. */
export function refusedOf(
  { customer_id, ...refused }: CloseError,
  names: ReadonlyMap<string, string>,
): RefusedShown {
  return refusedShown(refused, customer_id, names.get(customer_id) ?? null);
}

function refusedShown(
  {
    code,
    message,
    details,
  }: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
  },
  customer_id: string | null,
  customer: string | null,
): RefusedShown {
  const month = details?.month;
  return {
    refusal: { code: code as ProblemCode, message },
    customer_id,
    customer,
    month: typeof month === "string" ? month : null,
  };
}

interface Balances {
  readonly earned: Money | null;
  readonly invoiced: Money | null;
  readonly asset: Money | null;
  readonly liability: Money | null;
}

const NOTHING: Balances = { earned: 0n, invoiced: 0n, asset: 0n, liability: 0n };

function becomesOf(before: Balances = NOTHING, now: Balances = NOTHING): BecomesShown | null {
  const { earned, invoiced, asset, liability } = now;
  const amounts = [earned, invoiced, asset, liability, before.asset, before.liability];
  if (amounts.includes(null)) return null;
  return {
    earned: `${earned}`,
    invoiced: `${invoiced}`,
    asset: `${asset}`,
    liability: `${liability}`,
    asset_before: `${before.asset}`,
    liability_before: `${before.liability}`,
  };
}
