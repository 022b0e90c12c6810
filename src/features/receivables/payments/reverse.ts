/**
 * Reverses a payment or refund (spec 13.3): a transfer that came back, or a mistake. All its allocations that stand end on the day of
 * the reversal, and one entry turns the sign of everything that it posted.
 */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledFromNumber } from "../../../domain/base/money.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import { requireReversible } from "../../../domain/receivables/reverse-payment.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";
import {
  bookEntries,
  type NewEntry,
  type PostedEntry,
  postedEntry,
  postingAccounts,
} from "../allocations/book-entries.ts";
import type { AllocationRow } from "../allocations/queries.ts";
import { reverseAllocations } from "../allocations/reverse-allocations.ts";
import { getBankAccount } from "../bank-accounts/queries.ts";
import { lockItems } from "../open-items/queries.ts";
import { getPayment, getPaymentId, type Payment, restorePayment } from "./queries.ts";
import { PaymentReversal } from "./schemas.ts";

interface ReversalPlan {
  readonly payment: Payment;
  readonly effective: readonly AllocationRow[];
  readonly date: CalendarDate;
  readonly reason: string;
  readonly entry: NewEntry;
}

const ReversalInput = z.object({ ref: Ref, ...PaymentReversal.shape });

/**
 * Takes a reference and the body of POST /payments/{ref}/reverse; returns the payment, whose bank line is open again. Throws NOT_FOUND,
 * VALIDATION_FAILED, PAYMENT_REVERSED, PAYMENT_REFUNDED, PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED, LEDGER_MOVING or
 * ACCOUNT_ROLE_MISSING. The built-in ledger has booked it, and books its reversal, also after the books have moved.
 */
export const reversePayment = defineCommand({
  name: "reverse_payment",
  access: "issue",
  input: ReversalInput,

  async plan(tx, sent): Promise<ReversalPlan> {
    const id = await getPaymentId(tx, sent.ref);
    tx.lock(sql`select from bank_lines where account_id = ${tx.caller.account_id} and payment_id = ${id}
      for no key update`);
    return planReversal(tx, sent);
  },

  async commit(tx, plan): Promise<JsonText> {
    const document = await commitReversal(tx, plan);
    const { account_id } = tx.caller;
    tx.write(sql`update bank_lines set state = 'open', payment_id = null, request_hash = null, updated_at = ${stampedAnew(account_id)}
      where account_id = ${account_id} and payment_id = ${plan.payment.row.id}`);
    return document;
  },
});

/** Decides the reversal of a payment. Throws what `reversePayment` throws. */
export async function planReversal(
  tx: Tx,
  sent: z.output<typeof ReversalInput>,
): Promise<ReversalPlan> {
  const id = await getPaymentId(tx, sent.ref);
  await lockWithOthers(tx, id);
  holdConfiguration(tx);
  const [payment, configuration] = await Promise.all([getPayment(tx, id), getConfiguration(tx)]);
  const { functional_currency, time_zone } = configuration;
  const fee = scaledFromNumber(sent.fee, currencyDigits(functional_currency));
  if (typeof fee === "string") throw invalidField("fee", fee, "It is in functional currency.");
  const date = requireReversible(
    { ...payment.row, allocations: payment.allocations },
    { asked: sent.date ?? null, today: todayIn(tx.clock, time_zone), lock: configuration },
  );
  const { ledger_account } = await getBankAccount(tx, payment.row.bank_account_id);
  const accounts = postingAccounts(tx, configuration, { bank: ledger_account });
  const charge = postedEntry({ date, postings: chargeOf(fee) }, accounts);
  const turned = await turnedPostings(tx, payment);
  const entry: NewEntry = {
    kind: "payment",
    guid: newId(),
    text: `Reversal of ${payment.row.kind} ${payment.row.number}`,
    currency: payment.row.currency,
    posted: { date, postings: [...turned, ...charge.postings] },
    reverses_guid: id,
  };
  const effective = payment.allocations.filter(({ reversed_on }) => reversed_on === null);
  return { payment, effective, date, reason: sent.reason, entry };
}

/** Books and stores a decided reversal. Returns the payment as the API shows it. */
export async function commitReversal(
  tx: Tx,
  { payment, effective, date, reason, entry }: ReversalPlan,
): Promise<JsonText> {
  const { id } = payment.row;
  const booked = await bookEntries(tx, [entry]);
  const items = effective.flatMap(({ debit_id, credit_id }) => [debit_id, credit_id]);
  await reverseAllocations(
    tx,
    effective.map((one) => one.id),
    [...new Set([id, ...items])],
    { date, reason, ended_id: id },
  );
  for (const { credit } of effective) {
    if (credit.kind !== "payment" || credit.id === id) continue;
    await restorePayment(tx, credit.id, { action: "released", reason });
  }
  const entry_nos = [...booked.values()].map(({ entry_no }) => entry_no);
  return restorePayment(tx, id, { action: "reversed", reason, reversed_on: date, entry_nos });
}

/** Locks the item of a payment with all items that it is applied to. An allocation that began meanwhile is locked after them. */
async function lockWithOthers(tx: Tx, id: string): Promise<void> {
  const known = await itemsOfPayments(tx, [id]);
  lockItems(tx, known);
  const later = (await itemsOfPayments(tx, [id])).filter((one) => !known.includes(one));
  if (later.length > 0) lockItems(tx, later);
}

/** Returns the ids of payments with those of all items that they are applied to: what their reversals lock. */
export async function itemsOfPayments(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { account_id } = tx.caller;
  const rows = await tx.rows<{ id: string }>(sql`
    select unnest(array[debit_id, credit_id]) as id from allocations
    where account_id = ${account_id} and reversed_on is null and (debit_id = any(${ids}) or credit_id = any(${ids}))`);
  return [...new Set([...ids, ...rows.map(({ id }) => id)])];
}

/** What the bank takes for a payment that came back. */
function chargeOf(fee: Money) {
  if (fee === 0n) return [];
  const posting = { customer_id: null, currency_amount: 0n };
  return [
    { ...posting, role: "payment_fee" as const, amount: fee },
    { ...posting, role: "bank" as const, amount: -fee },
  ];
}

/**
 * Returns the opposite of everything that a payment and its allocations posted, less what is reversed already, on the accounts on
 * which it was posted.
 */
async function turnedPostings(
  tx: Tx,
  { row, allocations }: Payment,
): Promise<PostedEntry["postings"]> {
  const own = allocations.filter(({ debit }) => row.kind === "refund" || debit.kind !== "refund");
  const guids = [row.id, ...own.map(({ id }) => id)];
  return tx.rows<PostedEntry["postings"][number]>(sql`
    select p.account_number, p.customer_id, -sum(p.amount)::bigint as amount,
      -sum(p.currency_amount)::bigint as currency_amount
    from ledger_entries e
    join ledger_postings p on p.account_id = ${tx.caller.account_id} and p.entry_no = e.entry_no
    where e.account_id = ${tx.caller.account_id} and (e.guid = any(${guids}) or e.reverses_guid = any(${guids}))
    group by p.account_number, p.customer_id having sum(p.amount) <> 0
    order by p.account_number, p.customer_id`);
}
