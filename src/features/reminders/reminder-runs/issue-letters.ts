/**
 * Issues letters that were agreed to, in one transaction under the locks of their customers and items. A letter that would be another
 * one by now is refused, and so is each one alone that cannot be booked.
 */
import * as z from "zod";
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { convert, type Money } from "../../../domain/base/money.ts";
import { requireOpenDate } from "../../../domain/base/period-lock.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { paymentCodesOf } from "../../../domain/receivables/payment-codes.ts";
import { entryOfReminder } from "../../../domain/receivables/receivable-postings.ts";
import type { ReminderSnapshot } from "../../../domain/receivables/reminder-snapshot.ts";
import { requireRate } from "../../../domain/sales/invoice.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { documentLanguage } from "../../catalogue/customers/queries.ts";
import { auditQueued, queueDeliveries } from "../../documents/deliveries/queue.ts";
import { storeLetters } from "../../documents/issued/store-letter.ts";
import {
  bookEntries,
  type NewEntry,
  postedEntry,
  postingAccounts,
} from "../../receivables/allocations/book-entries.ts";
import { lockItems, storeItems } from "../../receivables/open-items/queries.ts";
import { isPaidInLedger, requireBegun } from "../../receivables/open-items/require-begun.ts";
import {
  type Configuration,
  findRates,
  getConfiguration,
  holdConfiguration,
} from "../../settings/configuration/queries.ts";
import { insertReminders, type NewReminder, presentReminder } from "../sent-reminders/queries.ts";
import { type FoundLetter, findLetters, hasInterest } from "./find-letters.ts";
import { remindableIds } from "./find-reminded.ts";

/** A letter that was agreed to. `reference` names the customer in the request. */
export interface ChosenRow {
  readonly reference: string;
  readonly customer_id: string;
  readonly currency: string;
  readonly agreed: string;
}

export interface LettersInput {
  readonly day: CalendarDate;
  readonly rows: readonly ChosenRow[];
  /** The customers to whom open bank lines may belong. */
  readonly payers: ReadonlySet<string>;
}

/** What became of a row: its reminder, or the refusal. */
export type RowOutcome = { readonly row: ChosenRow } & (
  | {
      readonly reminder_id: string;
      readonly number: bigint | null;
      readonly delivery_id: string | null;
    }
  | { readonly problem: Problem }
);

/** A letter with everything but its number. */
interface PlannedLetter {
  readonly row: ChosenRow;
  readonly letter: FoundLetter;
  readonly id: string;
  readonly posted: ReminderSnapshot["posted"];
  /** Null for a letter that charges nothing. */
  readonly entry: NewEntry | null;
}

interface LettersPlan {
  readonly day: CalendarDate;
  readonly configuration: Configuration;
  readonly planned: readonly PlannedLetter[];
  readonly decided: readonly RowOutcome[];
}

/** Throws RECEIVABLES_NOT_BEGUN; every other refusal is the outcome of its row. */
export const issueLetters = defineCommand({
  name: "issue_reminders",
  access: "issue",
  input: z.custom<LettersInput>(),

  async plan(tx, { day, rows, payers }): Promise<LettersPlan> {
    const customer_ids = [...new Set(rows.map(({ customer_id }) => customer_id))];
    // Runs of one customer follow one another, also where nothing of the customer is an item of the books.
    tx.lock(sql`select from customers where account_id = ${tx.caller.account_id} and id = any(${customer_ids})
      order by id for no key update`);
    const has_interest = hasInterest(await getConfiguration(tx));
    lockItems(tx, await remindableIds(tx, { day, has_interest, customer_ids }));
    holdConfiguration(tx);
    const configuration = await getConfiguration(tx);
    if (!isPaidInLedger(tx)) await requireBegun(tx);
    const letters = await findLetters(tx, { day, customer_ids, payers }, configuration);
    const earlier = await issuedEarlier(tx, rows);
    const decided: RowOutcome[] = [];
    const planned: PlannedLetter[] = [];
    for (const row of rows) {
      const before = earlier.get(row.agreed);
      if (before !== undefined) {
        decided.push({ row, ...before, delivery_id: null });
        continue;
      }
      try {
        planned.push(await planLetter(tx, row, day, letters, configuration));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        decided.push({ row, problem: error });
      }
    }
    return { day, configuration, planned, decided };
  },

  async commit(tx, { configuration, planned, decided, day }): Promise<readonly RowOutcome[]> {
    const booked = await bookEntries(
      tx,
      planned.flatMap(({ entry }) => entry ?? []),
    );
    const reminders = planned.map((one) => {
      const entry = booked.get(one.id);
      return newReminder(tx, one, day, configuration, entry ?? null);
    });
    storeLetters(
      tx,
      reminders.map(({ row, snapshot }) => ({ snapshot, number: row.number })),
    );
    storeItems(tx, reminders.flatMap(itemOfReminder));
    insertReminders(tx, reminders);
    const recipients = reminders.map(({ row, snapshot }) => ({
      document_id: row.id,
      customer_id: snapshot.customer.id,
      channel: "email" as const,
      address: snapshot.customer.email,
    }));
    const delivery_ids = queueDeliveries(tx, recipients);
    const issued = reminders.map((reminder, at): RowOutcome => {
      const { id, number } = reminder.row;
      tx.audit("reminder", id, "issued", { before: null, after: presentReminder(reminder) });
      const row = planned[at]?.row;
      if (row === undefined) throw new Error("a letter has no row");
      return { row, reminder_id: id, number, delivery_id: delivery_ids[at] ?? null };
    });
    auditQueued(tx, recipients, delivery_ids);
    return [...decided, ...issued];
  },
});

