/** Shows a payment before it is recorded, by a dry run of the command. The confirmation sends back a token of what was shown. */
import * as z from "zod";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { NumberedItem } from "../../domain/receivables/item-of-document.ts";
import { createPayment, planPayment } from "../../features/receivables/payments/create.ts";
import {
  PaymentCreate,
  type PaymentPreviewBody,
  type PaymentResource,
} from "../../features/receivables/payments/schemas.ts";
import { defineCommand } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun } from "../../platform/commands/tx.ts";
import { text } from "../../platform/http/schemas.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";

/** An entry that would be booked; amounts are minor units of the functional currency, debits above 0. */
export interface EntryAhead {
  readonly date: CalendarDate;
  readonly postings: readonly { readonly account_number: number; readonly amount: Money }[];
}

/** A credit note that is applied before the payment, in minor units of its currency. */
interface CreditAhead {
  readonly debit: Pick<NumberedItem, "kind" | "number">;
  readonly credit: Pick<NumberedItem, "kind" | "number">;
  readonly amount: Money;
}

/** What a payment would do. */
export interface PaymentAhead {
  readonly payment: z.output<typeof PaymentResource>;
  /** The credit notes that it applies first. */
  readonly credits: readonly CreditAhead[];
  readonly entries: readonly EntryAhead[];
  readonly has_warning: boolean;
  /** A digest of what is shown, which the confirmation sends back. */
  readonly token: string;
}

type Plan = Awaited<ReturnType<typeof planPayment>>;

/** Records a payment and rolls it back. Throws what `createPayment` throws. */
export function dryRunPayment(cx: Context, sent: PaymentPreviewBody): Promise<PaymentAhead> {
  return dryRun(cx, async (tx) => {
    const plan = await planPayment(tx, sent, null);
    const { document } = await createPayment.commit(tx, plan);
    const { warnings, ...payment } = JSON.parse(document);
    return {
      payment,
      credits: creditsIn(plan),
      entries: postedBy(plan),
      has_warning: warnings.length > 0,
      token: tokenOf(plan),
    };
  });
}

function creditsIn({ inputs: { asked, items }, allocations }: Plan): CreditAhead[] {
  const { id } = asked.item;
  return allocations.flatMap(({ debit, credit, allocation }) => {
    const [to, of] = [items.get(debit.id), items.get(credit.id)];
    if (debit.id === id || credit.id === id || to === undefined || of === undefined) return [];
    return [{ debit: to, credit: of, amount: allocation.amount }];
  });
}

function postedBy({ entries }: Plan): EntryAhead[] {
  return entries
    .map(({ posted: { date, postings } }) => ({
      date,
      postings: postings.map(({ account_number, amount }) => ({ account_number, amount })),
    }))
    .filter(({ postings }) => postings.length > 0);
}

/** Digests everything that the page shows of a payment. The ids that each plan makes are left out. */
function tokenOf(plan: Plan): string {
  const { item, remainder } = plan.inputs.asked;
  const { kind, customer_id, date, currency, amount } = item;
  const applied = plan.allocations.map(({ debit, credit, allocation }) => [
    ...[debit, credit].map(({ id }) => (id === item.id ? null : id)),
    allocation.amount,
    allocation.rounding,
    allocation.date,
  ]);
  const { bank, bank_amount, fee } = plan.inputs;
  const money = [kind, customer_id, date, currency, amount, remainder, bank.id, bank_amount, fee];
  return sha256(freeze([money, applied, postedBy(plan)])).toString("base64url");
}

/** A payment with the token of what was shown of it. */
export const ConfirmedPayment = z.object({ sent: PaymentCreate, token: text(100) });

/** Records the payment that was shown. Throws what `createPayment` throws, and PLAN_STALE if it would now differ. */
export const paymentAsShown = defineCommand({
  ...createPayment,
  input: ConfirmedPayment,

  async plan(tx, { sent, token }) {
    const plan = await createPayment.plan(tx, sent);
    // A repeated confirmation: the payment is recorded.
    if ("repeat" in plan) return plan;
    if (tokenOf(plan) !== token) throw new Problem("PLAN_STALE");
    return plan;
  },
});
