/** Shows what a reversal would book, by a dry run of its command, and reverses what was shown. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { NewEntry } from "../../features/receivables/allocations/book-entries.ts";
import { reverseOpeningItem } from "../../features/receivables/opening-items/reverse.ts";
import { reversePayment } from "../../features/receivables/payments/reverse.ts";
import { reverseAllocation } from "../../features/receivables/payments/reverse-allocation.ts";
import type { Command } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun } from "../../platform/commands/tx.ts";
import { freeze, type JsonText, sha256 } from "../../platform/runtime/json.ts";
import { runAsShown } from "../frame/as-shown.ts";
import type { EntryAhead } from "./payment-dry-run.ts";

/** The entry that would be booked; `token` is a digest of it. */
interface ReversalAhead {
  readonly date: CalendarDate;
  readonly entries: readonly EntryAhead[];
  readonly token: string;
}

/** The reason and the day; of a payment, also what the bank takes. */
export interface ReversalTyped {
  readonly reason: string;
  readonly date: CalendarDate | null;
  readonly fee: number;
}

interface ReversalPlan {
  readonly date: CalendarDate;
  /** Null where nothing is booked. */
  readonly entry: NewEntry | null;
}

/** The reversal of a thing by its id. Both functions throw what the command throws. */
export interface ReversalWork {
  /** Runs the command and rolls it back. */
  look(cx: Context, id: string, body: ReversalTyped): Promise<ReversalAhead>;
  /** Reverses what was shown. Throws PLAN_STALE if it would now be something else. */
  take(cx: Context, id: string, body: ReversalTyped, token: string): Promise<JsonText>;
}

/** Returns the reversal that a command makes. */
export function reversalBy<Input, Plan>(
  command: Command<Input, Plan, JsonText, JsonText>,
  inputOf: (id: string, body: ReversalTyped) => Input,
  reversalIn: (plan: Plan) => ReversalPlan,
): ReversalWork {
  const digestOf = (plan: Plan): string => tokenOf(reversalIn(plan));
  return {
    look: (cx, id, body) =>
      dryRun(cx, async (tx) => {
        const plan = await command.plan(tx, inputOf(id, body));
        await command.commit(tx, plan);
        const { date, entry } = reversalIn(plan);
        const is_empty = entry === null || entry.posted.postings.length === 0;
        return { date, entries: is_empty ? [] : [entry.posted], token: digestOf(plan) };
      }),
    take: (cx, id, body, digest) =>
      runAsShown(command, cx, inputOf(id, body), { digestOf, digest }),
  };
}

function tokenOf({ date, entry }: ReversalPlan): string {
  const postings = entry?.posted.postings.map(({ account_number, customer_id, amount }) => [
    account_number,
    customer_id,
    amount,
  ]);
  return sha256(freeze([date, postings ?? []])).toString("base64url");
}

const itself = (plan: ReversalPlan): ReversalPlan => plan;

export const paymentReversal = reversalBy(
  reversePayment,
  (ref, body) => ({ ref, ...body }),
  itself,
);

export const openingReversal = reversalBy(
  reverseOpeningItem,
  (ref, { reason, date }) => ({ ref, reason, date }),
  itself,
);

export const allocationReversal = reversalBy(
  reverseAllocation,
  (id, { reason, date }) => ({ id, reason, date }),
  itself,
);
