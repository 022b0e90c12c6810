/** Shows what the use of a credit would book, by a dry run of the command. The confirmation does exactly that. */
import * as z from "zod";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import { openAtLast } from "../../domain/receivables/open-item.ts";
import { createAllocation } from "../../features/receivables/payments/allocate.ts";
import { AllocationCreate } from "../../features/receivables/payments/schemas.ts";
import { defineCommand } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun } from "../../platform/commands/tx.ts";
import { text } from "../../platform/http/schemas.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";

/** What the use of a credit would do. Amounts are minor units: of both items' currency, postings of the functional one. */
export interface UseShown {
  readonly date: CalendarDate;
  readonly amount: Money;
  /** What is left of the credit, and of the item to which it is applied. */
  readonly credit_left: Money;
  readonly debit_left: Money;
  readonly postings: readonly {
    readonly account_number: number;
    readonly customer: null;
    readonly amount: Money;
  }[];
  /** The confirmation sends it back. */
  readonly digest: string;
}

type UsePlan = Exclude<Awaited<ReturnType<typeof createAllocation.plan>>, { repeat: string }>;

/** Applies a credit and rolls it back. Throws what `createAllocation` throws. */
export function dryRunUse(cx: Context, sent: AllocationCreate): Promise<UseShown> {
  return dryRun(cx, async (tx) => {
    const plan = await createAllocation.plan(tx, sent);
    if ("repeat" in plan) throw new Problem("EXTERNAL_ID_CONFLICT");
    await createAllocation.commit(tx, plan);
    const { allocation, debit, credit } = plan.allocation;
    return {
      date: allocation.date,
      amount: allocation.amount,
      credit_left: openAtLast(credit).open,
      debit_left: openAtLast(debit).open,
      postings: plan.entry.posted.postings.map(({ account_number, amount }) => ({
        account_number,
        customer: null,
        amount,
      })),
      digest: digestOf(plan),
    };
  });
}

function digestOf({ allocation: { allocation, debit, credit }, entry }: UsePlan): string {
  const seen = [allocation, debit.id, credit.id, openAtLast(debit).open, openAtLast(credit).open];
  return sha256(freeze([seen, entry.posted])).toString("base64url");
}

/** The use of a credit with the digest of what was shown of it. */
export const ConfirmedUse = z.object({ sent: AllocationCreate, digest: text(100) });

/** Applies the credit as it was shown. Throws what `createAllocation` throws, and PLAN_STALE if it would now differ. */
export const useAsShown = defineCommand({
  ...createAllocation,
  input: ConfirmedUse,

  async plan(tx, { sent, digest }) {
    const plan = await createAllocation.plan(tx, sent);
    // A repeated confirmation: the credit is applied.
    if ("repeat" in plan) return plan;
    if (digestOf(plan) !== digest) throw new Problem("PLAN_STALE");
    return plan;
  },
});
