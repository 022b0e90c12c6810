/** What is open of invoices today, as a column beside the rows of a list, so that the list stays one statement. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { paymentAt } from "../../../domain/receivables/payment-state.ts";
import { type Clock, todayIn } from "../../../platform/runtime/clock.ts";

/** What `OPEN_OF_INVOICE` packs: of an invoice in our own books what was given to it, of another one what its ledger reported as left. */
export type PackedOpen = OpenInBooks | string;

type OpenInBooks = readonly [
  amount: string,
  due_date: CalendarDate,
  settled_on: CalendarDate | null,
  time_zone: string,
  given: readonly (readonly [
    date: CalendarDate,
    reversed_on: CalendarDate | null,
    taken: string,
  ])[],
];

/** Of a row of `invoices`; null where it is not known what is paid: drafts, and before receivables are begun. */
export const OPEN_OF_INVOICE = `case when invoices.status = 'issued' then coalesce(
    (select json_build_array(o.amount::text, o.due_date, o.ended_on,
        (select c.time_zone from configurations c where c.account_id = invoices.account_id),
        coalesce((select json_agg(json_build_array(a.date, a.reversed_on, (a.amount + a.rounding)::text))
          from allocations a where a.account_id = invoices.account_id and a.debit_id = invoices.id), '[]'))
      from open_items o where o.account_id = invoices.account_id and o.id = invoices.id and o.due_date is not null
        and exists (select from receivables_begins b where b.account_id = invoices.account_id)),
    (select to_json(greatest(l.remaining, 0)::text)
      from ledger_items l where l.account_id = invoices.account_id and l.id = invoices.id
        and l.state is not null and l.remaining is not null)) end`;

/** Returns what is open at the end of the present day of the account, in minor units of the invoice's currency. */
export function openFrom(packed: PackedOpen, clock: Clock): Money {
  if (typeof packed === "string") return BigInt(packed);
  const [amount, due_date, settled_on, time_zone, given] = packed;
  const owed = { gross: BigInt(amount), due_date, settled_on };
  const all = given.map(([date, reversed_on, taken]) => ({
    ...{ by: "payment" as const, date, reversed_on },
    ...{ amount: BigInt(taken), rounding: 0n },
  }));
  return paymentAt(owed, all, todayIn(clock, time_zone)).open;
}
