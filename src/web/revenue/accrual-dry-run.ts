/** Shows the booking of an accrual and its reversal by a dry run of the command; a confirmation does exactly what was shown. */
import * as z from "zod";
import { lastDayOf, type Month } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { AccrualRole } from "../../domain/revenue/accrual.ts";
import { bookAccrual, reopenAccrual } from "../../features/revenue/accruals/book-accrual.ts";
import { findAccrual } from "../../features/revenue/accruals/queries.ts";
import { type AccrualResource, reasonText } from "../../features/revenue/accruals/schemas.ts";
import { defineCommand, run } from "../../platform/commands/command.ts";
import type { Context, Reader } from "../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../platform/commands/tx.ts";
import { text, Uuid } from "../../platform/http/schemas.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import { defineLongWork } from "../frame/long-work.ts";

export type AccrualVerb = "book" | "reopen";

interface AccrualToChange {
  readonly id: string;
  readonly verb: AccrualVerb;
}

/** What the command would book. Amounts are text in minor units of the currency, debit above 0. */
export interface AccrualChangeShown {
  /** Null for a booking in progress, which the command resumes. */
  readonly postings:
    | readonly {
        readonly role: AccrualRole;
        readonly account_number: number | null;
        readonly amount: string;
      }[]
    | null;
  readonly currency: string;
  readonly date: string;
  /** A digest of what is shown. */
  readonly digest: string;
}

type AccrualPlan = Awaited<ReturnType<typeof bookAccrual.plan>>;

/** Stands in for the reason of a reopening while it is not typed yet; it decides nothing. */
const NO_REASON = "-";

/** Runs the booking or the reopening and rolls it back. Throws what the commands throw. */
export const accrualDryRun = defineLongWork({
  name: "pages.accrual_dry_run",
  is_read: true,
  work: (cx: Context, { id, verb }: AccrualToChange): Promise<AccrualChangeShown> =>
    dryRun(cx, async (tx) => shownOf(await planned(tx, id, verb, NO_REASON))),
});

function planned(tx: Tx, id: string, verb: AccrualVerb, reason: string): Promise<AccrualPlan> {
  return verb === "book"
    ? bookAccrual.plan(tx, { id })
    : reopenAccrual.plan(tx, { id, body: { reason } });
}

function shownOf(plan: AccrualPlan): AccrualChangeShown {
  if (!("decided" in plan)) return { postings: null, currency: "", date: "", digest: "resumes" };
  const { facts } = plan.decided;
  const { month, entries, functional_currency: currency } = facts.accrual.snapshot;
  const sign = facts.reversal === null ? 1n : -1n;
  const shown = {
    currency,
    date: lastDayOf(month as Month),
    postings: entries.map(({ account_role: role, account_number, amount }) => ({
      role,
      account_number,
      amount: `${sign * amount}`,
    })),
  };
  return { ...shown, digest: sha256(freeze(shown)).toString("base64url") };
}

export const ConfirmedAccrual = z.object({ id: Uuid, digest: text(100), reason: reasonText });
type Confirmed = z.output<typeof ConfirmedAccrual>;

async function plannedAsShown(tx: Tx, verb: AccrualVerb, sent: Confirmed): Promise<AccrualPlan> {
  const plan = await planned(tx, sent.id, verb, sent.reason);
  if (shownOf(plan).digest !== sent.digest) throw new Problem("PLAN_STALE");
  return plan;
}

const bookAsShown = defineCommand({
  ...bookAccrual,
  input: ConfirmedAccrual,
  plan: (tx: Tx, sent: Confirmed) => plannedAsShown(tx, "book", sent),
});

const reopenAsShown = defineCommand({
  ...reopenAccrual,
  input: ConfirmedAccrual,
  plan: (tx: Tx, sent: Confirmed) => plannedAsShown(tx, "reopen", sent),
});

/** Books or reopens an accrual as shown. Throws what the commands throw, and PLAN_STALE if it would now book something else. */
export const changingAccrual = defineLongWork({
  name: "pages.accrual_as_shown",
  is_read: false,
  work: (cx: Context, { verb, ...sent }: Confirmed & { readonly verb: AccrualVerb }) =>
    run(verb === "book" ? bookAsShown : reopenAsShown, cx, sent),
});

/** Returns the accrual of a customer and month; stores the row of a draft. Throws NOT_FOUND. */
export async function accrualAt(
  cx: Reader,
  customer_id: string,
  month: Month,
): Promise<z.output<typeof AccrualResource>> {
  return JSON.parse(await findAccrual(cx, customer_id, month));
}
