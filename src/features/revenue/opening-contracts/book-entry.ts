/** Checks and books the entries of opening contracts: contract liability against the counter account (spec 3.13). */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { monthOf } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import { requireOpeningPostable } from "../../../domain/revenue/opening-contract.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { bookEntries } from "../../receivables/allocations/book-entries.ts";
import { requireCounter } from "../../receivables/opening-items/require-counter.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { bookedThrough } from "../accruals/book-accrual.ts";
import { laterClose } from "../closes/reopen-close.ts";

/**
 * Requires an account without another use for the built-in ledger, and none for a connected one, which has the liability already.
 * Throws VALIDATION_FAILED on `counter_account`.
 */
export async function requireOpeningCounter(
  tx: Tx,
  number: number | null,
  configuration: Configuration,
): Promise<void> {
  if (!tx.ledger?.transactional) {
    if (number === null) return;
    const message = "The connected ledger has the liability already: nothing is posted.";
    throw invalidField("counter_account", "not_allowed", message);
  }
  if (number === null) {
    throw invalidField("counter_account", "required", "Name the account that is debited.");
  }
  await requireCounter(tx, number, configuration);
  const income = await tx.row(sql`select number from ledger_accounts
    where account_id = ${tx.caller.account_id} and number = ${number} and type = 'income'`);
  if (income !== undefined) {
    const message = `Account ${number} is for revenue, which no opening contract posts.`;
    throw invalidField("counter_account", "not_allowed", message);
  }
}

/** Requires that an entry of the customer may be booked on a date. Throws what `requireOpeningPostable` throws. */
export async function requirePostable(
  tx: Tx,
  configuration: Configuration,
  customer_id: string,
  date: CalendarDate,
  requireRate: () => void = () => {},
): Promise<void> {
  const [later_close, booked_through] = await Promise.all([
    laterClose(tx, monthOf(date)),
    bookedThrough(tx, customer_id),
  ]);
  requireOpeningPostable({
    date,
    lock: configuration,
    later_close,
    booked_through,
    requireRate,
    has_liability_account: configuration.contract_liability_account !== null,
  });
}

/** An entry of an opening contract; amounts in minor units, above 0 for what is brought along, below for what goes back. */
interface OpeningEntry {
  readonly guid: string;
  readonly date: CalendarDate;
  readonly text: string;
  readonly customer_id: string;
  readonly counter_account: number;
  readonly currency: string;
  readonly amount: Money;
  readonly functional: Money;
  readonly reverses_guid: string | null;
}

/** Books the entry and returns its number; null for an amount that is nothing in functional currency. */
export async function postOpening(
  tx: Tx,
  { contract_liability_account: liability }: Configuration,
  entry: OpeningEntry,
): Promise<bigint | null> {
  const { guid, date, text, currency, reverses_guid, customer_id, amount, functional } = entry;
  if (liability === null) {
    throw new Problem("ACCOUNT_ROLE_MISSING", { details: { roles: ["contract_liability"] } });
  }
  const counter = { account_number: entry.counter_account, customer_id: null };
  const postings =
    functional === 0n
      ? []
      : [
          { ...counter, amount: functional, currency_amount: amount },
          {
            account_number: liability,
            customer_id,
            amount: -functional,
            currency_amount: -amount,
          },
        ];
  const posted = { date, postings };
  const booked = await bookEntries(tx, [
    { kind: "opening", guid, text, currency, posted, reverses_guid },
  ]);
  return booked.get(guid)?.entry_no ?? null;
}
