/** Shows what the beginning of receivables would book, by a dry run of the command. The confirmation does exactly that. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import { customerLabels } from "../../features/catalogue/customers/queries.ts";
import { beginReceivables } from "../../features/receivables/opening-items/begin.ts";
import type { ReceivablesBeginInput } from "../../features/receivables/opening-items/schemas.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun } from "../../platform/commands/tx.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import { runAsShown } from "../frame/as-shown.ts";
import { defineLongWork } from "../frame/long-work.ts";

/** A posting of the entry; above 0 is a debit, in minor units of the functional currency. */
export interface BeginPosting {
  readonly account_number: number;
  readonly customer: string | null;
  readonly amount: Money;
}

/** What the beginning would do; the confirmation sends `digest` back. */
export interface BeginShown {
  readonly date: CalendarDate;
  /** How many documents were settled elsewhere, and what is left of them. */
  readonly settled: number;
  readonly amount: Money;
  readonly postings: readonly BeginPosting[];
  readonly digest: string;
}

type BeginPlan = Awaited<ReturnType<typeof beginReceivables.plan>>;

/** Begins receivables and rolls it back. Throws what `beginReceivables` throws. */
export const beginDryRun = defineLongWork({
  name: "pages.begin_dry_run",
  is_read: true,
  work: (cx: Context, sent: ReceivablesBeginInput): Promise<BeginShown> =>
    dryRun(cx, async (tx) => {
      const plan = await beginReceivables.plan(tx, sent);
      await beginReceivables.commit(tx, plan);
      const { postings } = plan.posted;
      const names = await customerLabels(
        tx,
        postings.flatMap(({ customer_id }) => customer_id ?? []),
      );
      return {
        date: plan.date,
        settled: plan.settled.length,
        amount: plan.amount,
        postings: postings.map(({ account_number, amount, customer_id }) => ({
          account_number,
          amount,
          customer: customer_id === null ? null : (names.get(customer_id)?.name ?? null),
        })),
        digest: digestOf(plan),
      };
    }),
});

function digestOf({ date, settled, posted }: BeginPlan): string {
  return sha256(freeze([date, settled, posted])).toString("base64url");
}

interface ConfirmedBegin {
  readonly sent: ReceivablesBeginInput;
  readonly digest: string;
}

/** Begins receivables as shown. Throws what `beginReceivables` throws, and PLAN_STALE if it would now settle something else. */
export const beginningAsShown = defineLongWork({
  name: "pages.begin_as_shown",
  is_read: false,
  work: (cx: Context, { sent, digest }: ConfirmedBegin) =>
    runAsShown(beginReceivables, cx, sent, { digestOf, digest }),
});
