/** Finds what a customer owes, or is owed, when all that is recorded has begun: what a new payment or refund may take. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** An item with its customer. Amounts are minor units of its currency. */
export interface OwedItem {
  readonly id: string;
  readonly kind: "invoice" | "credit_note" | "payment" | "refund" | "reminder" | "opening";
  readonly is_credit: boolean;
  readonly customer_id: string;
  readonly customer_name: string;
  readonly number: string;
  readonly due_date: CalendarDate | null;
  readonly currency: string;
  readonly amount: Money;
  readonly open: Money;
}

/** Returns the item of a document or opening item; undefined where there is none. */
export function findOwed(cx: Reader, id: string): Promise<OwedItem | undefined> {
  const { account_id } = cx.caller;
  return cx.row<OwedItem>(sql`
    select i.id, i.kind, i.is_credit, i.customer_id, c.name as customer_name, i.number, i.due_date, i.currency, i.amount, i.open
    from open_items i join customers c on c.account_id = ${account_id} and c.id = i.customer_id
    where i.account_id = ${account_id} and i.id = ${id}`);
}

/** Returns the credit notes of a customer of which something is open in a currency, the earliest first, at most `limit`. */
export function listOpenCredits(
  cx: Reader,
  { customer_id, currency }: Pick<OwedItem, "customer_id" | "currency">,
  limit: number,
): Promise<OwedItem[]> {
  const { account_id } = cx.caller;
  return cx.rows<OwedItem>(sql`
    select i.id, i.kind, i.is_credit, i.customer_id, c.name as customer_name, i.number, i.due_date, i.currency, i.amount, i.open
    from open_items i join customers c on c.account_id = ${account_id} and c.id = i.customer_id
    where i.account_id = ${account_id} and i.customer_id = ${customer_id} and i.currency = ${currency}
      and i.open > 0 and i.kind = 'credit_note'
    order by i.date, i.id limit ${limit}`);
}

/** Returns what a customer owes in all currencies, the earliest due date first, at most `limit` items. */
export function listOwed(cx: Reader, customer_id: string, limit: number): Promise<OwedItem[]> {
  const { account_id } = cx.caller;
  return cx.rows<OwedItem>(sql`
    select i.id, i.kind, i.is_credit, i.customer_id, c.name as customer_name, i.number, i.due_date, i.currency, i.amount, i.open
    from open_items i join customers c on c.account_id = ${account_id} and c.id = i.customer_id
    where i.account_id = ${account_id} and i.customer_id = ${customer_id} and i.open > 0 and not i.is_credit
    order by i.due_date, i.id limit ${limit}`);
}
