/** What a person may choose for a bank line: what is open of a customer, and payments of the customer that the line may bring back. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { BankLineRow } from "./queries.ts";

/** An item of which something is open. */
export interface ChoosableItem {
  readonly id: string;
  readonly kind: "invoice" | "credit_note" | "payment" | "reminder" | "opening";
  readonly number: string;
  readonly date: CalendarDate;
  readonly due_date: CalendarDate | null;
  readonly currency: string;
  /** In minor units of the currency, as is `amount`. */
  readonly open: Money;
  readonly amount: Money;
}

/** As many items as a payment may name. */
const MOST_ITEMS = 100;

/** Returns what money in may pay, or what money out may give back, the earliest due date first. */
export function choosableItems(
  cx: Reader,
  customer_id: string,
  line: Pick<BankLineRow, "amount">,
): Promise<ChoosableItem[]> {
  const kinds =
    line.amount > 0n ? ["invoice", "reminder", "opening"] : ["credit_note", "payment", "opening"];
  return cx.rows<ChoosableItem>(sql`select id, kind, number, date, due_date, currency, open, amount from open_items
    where account_id = ${cx.caller.account_id} and customer_id = ${customer_id} and open > 0 and kind = any(${kinds})
      and is_credit = ${line.amount < 0n}
    order by coalesce(due_date, date), id limit ${MOST_ITEMS}`);
}

/** A payment that came back, or a refund. */
export interface ReturnablePayment {
  readonly id: string;
  readonly kind: "payment" | "refund";
  readonly number: bigint;
  readonly date: CalendarDate;
  /** What the bank moved, in minor units of the functional currency. */
  readonly bank_amount: Money;
}

const MOST_PAYMENTS = 20;

/** Returns the newest payments of a customer that money out may take back, or the newest refunds that money in may bring back. */
export function returnablePayments(
  cx: Reader,
  customer_id: string,
  { amount, bank_account_id }: Pick<BankLineRow, "amount" | "bank_account_id">,
): Promise<ReturnablePayment[]> {
  const kind = amount < 0n ? "payment" : "refund";
  const moved = amount < 0n ? -amount : amount;
  // What the line takes beyond a payment is the charge of the bank; a refund comes back less that charge.
  return cx.rows<ReturnablePayment>(sql`select id, kind, number, date, bank_amount from payments
    where account_id = ${cx.caller.account_id} and customer_id = ${customer_id} and kind = ${kind} and reversed_on is null
      and bank_account_id = ${bank_account_id}
      and case when ${amount < 0n} then bank_amount <= ${moved} else bank_amount >= ${moved} end
    order by bank_amount = ${moved} desc, id desc limit ${MOST_PAYMENTS}`);
}
