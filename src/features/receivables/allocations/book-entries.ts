/** Books entries of payments, reminders and opening items in the built-in ledger, with the accounts of the configuration. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { DatedPostings } from "../../../domain/receivables/receivable-postings.ts";
import type { JournalBooking } from "../../../ledger/ledger.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { freeze, sha256 } from "../../../platform/runtime/json.ts";
import { ownLedger } from "../../settings/configuration/accounts.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";

type Role = DatedPostings["postings"][number]["role"];

/** The account of each role, by number; a role without an account is absent. */
export type PostingAccounts = ReadonlyMap<Role, number>;

/** An entry to book, by account. An entry without postings is not made. */
export interface NewEntry {
  readonly kind: JournalBooking["kind"];
  readonly guid: string;
  readonly text: string;
  /** That of the item. */
  readonly currency: string;
  readonly posted: PostedEntry;
  /** The guid of the entry that this one reverses. */
  readonly reverses_guid: string | null;
}

/** An entry as it is posted; amounts are minor units, of the functional currency and of the entry's. */
export interface PostedEntry {
  readonly date: CalendarDate;
  readonly postings: JournalBooking["document"]["postings"];
}

interface BookedEntry {
  readonly entry_no: bigint;
  readonly number: bigint;
}

/** Returns the accounts of the roles, with the bank's or the counter account of an opening item where there is one. */
export function postingAccounts(
  tx: Tx,
  configuration: Configuration,
  own: { readonly bank?: number; readonly counter_account?: number },
): PostingAccounts {
  const ownBooks = ownLedger(tx).books(tx, tx.caller.account_id);
  const accounts: readonly (readonly [Role, number | null | undefined])[] = [
    ["bank", own.bank],
    ["counter_account", own.counter_account],
    ["receivables", ownBooks.control_accounts.receivables],
    ["customer_credit", configuration.customer_credit_account],
    ["rounding", configuration.rounding_account],
    ["payment_fee", configuration.payment_fee_account],
    ["exchange_difference", configuration.exchange_difference_account],
    ["reminder_fee", configuration.reminder_fee_account],
    ["interest_income", configuration.interest_income_account],
  ];
  return new Map(accounts.flatMap(([role, number]) => (number == null ? [] : [[role, number]])));
}

/** Returns what an entry posts, by account. Throws ACCOUNT_ROLE_MISSING with the roles that have no account. */
export function postedEntry(
  { date, postings }: DatedPostings,
  accounts: PostingAccounts,
): PostedEntry {
  const roles = postings.map(({ role }) => role).filter((role) => !accounts.has(role));
  if (roles.length > 0) {
    throw new Problem("ACCOUNT_ROLE_MISSING", { details: { roles: [...new Set(roles)] } });
  }
  return {
    date,
    postings: postings.map(({ role, ...posting }) => ({
      ...posting,
      account_number: accounts.get(role) ?? 0,
    })),
  };
}

/**
 * Books entries in the order given, and returns them by their guids; those without postings are absent. Takes the lock of the
 * numbers, so that stamps follow it.
 */
export async function bookEntries(
  tx: Tx,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, BookedEntry>> {
  const { actor } = tx.caller;
  const bookings = entries.flatMap(({ kind, guid, text, currency, posted, reverses_guid }) => {
    const { date: issue_date, postings } = posted;
    if (postings.length === 0) return [];
    const fields = { kind, issue_date, text, currency, rate_micro: null, reverses_guid, postings };
    const document = fields as JournalBooking["document"];
    const payload_hash = sha256(freeze(document));
    return [{ kind, guid, payload_hash, requested_by: `${actor.kind}:${actor.id}`, document }];
  });
  const ledger = ownLedger(tx).within(tx, tx.caller.account_id);
  const outcomes = bookings.length === 0 ? [] : await ledger.ensureBooked(bookings);
  return new Map(
    outcomes.map((outcome) => {
      if (outcome.state !== "booked" || outcome.entry_no === undefined) {
        throw new Error(`an entry was not booked: ${outcome.state}`);
      }
      return [outcome.guid, { entry_no: outcome.entry_no, number: outcome.number }];
    }),
  );
}

/** Returns the opposite of what an entry posted, on the accounts on which it was posted. */
export function turnedPostings(tx: Tx, guid: string): Promise<PostedEntry["postings"]> {
  return tx.rows<PostedEntry["postings"][number]>(sql`
    select p.account_number, p.customer_id, -p.amount as amount, -p.currency_amount as currency_amount
    from ledger_entries e
    join ledger_postings p on p.account_id = ${tx.caller.account_id} and p.entry_no = e.entry_no
    where e.account_id = ${tx.caller.account_id} and e.guid = ${guid} order by p.line_no`);
}
