/** Reads what is applied to a document, or of it, with its entries, in one statement: what its page shows. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { type InvoicePayment, paymentAt } from "../../../domain/receivables/payment-state.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { AllocationRow } from "../allocations/queries.ts";

/** An allocation with the guid of its entry; null where nothing was posted. Amounts are minor units of its currency. */
export type AppliedAllocation = Pick<
  AllocationRow,
  | "id"
  | "debit"
  | "credit"
  | "currency"
  | "amount"
  | "rounding"
  | "date"
  | "reversed_on"
  | "entry_no"
> & { readonly entry: string | null };

/** The open item of a document with its allocations, the earliest first. */
export interface AppliedDocument {
  readonly currency: string;
  readonly amount: Money;
  /** Open when all that is recorded has begun. */
  readonly open: Money;
  readonly due_date: CalendarDate | null;
  readonly ended_on: CalendarDate | null;
  readonly allocations: readonly AppliedAllocation[];
}

type StoredAllocation = Omit<AppliedAllocation, "amount" | "rounding" | "entry_no"> & {
  readonly amount: string;
  readonly rounding: string;
  readonly entry_no: string | null;
};

/** Returns the item of a document; null where there is none, and until receivables are begun. */
export async function readApplied(
  cx: Reader,
  document_id: string,
): Promise<AppliedDocument | null> {
  const { account_id } = cx.caller;
  const row = await cx.row<
    Omit<AppliedDocument, "allocations"> & { readonly allocations: readonly StoredAllocation[] }
  >(sql`
    select o.currency, o.amount, o.open, o.due_date, o.ended_on,
      (select coalesce(json_agg(json_build_object('id', a.id, 'currency', a.currency, 'amount', a.amount::text,
          'rounding', a.rounding::text, 'date', a.date, 'reversed_on', a.reversed_on, 'entry_no', a.entry_no::text, 'entry', e.guid,
          'debit', json_build_object('id', d.id, 'kind', d.kind, 'number', d.number),
          'credit', json_build_object('id', c.id, 'kind', c.kind, 'number', c.number)) order by a.date, a.id), '[]')
        from allocations a
        join open_items d on d.account_id = ${account_id} and d.id = a.debit_id
        join open_items c on c.account_id = ${account_id} and c.id = a.credit_id
        left join ledger_entries e on e.account_id = ${account_id} and e.entry_no = a.entry_no
        where a.account_id = ${account_id} and (a.debit_id = o.id or a.credit_id = o.id)) as allocations
    from open_items o
    where o.account_id = ${account_id} and o.id = ${document_id}
      and exists (select from receivables_begins b where b.account_id = ${account_id})`);
  if (row === undefined) return null;
  const allocations = row.allocations.map(({ amount, rounding, entry_no, ...one }) => ({
    ...one,
    amount: BigInt(amount),
    rounding: BigInt(rounding),
    entry_no: entry_no === null ? null : BigInt(entry_no),
  }));
  return { ...row, allocations };
}

/** Returns what is paid of an invoice on a day, from its item; null for an item without a due date. */
export function paymentOfItem(
  { amount, due_date, ended_on, allocations }: AppliedDocument,
  day: CalendarDate,
): InvoicePayment | null {
  if (due_date === null) return null;
  const given = allocations.map(({ credit, ...one }) => ({
    ...one,
    by: credit.kind === "payment" ? ("payment" as const) : ("credit" as const),
  }));
  return paymentAt({ gross: amount, due_date, settled_on: ended_on }, given, day);
}