/** Returns the reminders that were issued for the same agreement, by its text: the run is repeated. */
async function issuedEarlier(
  tx: Tx,
  rows: readonly ChosenRow[],
): Promise<ReadonlyMap<string, { readonly reminder_id: string; readonly number: bigint | null }>> {
  const digests = rows.map(({ agreed }) => Buffer.from(agreed, "base64url"));
  const customer_ids = rows.map(({ customer_id }) => customer_id);
  const found = await tx.rows<{ id: string; number: bigint | null; agreed: Buffer }>(sql`
    select id, number, agreed from reminders
    where account_id = ${tx.caller.account_id} and customer_id = any(${customer_ids})
      and agreed = any(${digests}) and cancelled_on is null`);
  return new Map(
    found.map(({ id, number, agreed }) => [
      agreed.toString("base64url"),
      { reminder_id: id, number },
    ]),
  );
}

/**
 * Returns the letter of a row with its entry. Throws CHANGED_MEANWHILE, and for a letter that charges something PAYMENTS_IN_LEDGER,
 * PERIOD_LOCKED, EXCHANGE_RATE_MISSING and ACCOUNT_ROLE_MISSING.
 */
async function planLetter(
  tx: Tx,
  row: ChosenRow,
  day: CalendarDate,
  letters: readonly FoundLetter[],
  configuration: Configuration,
): Promise<PlannedLetter> {
  const letter = letters.find(
    ({ customer, currency }) => customer.id === row.customer_id && currency === row.currency,
  );
  const is_same = letter?.agreed.equals(Buffer.from(row.agreed, "base64url")) ?? false;
  if (letter === undefined || !is_same || letter.left_out !== null) {
    throw new Problem("CHANGED_MEANWHILE", { message: ANOTHER_LETTER });
  }
  const id = newId<string>();
  const { currency, customer, fee, interest, compensation } = letter;
  const none = { charges: 0n, interest: 0n };
  if (fee + interest + compensation === 0n) return { row, letter, id, posted: none, entry: null };
  if (!tx.ledger?.transactional) throw new Problem("PAYMENTS_IN_LEDGER");
  requireOpenDate(day, configuration);
  const inBooks = await conversionOn(tx, currency, day, configuration);
  const charges = { functional: inBooks(fee + compensation), currency: fee + compensation };
  const owed = { functional: inBooks(interest), currency: interest };
  const dated = entryOfReminder({ date: day, customer_id: customer.id, charges, interest: owed });
  const entry: NewEntry = {
    kind: "reminder",
    guid: id,
    text: `Reminder to ${customer.name}`,
    currency,
    posted: postedEntry(dated, postingAccounts(tx, configuration, {})),
    reverses_guid: null,
  };
  const posted = { charges: charges.functional, interest: owed.functional };
  return { row, letter, id, posted, entry };
}

const ANOTHER_LETTER =
  "The customer would get another letter by now, or none; nothing was sent. Preview the run again.";

/** Returns the conversion to functional currency at the rate of a day. Throws EXCHANGE_RATE_MISSING. */
async function conversionOn(
  tx: Tx,
  currency: string,
  day: CalendarDate,
  { functional_currency, rate_max_age_days }: Configuration,
): Promise<(amount: Money) => Money> {
  if (currency === functional_currency) return (amount) => amount;
  const [rate = null] = await findRates(tx, [{ currency, day }]);
  requireRate({ currency }, day, { rate_date: rate?.date ?? null, rate_max_age_days });
  const [from, to] = [currencyDigits(currency), currencyDigits(functional_currency)];
  return (amount) => convert(amount, rate?.rate_micro ?? 0n, from, to);
}

function newReminder(
  tx: Tx,
  { letter, id, posted }: PlannedLetter,
  day: CalendarDate,
  configuration: Configuration,
  entry: { readonly entry_no: bigint; readonly number: bigint } | null,
): NewReminder {
  const { customer, currency, level, items, fee, interest, compensation, total } = letter;
  const { seller, reminders } = configuration;
  const number = entry?.number ?? null;
  const codes =
    number === null
      ? null
      : paymentCodesOf({ kind: "reminder", number, ledger_year: null, currency, seller });
  const snapshot: ReminderSnapshot = {
    kind: "reminder",
    document_id: id,
    account_name: tx.caller.account_name,
    seller,
    customer,
    language: documentLanguage(customer, configuration),
    currency,
    currency_digits: currencyDigits(currency),
    issue_date: day,
    due_date: addDays(day, reminders.payment_days),
    level,
    text: reminders.levels[level - 1]?.text ?? null,
    items,
    fee,
    interest,
    compensation,
    total,
    posted,
    payment_codes: codes,
  };
  const state = { cancelled_on: null, cancel_reason: null, created_at: tx.clock.now() };
  return {
    row: { id, number, entry_no: entry?.entry_no ?? null, ...state },
    snapshot,
    agreed: letter.agreed,
    charged_through: letter.charged_through,
  };
}

/** Returns the open item of a reminder that charges something. */
function itemOfReminder({ row, snapshot }: NewReminder): NumberedItem[] {
  if (row.number === null) return [];
  const { customer, currency, issue_date, due_date, fee, interest, compensation, posted } =
    snapshot;
  return [
    {
      id: row.id,
      kind: "reminder",
      is_credit: false,
      customer_id: customer.id,
      number: `${row.number}`,
      currency,
      date: issue_date,
      due_date,
      ended_on: null,
      amount: fee + interest + compensation,
      functional: posted.charges + posted.interest,
      takes: [],
    },
  ];
}
