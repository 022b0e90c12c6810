/** Shows what the cancellation of a reminder would book, by a dry run of its command, and cancels as shown. */
import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { cancelReminder } from "../../features/reminders/sent-reminders/cancel.ts";
import type { ReminderCancel } from "../../features/reminders/sent-reminders/schemas.ts";
import { defineCommand, run } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun } from "../../platform/commands/tx.ts";
import { freeze, type JsonText, sha256 } from "../../platform/runtime/json.ts";
import type { EntryAhead } from "../payments/payment-dry-run.ts";

type CancelTyped = z.output<typeof ReminderCancel>;
type CancelPlan = Awaited<ReturnType<typeof cancelReminder.plan>>;

/** What a cancellation would book; `token` is a digest of it. */
interface CancelAhead {
  readonly entries: readonly EntryAhead[];
  readonly token: string;
}

/** Cancels a reminder and rolls it back. Throws what `cancelReminder` throws. */
export function cancellationAhead(
  cx: Context,
  id: string,
  body: CancelTyped,
): Promise<CancelAhead> {
  return dryRun(cx, async (tx) => {
    const plan = await cancelReminder.plan(tx, { id, ...body });
    await cancelReminder.commit(tx, plan);
    return { entries: entriesOf(plan), token: tokenOf(plan) };
  });
}

/** Cancels a reminder as shown. Throws what `cancelReminder` throws, and PLAN_STALE if it would book something else. */
export function cancelAsShown(
  cx: Context,
  id: string,
  body: CancelTyped,
  token: string,
): Promise<JsonText> {
  const as_shown = defineCommand({
    ...cancelReminder,
    async plan(tx, input: CancelTyped & { readonly id: string }) {
      const plan = await cancelReminder.plan(tx, input);
      if (tokenOf(plan) !== token) throw new Problem("PLAN_STALE");
      return plan;
    },
  });
  return run(as_shown, cx, { id, ...body });
}

function entriesOf({ charged }: CancelPlan): EntryAhead[] {
  if (charged === null) return [];
  const { date, postings } = charged.entry.posted;
  return postings.length === 0 ? [] : [{ date, postings }];
}

function tokenOf(plan: CancelPlan): string {
  const shown = entriesOf(plan).map(({ postings }) =>
    postings.map(({ account_number, amount }) => [account_number, amount]),
  );
  return sha256(freeze([plan.date, shown])).toString("base64url");
}
